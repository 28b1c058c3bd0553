"""Pairs of brackets that become equal by moving some words, grouped by these words.

The words of a move are the symmetric difference of two brackets. The edges of a set of words are the indices
where its runs begin and end. The edges of the difference are those that only one of the two brackets has. So
moves are compared and sorted by their edges, at most four for continuous brackets, instead of by all words of
the sentence.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

MAX_CELLS = 1 << 22
"""The maximal number of edges that are sorted at once."""


@dataclass(frozen=True)
class Moves:
    """Moves in ascending order of their numbers of words, then of the last word that differs.

    missing, additional  gold's bracket of each pair and the candidate's, move by move
    first                index of the first pair of each move, and last the number of all pairs
    sizes                the number of words of each move
    """

    missing: list[int]
    additional: list[int]
    first: list[int]
    sizes: list[int]

    @classmethod
    def of(
        cls,
        missing: Mapping[int, int],
        additional: Mapping[int, int],
        rows: NDArray[np.int64],
        columns: NDArray[np.int64],
        sizes: NDArray[np.int32],
    ) -> Moves:
        """Group pairs of brackets by the words that they differ by.

        missing, additional  the words of brackets of gold and of the candidate, as sets of bits
        rows, columns        indices of the two brackets of each pair, in the order of the mappings
        sizes                the number of words that each pair differs by
        """
        left, right = _edges(missing.values()), _edges(additional.values())
        order = np.argsort(sizes, kind="stable")
        begins = np.zeros(len(order), np.bool_)
        sorted_sizes = sizes[order]
        for begin, end in _runs(sorted_sizes):
            of_size = order[begin:end]
            edges = _differing_edges(left, right, rows[of_size], columns[of_size], 2 * sizes[of_size[0]])
            by_edges = np.lexsort(edges.T[::-1])
            order[begin:end], edges = of_size[by_edges], edges[by_edges]
            begins[begin] = True
            begins[begin + 1 : end] = (edges[1:] != edges[:-1]).any(axis=1)
        first = np.flatnonzero(begins)
        sizes_of_moves = sorted_sizes[first].tolist()
        gold_brackets, candidate_brackets = (
            np.array([*missing])[rows[order]],
            np.array([*additional])[columns[order]],
        )
        return cls(
            gold_brackets.tolist(), candidate_brackets.tolist(), [*first.tolist(), len(order)], sizes_of_moves
        )

    def pairs(self, move: int, missing: Container[int], additional: Container[int]) -> list[tuple[int, int]]:
        """Return the pairs of a move that are among some brackets of gold and of the candidate."""
        of_move = range(self.first[move], self.first[move + 1])
        pairs = [(self.missing[index], self.additional[index]) for index in of_move]
        return [pair for pair in pairs if pair[0] in missing and pair[1] in additional]

    def by_rank(self) -> Iterator[tuple[tuple[int, int], list[int]]]:
        """Yield each rank, ``(-number of pairs, number of words)``, and its moves, in ascending order."""
        counts, sizes = -np.diff(self.first), np.array(self.sizes, np.int64)
        order = np.lexsort((sizes, counts))
        for begin, end in _runs(counts[order], sizes[order]):
            moves = order[begin:end].tolist()
            yield (int(counts[moves[0]]), self.sizes[moves[0]]), moves


def _runs(*columns: NDArray[np.integer]) -> Iterator[tuple[int, int]]:
    """Yield the begin and the end of each run of equal rows of the columns."""
    if len(columns[0]):
        changes = np.logical_or.reduce([column[1:] != column[:-1] for column in columns])
        yield from pairwise([0, *(np.flatnonzero(changes) + 1).tolist(), len(columns[0])])


def _edges(yields: Collection[int]) -> NDArray[np.uint16]:
    """Return a row for each set of words: 1 more than each index where a run begins or has ended, then 0."""
    edges = []
    for words in yields:
        changes, of_words = words ^ (words << 1), list[int]()
        while changes:
            of_words.append((changes & -changes).bit_length())
            changes &= changes - 1
        edges.append(of_words)
    padded = np.zeros((len(edges), max(map(len, edges), default=0)), np.uint16)
    for row, of_words in zip(padded, edges, strict=True):
        row[: len(of_words)] = of_words
    return padded


def _differing_edges(
    left: NDArray[np.uint16],
    right: NDArray[np.uint16],
    rows: NDArray[np.int64],
    columns: NDArray[np.int64],
    width: int,
) -> NDArray[np.uint16]:
    """Return the edges that only one bracket of each pair has, as rows that sort like the sets of words.

    The order of sets is that of their bits read as a number. So the last run comes first; the set whose run
    ends later is larger, and of equal ends the set whose run begins earlier. For that, begins are subtracted
    from the largest number.
    """
    total_width = left.shape[1] + right.shape[1]
    differing = np.zeros((len(rows), min(width, total_width)), np.uint16)
    step = max(1, MAX_CELLS // total_width)
    for begin in range(0, len(rows), step):
        chunk = slice(begin, begin + step)
        edges = np.concatenate([left[rows[chunk]], right[columns[chunk]]], axis=1)
        edges.sort(axis=1)
        common = edges[:, 1:] == edges[:, :-1]
        edges[:, 1:][common] = 0
        edges[:, :-1][common] = 0
        edges.sort(axis=1)
        differing[chunk] = edges[:, ::-1][:, : differing.shape[1]]
    differing[:, 1::2] = np.iinfo(np.uint16).max - differing[:, 1::2]
    return differing
