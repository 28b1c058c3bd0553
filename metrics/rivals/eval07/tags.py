"""Accuracy and error rate by gold's CPOSTAG."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from crossbank.metrics.rivals.eval07.summary import right_percentage
from crossbank.metrics.rivals.eval07.tokens import Tokens
from crossbank.treebanks.arrays import Int64Array

RULE = "  -----------+-------+-------+------+-------+------+-------+-------\n"


class Row(NamedTuple):
    """A tag, how many words have it, and how many of these have a wrong head, relation, one, and both."""

    name: str
    words: int
    head: int
    relation: int
    either: int
    both: int


def by_tag(tokens: Tokens, scored: Int64Array) -> str:
    """Both tables, the most frequent tag first."""
    total, *rows = _rows(tokens, scored)
    rows.sort(key=lambda row: (-row.words, row.name))
    return (
        "  The overall accuracy and its distribution over CPOSTAGs\n\n"
        + _table(("Accuracy", "words", "right", "right", "both"), ("", "", "head", " dep", "right"))
        + _block([_accuracy(total)], list(map(_accuracy, rows)))
        + "\n\n  The overall error rate and its distribution over CPOSTAGs\n\n"
        + _table(("Error", "words", "head", " dep", "both"), ("Rate", "", "err", " err", "wrong"))
        + _block([_errors(total)], list(map(_errors, rows)))
    )


def _rows(tokens: Tokens, scored: Int64Array) -> list[Row]:
    """The row of all words, and then that of each tag."""
    pos, head, relation = tokens.pos[scored], tokens.wrong_head[scored], tokens.wrong_relation[scored]
    among = (np.ones_like(head), head, relation, head | relation, head & relation)
    columns = [np.bincount(pos[words], minlength=len(tokens.strings)) for words in among]
    rows = [Row("total", *(int(words.sum()) for words in among))]
    rows += [
        Row(tokens.strings[code], *(int(column[code]) for column in columns))
        for code in np.flatnonzero(columns[0]).tolist()
    ]
    return rows


def _table(first: Sequence[str], second: Sequence[str]) -> str:
    name, words, *cells = first
    head = f"  {name:<10} | {words:<5} | " + " | ".join(f"{cell:<5} |   % " for cell in cells).rstrip() + "\n"
    name, words, *cells = second
    head += (
        f"  {name:<10} | {words:<5} | " + " | ".join(f"{cell:<5} |     " for cell in cells).rstrip() + "\n"
    )
    return RULE + head + RULE


def _block(total: Sequence[str], rows: Sequence[str]) -> str:
    return "".join(total) + RULE + "".join(rows) + RULE


def _accuracy(row: Row) -> str:
    wrong = (row.head, row.relation, row.either)
    return _line(row, [(row.words - errors, right_percentage(errors, row.words)) for errors in wrong])


def _errors(row: Row) -> str:
    wrong = (row.head, row.relation, row.both)
    return _line(row, [(errors, errors * 100.0 / row.words) for errors in wrong])


def _line(row: Row, cells: Sequence[tuple[int, float]]) -> str:
    numbers = "".join(f" | {count:5d} | {share:3.0f}%" for count, share in cells)
    return f"  {row.name:<10} | {row.words:5d}{numbers}\n"
