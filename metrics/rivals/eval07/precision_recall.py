"""Precision and recall of relations, with and without attachment, and of heads by direction and distance."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from crossbank.metrics.arcs.head_bins import DIRECTIONS, DISTANCES, directions, distances
from crossbank.metrics.rivals.eval07.tokens import Tokens
from crossbank.treebanks.arrays import BoolArray, Int64Array

RULE = "  ----------------+------+---------+--------+------------+---------------\n"


def relations(tokens: Tokens, scored: Int64Array) -> str:
    """The tables of relations, without and with their heads."""
    gold, system = tokens.gold_relation[scored], tokens.relation[scored]
    same = gold == system
    return _table("DEPREL", "deprel", tokens.strings, gold, system, same) + _table(
        "DEPREL + ATTACHMENT", "deprel", tokens.strings, gold, system, same & ~tokens.wrong_head[scored]
    )


def heads(tokens: Tokens, scored: Int64Array) -> str:
    """The tables of heads by direction and by distance."""
    place = tokens.number[scored] - 1
    gold, system = (tokens.numbers[column[scored]] - 1 for column in (tokens.gold_head, tokens.head))
    tables = ""
    for name, bins, bin_of in (("direction", DIRECTIONS, directions), ("distance", DISTANCES, distances)):
        sides = bin_of(gold, place), bin_of(system, place)
        tables += _table(f"binned HEAD {name}", name, bins, *sides, sides[0] == sides[1])
    return tables


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
