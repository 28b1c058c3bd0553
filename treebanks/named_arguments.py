"""Arguments in messages, in the notation of Python, of the command line, or of a study file.

A message contains ``f"({argument('scheme', 'tiger')})"``. The notation is that of the user: a command calls
the library inside ``with spelled(...)``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Literal

IN_PYTHON = {"yes": "True", "no": "False", "": ""}
"""Values that Python and the command line write differently."""


@dataclass(frozen=True)
class ArgumentSpelling:
    """The notation of arguments for the user of a call.

    form     in a shell, in Python, or in the file of a study
    renamed  options that a command spells in another way
    """

    form: Literal["typed", "in_python", "in_study"] = "in_python"
    renamed: Mapping[str, str] = field(default_factory=dict)


PYTHON = ArgumentSpelling()

_SPELLING: ContextVar[ArgumentSpelling] = ContextVar("the spelling of arguments", default=PYTHON)


@contextmanager
def spelled(spelling: ArgumentSpelling) -> Iterator[None]:
    """Set the notation of arguments in messages, also in threads that ``ranges`` starts."""
    before = _SPELLING.set(spelling)
    try:
        yield
    finally:
        _SPELLING.reset(before)


@dataclass(frozen=True)
class NamedArgument:
    """An argument or a call as a user types it in a shell, in Python, and in the file of a study."""

    typed: str
    in_python: str
    in_study: str

    def __str__(self) -> str:
        spelling = _SPELLING.get()
        text: str = getattr(self, spelling.form)
        return spelling.renamed.get(text, text)


def argument(
    name: str, value: str = "", *, of_metric: bool = False, in_python: str = "", in_study: str = ""
) -> NamedArgument:
    """Return an argument, with or without a value.

    of_metric  whether the command line has the argument under ``--option``
    in_python, in_study  the notation there, if it is not the keyword or the key
    """
    values = [IN_PYTHON.get(one, f'"{one}"') for one in value.split(" or ")]
    typed = f"--option {name}={value}" if of_metric else f"--{name} {value}".strip()
    in_python = in_python or f"{name}={' or '.join(values)}"
    return NamedArgument(typed, in_python, in_study or (f"{name}: {value}" if value else f"the key {name}"))


def transformed(transformation: str, scheme: str = "") -> NamedArgument:
    """Return a file, or a treebank, after a transformation."""
    quote = "'" if ":" in transformation else ""
    of_scheme = (f" --scheme {scheme}", f', "{scheme}"') if scheme else ("", "")
    typed = f"crossbank convert FILE NEW{of_scheme[0]} --transform {quote}{transformation}{quote}"
    return NamedArgument(typed, f'crossbank.transform(bank, ["{transformation}"]{of_scheme[1]})', typed)


def universal(scheme: str) -> NamedArgument:
    """Return gold's trees as Universal Dependencies, by the rules of a scheme."""
    typed = f"crossbank convert GOLD NEW.conllu --scheme {scheme} --ud"
    return NamedArgument(typed, f'crossbank.to_ud(gold, scheme="{scheme}")', typed)
