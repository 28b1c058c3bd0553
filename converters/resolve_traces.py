"""Moved constituents back in the place of their traces.

Bies et al. (1995), Bracketing Guidelines for Treebank II Style, on null elements: ``*T*-1`` stands where the
constituent with the index 1 belongs, ``*ICH*-1`` and ``*EXP*-1`` where a part stands apart, ``*RNR*-1`` in
each conjunct that shares it. Put back there it makes branches cross, as in Evang, Kilian, and Laura Kallmeyer
(2011): PLCFRS Parsing of English Discontinuous Constituents. IWPT. ``*-1`` (passives, raising, control) says
what a silent constituent refers to: nothing moves, but a secondary edge tells of it.
"""

from __future__ import annotations

import re

import numpy as np
from numba import njit

from crossbank.converters.functions import functions_of_nodes
from crossbank.converters.schemes.label_syntax import LabelParts
from crossbank.converters.schemes.scheme import Scheme
from crossbank.treebanks import ConversionError, Treebank
from crossbank.treebanks.arrays import BoolArray, Int32Array, Int64Array
from crossbank.treebanks.diagnosis import finding
from crossbank.treebanks.tables import Table

STEP = "resolve_traces"

MOVED, COINDEXED = 1, 2
"""Kinds of traces: of what moved, and of what stays where it is."""

NOTHING = -1

EVENTS = (
    "moved constituents put back",
    "moved constituents in their place already",
    "traces of silent constituents",
    "traces without a constituent of their index",
    "further constituents of one index",
    "further traces of a constituent",
    "traces inside the constituent they stand for",
    "co-indexed constituents left in place",
)
KINDS = len(EVENTS)
PUT_BACK, IN_PLACE, SILENT, NO_CONSTITUENT, FURTHER_CONSTITUENT, FURTHER_TRACE, INSIDE, LEFT = range(KINDS)


def resolve_traces(bank: Treebank, scheme: Scheme | None = None, *, secondary: bool = True) -> Treebank:
    """Hang each moved constituent where its trace stands, and leave the empty elements to be deleted.

    secondary  whether further traces of a constituent (of ``*RNR*``) and those of constituents that
               stay in place (``*-1``) become secondary edges, from the constituent to what the trace
               hangs on, with the trace's function

    A constituent without a function of its own gets the trace's: in ``(WHNP-1 who) (S (NP-SBJ *T*-1) ...``
    it is the subject. Of several traces the one closest to the constituent counts. Chains (a moved
    constituent that consists of another trace) are followed. A trace without a constituent, of a
    silent one, or inside its own leaves the tree as it is; all this is counted, and so are the
    indices of gapping (``NP=1``), which are no movement.
    """
    if scheme is None or not (scheme.traces.moved or scheme.traces.coindexed):
        raise ConversionError(f"{STEP}: found no traces, expected a scheme that says what they look like")
    tokens, nodes = bank.tokens, bank.nodes
    parts = {code: scheme.labels.parts(bank.vocabulary[code]) for code in _codes(bank)}
    trace, trace_index = _traces(bank, scheme)
    # Indices are numbers of the treebank, not of the sentence: 1, 2, 3 ... in any order.
    numbers = {"": NOTHING}
    for written in [*trace_index, *(p.index for p in parts.values())]:
        numbers.setdefault(written, len(numbers) - 1)
    index_of = np.full(len(bank.vocabulary), NOTHING, np.int32)
    for code, part in parts.items():
        index_of[code] = numbers[part.index]
    numbered = np.full(len(tokens), NOTHING, np.int32)
    numbered[trace > 0] = [numbers[written] for written in trace_index]

    token_parent, node_parent, moves, edges, events = put_back(
        tokens.offsets, tokens.parent, trace, numbered, index_of[tokens.pos], scheme.is_empty(bank),
        nodes.offsets, nodes.parent, index_of[nodes.label], len(numbers) - 1,
    )  # fmt: skip
    bank, function = _functions(bank, scheme, parts)
    bank = _with_functions(bank, function, moves)
    if secondary and len(edges):
        sentence, child, parent, place = edges.T
        more, _, _ = bank.secondary.extended(
            sentence, child=child, parent=parent, label=function[_rows(bank, sentence, place)]
        )
        bank = bank.replace(secondary=more)
    return bank.with_structure(token_parent=token_parent, node_parent=node_parent).diagnosed(
        *(
            finding(STEP, event, np.repeat(np.arange(len(bank)), events[:, column]), len(bank))
            for column, event in enumerate(EVENTS)
        ),
        finding(STEP, "indices of gapping left", _gaps(bank, parts), len(bank)),
    )


def _codes(bank: Treebank) -> list[int]:
    """The codes of all labels and tags."""
    codes: list[int] = np.unique(np.concatenate((bank.tokens.pos, bank.nodes.label))).tolist()
    return codes


def _traces(bank: Treebank, scheme: Scheme) -> tuple[Int32Array, list[str]]:
    """Kind of each token (0: no trace), shape ``(tokens,)``, and the index of each trace in turn."""
    kinds = [(MOVED, scheme.traces.moved), (COINDEXED, scheme.traces.coindexed)]
    patterns = [
        (kind, re.compile(f"(?:{'|'.join(map(re.escape, names))})-([0-9]+)(?:-[0-9]+)*"))
        for kind, names in kinds
        if names
    ]
    kind_of = np.zeros(len(bank.vocabulary), np.int32)
    index_of: dict[int, str] = {}
    empty = scheme.is_empty(bank)
    for code in np.unique(bank.tokens.form[empty]).tolist():
        for kind, pattern in patterns:
            if found := pattern.fullmatch(bank.vocabulary[code]):
                kind_of[code], index_of[code] = kind, found[1]
    kinds_of_tokens = np.where(empty, kind_of[bank.tokens.form], 0).astype(np.int32)
    return kinds_of_tokens, [index_of[code] for code in bank.tokens.form[kinds_of_tokens > 0].tolist()]


def _functions(bank: Treebank, scheme: Scheme, parts: dict[int, LabelParts]) -> tuple[Treebank, Int32Array]:
    """The functions of tokens and, behind them, of nodes, from edges or else from labels."""
    bank, of_nodes = functions_of_nodes(bank, scheme)
    empty = scheme.is_empty(bank)
    vocabulary, in_tag = bank.vocabulary.mapped(
        np.where(empty, bank.tokens.pos, 0), lambda tag: scheme.labels.parts(tag).function
    )
    of_tokens = np.where(bank.tokens.function == 0, in_tag, bank.tokens.function)
    return bank.replace(vocabulary=vocabulary), np.concatenate((of_tokens, of_nodes)).astype(np.int32)


def _rows(bank: Treebank, sentence: Int32Array, item: Int32Array) -> Int64Array:
    """Where items are among all tokens and, behind them, all nodes."""
    node = len(bank.tokens) + bank.nodes.offsets[sentence] - 1 - item
    rows: Int64Array = np.where(item >= 0, bank.tokens.offsets[sentence] + item, node)
    return rows


def _with_functions(bank: Treebank, function: Int32Array, moves: Int32Array) -> Treebank:
    """Each moved constituent without a function gets that of its trace."""
    sentence, item, place = moves.T
    row, of_trace = _rows(bank, sentence, item), function[_rows(bank, sentence, place)]
    row, of_trace = row[function[row] == 0], of_trace[function[row] == 0]
    own = np.concatenate((bank.tokens.function, bank.nodes.function))
    own[row] = of_trace
    count = len(bank.tokens)
    return bank.replace(
        tokens=bank.tokens.replace(function=own[:count]), nodes=bank.nodes.replace(function=own[count:])
    )


def _gaps(bank: Treebank, parts: dict[int, LabelParts]) -> Int32Array:
    """The sentence of each token and node with an index of gapping."""

    def sentences(table: Table, codes: Int32Array) -> Int32Array:
        return table.sentence_of_row()[np.isin(codes, gapped)]

    gapped = [code for code, part in parts.items() if part.gap]
    return np.concatenate((sentences(bank.tokens, bank.tokens.pos), sentences(bank.nodes, bank.nodes.label)))


@njit(cache=True, nogil=True)
def put_back(
    token_offsets: Int64Array,
    token_parent: Int32Array,
    trace: Int32Array,
    trace_index: Int32Array,
    token_index: Int32Array,
    silent: BoolArray,
    node_offsets: Int64Array,
    node_parent: Int32Array,
    node_index: Int32Array,
    indices: int,
) -> tuple[Int32Array, Int32Array, Int32Array, Int32Array, Int32Array]:
    """New parents of tokens and nodes, what moved, secondary edges, and what happened how often.

    What moved: sentence, constituent and its trace, shape ``(moves, 3)``. Edges: sentence, constituent,
    what the trace hangs on, and the trace, shape ``(edges, 4)``. Events: shape ``(sentences, KINDS)``.
    Within a sentence an item is a token, or a node behind all tokens; in what is returned node ``j`` is
    ``-1 - j``. A trace is an item too: the highest node over it that has nothing else below.
    """
    new_token_parent, new_node_parent = token_parent.copy(), node_parent.copy()
    total = int(np.sum(trace > 0))
    moves, edges = np.empty((total, 3), np.int32), np.empty((total, 4), np.int32)
    moved = linked = 0
    events = np.zeros((len(token_offsets) - 1, KINDS), np.int32)
    for sentence in range(len(token_offsets) - 1):
        begin, end = token_offsets[sentence], token_offsets[sentence + 1]
        base, stop = node_offsets[sentence], node_offsets[sentence + 1]
        tokens = end - begin
        if not np.any(trace[begin:end]):
            continue
        parent, children, words, first = items_of(
            token_parent[begin:end], node_parent[base:stop], silent[begin:end]
        )
        bears = np.concatenate((token_index[begin:end], node_index[base:stop]))
        bearer, further = bearers(bears, words, indices)
        events[sentence, FURTHER_CONSTITUENT] = further
        place_of, holds, landing = places(
            trace[begin:end], trace_index[begin:end], parent, children, first, bearer
        )
        for token in range(tokens):
            kind, index = trace[begin + token], trace_index[begin + token]
            if kind == 0:
                continue
            place, item = place_of[token], bearer[index]
            if item < 0:
                events[sentence, NO_CONSTITUENT] += 1
                continue
            source = spoken(item, words, holds, bearer)
            if kind == MOVED and landing[index] == place:
                place = last_place(place, bears, bearer, landing)
                above = parent[place] if place >= 0 else NOTHING
                while above >= 0 and above != item:
                    above = parent[above]
                if words[item] == 0:
                    events[sentence, SILENT] += words[source] == 0
                elif place < 0 or parent[place] < 0 or above == item:
                    events[sentence, INSIDE] += 1
                elif parent[item] == parent[place]:
                    events[sentence, IN_PLACE] += 1
                else:
                    parent[item] = parent[place]
                    events[sentence, PUT_BACK] += 1
                    moves[moved] = sentence, _end(item, tokens), _end(place, tokens)
                    moved += 1
                continue
            events[sentence, LEFT if kind == COINDEXED else FURTHER_TRACE] += 1
            if words[source] == 0:
                events[sentence, SILENT] += 1
            elif parent[place] >= 0:
                ends = _end(source, tokens), _end(parent[place], tokens)
                edges[linked] = sentence, ends[0], ends[1], _end(place, tokens)
                linked += 1
        above_items = np.where(parent >= 0, parent - tokens, NOTHING)
        new_token_parent[begin:end] = above_items[:tokens]
        new_node_parent[base:stop] = above_items[tokens:]
    return new_token_parent, new_node_parent, moves[:moved], edges[:linked], events


@njit(cache=True, nogil=True)
def _end(item: int, tokens: int) -> int:
    """An item as the end of a secondary edge."""
    return item if item < tokens else tokens - 1 - item


@njit(cache=True, nogil=True)
def items_of(
    token_parent: Int32Array, node_parent: Int32Array, silent: BoolArray
) -> tuple[Int32Array, Int32Array, Int32Array, Int32Array]:
    """Each item's parent, how many children it has, how many words below, and its first token."""
    tokens, items = len(token_parent), len(token_parent) + len(node_parent)
    above = np.concatenate((token_parent, node_parent))
    parent = np.where(above >= 0, above + tokens, NOTHING).astype(np.int32)
    children, words = np.zeros(items, np.int32), np.zeros(items, np.int32)
    first = np.full(items, np.int32(items), np.int32)
    for token in range(tokens):
        words[token], first[token] = not silent[token], token
    for item in range(items):
        # Tokens come first, then nodes from the bottom up: what is below is counted already.
        item = item if item < tokens else items - 1 - (item - tokens)
        if parent[item] >= 0:
            children[parent[item]] += 1
            words[parent[item]] += words[item]
            first[parent[item]] = min(first[parent[item]], first[item])
    return parent, children, words, first


@njit(cache=True, nogil=True)
def bearers(bears: Int32Array, words: Int32Array, indices: int) -> tuple[Int32Array, int]:
    """The item that bears each index, rather one with words than without; and how many bear one, too."""
    bearer = np.full(indices, np.int32(NOTHING), np.int32)
    further = 0
    for item in range(len(bears)):
        if bears[item] >= 0:
            other = bearer[bears[item]]
            further += other >= 0
            if other < 0 or (words[other] == 0 and words[item] > 0):
                bearer[bears[item]] = item
    return bearer, further


@njit(cache=True, nogil=True)
def places(
    trace: Int32Array,
    trace_index: Int32Array,
    parent: Int32Array,
    children: Int32Array,
    first: Int32Array,
    bearer: Int32Array,
) -> tuple[Int32Array, Int32Array, Int32Array]:
    """The item that each trace is, the index of items that are traces, and the closest trace of what moved.

    Shapes ``(tokens,)``, ``(items,)`` and ``(indices,)``.
    """
    place_of = np.full(len(trace), np.int32(NOTHING), np.int32)
    holds = np.full(len(parent), np.int32(NOTHING), np.int32)
    landing = np.full(len(bearer), np.int32(NOTHING), np.int32)
    for token in range(len(trace)):
        if trace[token] == 0:
            continue
        item, index = token, trace_index[token]
        while parent[item] >= 0 and children[parent[item]] == 1:
            item = parent[item]
        place_of[token], holds[item] = item, index
        if trace[token] == MOVED and bearer[index] >= 0:
            other, at = landing[index], first[bearer[index]]
            if other < 0 or abs(first[item] - at) < abs(first[other] - at):
                landing[index] = item
    return place_of, holds, landing


@njit(cache=True, nogil=True)
def last_place(place: int, bears: Int32Array, bearer: Int32Array, landing: Int32Array) -> int:
    """Where a trace goes that is itself what moved, and so on; ``NOTHING`` where this goes round."""
    for _ in range(len(bearer)):
        index = bears[place]
        if index < 0 or bearer[index] != place or landing[index] < 0 or landing[index] == place:
            return place
        place = landing[index]
    return NOTHING


@njit(cache=True, nogil=True)
def spoken(item: int, words: Int32Array, holds: Int32Array, bearer: Int32Array) -> int:
    """What a constituent that is only a trace stands for, perhaps by way of others; circles end."""
    for _ in range(len(bearer)):
        if words[item] > 0 or holds[item] < 0 or bearer[holds[item]] < 0:
            break
        item = bearer[holds[item]]
    return item
