"""Answers that several commands print in the same way."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from json import dumps
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from crossbank.treebanks import Treebank


def in_columns(entries: Mapping[str, object]) -> str:
    """Names and values in two columns; fractions have four digits."""
    width = max(map(len, entries), default=0)
    return "\n".join(f"{name:<{width}}  {shown(value)}".rstrip() for name, value in entries.items())


def shown(value: object) -> str:
    """A value of a table."""
    return f"{value:.4f}" if isinstance(value, float) else str(value)


def print_result(json: bool, values: Callable[[], object], text: Callable[[], str]) -> None:
    """Print the result of a command as one JSON value or as text."""
    print(dumps(values(), ensure_ascii=False) if json else text())


def tell_diagnosis(bank: Treebank) -> None:
    """Print on stderr what transformations did, a line for each kind of event."""
    from crossbank.reports.texts.conversion_events import format_diagnosis

    for line in format_diagnosis(bank):
        print(line, file=sys.stderr)
