"""Heads as answers write them: ``2``, ``2 (left)``, ``left (2)``, ``left-2``, ``ROOT``, or a word alone.

Some answers count words from 0: heads are then moved by one, and the root has the head ``-1``, itself, or is
the word with the relation ``root``.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

ID, FORM, HEAD, RELATION = 0, 1, 6, 7

NO_HEAD = frozenset({"", "_", "-", "–", "—"})
ROOTS = frozenset({"root", "none", "null", "itself", "self"})

_NUMBER = re.compile(r"[-+]?([0-9]{1,7})(?![\w.,'’-])")
_NUMBER_AFTER = re.compile(r"(.+?)\s*(?:[-#:/]|[(\[{]\s*#?)\s*([0-9]{1,7})\s*[)\]}]?")


def is_root(cell: str) -> bool:
    """Return whether a head is named as the root."""
    return cell.casefold().strip("()[]<>*. ") in ROOTS


def resolve_heads(rows: Sequence[list[str]]) -> None:
    """Replace the heads in rows of ten columns by numbers, where they name words."""
    words = [row for row in rows if row[ID].isdecimal()]
    forms: dict[str, list[str]] = defaultdict(list)
    for row in words:
        forms[row[FORM].casefold()].append(row[ID])
    by_id = {row[ID]: row[FORM].casefold() for row in words}
    for row in rows:
        row[RELATION] = row[RELATION].strip("[]()") or "_"
        row[HEAD] = _resolved(row[HEAD], forms, by_id)
    if words and words[0][ID] == "0":
        _count_from_one(rows)


def _resolved(cell: str, forms: dict[str, list[str]], by_id: dict[str, str]) -> str:
    if cell in NO_HEAD:
        return "_"
    if cell.isdecimal() or cell == "-1":
        return cell
    if is_root(cell) and cell.casefold() not in forms:
        return "0"
    after = _NUMBER_AFTER.fullmatch(cell)
    if after is not None:
        word, number = after[1].casefold(), after[2]
        if by_id.get(number) == word:
            return number
        if is_root(word) and number == "0":
            return "0"
    if (named := forms.get(cell.casefold())) is not None:
        # A word that the sentence has twice names no head.
        return named[0] if len(named) == 1 else "_"
    if is_root(cell):
        return "0"
    if (number := _NUMBER.match(cell)) is not None:
        return number[1]
    return after[2] if after is not None else cell


def _count_from_one(rows: Sequence[list[str]]) -> None:
    """Let rows whose first word has the number 0 count from 1."""
    for row in rows:
        number, head = row[ID], row[HEAD]
        is_own = head in (number, "-1") or row[RELATION].casefold() == "root"
        if number.isdecimal():
            row[ID] = str(int(number) + 1)
        if is_own:
            row[HEAD] = "0"
        elif head.isdecimal():
            row[HEAD] = str(int(head) + 1)
