"""Tree patterns that decide about dependencies where trees have no functions.

Functions name what is apart from what it modifies (``OA-MOD``), and conjuncts that no conjunction joins
(``KONJ``). Without them the form of the tree says most of it: a relative clause in the final field modifies
the noun phrase that is closest to the field. Such heuristics turn trees without functions into dependencies
in Rehbein and van Genabith (2007), section 3.3.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from crossbank.converters.patterns.matching import named_rows
from crossbank.converters.schemes.dependency_rules import CONJUNCT, DEPENDENT, GOVERNOR, BareRules
from crossbank.treebanks import Treebank
from crossbank.treebanks.arrays import BoolArray, Int32Array, Int64Array
from crossbank.treebanks.vocabulary import Vocabulary


class Bare(NamedTuple):
    """Nodes that a scheme's patterns name.

    token_written, node_written  masks of the tokens and nodes whose functions are written
    governors    dependents and governors of each pattern as rows, shape ``(found, 2)``: all tokens and, after
                 them, all nodes
    token, node  masks of the conjuncts
    """

    token_written: BoolArray
    node_written: BoolArray
    governors: list[Int64Array]
    token: BoolArray
    node: BoolArray


def bare(bank: Treebank, rules: BareRules, node_function: Int32Array) -> Bare:
    """Return what the patterns find, which is nothing if all functions are written."""
    written = _is_written(bank.vocabulary, bank.tokens.function), _is_written(bank.vocabulary, node_function)
    conjuncts = tuple(np.zeros(len(rows), np.bool_) for rows in written)
    if not (rules.governors or rules.conjuncts) or all(mask.all() for mask in written):
        return Bare(*written, [], *conjuncts)
    names = [(DEPENDENT, GOVERNOR)] * len(rules.governors) + [(CONJUNCT, CONJUNCT)] * len(rules.conjuncts)
    rows_of_rules = named_rows(rules.governors + rules.conjuncts, bank, names)
    for rows in rows_of_rules[len(rules.governors) :]:
        is_token = rows[:, 0] < len(bank.tokens)
        conjuncts[0][rows[is_token, 0]] = True
        conjuncts[1][rows[~is_token, 0] - len(bank.tokens)] = True
    return Bare(*written, rows_of_rules[: len(rules.governors)], *conjuncts)


def _is_written(vocabulary: Vocabulary, functions: Int32Array) -> BoolArray:
    """Return a mask of the functions that are written.

    The export format writes ``--`` where there is none.
    """
    written: BoolArray = (functions > 0) & (functions != vocabulary.code("--"))
    return written


def attach_bare(bank: Treebank, bare_rules: Bare, head: Int32Array) -> tuple[Int32Array, Int32Array]:
    """Return the heads after the patterns have found governors, and the sentences of the words that got one.

    Heads of nodes must be marked. A pattern that would close a cycle is passed over.
    """
    rows = np.concatenate((np.zeros((0, 2), np.int64), *bare_rules.governors))
    rows = rows[~np.concatenate((bare_rules.token_written, bare_rules.node_written))[rows[:, 0]]]
    begins, head_position, start, end = _positions(bank, rows)
    inside = (start[:, 0] <= head_position[:, 1]) & (head_position[:, 1] < end[:, 0])
    columns = rows[:, 0], begins[:, 0], start[:, 0], end[:, 0], head_position[:, 1]
    heads, moved, attached = head.copy(), np.zeros(len(head), np.bool_), set[int]()
    for dependent, begin, first, last, governor in np.stack(columns, axis=1)[~inside].tolist():
        if dependent in attached:
            continue
        own = range(first, last)
        above = head[begin + first : begin + last].tolist()
        outside = [begin + word for word, of in zip(own, above, strict=True) if of not in own]
        up = governor
        while up >= 0 and begin + up not in outside:
            up = int(heads[begin + up])
        if up >= 0:
            continue  # another pattern has hung the governor below the dependent
        attached.add(dependent)
        heads[outside] = governor
        moved[outside] = True
    return heads, bank.tokens.sentence_of_row()[moved]


def _positions(bank: Treebank, rows: Int64Array) -> tuple[Int64Array, Int64Array, Int64Array, Int64Array]:
    """Return where the sentences of some rows begin, and in them: head, first word, one past the last."""
    tokens, nodes = bank.tokens, bank.nodes
    is_node, node = rows >= len(tokens), rows - len(tokens)
    of_token, of_node = (
        np.searchsorted(table.offsets, row, side="right") for table, row in ((tokens, rows), (nodes, node))
    )
    begin = tokens.offsets[np.where(is_node, of_node, of_token) - 1]
    start = rows - begin
    head_position, end = start.copy(), start + 1
    for target, column in ((head_position, nodes.head), (start, bank.spans.start), (end, bank.spans.end)):
        target[is_node] = column[node[is_node]]
    return begin, head_position, start, end
