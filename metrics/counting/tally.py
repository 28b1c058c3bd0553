"""Items (brackets, words, arcs) summed by sentence, and by sentence and kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossbank.metrics.counting.counts import Column, Parts
from crossbank.metrics.loops.common_items import add_up, count_flags
from crossbank.treebanks.arrays import Int32Array, Int64Array, offsets_of
from crossbank.treebanks.ranges import in_ranges


class Tally(NamedTuple):
    """Items of one side, and the amount that is counted about each.

    offsets  which items belong to which sentence, shape ``(sentences + 1,)``
    kind     code of the item's label, relation or tag, shape ``(items,)``
    amount   how much the item counts: a flag or a number, shape ``(items,)``
    """

    offsets: Int64Array
    kind: Int32Array
    amount: NDArray[Any]


def joined(sentences: int, *parts: tuple[Int32Array, Int32Array, NDArray[Any]]) -> Tally:
    """Items of several tables as one tally, from the sentence, kind and amount of each; without zeros."""
    counts = [amount != 0 for _, _, amount in parts]
    sentence, kind, amount = (
        np.concatenate([part[column][mask] for part, mask in zip(parts, counts, strict=True)])
        for column in range(3)
    )
    order = np.argsort(sentence, kind="stable")
    return Tally(offsets_of(np.bincount(sentence, minlength=sentences)), kind[order], amount[order])


def by_sentence(offsets: Int64Array, amount: NDArray[Any]) -> Column:
    """Return the sum of the items' amounts, flags or numbers, in each sentence; shape ``(sentences,)``."""
    sums = np.zeros(len(offsets) - 1, np.float64)
    if amount.dtype == np.bool_:
        in_ranges(lambda first, last: count_flags(offsets, amount, sums, first, last), len(sums))
    else:
        amounts = amount.astype(np.float64, copy=False)
        in_ranges(lambda first, last: add_up(offsets, amounts, sums, first, last), len(sums))
    return sums


CHUNK = 5000
"""The number of sentences that ``by_kind`` takes at a time, so that sorting takes little memory."""


def by_kind(tallies: Mapping[str, Tally], name: Callable[[int], str], *, ordered: bool = False) -> Parts:
    """Return the sums by sentence and kind, one column for each tally; ``name`` gives the name of a code.

    ``ordered``: the kinds have an order of their own, that of their codes.
    """
    used = np.zeros(1 + max(int(tally.kind.max(initial=0)) for tally in tallies.values()), np.bool_)
    for tally in tallies.values():
        used[tally.kind[tally.amount != 0]] = True
    keys = np.cumsum(used) - 1
    sentences = len(next(iter(tallies.values())).offsets) - 1
    cells: list[NDArray[np.int64]] = []
    sums: list[dict[str, Column]] = []
    for first in range(0, max(sentences, 1), CHUNK):
        found = {
            column: _cells(tally, keys, first, min(first + CHUNK, sentences))
            for column, tally in tallies.items()
        }
        # As np.unique, which hashes whole numbers: sorting them is several times as fast.
        every = np.sort(np.concatenate([cell for cell, _ in found.values()]))
        occurring = every[np.diff(every, prepend=-1) > 0]
        cells.append(occurring)
        sums.append(
            {
                column: np.bincount(np.searchsorted(occurring, cell), amount, len(occurring)).astype(
                    np.float64
                )
                for column, (cell, amount) in found.items()
            }
        )
    cell = np.concatenate(cells)
    kinds = max(int(used.sum()), 1)
    codes = np.flatnonzero(used).tolist()
    return Parts(
        tuple(map(name, codes)),
        (cell // kinds).astype(np.int32),
        (cell % kinds).astype(np.int32),
        {column: np.concatenate([chunk[column] for chunk in sums]) for column in tallies},
        ordered,
        ranks=tuple(codes) if ordered else (),
    )


def _cells(
    tally: Tally, keys: NDArray[np.int64], first: int, last: int
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Sentence and key as one number, and the amount, of the items of some sentences that count."""
    items = slice(int(tally.offsets[first]), int(tally.offsets[last]))
    sentence = np.repeat(np.arange(first, last), np.diff(tally.offsets[first : last + 1]))
    counts = tally.amount[items] != 0
    cell = sentence[counts] * (keys[-1] + 1) + keys[tally.kind[items][counts]]
    return cell, tally.amount[items][counts].astype(np.float64)
