"""The compiled loops over aligned words: those that are right in each column, and enhanced dependencies."""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.crossbank.treebanks.arrays import (
    BoolArray,
    Float64MatrixOutput,
    Int32Array,
    Int64Array,
    Int64Output,
)
from numpy.typing import NDArray

# The rows of the counts of ``count_aligned``: ``conll18.scores.ALIGNED``, and then aligned content words.
WORDS = cython.declare(cython.int, 0)
UPOS = cython.declare(cython.int, 1)
XPOS = cython.declare(cython.int, 2)
UFEATS = cython.declare(cython.int, 3)
ALLTAGS = cython.declare(cython.int, 4)
LEMMAS = cython.declare(cython.int, 5)
UAS = cython.declare(cython.int, 6)
LAS = cython.declare(cython.int, 7)
CLAS = cython.declare(cython.int, 8)
MLAS = cython.declare(cython.int, 9)
BLEX = cython.declare(cython.int, 10)
CONTENT_ALIGNED = cython.declare(cython.int, 11)


@cython.final
@cython.cclass
class Annotation:
    """The annotation of one side's words: columns of ``conll18.words.Words``."""

    head: Int64Array
    upos: Int32Array
    xpos: Int32Array
    feats: Int32Array
    lemma: Int32Array
    relation: Int32Array
    content: BoolArray
    functional: BoolArray
    no_lemma: cython.int

    def __init__(
        self,
        head: Int64Array,
        upos: Int32Array,
        xpos: Int32Array,
        feats: Int32Array,
        lemma: Int32Array,
        relation: Int32Array,
        content: BoolArray,
        functional: BoolArray,
        no_lemma: int,
    ) -> None:
        self.head, self.upos, self.xpos, self.feats = head, upos, xpos, feats
        self.lemma, self.relation = lemma, relation
        self.content, self.functional, self.no_lemma = content, functional, no_lemma


def count_aligned(
    gold: Annotation,
    system: Annotation,
    counterpart: Int64Array,
    sentence_of: Int64Array,
    counted: Float64MatrixOutput,
) -> None:
    """Count the aligned words, and the right columns among them, in the sentences of gold.

    ``counterpart`` is the alignment, ``sentence_of`` the sentence of each word of gold; ``counted`` has a
    row for each of ``conll18.scores.ALIGNED`` and one for aligned content words.
    """
    first: Int64Array
    following: Int64Array
    first_there: Int64Array
    following_there: Int64Array
    first, following = function_words(gold)
    first_there, following_there = function_words(system)
    word: cython.Py_ssize_t
    own: cython.Py_ssize_t
    sentence: cython.Py_ssize_t
    head: cython.longlong
    upos: cython.bint
    xpos: cython.bint
    feats: cython.bint
    lemma: cython.bint
    uas: cython.bint
    las: cython.bint
    with cython.nogil:
        for word in range(counterpart.shape[0]):
            own = counterpart[word]
            if own < 0:
                continue
            sentence = sentence_of[own]
            upos, xpos = gold.upos[own] == system.upos[word], gold.xpos[own] == system.xpos[word]
            feats = gold.feats[own] == system.feats[word]
            # A lemma that gold does not know is right whatever it is.
            lemma = gold.lemma[own] == system.lemma[word] or gold.lemma[own] == gold.no_lemma
            head = system.head[word]
            if head >= 0:
                head = counterpart[head]
            uas = gold.head[own] == head
            las = uas and gold.relation[own] == system.relation[word]
            counted[WORDS, sentence] += 1
            counted[UPOS, sentence] += upos
            counted[XPOS, sentence] += xpos
            counted[UFEATS, sentence] += feats
            counted[ALLTAGS, sentence] += upos and xpos and feats
            counted[LEMMAS, sentence] += lemma
            counted[UAS, sentence] += uas
            counted[LAS, sentence] += las
            if gold.content[own]:
                counted[CONTENT_ALIGNED, sentence] += 1
                counted[CLAS, sentence] += las
                counted[BLEX, sentence] += las and lemma
                if las and upos and feats:
                    counted[MLAS, sentence] += have_same_function_words(
                        gold,
                        system,
                        counterpart,
                        following,
                        following_there,
                        first[own],
                        first_there[word],
                    )


def function_words(side: Annotation) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The first function word of each word, and the next one of the same head; -1 where there is none."""
    first: Int64Output = np.full(side.head.shape[0], -1, np.int64)
    following: Int64Output = np.full(side.head.shape[0], -1, np.int64)
    word: cython.Py_ssize_t
    with cython.nogil:
        for word in range(side.head.shape[0] - 1, -1, -1):
            if side.functional[word] and side.head[word] >= 0:
                following[word] = first[side.head[word]]
                first[side.head[word]] = word
    return np.asarray(first), np.asarray(following)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def have_same_function_words(
    gold: Annotation,
    system: Annotation,
    counterpart: Int64Array,
    following: Int64Array,
    following_there: Int64Array,
    own: cython.longlong,
    other: cython.longlong,
) -> cython.bint:
    """True if two words have the same function words, given the first of each.

    Function words are the same where they are aligned and have the same relation, UPOS and features, in the
    same order.
    """
    while (
        own >= 0
        and other >= 0
        and counterpart[other] == own
        and gold.relation[own] == system.relation[other]
        and gold.upos[own] == system.upos[other]
        and gold.feats[own] == system.feats[other]
    ):
        own, other = following[own], following_there[other]
    return own < 0 and other < 0


@cython.final
@cython.cclass
class Edges:
    """The enhanced dependencies of one side: the columns of ``conll18.enhanced.Edges``."""

    offsets: Int64Array
    head: Int64Array
    relation: Int32Array
    plain: Int32Array

    def __init__(
        self, offsets: Int64Array, head: Int64Array, relation: Int32Array, plain: Int32Array
    ) -> None:
        self.offsets, self.head, self.relation, self.plain = offsets, head, relation, plain


def count_edges(
    gold: Edges,
    system: Edges,
    counterpart: Int64Array,
    sentence_of: Int64Array,
    correct: Float64MatrixOutput,
) -> None:
    """Add to ``correct`` the pairs of edges that agree: with subtypes in row 0, without them in row 1."""
    word: cython.Py_ssize_t
    own: cython.Py_ssize_t
    edge: cython.Py_ssize_t
    other: cython.Py_ssize_t
    head: cython.longlong
    with cython.nogil:
        for word in range(counterpart.shape[0]):
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
