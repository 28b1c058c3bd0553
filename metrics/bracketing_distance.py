"""Bracketing distance: edits between two parses that are written as labelled brackets.

Roark, Brian (2002): Evaluating Parser Accuracy using Edit Distance. Beyond PARSEVAL, section 3 ("label
edit distance"). A symbol is an opening bracket with its label, a word with the bracket that closes its
tag, or the closing bracket of a phrase::

    (S  (NP  (DT  The)  (NN  dog)  )  (VP  (VBD  barked)  )  )

Words are the same on both sides, so nothing moves across a word. Closing brackets come after a word,
opening brackets before one. Inserting or deleting a bracket costs half an edit; a wrong label is a deletion
and an insertion; a wrong tag costs nothing. Closing brackets that are deleted after one word and inserted
after another move a constituent up or down the tree. Together they cost one edit, however many they are.

A discontinuous node opens before its first word and closes after its last.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np

from crossbank.metrics.counting.counts import Column
from crossbank.metrics.counting.items import Tally, joined
from crossbank.metrics.counting.metric import Item
from crossbank.metrics.edits.edit_distance import EditAlignment, Runs, TagCosted, align, aligned_items
from crossbank.metrics.edits.symbols import Symbols, single
from crossbank.metrics.loops import wagner_fischer as loops
from crossbank.metrics.loops.replacement_costs import Prices, priced_pairs
from crossbank.metrics.pairing.pair import Pair
from crossbank.treebanks import Treebank
from crossbank.treebanks.arrays import Int32Array, Int64Array, offsets_of
from crossbank.treebanks.ranges import in_ranges

BRACKET = 0.5
"""The cost of inserting or deleting a bracket (Table 2)."""


@dataclass(frozen=True)
class BracketingDistance(TagCosted):
    r"""Edits between the labelled brackets of gold and candidate.

    tag_cost  edits for a wrong tag, from 0 to 1

    When to use it
    --------------
    `bracketing_distance` counts the edits between two parses that are written as labelled brackets. It
    estimates the work of an annotator who corrects the parse: moving a constituent is one
    edit, however far it moves.

    Definition
    ----------
    A parse is a string of opening brackets with labels, words, and closing brackets. Inserting or deleting a
    bracket is half an edit, so that a constituent too many or too few is one. Closing brackets that are
    deleted after one word and inserted after another are together one edit. A wrong label is a deletion and
    an insertion. A wrong tag costs nothing (`tag_cost` changes this).

    Formula
    -------
    Events are gold's constituents, with two brackets each:

    ```math
    \text{error rate} = 100 \cdot \frac{\text{edits}}{\text{events of gold}}
    \qquad \text{accuracy} = 1 - \frac{\text{edits}}{\text{events of gold}}
    ```

    Example
    -------
    The parser attaches *with a bell* to the verb; gold attaches it to *the cat*. An opening and a closing
    bracket are missing: half an edit each, for 7 constituents.

    <!-- file: gold.mrg -->
    ```text
    (S (NP (DT The) (NN dog))
       (VP (VBZ chases)
           (NP (NP (DT the) (NN cat))
               (PP (IN with) (NP (DT a) (NN bell)))))
       (. .))
    ```

    <!-- file: parsed.mrg -->
    ```text
    (S (NP (DT The) (NN dog))
       (VP (VBZ chases)
           (NP (DT the) (NN cat))
           (PP (IN with) (NP (DT a) (NN bell))))
       (. .))
    ```

    ```console
    $ crossbank score gold.mrg parsed.mrg --scheme ptb --metric bracketing_distance
    bracketing_distance|cost:exact|function_cost:none|...|v1.0
      accuracy       85.71 %  1 - edits / events of gold, and 0 where there are more edits than events
      error_rate     14.29    edits per 100 events of gold
      1 sentence: 1 scored
    ```

    Other programs
    --------------
    None. Section 3 of Roark (2002) has the algorithm.
    """

    name: ClassVar[str] = "bracketing_distance"
    position: ClassVar[float] = 120
    version: ClassVar[str] = "1.0"
    title: ClassVar[str] = "Bracketing distance"

    def edits(self, pair: Pair, names: Symbols) -> Tally:
        """Return all edits by symbol; where a sentence is not scored, one for each constituent of gold.

        The edits of closing brackets, less what movements save, are counted under ``)``.
        """
        opening = self._opening(pair, names)
        closing = closing_edits(
            pair.gold.tokens.offsets, closing_differences(pair), BRACKET, BRACKET * self.deletion
        )
        tags = tag_edits(names.gold_tag, pair.aligned(names.candidate_tag, -1), names.prices)
        return joined(
            len(pair),
            (pair.gold.nodes.sentence_of_row(), names.gold_label, opening.gold_edits),
            (pair.candidate.nodes.sentence_of_row(), names.candidate_label, opening.candidate_edits),
            (pair.gold.tokens.sentence_of_row(), names.gold_tag, tags),
            (np.arange(len(pair), dtype=np.int32), np.full(len(pair), names.closing, np.int32), closing),
        )

    def encodings(self, pair: Pair, sentence: int) -> tuple[list[str], list[str]]:
        """Return gold and candidate of a sentence as strings of brackets."""
        one = pair.select([sentence])
        return bracketing(one.gold), bracketing(one.candidate)

    def items(self, pair: Pair, sentence: int) -> list[Item]:
        """Return opening brackets, gold's with their counterparts, and words with other closing brackets."""
        one = pair.select([sentence])
        names = self.symbols(one)
        opening = self._opening(one, names)
        gold, candidate = (
            [f"({names.written(label)}" for label in side.tolist()]
            for side in (names.gold_label, names.candidate_label)
        )
        items = aligned_items("bracket", one, names, opening, (gold, candidate), BRACKET)
        if not one.scored[0]:
            return items
        gold_closing, candidate_closing = (
            closing_brackets(one.gold).tolist(),
            closing_brackets(one.candidate).tolist(),
        )
        return items + [
            Item(
                "closing",
                word,
                (index,),
                "both",
                False,
                0,
                ")" * gold_closing[index],
                ")" * candidate_closing[index],
            )
            for index, word in enumerate(one.gold.words(0))
            if gold_closing[index] != candidate_closing[index]
        ]

    def _opening(self, pair: Pair, names: Symbols) -> EditAlignment:
        """Align the opening brackets before each word of gold with those before the same word."""
        runs = (pair.aligned(column.astype(np.int32), 0) for column in opening_runs(pair.candidate))
        candidate_runs = Runs(*(column.astype(np.int64) for column in runs))
        sides = (
            (single(names.gold_label), opening_runs(pair.gold)),
            (single(names.candidate_label), candidate_runs),
        )
        return align(*sides, names.prices, BRACKET, BRACKET * self.deletion)


def bracketing(bank: Treebank) -> list[str]:
    """Return the string of brackets that is compared, of a treebank of one sentence.

    A word without a tag has none in the string.
    """
    labels, tags = bank.vocabulary.decode(bank.nodes.label), bank.vocabulary.decode(bank.tokens.pos)
    closing, events = closing_brackets(bank).tolist(), []
    runs = zip(*(column.tolist() for column in opening_runs(bank)), strict=True)
    for word, tag, closes, (first, last) in zip(bank.words(0), tags, closing, runs, strict=True):
        events += [f"({label}" for label in labels[first:last]]
        events += [f"({tag}", f"{word})"] if tag else [word]
        events += [")"] * closes
    return events


def opening_runs(bank: Treebank) -> Runs:
    """Return the nodes that begin at each token: one run for each token."""
    token = bank.tokens.begins(bank.nodes) + bank.spans.start
    offsets = offsets_of(np.bincount(token, minlength=len(bank.tokens)))
    return Runs(offsets[:-1], offsets[1:])


def closing_brackets(bank: Treebank) -> Int32Array:
    """Return the number of nodes that end at each token, shape ``(tokens,)``."""
    token = bank.tokens.begins(bank.nodes) + bank.spans.end - 1
    return np.bincount(token, minlength=len(bank.tokens)).astype(np.int32)


def closing_differences(pair: Pair) -> Int32Array:
    """Return the number of closing brackets to insert after each token of gold; below 0, to delete."""
    return closing_brackets(pair.gold) - pair.aligned(closing_brackets(pair.candidate), 0)


def closing_edits(offsets: Int64Array, difference: Int32Array, insertion: float, deletion: float) -> Column:
    """Return the cost of each sentence's closing brackets, with the discount for movements.

    Section 3: while the longest run of inserted brackets and the longest run of deleted ones both have
    at least ``r`` >= 2 brackets, ``r`` of each are taken away and cost together as much as one of each.
    After a word brackets are either inserted or deleted, so ``difference`` gives the runs.
    """
    edits = np.zeros(len(offsets) - 1, np.float64)
    in_ranges(partial(loops.closing_edits, offsets, difference, insertion, deletion, edits), len(edits))
    return edits


def tag_edits(gold: Int32Array, candidate: Int32Array, prices: Prices) -> Column:
    """Return the cost of each token's tag; ``candidate`` is -1 if a sentence is not scored."""
    edits = np.zeros(len(gold), np.float64)
    known = np.flatnonzero(candidate >= 0)
    cost = np.empty(len(known), np.float64)
    priced_pairs(gold[known], candidate[known], prices, cost)
    edits[known] = cost
    return edits
