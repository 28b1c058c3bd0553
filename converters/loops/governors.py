"""The loops that read dependencies off trees: the governor and the relation of each token."""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.crossbank.treebanks.arrays import (
    BoolArray,
    BoolOutput,
    Int32Array,
    Int32Output,
)
from cython.cimports.crossbank.treebanks.forest import Forest


@cython.final
@cython.cclass
class Conjuncts:
    """Masks of the children that are conjuncts, and of the tokens that conjoin them."""

    token: BoolArray
    node: BoolArray
    conjunction: BoolArray

    def __init__(self, token: BoolArray, node: BoolArray, conjunction: BoolArray) -> None:
        self.token, self.node, self.conjunction = token, node, conjunction


@cython.final
@cython.cclass
class Phrases:
    """The data that decide which word governs a node and its children, and by which relation.

    head            the lexical head of each node
    function, token_function  codes of the functions of nodes and tokens
    transparent     nodes whose children have the governor of the node
    open_to_clause  parts of a clause whose children may have the governor of the clause's children
    unlabelled      parts of a clause whose own function says nothing
    says_something  the codes that are functions with a meaning
    """

    head: Int32Array
    function: Int32Array
    token_function: Int32Array
    transparent: BoolArray
    open_to_clause: BoolArray
    unlabelled: BoolArray
    says_something: BoolArray

    def __init__(
        self,
        head: Int32Array,
        function: Int32Array,
        token_function: Int32Array,
        transparent: BoolArray,
        open_to_clause: BoolArray,
        unlabelled: BoolArray,
        says_something: BoolArray,
    ) -> None:
        self.head, self.function, self.token_function = head, function, token_function
        self.transparent, self.open_to_clause = transparent, open_to_clause
        self.unlabelled, self.says_something = unlabelled, says_something


@cython.final
@cython.cclass
class Government:
    """The word and the relation that govern each node of one sentence and its children.

    inner     the word that governs the children of the node
    clause    the word that governs the children of a part of a clause in it
    outer     the word that governs the node itself
    relation  by which relation
    of_part   whether that is the function of a part of a clause
    apart     whether the node is a conjunct behind the first, or heads one
    next      the next conjunct among the children, read from the right
    """

    inner: Int32Output
    clause: Int32Output
    outer: Int32Output
    relation: Int32Output
    of_part: BoolOutput
    apart: BoolOutput
    next: Int32Output

    def __init__(self, room: int) -> None:
        self.inner, self.clause, self.outer, self.relation, self.next = np.empty((5, room), np.int32)
        self.of_part, self.apart = np.empty((2, room), np.bool_)


def read_off(
    forest: Forest,
    phrases: Phrases,
    conjuncts: Conjuncts,
    equal: cython.bint,
    head: Int32Output,
    relation: Int32Output,
    further: BoolOutput,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
) -> None:
    """Fill in the head and the relation of every token, and which tokens are further conjuncts.

    A node governs its children through its lexical head; a transparent node through its parent's, or,
    in a part of a clause that is open to it, through the clause's.
    A constituent that is its parent's head, or a conjunct where conjuncts are ``equal``, has the governor
    and the relation of its parent; or its own relation in an ``unlabelled`` part of a clause whose
    relation says nothing. ``head`` is not written to for tokens without a parent.
    """
    over = Government(forest.most_nodes(first, last))
    sentence: cython.Py_ssize_t
    with cython.nogil:
        for sentence in range(first, last):
            govern_nodes(forest, phrases, conjuncts, equal, sentence, over)
            govern_tokens(forest, phrases, conjuncts, equal, sentence, over, head, relation, further)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def govern_nodes(
    forest: Forest,
    phrases: Phrases,
    conjuncts: Conjuncts,
    equal: cython.bint,
    sentence: cython.Py_ssize_t,
    over: Government,
) -> cython.void:
    """Fill in the governors of the nodes of a sentence; a parent is done before its children."""
    base: cython.Py_ssize_t = forest.node_offsets[sentence]
    node: cython.Py_ssize_t
    row: cython.Py_ssize_t
    above: cython.int
    lexical: cython.int
    for node in range(forest.nodes(sentence)):
        row, above = base + node, forest.node_parent[base + node]
        lexical = phrases.head[row]
        over.outer[node], over.relation[node], over.next[node] = -1, phrases.function[row], -1
        over.of_part[node], over.apart[node] = False, False
        if above >= 0 and (lexical == over.inner[above] or (equal and conjuncts.node[row])):
            over.outer[node], over.relation[node] = over.outer[above], over.relation[above]
            over.apart[node] = over.apart[above] or lexical != over.inner[above]
            over.of_part[node] = over.of_part[above]
            if (
                phrases.unlabelled[base + above]
                and over.of_part[above]
                and not phrases.says_something[over.relation[node]]
            ):
                over.relation[node] = phrases.function[row]
        elif above >= 0:
            over.outer[node] = over.inner[above]
            over.of_part[node] = (
                phrases.transparent[row] or phrases.unlabelled[row] or phrases.open_to_clause[row]
            )
        over.inner[node] = lexical
        if phrases.transparent[row]:
            over.inner[node] = over.clause[above] if above >= 0 else -1
        over.clause[node] = over.inner[node]
        if phrases.open_to_clause[row] and above >= 0:
            over.clause[node] = over.clause[above]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def govern_tokens(
    forest: Forest,
    phrases: Phrases,
    conjuncts: Conjuncts,
    equal: cython.bint,
    sentence: cython.Py_ssize_t,
    over: Government,
    head: Int32Output,
    relation: Int32Output,
    further: BoolOutput,
) -> cython.void:
    """Fill in head and relation of the tokens of a sentence, from the right to the left.

    So the conjunct met last is the next one to the right.
    """
    base: cython.Py_ssize_t = forest.node_offsets[sentence]
    begin: cython.Py_ssize_t = forest.token_offsets[sentence]
    token: cython.Py_ssize_t
    row: cython.Py_ssize_t
    node: cython.int
    above: cython.int
    word: cython.int
    for token in range(forest.tokens(sentence) - 1, -1, -1):
        row, word = begin + token, cython.cast(cython.int, token)
        above = forest.token_parent[row]
        relation[row] = phrases.token_function[row]
        if above < 0:
            continue
        if word == over.inner[above] or (equal and conjuncts.token[row]):
            head[row] = over.outer[above]
            further[row] = over.apart[above] or word != over.inner[above]
            if not (
                phrases.unlabelled[base + above]
                and over.of_part[above]
                and not phrases.says_something[over.relation[above]]
            ):
                relation[row] = over.relation[above]
        else:
            head[row] = over.inner[above]
            if conjuncts.conjunction[row] and over.next[above] >= 0:
                head[row] = over.next[above]
        if conjuncts.token[row]:
            over.next[above] = word
        while phrases.head[base + above] == word and forest.node_parent[base + above] >= 0:
            node, above = above, forest.node_parent[base + above]
            if conjuncts.node[base + node]:
                over.next[above] = word


def chain_conjuncts(
    forest: Forest,
    node_head: Int32Array,
    conjuncts: Conjuncts,
    head: Int32Output,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
) -> None:
    """Hang each conjunct and conjunction behind the first conjunct on the one before it.

    ``head`` has one head for each coordination. Tokens before the conjunct that is the head stay on it.
    """
    latest: Int32Output = np.empty(forest.most_nodes(first, last), np.int32)
    sentence: cython.Py_ssize_t
    base: cython.Py_ssize_t
    begin: cython.Py_ssize_t
    token: cython.Py_ssize_t
    node: cython.Py_ssize_t
    above: cython.int
    word: cython.int
    linked: cython.bint
    with cython.nogil:
        for sentence in range(first, last):
            base, begin = forest.node_offsets[sentence], forest.token_offsets[sentence]
            for node in range(forest.nodes(sentence)):
                latest[node] = -1
            for token in range(begin, forest.token_offsets[sentence + 1]):
                word, above = cython.cast(cython.int, token - begin), forest.token_parent[token]
                linked = conjuncts.token[token] or conjuncts.conjunction[token]
                while above >= 0:
                    if node_head[base + above] != word:
                        if linked and latest[above] >= 0:
                            head[token] = latest[above]
                            latest[above] = word
                        break
                    latest[above] = word
                    linked = conjuncts.node[base + above]
                    above = forest.node_parent[base + above]
