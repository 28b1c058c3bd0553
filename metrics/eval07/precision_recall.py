"""Precision and recall of relations, with and without attachment, and of heads by direction and distance."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from metrics.eval07.tokens import Tokens
from treebanks.arrays import BoolArray, Int64Array

DIRECTIONS = ("to_root", "left", "right", "self")
DISTANCES = ("to_root", "1", "2", "3-6", "7-...")

RULE = "  ----------------+------+---------+--------+------------+---------------\n"


def relations(tokens: Tokens, scored: Int64Array) -> str:
    """The tables of relations, without and with their heads."""
    gold, system, wrong_head = (
        column[scored] for column in (tokens.gold_relation, tokens.relation, tokens.wrong_head)
    )
    same = gold == system
    return _table("DEPREL", "deprel", tokens.strings, gold, system, same) + _table(
        "DEPREL + ATTACHMENT", "deprel", tokens.strings, gold, system, same & ~wrong_head
    )


def heads(tokens: Tokens, scored: Int64Array) -> str:
    """The tables of heads by direction and by distance."""
    number = tokens.number[scored]
    gold, system = (tokens.numbers[column[scored]] for column in (tokens.gold_head, tokens.head))
    tables = ""
    for name, bins, bin_of in (("direction", DIRECTIONS, direction), ("distance", DISTANCES, distance)):
        sides = bin_of(gold, number), bin_of(system, number)
        tables += _table(f"binned HEAD {name}", name, bins, *sides, sides[0] == sides[1])
    return tables


def direction(head: NDArray[np.float64], number: Int64Array) -> Int64Array:
    """Where the heads of tokens stand, as places in ``DIRECTIONS``."""
    where: Int64Array = np.select([head == 0, head < number, head > number], [0, 1, 2], 3)
    return where


def distance(head: NDArray[np.float64], number: Int64Array) -> Int64Array:
    """How far the heads of tokens are, as places in ``DISTANCES``; itself is as far as its neighbours."""
    length = np.abs(head - number)
    where: Int64Array = np.select([head == 0, length <= 1, length <= 2, length <= 6], [0, 1, 2, 3], 4)
    return where


def _table(
    title: str,
    name: str,
    names: Sequence[str],
    gold: NDArray[np.integer],
    system: NDArray[np.integer],
    right: BoolArray,
) -> str:
    """A row for each name; those of relations that occur, in their order, those of bins all, as they are."""
    columns = [np.bincount(rows, minlength=len(names)) for rows in (gold, gold[right], system)]
    codes: Sequence[int] = range(len(names))
    if name == "deprel":
        codes = sorted(np.flatnonzero(columns[0] + columns[2]).tolist(), key=lambda code: names[code])
    rows = "".join(_row(names[code], *(int(column[code]) for column in columns)) for code in codes)
    return (
        f"\n\n  Precision and recall of {title}\n\n{RULE}"
        f"  {name:<15} | gold | correct | system | recall (%) | precision (%) \n{RULE}{rows}"
    )


def _row(name: str, gold: int, right: int, system: int) -> str:
    recall, precision = (f"{right / whole * 100:.2f}" if whole else "NaN" for whole in (gold, system))
    return f"  {name:<15} | {gold:4d} | {right:7d} | {system:6d} | {recall:>10} | {precision:>13}\n"
