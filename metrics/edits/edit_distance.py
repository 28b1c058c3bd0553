"""Edit distance between two parses that are written as strings of events.

Roark, Brian (2002): Evaluating Parser Accuracy using Edit Distance. Beyond PARSEVAL (LREC workshop). Events
are rules, constituents with their spans, or brackets: see ``rule_distance``, ``span_distance`` and
``bracketing_distance``. The error rate is the number of edits per 100 events of gold (section 2). The
accuracy is 100 minus the error rate (section 4). A parse can need more edits than gold has events: then the
accuracy is 0, and the error rate is above 100.

The candidate is edited into gold: surplus events are deleted, missing events are inserted.

Events are not items that match or not (``counting.items``): an event can be replaced by another, at a price.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossbank.metrics.counting.counts import Breakdown, Column, Counts, Measure, ratio
from crossbank.metrics.counting.items import (
    ItemDescription,
    Tally,
    by_sentence,
    count_by_key,
    joined,
    node_tokens,
)
from crossbank.metrics.counting.metric import Item
from crossbank.metrics.edits.costs import FunctionCostedMetric, check_edits
from crossbank.metrics.edits.symbols import SymbolGroups, Symbols, symbols
from crossbank.metrics.loops import replacement_costs as symbol_loops
from crossbank.metrics.loops import wagner_fischer as loops
from crossbank.metrics.loops.replacement_costs import Prices
from crossbank.metrics.pairing.pair import Pair
from crossbank.treebanks import Treebank
from crossbank.treebanks.arrays import Int64Array
from crossbank.treebanks.ranges import in_ranges


@dataclass(frozen=True)
class EditDistance(FunctionCostedMetric):
    """Options and measures that the three distances have in common.

    cost           of replacing a label by another, out of 2: ``exact`` (2, which is one edit),
                   ``first_letter`` (0.5 where the first characters are the same), ``none`` (0), or a file
                   with a table (see ``metrics.edits.costs``)
    free_deletion  whether the candidate's surplus events cost nothing: "more structure is okay" (section 5)
    """

    free_deletion: bool = False

    view: ClassVar[str] = "constituents"
    papers: ClassVar[tuple[str, ...]] = ("roark-2002",)
    compared: ClassVar[tuple[str, ...]] = ("accuracy",)
    measures: ClassVar[tuple[Measure, ...]] = (
        Measure(
            "accuracy",
            lambda sums: ratio(np.maximum(sums["gold"] - sums["edits"], 0), sums["gold"], sums["edits"]),
            "1 - edits / events of gold, and 0 where there are more edits than events",
        ),
        Measure(
            "error_rate",
            lambda sums: ratio(100 * sums["edits"], sums["gold"]),
            "edits per 100 events of gold",
            proportion=False,
            better="less",
        ),
    )

    @property
    def deletion(self) -> float:
        """Cost of an event that only the candidate has."""
        return 0.0 if self.free_deletion else 1.0

    def symbols(self, pair: Pair) -> Symbols:
        """Return labels, tags and words of both sides with the prices that the options set."""
        return symbols(pair, self.cost, self.table, self.function_cost)

    @abstractmethod
    def edits(self, pair: Pair, names: Symbols) -> Tally:
        """Return all edits by symbol; where a sentence is not scored, one for each event of gold."""

    @abstractmethod
    def encodings(self, pair: Pair, sentence: int) -> tuple[list[str], list[str]]:
        """Return gold and candidate of a sentence as the strings of events that are compared."""

    def counts(self, pair: Pair) -> Counts:
        """Return the events of gold (one for each of its nodes), and edits."""
        self.require(pair)
        edits = self.edits(pair, self.symbols(pair))
        gold = pair.gold.nodes.lengths().astype(np.float64)
        columns = {"gold": gold, "edits": by_sentence(edits.offsets, edits.amount)}
        return self.counted(pair, columns, {"label": partial(self._by_label, pair)})

    def _by_label(self, pair: Pair) -> Breakdown:
        names = self.symbols(pair)
        gold = Tally(pair.gold.nodes.offsets, names.gold_label, np.ones(len(pair.gold.nodes)))
        return count_by_key({"gold": gold, "edits": self.edits(pair, names)}, names.written)


@dataclass(frozen=True)
class TagCosted(EditDistance):
    """A distance with an option for the cost of wrong tags.

    tag_cost  edits for a wrong tag, from 0 to 1
    """

    tag_cost: float = 0.0

    def __post_init__(self) -> None:
        """Check the costs. Raises OptionError or CrossbankError if one is wrong."""
        super().__post_init__()
        check_edits("tag_cost", self.tag_cost)

    def symbols(self, pair: Pair) -> Symbols:
        """Return the symbols, with the price of a wrong tag."""
        return symbols(pair, self.cost, self.table, self.function_cost, self.tag_cost)


class Runs(NamedTuple):
    """Runs of events: the first event of each, and one past its last; both have shape ``(runs,)``."""

    first: Int64Array
    last: Int64Array


class EditAlignment(NamedTuple):
    """Cheapest edits of the candidate's events into gold's.

    partner          the event of the candidate that is aligned with an event of gold, or -1
    gold_edits       the cost of inserting an event of gold, or of replacing its partner by it
    candidate_edits  the cost of deleting an event of the candidate
    """

    partner: Int64Array
    gold_edits: Column
    candidate_edits: Column


@dataclass(frozen=True)
class EventDistance(EditDistance):
    """A distance between strings of events that are inserted, deleted and replaced at one edit each."""

    @abstractmethod
    def events(self, pair: Pair, names: Symbols) -> tuple[SymbolGroups, SymbolGroups]:
        """Return the events of gold and of the candidate."""

    @abstractmethod
    def strings(self, bank: Treebank, events: SymbolGroups, names: Symbols) -> list[str]:
        """Return the events of a treebank of one sentence as strings."""

    def edits(self, pair: Pair, names: Symbols) -> Tally:
        """Return all edits by symbol; where a sentence is not scored, one for each event of gold."""
        alignment = self._alignment(pair, *self.events(pair, names), names)
        return joined(
            len(pair),
            (pair.gold.nodes.sentence_of_row(), names.gold_label, alignment.gold_edits),
            (pair.candidate.nodes.sentence_of_row(), names.candidate_label, alignment.candidate_edits),
        )

    def encodings(self, pair: Pair, sentence: int) -> tuple[list[str], list[str]]:
        """Return gold and candidate of a sentence as strings of events."""
        one = pair.select([sentence])
        names = self.symbols(one)
        gold, candidate = self.events(one, names)
        return self.strings(one.gold, gold, names), self.strings(one.candidate, candidate, names)

    def items(self, pair: Pair, sentence: int) -> list[Item]:
        """Return the events of gold with their counterparts in the candidate, then the deleted ones."""
        one = pair.select([sentence])
        names = self.symbols(one)
        gold, candidate = self.events(one, names)
        alignment = self._alignment(one, gold, candidate, names)
        texts = self.strings(one.gold, gold, names), self.strings(one.candidate, candidate, names)
        return aligned_items("event", one, names, alignment, texts)

    def _alignment(
        self, pair: Pair, gold: SymbolGroups, candidate: SymbolGroups, names: Symbols
    ) -> EditAlignment:
        sides = (gold, pair.gold.nodes.offsets), (candidate, pair.candidate.nodes.offsets)
        return align_sentences(pair, *sides, names.prices, self.deletion)


def aligned_items(
    item_type: str,
    pair: Pair,
    names: Symbols,
    alignment: EditAlignment,
    texts: tuple[Sequence[str], Sequence[str]],
    worth: float = 1.0,
) -> list[Item]:
    """Return the events of a pair of one sentence: gold's with their counterparts, then the deleted ones.

    ``worth`` is the cost of inserting an event; edits of this cost have the score 0.
    """
    sides = (pair.gold, names.gold_label, texts[0]), (pair.candidate, names.candidate_label, texts[1])
    left, right = (
        [
            ItemDescription(names.written(label), tokens, text)
            for label, tokens, text in zip(labels.tolist(), node_tokens(bank), of_side, strict=True)
        ]
        for bank, labels, of_side in sides
    )
    return paired_items(item_type, pair, (left, right), alignment.partner, alignment.gold_edits / worth)


def paired_items(
    item_type: str,
    pair: Pair,
    descriptions: tuple[list[ItemDescription], list[ItemDescription]],
    partner: NDArray[np.integer],
    cost: Column,
) -> list[Item]:
    """Return gold's items of a pair of one sentence with their counterparts, then the candidate's unmatched.

    partner  the candidate's counterpart of each of gold's items, or -1
    cost     of replacing an item's counterpart by it, or of inserting it: 1 has the score 0
    """
    left, right = descriptions
    items = [
        Item(
            item_type,
            *one[:2],
            "both" if other >= 0 else "gold",
            matched=edits == 0,
            score=max(1 - edits, 0.0),
            gold=one.text,
            candidate=right[other].text if other >= 0 else "",
        )
        for one, other, edits in zip(left, partner.tolist(), cost.tolist(), strict=True)
    ]
    deleted = sorted(set(range(len(right))) - set(partner.tolist())) if pair.scored[0] else []
    return items + [
        Item(item_type, *right[index][:2], "candidate", False, 0.0, candidate=right[index].text)
        for index in deleted
    ]


def align_sentences(
    pair: Pair,
    gold: tuple[SymbolGroups, Int64Array],
    candidate: tuple[SymbolGroups, Int64Array],
    prices: Prices,
    deletion: float,
) -> EditAlignment:
    """Align the events of each sentence, given with their offsets; unscored sentences have no alignment."""
    (left, own), (right, right_offsets) = gold, candidate
    first, last = (np.where(pair.scored, column, 0) for column in (right_offsets[:-1], right_offsets[1:]))
    return align((left, Runs(own[:-1], own[1:])), (right, Runs(first, last)), prices, 1.0, deletion)


def align(
    gold: tuple[SymbolGroups, Runs],
    candidate: tuple[SymbolGroups, Runs],
    prices: Prices,
    insertion: float,
    deletion: float,
) -> EditAlignment:
    """Align the events of each run of gold with those of the same run of the candidate.

    ``insertion`` is the cost of an event that only gold has, ``deletion`` of one that only the candidate
    has. Of edits with the same cost, those that replace the earliest events are chosen (Wagner and
    Fischer 1974).
    """
    alignment = EditAlignment(
        np.full(len(gold[0].frame), -1, np.int64),
        np.full(len(gold[0].frame), insertion, np.float64),
        np.zeros(len(candidate[0].frame), np.float64),
    )
    left, right = (loops.EventRuns(symbol_loops.Events(*events), *runs) for events, runs in (gold, candidate))
    costs, columns = loops.Costs(prices, insertion, deletion), loops.Alignment(*alignment)
    in_ranges(lambda first, last: loops.align(left, right, costs, columns, first, last), len(gold[1].first))
    return alignment
