"""Loops that read dependencies off trees, and move them to constituents elsewhere."""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.crossbank.treebanks.arrays import (
    BoolArray,
    BoolOutput,
    Int32Array,
    Int32Matrix,
    Int32Output,
    Int64Array,
)
from cython.cimports.crossbank.treebanks.forest import Forest


@cython.dataclasses.dataclass(eq=False, repr=False)
class Conjuncts:
    """Masks of the children that are conjuncts, and of the tokens that conjoin them."""

    token: BoolArray
    node: BoolArray
    conjunction: BoolArray


@cython.dataclasses.dataclass(eq=False, repr=False)
class Phrases:
    """Data that decide which word governs a node and its children, and by which relation.

    head            the lexical head of each node
    function, token_function  codes of the functions of nodes and tokens
    transparent     nodes whose children have the governor of the node
    open_to_clause  parts of a clause whose children may have the governor of the clause's children
    unlabelled      parts of a clause whose own function says nothing
    says_something  the codes that are functions with a meaning
    equal_conjuncts  whether each conjunct has the governor of its coordination
    """

    head: Int32Array
    function: Int32Array
    token_function: Int32Array
    transparent: BoolArray
    open_to_clause: BoolArray
    unlabelled: BoolArray
    says_something: BoolArray
    equal_conjuncts: cython.bint


@cython.cclass
class NodeGovernors:
    """Word and the relation that govern each node of one sentence and its children.

    inner     the word that governs the children of the node
    clause    the word that governs the children of a part of a clause in it
    outer     the word that governs the node itself
    relation  by which relation
    of_part   whether that is the function of a part of a clause
    separate     whether the node is a conjunct after the first, or heads one
    next      the next conjunct among the children, read from the right
    """

    inner: Int32Output
    clause: Int32Output
    outer: Int32Output
    relation: Int32Output
    of_part: BoolOutput
    separate: BoolOutput
    next: Int32Output

    def __init__(self, capacity: int) -> None:
        self.inner, self.clause, self.outer, self.relation, self.next = np.empty((5, capacity), np.int32)
        self.of_part, self.separate = np.empty((2, capacity), np.bool_)


@cython.dataclasses.dataclass(eq=False, repr=False)
class Governed:
    """Head and relation of every token, and which tokens are further conjuncts."""

    head: Int32Output
    relation: Int32Output
    further: BoolOutput


def read_off(
    forest: Forest,
    phrases: Phrases,
    conjuncts: Conjuncts,
    governed: Governed,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
) -> None:
    """Fill in what governs the tokens; the head of those without a parent is not written to.

    A node governs its children through its lexical head; a transparent node through its parent's, or,
    in a part of a clause that is open to it, through the clause's.
    A constituent that is its parent's head, or a conjunct where these are equal, has the governor
    and the relation of its parent; or its own relation in an ``unlabelled`` part of a clause whose
    relation says nothing.
    """
    over = NodeGovernors(forest.most_nodes(first, last))
    with cython.nogil:
        for sentence in range(first, last):
            govern_nodes(forest, phrases, conjuncts, sentence, over)
            govern_tokens(forest, phrases, conjuncts, sentence, over, governed)


@cython.cfunc
@cython.nogil
def govern_nodes(
    forest: Forest, phrases: Phrases, conjuncts: Conjuncts, sentence: cython.Py_ssize_t, over: NodeGovernors
) -> cython.void:
    """Fill in the governors of the nodes of a sentence; a parent is done before its children."""
    base: cython.Py_ssize_t = forest.node_offsets[sentence]
    for node in range(forest.nodes(sentence)):
        row, above = base + node, forest.node_parent[base + node]
        lexical = phrases.head[row]
        over.outer[node], over.relation[node], over.next[node] = -1, phrases.function[row], -1
        over.of_part[node], over.separate[node] = False, False
        if above >= 0 and (lexical == over.inner[above] or (phrases.equal_conjuncts and conjuncts.node[row])):
            over.outer[node], over.relation[node] = over.outer[above], over.relation[above]
            over.separate[node] = over.separate[above] or lexical != over.inner[above]
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
def govern_tokens(
    forest: Forest,
    phrases: Phrases,
    conjuncts: Conjuncts,
    sentence: cython.Py_ssize_t,
    over: NodeGovernors,
    governed: Governed,
) -> cython.void:
    """Fill in head and relation of the tokens of a sentence, from the right to the left.

    So the conjunct met last is the next one to the right.
    """
    base: cython.Py_ssize_t = forest.node_offsets[sentence]
    begin: cython.Py_ssize_t = forest.token_offsets[sentence]
    for token in range(forest.tokens(sentence) - 1, -1, -1):
        row, word = begin + token, cython.cast(cython.int, token)
        above = forest.token_parent[row]
        governed.relation[row] = phrases.token_function[row]
        if above < 0:
            continue
        if word == over.inner[above] or (phrases.equal_conjuncts and conjuncts.token[row]):
            governed.head[row] = over.outer[above]
            governed.further[row] = over.separate[above] or word != over.inner[above]
            if not (
                phrases.unlabelled[base + above]
                and over.of_part[above]
                and not phrases.says_something[over.relation[above]]
            ):
                governed.relation[row] = over.relation[above]
        else:
            governed.head[row] = over.inner[above]
            if conjuncts.conjunction[row] and over.next[above] >= 0:
                governed.head[row] = over.next[above]
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
    """Hang each conjunct and conjunction after the first conjunct on the one before it.

    ``head`` has one head for each coordination. Tokens before the conjunct that is the head stay on it.
    """
    latest: Int32Output = np.empty(forest.most_nodes(first, last), np.int32)
    with cython.nogil:
        for sentence in range(first, last):
            base, begin = forest.node_offsets[sentence], forest.token_offsets[sentence]
            for node in range(forest.nodes(sentence)):
                latest[node] = -1
            for token in range(begin, forest.token_offsets[sentence + 1]):
                word, above = cython.cast(cython.int, token - begin), forest.token_parent[token]
                linked: cython.bint = conjuncts.token[token] or conjuncts.conjunction[token]
                while above >= 0:
                    if node_head[base + above] != word:
                        if linked and latest[above] >= 0:
                            head[token] = latest[above]
                            latest[above] = word
                        break
                    latest[above] = word
                    linked = conjuncts.node[base + above]
                    above = forest.node_parent[base + above]


CLAUSE, SENTENCE, NOWHERE = 1, 2, 3
"""The field in which a function's constituent was found: see ``attach_long_distance``."""


@cython.dataclasses.dataclass(eq=False, repr=False)
class LongDistanceColumns:
    """Functions that name the constituent that their own depends on, by row of ``allowed``.

    offsets     where the tokens of each sentence begin
    head, relation, heads  of each token; ``heads`` is a copy of ``head``, which changes
    row_of      the row of each code of a function, or -1, shape ``(strings,)``
    allowed      the codes of the functions that it names, in the order in which they are tried; then -1
    first       whether the first one in the sentence counts, else the closest
    beside      whether the dependent gets the governor of the constituent that it names
    further     tokens that are conjuncts after the first, which no function names
    dislocated, resumed  tokens in fields of resuming and of resumed constituents
    """

    offsets: Int64Array
    head: Int32Array
    relation: Int32Array
    heads: Int32Output
    row_of: Int32Array
    allowed: Int32Matrix
    first: BoolArray
    beside: BoolArray
    further: BoolArray
    dislocated: BoolArray
    resumed: BoolArray


def attach_long_distance(
    functions: LongDistanceColumns, where: Int32Output, first: cython.Py_ssize_t, last: cython.Py_ssize_t
) -> None:
    """Hang dependents over a long distance on the constituent that their function names.

    The constituent has the same governor, so it is searched in the same clause. If the first one counts and
    the dependent is dislocated, constituents that may be resumed are searched before. The whole sentence is
    searched last. Dependents of the dependent itself are passed over. A dependent beside the constituent gets
    its governor, once the constituent has its own. ``where`` gets the place where the constituent was found.
    """
    with cython.nogil:
        for sentence in range(first, last):
            for late in range(2):
                for token in range(functions.offsets[sentence], functions.offsets[sentence + 1]):
                    row = functions.row_of[functions.relation[token]]
                    if row >= 0 and functions.beside[row] == (late == 1):
                        where[token] = attach(functions, row, sentence, token)


@cython.cfunc
@cython.nogil
def attach(
    functions: LongDistanceColumns, row: cython.int, sentence: cython.Py_ssize_t, token: cython.Py_ssize_t
) -> cython.int:
    """Attach one token. Returns ``CLAUSE``, ``SENTENCE`` or ``NOWHERE``.

    It searches among resumed constituents (0), then in the clause (1), then in the sentence (2).
    """
    begin: cython.Py_ssize_t = functions.offsets[sentence]
    best: cython.Py_ssize_t = -1
    for search in range(0 if functions.first[row] and functions.dislocated[token] else 1, 3):
        for column in range(functions.allowed.shape[1]):
            for other in range(begin, functions.offsets[sentence + 1]):
                if (
                    functions.relation[other] == functions.allowed[row, column]
                    and not functions.further[other]
                    and other != token
                    and (search > 0 or functions.resumed[other])
                    and (search == 2 or functions.head[other] == functions.head[token])
                    and (best < 0 or (not functions.first[row] and not farther(other, best, token)))
                    and not depends(functions, other, token, begin)
                ):
                    best = other
            if best >= 0:
                functions.heads[token] = cython.cast(cython.int, best - begin)
                if functions.beside[row]:
                    functions.heads[token] = functions.heads[best]
                return max(search, 1)
    return 3


@cython.cfunc
@cython.nogil
def farther(token: cython.Py_ssize_t, other: cython.Py_ssize_t, centre: cython.Py_ssize_t) -> cython.bint:
    """Return whether a token is farther from the centre than another one."""
    return (token - centre) * (token - centre) > (other - centre) * (other - centre)


@cython.cfunc
@cython.nogil
def depends(
    functions: LongDistanceColumns,
    token: cython.Py_ssize_t,
    other: cython.Py_ssize_t,
    begin: cython.Py_ssize_t,
) -> cython.bint:
    """Return whether a token is another one or depends on it, directly or not."""
    while token >= begin and token != other:
        token = begin + functions.heads[token]
    return token == other
