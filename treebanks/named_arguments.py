"""Arguments in messages: as Python writes them, as the command line does, or as the file of a study does.

Whoever names one puts it into the sentence, ``f"({argument('scheme', 'tiger')})"``, once for all.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

IN_PYTHON = {"yes": "True", "no": "False", "": ""}
"""Values that Python writes in another way than the command line."""


@dataclass(frozen=True)
class Named:
    """An argument or a call as a user types it in a shell, in Python, and in the file of a study."""

    typed: str
    in_python: str
    in_study: str
    place: ClassVar[Literal["typed", "in_python", "in_study"]] = "in_python"
    """Where the user of this process writes: the command line and the steps of studies set it."""
    renamed: ClassVar[dict[str, str]] = {}
    """Options that the command of this process spells in another way."""

    def __str__(self) -> str:
        named: str = getattr(self, Named.place)
        return Named.renamed.get(named, named)


def argument(
    name: str, value: str = "", *, of_metric: bool = False, in_python: str = "", in_study: str = ""
) -> Named:
    """Return an argument, with a value or without.

    of_metric  whether it is one of those that the command line takes as ``--option``
    in_python, in_study  how these name it, where that is not the keyword or the key
    """
    values = [IN_PYTHON.get(one, f'"{one}"') for one in value.split(" or ")]
    typed = f"--option {name}={value}" if of_metric else f"--{name} {value}".strip()
    in_python = in_python or f"{name}={' or '.join(values)}"
    return Named(typed, in_python, in_study or (f"{name}: {value}" if value else f"the key {name}"))


def transformed(transformation: str, scheme: str = "") -> Named:
    """Return a file, or a treebank, after a transformation."""
    quote = "'" if ":" in transformation else ""
    of_scheme = (f" --scheme {scheme}", f', "{scheme}"') if scheme else ("", "")
    typed = f"crossbank convert FILE NEW{of_scheme[0]} --transform {quote}{transformation}{quote}"
    return Named(typed, f'crossbank.transform(bank, ["{transformation}"]{of_scheme[1]})', typed)


def universal(scheme: str) -> Named:
    """Return gold's trees as Universal Dependencies, by the rules of a scheme."""
    typed = f"crossbank convert GOLD NEW.conllu --scheme {scheme} --ud"
    return Named(typed, f'crossbank.to_ud(gold, scheme="{scheme}")', typed)
