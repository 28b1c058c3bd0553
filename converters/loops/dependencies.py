"""The loops of ``converters.dependencies``: heads and relations read off trees, and words hung elsewhere."""

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

from crossbank.treebanks.arrays import most_rows

CLAUSE, SENTENCE, NOWHERE = 1, 2, 3
"""The place where the constituent that a function names was found: see ``attach_long_distance``."""


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
    transparent     nodes whose children are governed by what governs the node
    open_to_clause  parts of a clause whose children may be governed by what governs the clause's
    unlabelled      parts of a clause whose own function says nothing
    says_something  which codes are functions that say something
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
    relation says nothing. ``head`` keeps what it holds for tokens without a parent.
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
    """Fill in what governs the nodes of a sentence; a parent is done before its children."""
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

    So the conjunct met last is the next one behind what stands before it.
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

    ``head`` has one head for each coordination. What stands before the conjunct that is it stays on it.
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


@cython.final
@cython.cclass
class LongDistance:
    """Functions that name the constituent that their own depends on, by row of ``wanted``.

    row_of      the row of each code of a function, or -1, shape ``(strings,)``
    wanted      the codes of what it names, in the order in which they are tried, -1 behind the last
    first       whether the first one in the sentence counts, else the closest
    beside      whether the dependent gets the governor of what it names
    further     tokens that are conjuncts behind the first, which no function names
    dislocated, resumed  tokens in fields of what resumes and of what is resumed
    """

    row_of: Int32Array
    wanted: Int32Matrix
    first: BoolArray
    beside: BoolArray
    further: BoolArray
    dislocated: BoolArray
    resumed: BoolArray

    def __init__(
        self,
        row_of: Int32Array,
        wanted: Int32Matrix,
        first: BoolArray,
        beside: BoolArray,
        further: BoolArray,
        dislocated: BoolArray,
        resumed: BoolArray,
    ) -> None:
        self.row_of, self.wanted, self.first, self.beside = row_of, wanted, first, beside
        self.further, self.dislocated, self.resumed = further, dislocated, resumed


def attach_long_distance(
    offsets: Int64Array,
    functions: LongDistance,
    head: Int32Array,
    relation: Int32Array,
    heads: Int32Output,
    where: Int32Output,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
) -> None:
    """Hang dependents over a long distance on what their function names; ``where`` gets where that was found.

    What a function names has the same governor, so it is in the same clause; where the first one counts
    and the dependent is dislocated, it is looked for among what may be resumed before. Only where there
    is none is it looked for in the whole sentence. What depends on the dependent itself is passed over.
    A dependent beside what it names gets the governor of that, once this has its own. ``heads`` holds a
    copy of ``head``.
    """
    sentence: cython.Py_ssize_t
    token: cython.Py_ssize_t
    row: cython.int
    late: cython.int
    with cython.nogil:
        for sentence in range(first, last):
            for late in range(2):
                for token in range(offsets[sentence], offsets[sentence + 1]):
                    row = functions.row_of[relation[token]]
                    if row >= 0 and functions.beside[row] == (late == 1):
                        where[token] = attach(
                            offsets[sentence], offsets[sentence + 1], functions, row, head, relation,
                            token, heads,
                        )  # fmt: skip


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def attach(
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    functions: LongDistance,
    row: cython.int,
    head: Int32Array,
    relation: Int32Array,
    token: cython.Py_ssize_t,
    heads: Int32Output,
) -> cython.int:
    """Attach one token. Returns ``CLAUSE``, ``SENTENCE`` or ``NOWHERE``.

    It searches among what is resumed (0), then in the clause (1), then in the sentence (2).
    """
    search: cython.int
    place: cython.Py_ssize_t
    other: cython.Py_ssize_t
    best: cython.Py_ssize_t = -1
    for search in range(0 if functions.first[row] and functions.dislocated[token] else 1, 3):
        for place in range(functions.wanted.shape[1]):
            for other in range(begin, end):
                if (
                    relation[other] == functions.wanted[row, place]
                    and not functions.further[other]
                    and other != token
                    and (search > 0 or functions.resumed[other])
                    and (search == 2 or head[other] == head[token])
                    and (best < 0 or (not functions.first[row] and not farther(other, best, token)))
                    and not depends(other - begin, token - begin, begin, heads)
                ):
                    best = other
            if best >= 0:
                heads[token] = heads[best] if functions.beside[row] else cython.cast(cython.int, best - begin)
                return max(search, 1)
    return 3


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def farther(token: cython.Py_ssize_t, other: cython.Py_ssize_t, centre: cython.Py_ssize_t) -> cython.bint:
    """True if a token is farther from the centre than another one."""
    return (token - centre) * (token - centre) > (other - centre) * (other - centre)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def depends(
    token: cython.Py_ssize_t, other: cython.Py_ssize_t, begin: cython.Py_ssize_t, heads: Int32Output
) -> cython.bint:
    """True if a token is another one or depends on it, directly or not."""
    while token >= 0 and token != other:
        token = heads[begin + token]
    return token == other


def link_verbs(
    offsets: Int64Array,
    head: Int32Array,
    links: BoolArray,
    joined: BoolArray,
    verbs: BoolArray,
    linked: Int32Output,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
) -> None:
    """Fill in the verb that each verb of a complex is linked to; other tokens keep what they have.

    A conjunct is linked to what the first conjunct is linked to: by way of ``joined`` tokens, other
    conjuncts and conjunctions, it depends on that one.
    """
    sentence: cython.Py_ssize_t
    begin: cython.Py_ssize_t
    token: cython.Py_ssize_t
    top: cython.Py_ssize_t
    with cython.nogil:
        for sentence in range(first, last):
            begin = offsets[sentence]
            for token in range(begin, offsets[sentence + 1]):
                top = token
                while joined[top] and not links[top] and head[top] >= 0:
                    top = begin + head[top]
                if links[top] and verbs[token]:
                    linked[token] = head[top]


def move_to_main_verbs(
    offsets: Int64Array,
    head: Int32Array,
    linked: Int32Array,
    moved: BoolArray,
    heads: Int32Output,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
) -> None:
    """Hang ``moved`` tokens on the last verb linked to their head; ``heads`` holds a copy of ``head``.

    Down the complex the first linked verb behind the token is followed, or else the last one before it.
    What moves goes below its head, and no verb of a complex depends on what moves, so there are no cycles.
    """
    longest: cython.Py_ssize_t = most_rows(offsets, first, last)
    before: Int32Output = np.empty(longest, np.int32)  # the last verb so far that is linked to each word
    behind: Int32Output = np.empty(longest, np.int32)
    sentence: cython.Py_ssize_t
    begin: cython.Py_ssize_t
    end: cython.Py_ssize_t
    token: cython.Py_ssize_t
    with cython.nogil:
        for sentence in range(first, last):
            begin, end = offsets[sentence], offsets[sentence + 1]
            for token in range(end - begin):
                before[token], behind[token] = -1, -1
            for token in range(end - 1, begin - 1, -1):
                if linked[token] >= 0:
                    behind[linked[token]] = cython.cast(cython.int, token - begin)
                elif moved[token] and head[token] >= 0 and behind[head[token]] >= 0:
                    heads[token] = behind[head[token]]
            for token in range(begin, end):
                if linked[token] >= 0:
                    before[linked[token]] = cython.cast(cython.int, token - begin)
                elif (
                    moved[token]
                    and head[token] >= 0
                    and heads[token] == head[token]
                    and before[head[token]] >= 0
                ):
                    heads[token] = before[head[token]]
            for token in range(begin, end):
                if moved[token] and heads[token] != head[token]:
                    while behind[heads[token]] >= 0:
                        heads[token] = behind[heads[token]]


def main_roots(
    offsets: Int64Array,
    head: Int32Array,
    is_punctuation: BoolArray,
    found: Int32Output,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
) -> None:
    """Fill in the root of each sentence that dominates most words; without words it keeps what it holds.

    A word without a head is a root. Punctuation is the main root only where there is nothing else.
    """
    longest: cython.Py_ssize_t = most_rows(offsets, first, last)
    words: Int32Output = np.empty(longest, np.int32)
    root: Int32Output = np.empty(longest, np.int32)
    sentence: cython.Py_ssize_t
    begin: cython.Py_ssize_t
    length: cython.Py_ssize_t
    token: cython.Py_ssize_t
    above: cython.int
    top: cython.int
    main: cython.Py_ssize_t
    with cython.nogil:
        for sentence in range(first, last):
            begin, length = offsets[sentence], offsets[sentence + 1] - offsets[sentence]
            for token in range(length):
                words[token], root[token] = 0, -1
            for token in range(length):
                above = cython.cast(cython.int, token)
                while root[above] < 0 and head[begin + above] >= 0:
                    above = head[begin + above]
                top = above if root[above] < 0 else root[above]
                above = cython.cast(cython.int, token)
                while root[above] < 0:
                    root[above] = top
                    words[top] += 1
                    if head[begin + above] >= 0:
                        above = head[begin + above]
            main = -1
            for token in range(length):
                if head[begin + token] >= 0:
                    continue
                if (
                    main < 0
                    or (is_punctuation[begin + main] and not is_punctuation[begin + token])
                    or (
                        is_punctuation[begin + main] == is_punctuation[begin + token]
                        and words[token] > words[main]
                    )
                ):
                    main = token
            if main >= 0:
                found[sentence] = cython.cast(cython.int, main)
