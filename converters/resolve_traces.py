"""Put moved constituents back at the positions of their traces.

Bies et al. (1995), Bracketing Guidelines for Treebank II Style, on null elements: ``*T*-1`` stands where the
constituent with the index 1 belongs, ``*ICH*-1`` and ``*EXP*-1`` where a part of a constituent belongs,
``*RNR*-1`` in each conjunct that shares the constituent. A constituent that is put back makes branches cross,
as in Evang, Kilian, and Laura Kallmeyer (2011): PLCFRS Parsing of English Discontinuous Constituents. IWPT.
``*-1`` (passives, raising, control) says what a silent constituent refers to: the constituent stays, and a
secondary edge records the reference.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossbank.converters.declaration import transformation
from crossbank.converters.labels import functions_of_nodes, is_uninformative
from crossbank.converters.loops.trace_antecedents import Resolved, TraceColumns, put_back
from crossbank.converters.schemes.scheme import Scheme
from crossbank.treebanks import Treebank
from crossbank.treebanks.arrays import BoolArray, Int32Array, Int64Array
from crossbank.treebanks.errors import RequirementError
from crossbank.treebanks.ranges import in_ranges

NAME = "resolve_traces"

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
"""The events of traces, in the order of the columns in which the loop counts them."""

_INDEX = re.compile(r"-[0-9-]+$")


@transformation(position=130)
def resolve_traces(bank: Treebank, scheme: Scheme | None = None, *, secondary: bool = True) -> Treebank:
    """Hang each moved constituent at the position of its trace; the empty elements stay, to be deleted later.

    secondary  whether further traces of a constituent (of ``*RNR*``) and those of constituents that
               stay in place (``*-1``) become secondary edges, from the constituent to what the trace
               hangs on, with the trace's function

    A constituent without a function of its own gets the trace's: in ``(WHNP-1 who) (S (NP-SBJ *T*-1) ...``
    it is the subject. If a constituent has several traces, it goes to the closest one. Chains (a moved
    constituent that consists of another trace) are followed. The tree is unchanged where a trace has no
    constituent, or a silent one, or is inside its own constituent. The diagnosis counts these cases,
    and the indices of gapping (``NP=1``), which are not movement.
    """
    resolved = _resolve(bank, scheme)
    tokens, sentence, item, landing = bank.tokens, resolved.sentence, resolved.item, resolved.landing
    gaps = [
        table.sentence_of_row()[np.isin(of, resolved.gapped)]
        for table, of in ((tokens, tokens.pos), (bank.nodes, bank.nodes.label))
    ]
    assert scheme is not None
    bank, function = _functions(bank, scheme)
    of_trace = function[bank.rows_of_items(sentence, landing)]
    bank = _with_functions(
        bank, function, bank.rows_of_items(sentence, item)[resolved.put], of_trace[resolved.put]
    )
    if secondary:
        bank = _linked(bank, resolved, ~resolved.put, of_trace)
    events = {event: np.repeat(np.arange(len(bank)), resolved.events[:, n]) for n, event in enumerate(EVENTS)}
    events["indices of gapping left"] = np.concatenate(gaps)
    bank = bank.with_structure(token_parent=resolved.token_parent, node_parent=resolved.node_parent)
    return bank.with_events(NAME, events)


def with_antecedents(bank: Treebank, scheme: Scheme, mark: str = "") -> Treebank:
    """Return the trees as they are, with what each trace stands for as a secondary edge.

    The edge goes from the constituent to what the trace hangs on, where both have words. Its label is the
    trace without its index, its category and its function, after ``mark``: ``*T* NP SBJ``. Raises
    ConversionError for a scheme that does not describe traces.
    """
    resolved = _resolve(bank, scheme)
    bank, function = _functions(bank, scheme)
    landing = bank.rows_of_items(resolved.sentence, resolved.landing)
    label = np.concatenate((bank.tokens.pos, bank.nodes.label))
    columns = (bank.tokens.form[resolved.trace], label[landing], function[landing])
    names = []
    for codes in zip(*(column.tolist() for column in columns), strict=True):
        trace, category, of = map(bank.vocabulary.__getitem__, codes)
        names.append(f"{mark}{_INDEX.sub('', trace)} {scheme.labels.main_category(category)} {of}")
    vocabulary, labels = bank.vocabulary.extended(names)
    spoken = np.concatenate((~scheme.is_empty(bank), over_words(bank, scheme)))
    ends = (bank.rows_of_items(resolved.sentence, item) for item in (resolved.item, resolved.host))
    is_linked = np.logical_and.reduce([(end >= 0) & spoken[end] for end in ends])
    return _linked(bank.replace(vocabulary=vocabulary), resolved, is_linked, labels)


def over_words(bank: Treebank, scheme: Scheme) -> BoolArray:
    """Return a mask of the nodes that dominate a word that is not empty, shape ``(nodes,)``."""
    above = bank.nodes.parent_rows(bank.nodes)
    has_words = np.zeros(len(bank.nodes), np.bool_)
    node = np.unique(bank.nodes.parent_rows(bank.tokens)[~scheme.is_empty(bank)])
    while len(node := node[node >= 0]):
        has_words[node] = True
        node = np.unique(above[node])
    return has_words


class _ResolvedTraces(NamedTuple):
    """Trees whose constituents are put back, and what traces stand for, with a row for each that does.

    put     whether the constituent is put back
    trace, sentence  rows of tokens, and their sentences
    item, landing, host  the constituent, the item of the trace, and the node above that; -1 for none
    events  how often each event occurs in each sentence
    gapped  labels with an index of gapping
    """

    token_parent: Int32Array
    node_parent: Int32Array
    put: BoolArray
    trace: NDArray[np.intp]
    sentence: Int32Array
    item: Int32Array
    landing: Int32Array
    host: Int32Array
    events: Int32Array
    gapped: list[int]


def _resolve(bank: Treebank, scheme: Scheme | None) -> _ResolvedTraces:
    if scheme is None or not (scheme.traces.moved or scheme.traces.coindexed):
        raise RequirementError(NAME, "a scheme that describes traces")
    tokens, nodes = bank.tokens, bank.nodes
    codes = np.unique(np.concatenate((tokens.pos, nodes.label))).tolist()
    parts = {code: scheme.labels.parts(bank.vocabulary[code]) for code in codes}
    is_trace, moved, trace_index = _traces(bank, scheme)
    # Each index gets a number, the same in all sentences: 0, 1, 2 ... in any order.
    numbers = {"": -1}
    for written in [*trace_index, *(p.index for p in parts.values())]:
        numbers.setdefault(written, len(numbers) - 1)
    index_of, numbered = np.full(len(bank.vocabulary), -1, np.int32), np.full(len(tokens), -1, np.int32)
    index_of[list(parts)] = [numbers[part.index] for part in parts.values()]
    numbered[is_trace] = [numbers[written] for written in trace_index]

    traces = TraceColumns(
        numbered, moved, index_of[tokens.pos], index_of[nodes.label], scheme.is_empty(bank), len(numbers) - 1
    )
    token_parent, node_parent = tokens.parent.copy(), nodes.parent.copy()
    fate, events = np.full((len(tokens), 3), -1, np.int32), np.zeros((len(bank), len(EVENTS)), np.int32)
    resolved = Resolved(token_parent, node_parent, fate, events)
    in_ranges(lambda first, last: put_back(bank.forest, traces, resolved, first, last), len(bank))
    rows = np.flatnonzero(fate[:, 0] >= 0)
    sentence, (item, landing, host) = tokens.sentence_of_row()[rows], fate[rows].T
    put = host < 0
    above = np.concatenate((token_parent, node_parent))[bank.rows_of_items(sentence, item)]
    host = np.where(put & (above >= 0), above + tokens.lengths()[sentence], host).astype(np.int32)
    gapped = [code for code, part in parts.items() if part.gap]
    return _ResolvedTraces(
        token_parent, node_parent, put, rows, sentence, item, landing, host, events, gapped
    )


def _linked(bank: Treebank, resolved: _ResolvedTraces, rows: BoolArray, label: Int32Array) -> Treebank:
    """Return the treebank with secondary edges from some constituents to what their traces hang on."""
    tokens = bank.tokens.lengths()[resolved.sentence]
    more, _, _ = bank.secondary.extended(
        resolved.sentence[rows],
        child=_end(resolved.item, tokens)[rows],
        parent=_end(resolved.host, tokens)[rows],
        label=label[rows],
    )
    return bank.replace(secondary=more)


def _traces(bank: Treebank, scheme: Scheme) -> tuple[BoolArray, BoolArray, list[str]]:
    """Return masks of the traces and of those of moved constituents, and the index of each trace in turn."""
    patterns = [
        (moves, re.compile(f"(?:{'|'.join(map(re.escape, forms))})-([0-9]+)(?:-[0-9]+)*"))
        for moves, forms in ((True, scheme.traces.moved), (False, scheme.traces.coindexed))
        if forms
    ]
    moved = np.zeros(len(bank.vocabulary), np.bool_)
    index_of: dict[int, str] = {}
    empty = scheme.is_empty(bank)
    for code in np.unique(bank.tokens.form[empty]).tolist():
        for moves, pattern in patterns:
            if match := pattern.fullmatch(bank.vocabulary[code]):
                moved[code], index_of[code] = moves, match[1]
    is_trace = empty & np.isin(bank.tokens.form, list(index_of))
    indices = [index_of[code] for code in bank.tokens.form[is_trace].tolist()]
    return is_trace, is_trace & moved[bank.tokens.form], indices


def _functions(bank: Treebank, scheme: Scheme) -> tuple[Treebank, Int32Array]:
    """Return the functions of tokens and, after them, of nodes, from edges or else from labels."""
    bank, of_nodes = functions_of_nodes(bank, scheme)
    empty = scheme.is_empty(bank)
    vocabulary, in_tag = bank.vocabulary.mapped(
        np.where(empty, bank.tokens.pos, 0), lambda tag: scheme.labels.parts(tag).function
    )
    own = bank.tokens.function
    of_tokens = np.where(is_uninformative(bank, own, scheme.no_function), in_tag, own)
    return bank.replace(vocabulary=vocabulary), np.concatenate((of_tokens, of_nodes)).astype(np.int32)


def _end(item: Int32Array, tokens: Int64Array) -> Int32Array:
    """Return items in the notation of secondary edges.

    tokens  the numbers of tokens in their sentences
    """
    return np.where(item < tokens, item, tokens - 1 - item).astype(np.int32)


def _with_functions(
    bank: Treebank, function: Int32Array, row: NDArray[np.intp], of_trace: Int32Array
) -> Treebank:
    """Give the moved constituents in some rows the functions of their traces where they have none."""
    row, of_trace = row[function[row] == 0], of_trace[function[row] == 0]
    own = np.concatenate((bank.tokens.function, bank.nodes.function))
    own[row] = of_trace
    count = len(bank.tokens)
    return bank.replace(
        tokens=bank.tokens.replace(function=own[:count]), nodes=bank.nodes.replace(function=own[count:])
    )
