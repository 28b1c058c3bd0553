"""Enhanced dependencies: ELAS and EULAS, as the shared tasks on enhanced parsing score them.

Bouma, Seddah and Zeman (2020): Overview of the IWPT 2020 Shared Task on Parsing into Enhanced Universal
Dependencies, section 5. A word may have several heads (column DEPS). An edge is right if the words are
aligned, their heads are aligned or both are the root, and the relations are the same. EULAS ignores
subtypes, in each step of a path such as ``conj>obj``. Every edge of gold is compared with every edge of the
system, so that a repeated edge counts twice. Edges from empty nodes are omitted, and so are enhancements that
a treebank does not have (``enhancement_filters``).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from crossbank.compat.conll18.enhancement_filters import NO_WORD, ROOT, EnhancedEdge, filter_sentence
from crossbank.compat.conll18.official_reading import NO_HEAD, OpenFile
from crossbank.compat.conll18.stretches_of_text import TextWords
from crossbank.metrics.counting.counts import Column
from crossbank.treebanks.arrays import Int32Array, Int64Array, offsets_of

ENHANCED = ("ELAS", "EULAS")
"""The rows that follow the official ones."""

EDGE = re.compile(r"(\d{1,9})(\.\d+)?:(.+)", re.ASCII)
SUBTYPE = re.compile(r":[^>]*")

OF_NO_SYSTEM, OF_NO_GOLD = -3, -4
"""Heads of gold and of the system that are equal to no other, beside ``NO_HEAD`` and ``NOT_ALIGNED``."""


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
    gold: tuple[OpenFile, TextWords],
    system: tuple[OpenFile, TextWords],
    counterpart: Int64Array,
    enhancements: str = "0",
) -> dict[str, Column]:
    """Return the counts of ELAS and EULAS by sentence of gold.

    The columns are ``elas_correct``, ``elas_gold``, ``elas_system`` and those of EULAS.

    counterpart   the alignment of the words
    enhancements  digits of what is left out

    Raises FormatError if DEPS is not a list of heads
    and relations.
    """
    codes: dict[str, int] = {}
    own, of_system = (
        _edges(*side, codes, enhancements, not_aligned)
        for side, not_aligned in ((gold, OF_NO_SYSTEM), (system, OF_NO_GOLD))
    )
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
    same = gold.head[edge] == np.where(head >= 0, counterpart[np.maximum(head, 0)], head)
    return edge[same], other[same]


def _edges(file: OpenFile, words: TextWords, codes: dict[str, int], digits: str, not_aligned: int) -> Edges:
    """Return the edges of gold or system that count; new relations are added to ``codes``.

    not_aligned  the head of edges whose head equals no other
    """
    deps, strings, sizes = file.columns.deps, file.columns.strings, np.diff(words.offsets)
    parsed = {code: _parse_deps(file, code) for code in np.unique(deps).tolist()}
    lengths, begins = np.zeros(len(strings), np.int64), np.zeros(len(strings), np.int64)
    lengths[list(parsed)] = [len(edges) for edges in parsed.values()]
    begins[list(parsed)] = offsets_of(lengths[list(parsed)])[:-1]
    known = [edge for edges in parsed.values() for edge in edges]
    offsets = offsets_of(lengths[deps])
    word = np.repeat(np.arange(len(deps)), lengths[deps])
    indices = begins[deps][word] + np.arange(len(word)) - offsets[word]
    number = np.array([edge.head + 1 for edge in known], np.int64)[indices]
    sentence = np.repeat(np.arange(len(sizes)), sizes)[word]
    if (number > sizes[sentence]).any():
        first = int((number > sizes[sentence]).argmax())
        expected = f"a word of the sentence, of {sizes[sentence[first]]} words, or 0"
        raise file.source.error(int(file.offset[word[first]]), f"the enhanced head {number[first]}", expected)
    if digits.strip("0"):
        return _filtered_edges(
            file, words, [parsed[code] for code in deps.tolist()], codes, digits, not_aligned
        )
    relation, plain = _code_relations([edge.steps for edge in known], codes)
    head = np.where(number > 0, number - 1 + words.offsets[sentence], NO_HEAD)
    return Edges(lengths[deps], offsets[:-1], head, relation[indices], plain[indices])


def _filtered_edges(
    file: OpenFile,
    words: TextWords,
    edges: Sequence[Sequence[EnhancedEdge]],
    codes: dict[str, int],
    digits: str,
    not_aligned: int,
) -> Edges:
    """Return the edges that are left, sentence by sentence."""
    basic = file.columns.strings.decode(file.columns.relation)
    relations = [relation.partition(":")[0] for relation in basic]
    size: list[int] = []
    kept: list[EnhancedEdge] = []
    head: list[int] = []
    for begin, end in pairwise(words.offsets.tolist()):
        heads = [above - begin if above >= 0 else ROOT for above in file.columns.head[begin:end].tolist()]
        for of_word in filter_sentence(edges[begin:end], heads, relations[begin:end], digits):
            size.append(len(of_word))
            kept += of_word
            replaced = {ROOT: NO_HEAD, NO_WORD: not_aligned}
            head += [replaced.get(edge.head, edge.head + begin) for edge in of_word]
    relation, plain = _code_relations([edge.steps for edge in kept], codes)
    sizes = np.array(size, np.int64)
    return Edges(sizes, offsets_of(sizes)[:-1], np.array(head, np.int64), relation, plain)


def _code_relations(paths: Sequence[tuple[str, ...]], codes: dict[str, int]) -> tuple[Int32Array, Int32Array]:
    """Return the codes of paths, and those of the same without subtypes."""
    whole = [">".join(steps) for steps in paths]
    plain = [SUBTYPE.sub("", path) for path in whole]
    relation, without = ([codes.setdefault(path, len(codes)) for path in side] for side in (whole, plain))
    return np.array(relation, np.int32), np.array(without, np.int32)


def _parse_deps(file: OpenFile, code: int) -> list[EnhancedEdge]:
    """Return the edges in a column DEPS, those from empty nodes excluded; an edge of the root has head -1."""
    edges: list[EnhancedEdge] = []
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
            edges.append(EnhancedEdge(int(number) - 1, tuple(relation.split(">"))))
    return edges
