"""Printing that several commands share: columns, JSON or text, diagnostics."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from json import dumps
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from crossbank.treebanks import Treebank


def in_columns(entries: Mapping[str, object]) -> str:
    """Return names and values in two columns."""
    width = max(map(len, entries), default=0)
    return "\n".join(f"{name:<{width}}  {format_value(value)}".rstrip() for name, value in entries.items())


def format_value(value: object) -> str:
    """Return a value as text; fractions have four digits."""
    return f"{value:.4f}" if isinstance(value, float) else str(value)


def print_result(json: bool, values: Callable[[], object], text: Callable[[], str]) -> None:
    """Print the result of a command as one JSON value or as text."""
    print(dumps(values(), ensure_ascii=False) if json else text())


def print_damage(bank: Treebank, name: str) -> None:
    """Print on stderr what was done with damaged sentences of a file, a line for each kind."""
    from crossbank.reports.texts.conversion_events import format_diagnosis
    from crossbank.treebanks.damage.correction import STEP

    damage = tuple(one for one in bank.diagnosis if one.step == STEP)
    for line in format_diagnosis(bank.replace(diagnosis=damage)) if damage else ():
        print(f"{name}: {line}", file=sys.stderr)


def print_diagnosis(bank: Treebank) -> None:
    """Print on stderr what transformations did, a line for each kind of event."""
    from crossbank.reports.texts.conversion_events import format_diagnosis

    for line in format_diagnosis(bank):
        print(line, file=sys.stderr)
