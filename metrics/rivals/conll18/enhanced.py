"""Enhanced dependencies: ELAS and EULAS, as the shared tasks on enhanced parsing score them.

Bouma, Seddah and Zeman (2020): Overview of the IWPT 2020 Shared Task on Parsing into Enhanced Universal
Dependencies, section 5. A word may have several heads (column DEPS). An edge is right if the words are
aligned, their heads are or both are the root, and the relations are the same; in EULAS without subtypes,
in each step of a path such as ``conj>obj``. Every edge of gold is compared with every one of the system, so
that one that stands twice counts twice as often; edges from empty nodes are left out.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
from numba import njit

from crossbank.metrics.counting.counts import Column
from crossbank.metrics.rivals.conll18.words import NO_HEAD, Words
from crossbank.treebanks import Treebank
from crossbank.treebanks.arrays import Int32Array, Int64Array, offsets_of
from crossbank.treebanks.errors import CrossbankError

ENHANCED = ("ELAS", "EULAS")
"""The rows that are added to the table."""

EDGE = re.compile(r"(\d{1,9})(\.\d+)?:(.+)", re.ASCII)
SUBTYPE = re.compile(r":[^>]*")


class Edges(NamedTuple):
    """The enhanced dependencies of a side, those of a word one behind the other.

    offsets   which edges belong to which word, shape ``(words + 1,)``
    head      counted through the file, or ``NO_HEAD``; shape ``(edges,)`` as the rest
    relation  codes common to both sides
    plain     the same without subtypes
    """

    offsets: Int64Array
    head: Int64Array
    relation: Int32Array
    plain: Int32Array


def enhanced(
    gold: tuple[Treebank, Words], system: tuple[Treebank, Words], counterpart: Int64Array
) -> dict[str, Column]:
    """Columns ``elas_correct``, ``elas_gold``, ``elas_system`` and the same for EULAS, by sentence of gold.

    ``counterpart`` is the alignment of the words. Raises CrossbankError where DEPS is no list of heads
    and relations.
    """
    codes: dict[str, int] = {}
    own, others = (_edges(bank, words, codes) for bank, words in (gold, system))
    sentences = len(gold[1].offsets) - 1
    of_own = np.repeat(np.arange(sentences), np.diff(gold[1].offsets))
    cut = gold[1].spans.sentence_start
    of_others = np.searchsorted(cut, system[1].spans.start, side="right") - 1
    correct = np.zeros((2, sentences), np.float64)
    _count(own, others, counterpart, of_own, correct)
    columns: dict[str, Column] = {}
    for row, name in enumerate(ENHANCED):
        columns[f"{name.lower()}_correct"] = correct[row]
        for side, edges, places in (("gold", own, of_own), ("system", others, of_others)):
            edges_of_words = np.bincount(places, np.diff(edges.offsets), sentences)
            columns[f"{name.lower()}_{side}"] = edges_of_words.astype(np.float64)
    return columns


def _edges(bank: Treebank, words: Words, codes: dict[str, int]) -> Edges:
    deps, sizes = bank.tokens.deps, np.diff(words.offsets)
    parsed = {code: _parsed(bank, code, codes) for code in np.unique(deps).tolist()}
    lengths = np.zeros(len(bank.vocabulary), np.int64)
    lengths[list(parsed)] = [len(edges) for edges in parsed.values()]
    begins = np.zeros(len(bank.vocabulary), np.int64)
    begins[list(parsed)] = offsets_of(lengths[list(parsed)])[:-1]
    known = np.array([edge for edges in parsed.values() for edge in edges], np.int64).reshape(-1, 3)
    offsets = offsets_of(lengths[deps])
    word = np.repeat(np.arange(len(deps)), lengths[deps])
    places = begins[deps][word] + np.arange(len(word)) - offsets[word]
    number, relation, plain = known[places].T
    sentence = np.repeat(np.arange(len(sizes)), sizes)[word]
    if (number > sizes[sentence]).any():
        first = int((number > sizes[sentence]).argmax())
        where, found = int(sentence[first]), int(number[first])
        raise CrossbankError(
            f"{bank.where(where)}: sentence {bank.sentence_id(where)}: found the enhanced head {found}, "
            f"expected a word of the sentence, of {sizes[where]} words, or 0"
        )
    head = np.where(number > 0, number - 1 + words.offsets[sentence], NO_HEAD)
    return Edges(offsets, head, relation.astype(np.int32), plain.astype(np.int32))


def _parsed(bank: Treebank, code: int, codes: dict[str, int]) -> list[tuple[int, int, int]]:
    """The edges in a column DEPS: head's number, relation, and relation without subtypes."""
    edges = []
    for written in filter(None, bank.vocabulary[code].strip().split("|")):
        found = EDGE.fullmatch(written)
        if found is None:
            where = int(bank.tokens.sentence_of_row()[int((bank.tokens.deps == code).argmax())])
            raise CrossbankError(
                f"{bank.where(where)}: sentence {bank.sentence_id(where)}: found the enhanced dependency "
                f"{written!r}, expected head:relation"
            )
        number, empty, relation = found.groups()
        if empty is None:
            whole = codes.setdefault(relation, len(codes))
            edges.append((int(number), whole, codes.setdefault(SUBTYPE.sub("", relation), len(codes))))
    return edges


@njit(cache=True, nogil=True)
def _count(
    gold: Edges, system: Edges, counterpart: Int64Array, sentence_of: Int64Array, correct: Column
) -> None:
    """Add to ``correct`` the pairs of edges that agree, with and without subtypes."""
    for word in range(len(counterpart)):
        own = counterpart[word]
        if own < 0:
            continue
        for edge in range(gold.offsets[own], gold.offsets[own + 1]):
            for other in range(system.offsets[word], system.offsets[word + 1]):
                head = system.head[other]
                if head >= 0:
                    head = counterpart[head]
                if head == gold.head[edge]:
                    correct[0, sentence_of[own]] += gold.relation[edge] == system.relation[other]
                    correct[1, sentence_of[own]] += gold.plain[edge] == system.plain[other]
