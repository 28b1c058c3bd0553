"""Loops of ``converters.resolve_traces``: which constituent each trace stands for, and where it goes."""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.crossbank.treebanks.arrays import BoolArray, Int32Array, Int32MatrixOutput, Int32Output
from cython.cimports.crossbank.treebanks.forest import Forest

# The events of traces: the columns of ``events``, in the order of ``converters.resolve_traces.EVENTS``.
PUT_BACK = cython.declare(cython.int, 0)
IN_PLACE = cython.declare(cython.int, 1)
SILENT = cython.declare(cython.int, 2)
NO_CONSTITUENT = cython.declare(cython.int, 3)
FURTHER_CONSTITUENT = cython.declare(cython.int, 4)
FURTHER_TRACE = cython.declare(cython.int, 5)
INSIDE = cython.declare(cython.int, 6)
LEFT = cython.declare(cython.int, 7)


@cython.dataclasses.dataclass(eq=False, repr=False)
class TraceColumns:
    """Traces of a treebank and the items that bear their indices.

    index        the number of each trace's index, from 0; -1 for other tokens
    moved        traces of moved constituents; the constituents of the others stay in place
    token_bears, node_bears  the number of the index that each token and node bears, or -1
    silent       tokens that are empty elements
    indices      how many numbers there are
    """

    index: Int32Array
    moved: BoolArray
    token_bears: Int32Array
    node_bears: Int32Array
    silent: BoolArray
    indices: cython.int


@cython.cclass
class Movement:
    """The items of one sentence while its constituents are put back; items as in ``treebanks.forest``.

    parent    the item above each item, or -1
    children  how many each item has
    words     how many tokens below each item are not silent
    start     the first token of each item
    bears     the number of the index that each item bears, or -1
    holds     the number of the index of each item that is a trace, or -1
    trace_item  the item of each trace: the highest node over it that has nothing else below
    bearer    the item that bears each index, or -1
    landing   the trace, closest to the bearer of each index, where that moved from, or -1
    """

    parent: Int32Output
    children: Int32Output
    words: Int32Output
    start: Int32Output
    bears: Int32Output
    holds: Int32Output
    trace_item: Int32Output
    bearer: Int32Output
    landing: Int32Output

    def __init__(self, items: int, indices: int) -> None:
        self.parent, self.children, self.words, self.start = np.empty((4, items), np.int32)
        self.bears, self.holds, self.trace_item = np.empty((3, items), np.int32)
        self.bearer, self.landing = np.empty((2, max(indices, 1)), np.int32)


@cython.dataclasses.dataclass(eq=False, repr=False)
class Resolved:
    """Trees whose constituents are put back.

    token_parent, node_parent  the new parents
    fate    a row for each token: of a trace whose constituent is put back the constituent, the trace's
            position and -1; of a trace that links a constituent to another position the constituent, that
            position and its parent; else -1. All are items of the sentence
    events  how often each event occurs in each sentence
    """

    token_parent: Int32Output
    node_parent: Int32Output
    fate: Int32MatrixOutput
    events: Int32MatrixOutput


def put_back(
    forest: Forest,
    traces: TraceColumns,
    resolved: Resolved,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
) -> None:
    """Hang constituents at the positions of their traces."""
    movement = Movement(forest.most_tokens(first, last) + forest.most_nodes(first, last), traces.indices)
    with cython.nogil:
        for sentence in range(first, last):
            any_trace: cython.bint = False
            for token in range(forest.token_offsets[sentence], forest.token_offsets[sentence + 1]):
                any_trace = any_trace or traces.index[token] >= 0
            if any_trace:
                lay_out(forest, traces, sentence, movement)
                further = find_bearers(forest, traces, sentence, movement)
                resolved.events[sentence, FURTHER_CONSTITUENT] = further
                find_places(forest, traces, sentence, movement)
                put_back_in(forest, traces, sentence, movement, resolved)
                write_parents(forest, sentence, movement, resolved)


@cython.cfunc
@cython.nogil
def lay_out(
    forest: Forest, traces: TraceColumns, sentence: cython.Py_ssize_t, movement: Movement
) -> cython.void:
    """Fill in parents, numbers of children and words, first tokens and indices of a sentence's items."""
    begin: cython.Py_ssize_t = forest.token_offsets[sentence]
    base: cython.Py_ssize_t = forest.node_offsets[sentence]
    tokens: cython.int = cython.cast(cython.int, forest.tokens(sentence))
    items: cython.int = tokens + cython.cast(cython.int, forest.nodes(sentence))
    for item in range(items):
        above = forest.parent(sentence, item)
        movement.parent[item] = tokens + above if above >= 0 else -1
        movement.children[item], movement.words[item], movement.start[item] = 0, 0, items
        movement.holds[item], movement.trace_item[item] = -1, -1
        if item < tokens:
            movement.words[item], movement.start[item] = not traces.silent[begin + item], item
            movement.bears[item] = traces.token_bears[begin + item]
        else:
            movement.bears[item] = traces.node_bears[base + item - tokens]
    for item in range(tokens):
        count_in(movement, item)
    for item in range(items - 1, tokens - 1, -1):
        count_in(movement, item)


@cython.cfunc
@cython.nogil
def count_in(movement: Movement, item: cython.int) -> cython.void:
    """Add an item whose columns are filled in to the counts of its parent."""
    above: cython.int = movement.parent[item]
    if above >= 0:
        movement.children[above] += 1
        movement.words[above] += movement.words[item]
        movement.start[above] = min(movement.start[above], movement.start[item])


@cython.cfunc
@cython.nogil
def find_bearers(
    forest: Forest, traces: TraceColumns, sentence: cython.Py_ssize_t, movement: Movement
) -> cython.int:
    """Fill in the bearer of each index: an item with words rather than one without.

    Returns how many further items bear an index of another.
    """
    further: cython.int = 0
    for index in range(traces.indices):
        movement.bearer[index], movement.landing[index] = -1, -1
    for item in range(cython.cast(cython.int, forest.tokens(sentence) + forest.nodes(sentence))):
        index = movement.bears[item]
        if index >= 0:
            other = movement.bearer[index]
            further += other >= 0
            if other < 0 or (movement.words[other] == 0 and movement.words[item] > 0):
                movement.bearer[index] = item
    return further


@cython.cfunc
@cython.nogil
def find_places(
    forest: Forest, traces: TraceColumns, sentence: cython.Py_ssize_t, movement: Movement
) -> cython.void:
    """Fill in the position of each trace, and the closest trace of each constituent that moved."""
    begin: cython.Py_ssize_t = forest.token_offsets[sentence]
    for token in range(cython.cast(cython.int, forest.tokens(sentence))):
        item, index = token, traces.index[begin + token]
        if index < 0:
            continue
        while movement.parent[item] >= 0 and movement.children[movement.parent[item]] == 1:
            item = movement.parent[item]
        movement.trace_item[token], movement.holds[item] = item, index
        if traces.moved[begin + token] and movement.bearer[index] >= 0:
            other, start = movement.landing[index], movement.start[movement.bearer[index]]
            if other < 0 or abs(movement.start[item] - start) < abs(movement.start[other] - start):
                movement.landing[index] = item


@cython.cfunc
@cython.nogil
def put_back_in(
    forest: Forest, traces: TraceColumns, sentence: cython.Py_ssize_t, movement: Movement, resolved: Resolved
) -> cython.void:
    """Decide about the traces of a sentence, from the left to the right."""
    begin: cython.Py_ssize_t = forest.token_offsets[sentence]
    for token in range(cython.cast(cython.int, forest.tokens(sentence))):
        index, landing = traces.index[begin + token], movement.trace_item[token]
        if index < 0:
            continue
        item = movement.bearer[index]
        if item < 0:
            resolved.events[sentence, NO_CONSTITUENT] += 1
            continue
        source = spoken(item, movement)
        if traces.moved[begin + token] and movement.landing[index] == landing:
            landing = last_place(landing, movement)
            if movement.words[item] == 0:
                resolved.events[sentence, SILENT] += movement.words[source] == 0
            elif landing < 0 or movement.parent[landing] < 0 or dominates(item, landing, movement):
                resolved.events[sentence, INSIDE] += 1
            elif movement.parent[item] == movement.parent[landing]:
                resolved.events[sentence, IN_PLACE] += 1
            else:
                movement.parent[item] = movement.parent[landing]
                resolved.events[sentence, PUT_BACK] += 1
                resolved.fate[begin + token, 0], resolved.fate[begin + token, 1] = item, landing
            continue
        resolved.events[sentence, FURTHER_TRACE if traces.moved[begin + token] else LEFT] += 1
        if movement.words[source] == 0:
            resolved.events[sentence, SILENT] += 1
        elif movement.parent[landing] >= 0:
            resolved.fate[begin + token, 0], resolved.fate[begin + token, 1] = source, landing
            resolved.fate[begin + token, 2] = movement.parent[landing]


@cython.cfunc
@cython.nogil
def last_place(landing: cython.int, movement: Movement) -> cython.int:
    """Return the last landing position after several movements; -1 if they are a cycle."""
    for _ in range(movement.bearer.shape[0]):
        index = movement.bears[landing]
        if (
            index < 0
            or movement.bearer[index] != landing
            or movement.landing[index] < 0
            or movement.landing[index] == landing
        ):
            return landing
        landing = movement.landing[index]
    return -1


@cython.cfunc
@cython.nogil
def spoken(item: cython.int, movement: Movement) -> cython.int:
    """Return the constituent for which a mere trace stands, perhaps by way of others; cycles end."""
    for _ in range(movement.bearer.shape[0]):
        if movement.words[item] > 0 or movement.holds[item] < 0 or movement.bearer[movement.holds[item]] < 0:
            break
        item = movement.bearer[movement.holds[item]]
    return item


@cython.cfunc
@cython.nogil
def dominates(item: cython.int, other: cython.int, movement: Movement) -> cython.bint:
    """Return whether an item is above another one."""
    above: cython.int = movement.parent[other]
    while above >= 0 and above != item:
        above = movement.parent[above]
    return above == item


@cython.cfunc
@cython.nogil
def write_parents(
    forest: Forest, sentence: cython.Py_ssize_t, movement: Movement, resolved: Resolved
) -> cython.void:
    """Write the parents of a sentence's items, counted as nodes."""
    tokens: cython.int = cython.cast(cython.int, forest.tokens(sentence))
    for item in range(tokens + cython.cast(cython.int, forest.nodes(sentence))):
        above = movement.parent[item] - tokens if movement.parent[item] >= 0 else -1
        if item < tokens:
            resolved.token_parent[forest.token_offsets[sentence] + item] = above
        else:
            resolved.node_parent[forest.node_offsets[sentence] + item - tokens] = above
