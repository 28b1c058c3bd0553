"""Label clauses with their subcategorisation frames, which are read off the functions of arguments.

Beil, Franz, et al. (2002): Evaluation of the Gramotron Parser for German. Beyond PARSEVAL, section 6.2:
frames are annotated as labels of clauses, ``IP.na`` for a verb with nominative and accusative.
"""

from __future__ import annotations

import numpy as np

from crossbank.converters.delete_nodes import without_nodes
from crossbank.converters.heads.child_types import ChildTypes, child_types
from crossbank.converters.loops.delete_nodes import nearest
from crossbank.converters.schemes.constructions import label_matcher
from crossbank.converters.schemes.scheme import Scheme
from crossbank.treebanks import NO_PARENT, UNATTACHED, ConversionError, Treebank
from crossbank.treebanks.arrays import BoolArray, Int32Array
from crossbank.treebanks.diagnosis import finding
from crossbank.treebanks.ranges import in_ranges

NAME = "label_frames"

NO_ARGUMENTS = "-"
"""The frame of a verb without arguments."""

LAST = ("p-s",)
"""The letter behind all others: the phrase with *von* that is the subject of the active (Table 1, VPP)."""


def label_frames(bank: Treebank, scheme: Scheme | None = None) -> Treebank:
    """Keep only the clauses, each with its frame as its label and its verb as its head.

    The scheme gives a letter to the function of each argument. A frame consists of the letters of the
    clause's arguments, in the scheme's order; it is ``-`` without arguments. Behind them stand ``i``, for
    an infinitive that is a clause of its own, and ``r``, for a reflexive pronoun. Arguments may hang
    below certain nodes, such as fields. In a scheme without letters clauses keep their labels, which then
    are frames. The verb is the last one that belongs to the clause and to no clause below it. Clauses
    without a verb are deleted and counted.
    """
    if scheme is None or scheme.frames is None:
        raise ConversionError(f"{NAME}: found no clauses and arguments, expected a scheme that has frames")
    rules = scheme.frames
    types = child_types(bank, scheme)
    tokens, nodes = bank.tokens, bank.nodes
    first = nodes.begins(nodes)
    first_of_token = nodes.begins(tokens)
    infinitive = _infinitives(bank, scheme, types)
    clause = types.with_category(label_matcher(rules.clauses))[types.node] | infinitive
    anywhere = np.ones(len(nodes), np.bool_)

    lowest = _nearest(bank, clause, anywhere)
    verb = np.full(len(nodes), UNATTACHED, np.int32)
    is_verb = types.with_category(label_matcher(rules.verbs))[types.token] & (tokens.parent != NO_PARENT)
    word = np.flatnonzero(is_verb)
    above = lowest[(tokens.parent + first_of_token)[word]]
    place = tokens.places()[word]
    inside = above >= 0
    np.maximum.at(verb, (above + first_of_token[word])[inside], place[inside])

    label, vocabulary = nodes.label, bank.vocabulary
    if rules.arguments:
        through = types.with_category(label_matcher(rules.through))[types.node] & ~infinitive
        governor = _nearest(bank, clause, through)
        frame = np.zeros(len(nodes), np.int64)
        arguments = _arguments(bank, scheme, types, infinitive)
        for bit, (_, of_tokens, of_nodes) in enumerate(arguments):
            for table, start, chosen in ((tokens, first_of_token, of_tokens), (nodes, first, of_nodes)):
                rows = np.flatnonzero(chosen & (table.parent != NO_PARENT))
                over = governor[(table.parent + start)[rows]]
                frame[(over + start[rows])[over >= 0]] |= 1 << bit
        letters = [letter for letter, _, _ in arguments]
        masks, which = np.unique(frame, return_inverse=True)
        names = [
            "".join(x for bit, x in enumerate(letters) if mask >> bit & 1) or NO_ARGUMENTS
            for mask in masks.tolist()
        ]
        vocabulary, codes = vocabulary.extended(names)
        label = codes[which]
    lacking = clause & (verb == UNATTACHED)
    bank = bank.replace(vocabulary=vocabulary, nodes=nodes.replace(label=label, head=verb)).diagnosed(
        finding(NAME, "clauses without a verb left out", nodes.sentence_of_row()[lacking], len(bank))
    )
    return without_nodes(bank, ~clause | lacking, NAME, "nodes that are no clauses left out")


def _arguments(
    bank: Treebank, scheme: Scheme, types: ChildTypes, infinitive: BoolArray
) -> list[tuple[str, BoolArray, BoolArray]]:
    """The letters in the order of a frame, each with the tokens and the nodes that have it."""
    rules = scheme.frames
    assert rules is not None
    is_pronoun = types.with_category(label_matcher(rules.reflexive))[types.token]
    # A node over nothing but a reflexive pronoun is one too.
    pronoun = np.zeros(len(bank.nodes), np.bool_)
    one = np.flatnonzero(bank.spans.size == 1)
    pronoun[one] = is_pronoun[(bank.tokens.begins(bank.nodes) + bank.spans.start)[one]]
    found = []
    every = [np.zeros(len(bank.tokens), np.bool_), np.zeros(len(bank.nodes), np.bool_)]
    for function, letter in rules.arguments.items():
        serving = types.with_function(lambda name, wanted=function: wanted in name.split("-"))  # type: ignore[misc]
        of_tokens, of_nodes = serving[types.token], serving[types.node]
        every = [every[0] | of_tokens, every[1] | of_nodes]
        found.append((letter, of_tokens & ~is_pronoun, of_nodes & ~pronoun))
    last = [entry for entry in found if entry[0] in LAST]
    objects = types.serving_as(rules.infinitives)[types.node] & infinitive
    return [
        *(entry for entry in found if entry[0] not in LAST),
        ("i", np.zeros(len(bank.tokens), np.bool_), objects),
        ("r", every[0] & is_pronoun, every[1] & pronoun),
        *last,
    ]


def _infinitives(bank: Treebank, scheme: Scheme, types: ChildTypes) -> BoolArray:
    """The highest nodes that have a marked infinitive as their head, shape ``(nodes,)``."""
    rules = scheme.frames
    assert rules is not None
    found = np.zeros(len(bank.nodes), np.bool_)
    marked = types.with_category(label_matcher(rules.infinitive))[types.token] & (
        bank.tokens.parent != NO_PARENT
    )
    above = bank.nodes.parent_rows(bank.nodes)
    climbs = types.serving_as(rules.heads)[types.node] & (above >= 0)
    for row in np.unique(bank.nodes.parent_rows(bank.tokens)[marked]).tolist():
        while climbs[row]:
            row = int(above[row])
        found[row] = True
    return found & ~types.with_category(label_matcher(rules.clauses))[types.node]


def _nearest(bank: Treebank, wanted: BoolArray, passed: BoolArray) -> Int32Array:
    """The lowest wanted node at or above each node, or -1.

    All nodes below the wanted one, the node itself included, must be among those that can be passed.
    """
    found = np.full(len(bank.nodes), -1, np.int32)
    in_ranges(lambda first, last: nearest(bank.forest, wanted, passed, found, first, last), len(bank))
    return found
