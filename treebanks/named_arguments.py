"""Arguments in messages: as Python writes them, or as the command line does.

Whoever names one puts it into the sentence, ``f"({argument('scheme', 'tiger')})"``, once for both.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

IN_PYTHON = {"yes": "True", "no": "False", "": ""}
"""Values that Python writes in another way than the command line."""


@dataclass(frozen=True)
class Named:
    """An argument or a call as a user types it in a shell, and in Python."""

    typed: str
    in_python: str
    on_command_line: ClassVar[bool] = False
    """Whether this process is the command line's, which sets it."""

    def __str__(self) -> str:
        return self.typed if Named.on_command_line else self.in_python


def argument(name: str, value: str = "", *, of_metric: bool = False, in_python: str = "") -> Named:
    """Return an argument, with a value or without.

    of_metric  whether it is one of those that the command line takes as ``--option``
    in_python  how Python names it, where that is not the keyword
    """
    values = [IN_PYTHON.get(one, f'"{one}"') for one in value.split(" or ")]
    typed = f"--option {name}={value}" if of_metric else f"--{name} {value}".strip()
    return Named(typed, in_python or f"{name}={' or '.join(values)}")


def transformed(transformation: str, scheme: str = "") -> Named:
    """Return a file, or a treebank, after a transformation."""
    quote = "'" if ":" in transformation else ""
    of_scheme = (f" --scheme {scheme}", f', "{scheme}"') if scheme else ("", "")
    return Named(
        f"crossbank convert FILE NEW{of_scheme[0]} --transform {quote}{transformation}{quote}",
        f'crossbank.transform(bank, ["{transformation}"]{of_scheme[1]})',
    )


def universal(scheme: str) -> Named:
    """Return gold's trees as Universal Dependencies, by the rules of a scheme."""
    return Named(
        f"crossbank convert GOLD NEW.conllu --scheme {scheme} --ud",
        f'crossbank.to_ud(gold, scheme="{scheme}")',
    )
