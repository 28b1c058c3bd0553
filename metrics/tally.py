"""Items (brackets, words, arcs) summed by sentence, and by sentence and kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from metrics.counts import Column, Parts
from treebanks.arrays import Int32Array, Int64Array


class Tally(NamedTuple):
    """What is counted about each item of one side.

    offsets  which items belong to which sentence, shape ``(sentences + 1,)``
    kind     code of the item's label, relation or tag, shape ``(items,)``
    amount   how much the item counts: a flag or a number, shape ``(items,)``
    """

    offsets: Int64Array
    kind: Int32Array
    amount: NDArray[Any]


@njit(cache=True, nogil=True)
def by_sentence(offsets: Int64Array, amount: NDArray[Any]) -> Column:
    """The sum of the items' amounts in each sentence, shape ``(sentences,)``."""
    sums = np.zeros(len(offsets) - 1, np.float64)
    for sentence in range(len(sums)):
        for item in range(offsets[sentence], offsets[sentence + 1]):
            sums[sentence] += amount[item]
    return sums


def by_kind(tallies: Mapping[str, Tally], name: Callable[[int], str]) -> Parts:
    """The sums by sentence and kind, one column for each tally; ``name`` gives the name of a code."""
    rows = {column: np.flatnonzero(tally.amount) for column, tally in tallies.items()}
    kinds = np.concatenate([tally.kind[rows[column]] for column, tally in tallies.items()])
    codes, key = np.unique(kinds, return_inverse=True)
    sentences = np.concatenate(
        [np.searchsorted(tally.offsets, rows[column], "right") - 1 for column, tally in tallies.items()]
    )
    cells, cell = np.unique(sentences * len(codes) + key, return_inverse=True)
    columns: dict[str, Column] = {}
    end = 0
    for column, tally in tallies.items():
        begin, end = end, end + len(rows[column])
        amount = tally.amount[rows[column]].astype(np.float64)
        columns[column] = np.bincount(cell[begin:end], amount, len(cells)).astype(np.float64)
    return Parts(
        tuple(name(code) for code in codes.tolist()),
        (cells // max(len(codes), 1)).astype(np.int32),
        (cells % max(len(codes), 1)).astype(np.int32),
        columns,
    )
