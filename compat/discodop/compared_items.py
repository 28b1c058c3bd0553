"""Items that disco-dop compares: brackets, function tags, tags and rules, as columns over all sentences.

An item is a node or a token; a token is the bracket of its tag. Items are compared by key: the same number
for the same label over the same tokens of the same sentence.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossbank.compat.discodop.discodop_parameters import DiscodopParameters
from crossbank.compat.discodop.rule_numbers import number_rules_and_positions
from crossbank.metrics.loops.bracket_matching import Both
from crossbank.metrics.loops.lineages import LineageCosts, compare_lineages
from crossbank.metrics.parseval import UNCOUNTED, Brackets, brackets, codes_of_labels
from crossbank.treebanks import NO_PARENT, Treebank
from crossbank.treebanks.arrays import BoolArray, Int32Array, Int64Array, UInt64Array
from crossbank.treebanks.ranges import in_ranges
from crossbank.treebanks.vocabulary import Vocabulary

UNLABELLED = 0
"""The label of all brackets where labels do not count: the empty one."""


class ComparedItems(NamedTuple):
    """Nodes of one side in pre-order and then its tokens; codes are common to both sides.

    sentence  shape ``(items,)`` as the rest
    label     of tokens the tag, or its substitute
    parent    the label of the node above, the empty one for a root
    span      a number for the sentence and the tokens below
    size      how many tokens there are below
    has_gaps  whether they are discontinuous
    key       a number for span and label
    function  the function as written
    order     the position of the item in pre-order, through the treebank
    nodes     how many of the items are nodes
    brackets  the nodes; roots whose label is deleted are no brackets, and in no lineage
    counts    whether a node is a bracket that counts, shape ``(nodes,)``
    bracket   its key, with or without its label, shape ``(nodes,)``
    rule      a number for the rule of a node, shape ``(nodes,)``
    tag       the tag as written, shape ``(tokens,)``
    """

    sentence: Int64Array
    label: Int32Array
    parent: Int32Array
    span: Int64Array
    size: Int32Array
    has_gaps: BoolArray
    key: Int64Array
    function: Int32Array
    order: Int64Array
    nodes: int
    brackets: Brackets
    counts: BoolArray
    bracket: Int64Array
    rule: UInt64Array
    tag: Int32Array


def items_of(
    gold: Treebank, candidate: Treebank, parameters: DiscodopParameters
) -> tuple[ComparedItems, ComparedItems, Vocabulary]:
    """Both sides and their vocabulary; the treebanks must have the same tokens."""
    vocabulary, own = gold.vocabulary.extended(candidate.vocabulary)
    vocabulary, equal = vocabulary.mapped(
        np.arange(len(vocabulary), dtype=np.int32), lambda tag: parameters.eq_label.get(tag, tag)
    )
    deleted = vocabulary.matching(parameters.delete_label.__contains__)
    sides = []
    for bank, code in ((gold, np.arange(len(gold.vocabulary), dtype=np.int32)), (candidate, own)):
        label = code[bank.nodes.label]
        label[deleted[label] & (bank.nodes.parent == NO_PARENT)] = UNCOUNTED
        sides.append((brackets(bank, label), code))
    spans = _spans([side for side, _ in sides])
    first, second = (
        _items(*side, equal, span, len(vocabulary), parameters)
        for side, span in zip(sides, spans, strict=True)
    )
    return first, second, vocabulary


def _spans(sides: Sequence[Brackets]) -> list[Int64Array]:
    """A number for the tokens below each node and then for each token, common to both sides."""
    words = sides[0].bank.tokens
    width = 1 + int(words.lengths().max(initial=0))
    indices: list[Int64Array] = []
    prints: list[UInt64Array] = []
    for side in sides:
        nodes, tokens, spans = side.bank.nodes, side.bank.tokens, side.bank.spans
        begin = np.repeat(tokens.offsets[:-1], nodes.lengths())
        of_nodes = (begin + spans.start) * width + (spans.end - spans.start)
        of_tokens = np.arange(len(tokens), dtype=np.int64) * width + 1
        indices.append(np.concatenate((of_nodes, of_tokens)))
        fingerprint = np.where(spans.discontinuous, side.fingerprint, np.uint64(0))
        prints.append(np.concatenate((fingerprint, np.zeros(len(tokens), np.uint64))))
    index, fingerprint = np.concatenate(indices), np.concatenate(prints)
    # Of nodes with gaps, the first and the last token say too little.
    broken = np.flatnonzero(fingerprint)
    if len(broken):
        pairs = np.stack((index[broken].astype(np.uint64), fingerprint[broken]), axis=1)
        _, number = np.unique(pairs, axis=0, return_inverse=True)
        index[broken] = (len(words) + 1) * width + number.reshape(-1)
    return np.split(index, [len(indices[0])])


def _items(
    side: Brackets,
    code: Int32Array,
    equal: Int32Array,
    span: Int64Array,
    labels: int,
    parameters: DiscodopParameters,
) -> ComparedItems:
    """Return the items of one side; ``code`` translates its strings, ``equal`` is the label for each tag."""
    bank, count = side.bank, len(side.label)
    nodes, tokens = bank.nodes, bank.tokens
    node_label, tag = code[nodes.label], code[tokens.pos]
    label = np.concatenate((node_label, equal[tag])).astype(np.int32)
    above = np.concatenate(
        [np.where(table.parent >= 0, table.parent + nodes.begins(table), -1) for table in (nodes, tokens)]
    )
    padded = np.append(node_label, UNLABELLED)
    spans = bank.spans
    stands = side.label != UNCOUNTED
    counts = stands & spans.discontinuous if parameters.disconly else stands
    rule, order = number_rules_and_positions(bank, label, above)
    bracket = span[:count] * labels + (node_label if parameters.labeled else UNLABELLED)
    ones = np.ones(len(tokens), np.int32)
    return ComparedItems(
        np.concatenate((nodes.sentence_of_row(), tokens.sentence_of_row())).astype(np.int64),
        label,
        padded[above],
        span,
        np.concatenate((spans.size, ones)).astype(np.int32),
        np.concatenate((spans.discontinuous, ones == 0)),
        span * labels + label,
        np.concatenate((code[nodes.function], code[tokens.function])).astype(np.int32),
        order,
        count,
        side,
        counts,
        bracket,
        rule,
        tag.astype(np.int32),
    )


class Common(NamedTuple):
    """Distinct keys of two lists of items, and how often either has them.

    gold, candidate      shape ``(keys,)``
    of_gold, of_candidate  the position of each item's key, shape ``(items,)``
    """

    gold: NDArray[np.intp]
    candidate: NDArray[np.intp]
    of_gold: NDArray[np.intp]
    of_candidate: NDArray[np.intp]

    def matched(self) -> NDArray[np.intp]:
        """Return the number of times that both have a key."""
        return np.minimum(self.gold, self.candidate)


def common(gold: NDArray[np.generic], candidate: NDArray[np.generic]) -> Common:
    """Return the keys of two lists, compared as multisets."""
    keys, index = np.unique(np.concatenate((gold, candidate)), return_inverse=True)
    of_gold, of_candidate = np.split(index.reshape(-1), [len(gold)])
    own, candidate_counts = (np.bincount(keys_of, minlength=len(keys)) for keys_of in (of_gold, of_candidate))
    return Common(own, candidate_counts, of_gold, of_candidate)


def surplus(one: NDArray[np.generic], other: NDArray[np.generic]) -> NDArray[np.intp]:
    """Return the first places of the keys that one list has more often than the other, in order."""
    both = common(one, other)
    first = np.full(len(both.gold), len(one), np.intp)
    np.minimum.at(first, both.of_gold, np.arange(len(one)))
    indices: NDArray[np.intp] = np.sort(first[both.gold > both.candidate])
    return indices


def lacking(one: NDArray[np.generic], other: NDArray[np.generic]) -> NDArray[np.intp]:
    """Return the first places of the keys that one list has and the other has not, in order."""
    alone = np.flatnonzero(~np.isin(one, other))
    indices: NDArray[np.intp] = alone[np.sort(np.unique(one[alone], return_index=True)[1])]
    return indices


class FunctionTags(NamedTuple):
    """Function tags of items that count, in pre-order, one row for each of an item's tags.

    key   a number for the item and the tag, common to both sides
    item  the key of the item
    """

    sentence: Int64Array
    key: Int64Array
    item: Int64Array
    tag: Int32Array


def function_tags(
    gold: ComparedItems, candidate: ComparedItems, vocabulary: Vocabulary
) -> tuple[FunctionTags, FunctionTags, list[str]]:
    """Tags of nodes that the other side brackets too, and of tokens that it tags alike; names by code."""
    written = np.unique(np.concatenate((gold.function, candidate.function))).tolist()
    names: dict[str, int] = {}
    parts = {
        code: [names.setdefault(tag, len(names)) for tag in vocabulary[code].split("-")]
        for code in written
        if vocabulary[code]
    }
    how_many, first = np.zeros(len(vocabulary), np.int64), np.zeros(len(vocabulary), np.int64)
    listed: list[int] = []
    for code, tags in parts.items():
        how_many[code], first[code] = len(tags), len(listed)
        listed += tags
    flat = np.array(listed, np.int32)
    sides = []
    for side, other in ((gold, candidate), (candidate, gold)):
        counts = np.isin(side.key, other.bracket[other.counts])
        counts[side.nodes :] |= side.label[side.nodes :] == other.tag
        rows = np.flatnonzero(counts & (how_many[side.function] > 0))
        rows = rows[np.argsort(side.order[rows], kind="stable")]
        number = how_many[side.function[rows]]
        row = np.repeat(rows, number)
        index = np.arange(len(row)) - np.repeat(np.cumsum(number) - number, number)
        tag = flat[first[side.function[row]] + index]
        sides.append((side.sentence[row], side.key[row], tag))
    _, item = np.unique(np.concatenate([key for _, key, _ in sides]), return_inverse=True)
    own, of_candidate = np.split(item.reshape(-1), [len(sides[0][1])])
    result = [
        FunctionTags(sentence, indices * max(len(names), 1) + tag, key, tag)
        for (sentence, key, tag), indices in zip(sides, (own, of_candidate), strict=True)
    ]
    return result[0], result[1], list(names)


def lineage_distances(gold: ComparedItems, candidate: ComparedItems) -> tuple[Int32Array, Int32Array]:
    """Return the edits between each token's lineages, and the symbols of both; shape ``(tokens,)``."""
    edits, symbols = np.zeros(len(gold.tag)), np.zeros(len(gold.tag), np.int32)
    sides, sentences = (gold.brackets, candidate.brackets), len(gold.brackets.bank)
    both = Both(sides[0].columns, sides[1].columns, np.ones(sentences, np.bool_))
    # Every edit costs 1.
    costs = LineageCosts(np.zeros(codes_of_labels(*sides), np.int32), np.ones((1, 1)), 1.0, True)
    in_ranges(partial(compare_lineages, both, costs, edits, symbols), sentences)
    return edits.astype(np.int32), symbols
