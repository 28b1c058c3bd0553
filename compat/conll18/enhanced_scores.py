"""Enhanced dependencies: ELAS and EULAS, as the shared tasks on enhanced parsing score them.

Bouma, Seddah and Zeman (2020): Overview of the IWPT 2020 Shared Task on Parsing into Enhanced Universal
Dependencies, section 5. A word may have several heads (column DEPS). An edge is right if the words are
aligned, their heads are aligned or both are the root, and the relations are the same. EULAS ignores
subtypes, in each step of a path such as ``conj>obj``. Every edge of gold is compared with every edge of the
system, so that a repeated edge counts twice. Edges from empty nodes are omitted.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from crossbank.compat.conll18.official_reading import NO_HEAD, OpenFile
from crossbank.compat.conll18.stretches_of_text import TextWords
from crossbank.metrics.counting.counts import Column
from crossbank.treebanks.arrays import Int32Array, Int64Array, offsets_of

ENHANCED = ("ELAS", "EULAS")
"""The rows that follow the official ones."""

EDGE = re.compile(r"(\d{1,9})(\.\d+)?:(.+)", re.ASCII)
SUBTYPE = re.compile(r":[^>]*")


class Edges(NamedTuple):
    """Enhanced dependencies of gold or system; those of a word are adjacent.

    size      the number of each word's edges, shape ``(words,)``
    first     the first of each word, of the same shape
    head      counted through the file, or ``NO_HEAD``; shape ``(edges,)`` as the rest
    relation  codes common to both sides
    plain     the same without subtypes
    """

    size: Int64Array
    first: Int64Array
    head: Int64Array
    relation: Int32Array
    plain: Int32Array


def enhanced(
    gold: tuple[OpenFile, TextWords], system: tuple[OpenFile, TextWords], counterpart: Int64Array
) -> dict[str, Column]:
    """Return the counts of ELAS and EULAS by sentence of gold.

    The columns are ``elas_correct``, ``elas_gold``, ``elas_system`` and those of EULAS.

    ``counterpart`` is the alignment of the words. Raises FormatError if DEPS is not a list of heads
    and relations.
    """
    codes: dict[str, int] = {}
    own, of_system = (_edges(file, words, codes) for file, words in (gold, system))
    sentences = len(gold[1].offsets) - 1
    of_own = np.repeat(np.arange(sentences), np.diff(gold[1].offsets))
    cut = gold[1].spans.sentence_start
    of_others = np.searchsorted(cut, system[1].spans.start, side="right") - 1
    edge, other = _edges_with_heads(own, of_system, counterpart)
    sentence = np.repeat(of_own, own.size)[edge]
    columns: dict[str, Column] = {}
    for name, relations in (
        ("elas", (own.relation, of_system.relation)),
        ("eulas", (own.plain, of_system.plain)),
    ):
        same = sentence[relations[0][edge] == relations[1][other]]
        columns[f"{name}_correct"] = np.bincount(same, minlength=sentences).astype(np.float64)
        for side, edges, indices in (("gold", own, of_own), ("system", of_system, of_others)):
            columns[f"{name}_{side}"] = np.bincount(indices, edges.size, sentences).astype(np.float64)
    return columns


def _edges_with_heads(gold: Edges, system: Edges, counterpart: Int64Array) -> tuple[Int64Array, Int64Array]:
    """Return the pairs of gold's and the system's edges of aligned words with aligned heads, or roots."""
    words = np.flatnonzero(counterpart >= 0)
    own = counterpart[words]
    numbers = gold.size[own] * system.size[words]
    pair = np.repeat(np.arange(len(words)), numbers)
    index, width = np.arange(len(pair)) - offsets_of(numbers)[pair], system.size[words][pair]
    edge, other = gold.first[own][pair] + index // width, system.first[words][pair] + index % width
    head = system.head[other]
    same = gold.head[edge] == np.where(head >= 0, counterpart[head], head)
    return edge[same], other[same]


def _edges(file: OpenFile, words: TextWords, codes: dict[str, int]) -> Edges:
    """Return the edges of gold or system; new relations are added to ``codes``."""
    deps, strings, sizes = file.columns.deps, file.columns.strings, np.diff(words.offsets)
    parsed = {code: _parsed(file, code, codes) for code in np.unique(deps).tolist()}
    lengths, begins = np.zeros(len(strings), np.int64), np.zeros(len(strings), np.int64)
    lengths[list(parsed)] = [len(edges) for edges in parsed.values()]
    begins[list(parsed)] = offsets_of(lengths[list(parsed)])[:-1]
    known = np.array([edge for edges in parsed.values() for edge in edges], np.int64).reshape(-1, 3)
    offsets = offsets_of(lengths[deps])
    word = np.repeat(np.arange(len(deps)), lengths[deps])
    indices = begins[deps][word] + np.arange(len(word)) - offsets[word]
    number, relation, plain = known[indices].T
    sentence = np.repeat(np.arange(len(sizes)), sizes)[word]
    if (number > sizes[sentence]).any():
        first = int((number > sizes[sentence]).argmax())
        expected = f"a word of the sentence, of {sizes[sentence[first]]} words, or 0"
        raise file.source.error(int(file.offset[word[first]]), f"the enhanced head {number[first]}", expected)
    head = np.where(number > 0, number - 1 + words.offsets[sentence], NO_HEAD)
    return Edges(lengths[deps], offsets[:-1], head, relation.astype(np.int32), plain.astype(np.int32))


def _parsed(file: OpenFile, code: int, codes: dict[str, int]) -> list[tuple[int, int, int]]:
    """Return the edges in a column DEPS: head's number, relation, and relation without subtypes."""
    edges: list[tuple[int, int, int]] = []
    deps = file.columns.strings[code]
    if deps in ("", "_"):
        return edges
    for written in filter(None, deps.strip().split("|")):
        match = EDGE.fullmatch(written)
        if match is None:
            index = int(file.offset[int((file.columns.deps == code).argmax())])
            raise file.source.error(index, f"the enhanced dependency {written!r}", "head:relation")
        number, empty, relation = match.groups()
        if empty is None:
            whole = codes.setdefault(relation, len(codes))
            edges.append((int(number), whole, codes.setdefault(SUBTYPE.sub("", relation), len(codes))))
    return edges
