"""Loop that adds the edges of enhanced dependencies to basic ones."""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.crossbank.treebanks.arrays import (
    BoolArray,
    Int32Array,
    Int32MatrixOutput,
    Int32Output,
    Int64Array,
)
from numpy.typing import NDArray

from crossbank.treebanks.arrays import most_rows


@cython.dataclasses.dataclass(eq=False, repr=False)
class Basic:
    """Basic dependencies, with properties of relations and words.

    offsets    the first word of each sentence, shape ``(sentences + 1,)``
    head, relation  the head of each word (-1 for the root), and its relation
    relative   whether a word is a relative pronoun
    controller  the word's subject, if a trace marks it, or -1
    conjunct, subject, object, open, relative_clause, marked, marker, linker, passive, shared
               whether a relation is ``conj``; of subjects; of objects; ``xcomp``; of relative clauses; one
               that names its marker; of markers (``case``, ``mark``); ``cc``; one that only passives have;
               one that conjuncts share
    names      the relations ``nsubj``, ``nsubj:pass``, ``nsubj:xsubj``, ``nsubj:pass:xsubj``, ``ref``
    """

    offsets: Int64Array
    head: Int32Array
    relation: Int32Array
    relative: BoolArray
    controller: Int32Array
    conjunct: BoolArray
    subject: BoolArray
    object: BoolArray
    open: BoolArray
    relative_clause: BoolArray
    marked: BoolArray
    marker: BoolArray
    linker: BoolArray
    passive: BoolArray
    shared: BoolArray
    names: Int32Array


@cython.cclass
class SentenceEdges:
    """Edges of one sentence so far: word, head, relation, and the word that marks it, or -1.

    is_replaced  whether an edge is replaced by others
    """

    word: Int32Output
    head: Int32Output
    relation: Int32Output
    marker: Int32Output
    is_replaced: Int32Output
    count: cython.int
    capacity: cython.int

    def __init__(self, tokens: int) -> None:
        self.capacity, self.count = 8 * tokens + 64, 0
        self.word, self.head, self.relation, self.marker, self.is_replaced = np.zeros(
            (5, self.capacity), np.int32
        )


def enhance(basic: Basic, first: cython.Py_ssize_t, last: cython.Py_ssize_t) -> NDArray[np.int32]:
    """Return the edges of the sentences ``first`` to ``last - 1``: row of the word, head, relation, marker.

    The head and the marker are counted in the sentence; -1 is the root, or no marker.
    """
    edges = SentenceEdges(most_rows(basic.offsets, first, last))
    rows: Int32MatrixOutput = np.empty((1024 + edges.capacity, 4), np.int32)
    total: cython.Py_ssize_t = 0
    with cython.nogil:
        for sentence in range(first, last):
            base = basic.offsets[sentence]
            length = cython.cast(cython.int, basic.offsets[sentence + 1] - base)
            enhance_sentence(basic, edges, base, length)
            if total + edges.capacity > rows.shape[0]:
                with cython.gil:
                    rows = np.concatenate((rows, np.empty_like(rows)))
            for edge in range(edges.count):
                if edges.is_replaced[edge]:
                    continue
                rows[total, 0] = cython.cast(cython.int, base) + edges.word[edge]
                rows[total, 1], rows[total, 2] = edges.head[edge], edges.relation[edge]
                rows[total, 3] = edges.marker[edge]
                total += 1
    return np.asarray(rows)[:total].copy()


@cython.cfunc
@cython.nogil
def enhance_sentence(
    basic: Basic, edges: SentenceEdges, base: cython.Py_ssize_t, length: cython.int
) -> cython.void:
    """Find the edges of a sentence of ``length`` words."""
    edges.count = 0
    for word in range(length):
        relation = basic.relation[base + word]
        add(edges, word, basic.head[base + word], relation, marker_of(basic, base, word, length))
    # https://universaldependencies.org/u/overview/enhanced-syntax.html: relative clauses
    for word in range(length):
        if not basic.relative[base + word]:
            continue
        above = basic.head[base + word]
        while above >= 0 and not basic.relative_clause[basic.relation[base + above]]:
            above = basic.head[base + above]
        if above < 0:
            continue
        other = basic.head[base + above]
        if other < 0 or other == word or other > word:
            continue
        relation = basic.relation[base + word]
        if basic.head[base + word] >= 0:
            add(edges, other, basic.head[base + word], relation, edges.marker[word])
        edges.is_replaced[word] = 1
        add(edges, word, other, basic.names[4], -1)
    # controlled subjects, and subjects that conjuncts share
    for word in range(length):
        relation = basic.relation[base + word]
        if (
            not (basic.open[relation] or basic.conjunct[relation])
            or dependent(basic, basic.subject, base, word, length) >= 0
        ):
            continue
        subject_type = 2 if basic.open[relation] else 0
        above = word
        other = -1
        while above >= 0 and other < 0:
            relation = basic.relation[base + above]
            if basic.open[relation]:
                subject_type = 2
                other = basic.controller[base + above]
                above = basic.head[base + above]
                if other < 0:
                    other = dependent(basic, basic.object, base, above, length)
                if other < 0:
                    other = dependent(basic, basic.subject, base, above, length)
            elif basic.conjunct[relation]:
                above = basic.head[base + above]
                other = dependent(basic, basic.subject, base, above, length)
            else:
                break
        if other >= 0 and other != word:
            if dependent(basic, basic.passive, base, word, length) >= 0:
                subject_type += 1
            count = edges.count
            if not (basic.relative[base + other] and edges.is_replaced[other]):
                add(edges, other, word, basic.names[subject_type], -1)
            else:
                for edge in range(count):
                    if edges.word[edge] == other and edges.relation[edge] == basic.names[4]:
                        add(edges, edges.head[edge], word, basic.names[subject_type], -1)
                        break
    # propagation to conjuncts
    for word in range(length):
        if not basic.conjunct[basic.relation[base + word]]:
            continue
        above = basic.head[base + word]
        count = edges.count
        for edge in range(count):
            if edges.word[edge] != above or edges.is_replaced[edge]:
                continue
            if edges.head[edge] < 0 or edges.head[edge] == word:
                continue
            if not basic.shared[edges.relation[edge]]:
                continue
            other = edges.marker[edge]
            if basic.marked[edges.relation[edge]]:
                marker = dependent(basic, basic.marker, base, word, length)
                other = marker if marker >= 0 else other
            add(edges, word, edges.head[edge], edges.relation[edge], other)


@cython.cfunc
@cython.nogil
def add(
    edges: SentenceEdges, word: cython.int, head: cython.int, relation: cython.int, marker: cython.int
) -> cython.void:
    """Add an edge, unless it exists."""
    for edge in range(word if word < edges.count else 0, edges.count):
        if edges.word[edge] == word and edges.head[edge] == head and edges.relation[edge] == relation:
            return
    if edges.count < edges.capacity and word != head:
        edges.word[edges.count], edges.head[edges.count] = word, head
        edges.relation[edges.count], edges.marker[edges.count] = relation, marker
        edges.is_replaced[edges.count] = 0
        edges.count += 1


@cython.cfunc
@cython.nogil
def marker_of(basic: Basic, base: cython.Py_ssize_t, word: cython.int, length: cython.int) -> cython.int:
    """Return the word that names a word's relation: adposition, subjunction or conjunction; or -1."""
    marker: cython.int = -1
    relation: cython.int = basic.relation[base + word]
    if basic.marked[relation]:
        marker = dependent(basic, basic.marker, base, word, length)
    elif basic.conjunct[relation]:
        # The conjunction of this conjunct, or that of a later one: cats, dogs and mice.
        for other in range(word, length):
            if other != word and (
                basic.head[base + other] != basic.head[base + word]
                or not basic.conjunct[basic.relation[base + other]]
            ):
                continue
            marker = dependent(basic, basic.linker, base, other, length)
            if marker >= 0:
                break
    return marker


@cython.cfunc
@cython.nogil
def dependent(
    basic: Basic, relations: BoolArray, base: cython.Py_ssize_t, word: cython.int, length: cython.int
) -> cython.int:
    """Return the first dependent of a word whose relation is in a mask, or -1."""
    child: cython.int = -1
    for other in range(length):
        if basic.head[base + other] == word and relations[basic.relation[base + other]]:
            child = other
            break
    return child
