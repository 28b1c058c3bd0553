"""Edit distance between two parses that are written as strings of events.

Roark, Brian (2002): Evaluating Parser Accuracy using Edit Distance. Beyond PARSEVAL (LREC workshop).
Events are rules, constituents with their spans, or brackets: see ``rule_distance``,
``span_distance`` and ``bracketing_distance``. The error rate is the number of edits per 100 events of
gold (section 2); the accuracy is what that leaves of 100 (section 4). A parse can need more edits
than gold has events: then the accuracy is 0, and the error rate is above 100.

The candidate is edited into gold: what it has beyond gold is deleted, what it lacks is inserted.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from crossbank.metrics.counting.brackets import node_tokens
from crossbank.metrics.counting.counts import Column, Counts, Measure, Parts, ratio
from crossbank.metrics.counting.metric import Item
from crossbank.metrics.counting.tally import Tally, by_kind, by_sentence, joined
from crossbank.metrics.edits.costed_metric import CostedMetric
from crossbank.metrics.edits.symbols import Events, PriceMatrix, Prices, Symbols, replacements, symbols
from crossbank.metrics.pairing.pair import Pair
from crossbank.treebanks import Treebank
from crossbank.treebanks.arrays import Int64Array
from crossbank.treebanks.errors import OptionError


@dataclass(frozen=True)
class EditDistance(CostedMetric):
    """The options and measures that the three distances have in common.

    cost           of replacing a label by another, out of 2: ``exact`` (2, which is one edit),
                   ``first_letter`` (0.5 where the first characters are the same), or a file with a
                   table (see ``metrics.edits.costs``)
    function_cost  edits for a label that is right but for its function (``NP-SBJ`` and ``NP``), from
                   0 to 1; ``none`` compares labels as they stand
    free_deletion  whether what the candidate has beyond gold costs nothing: "more structure is okay"
                   (section 5)
    """

    function_cost: float | None = None
    free_deletion: bool = False

    view: ClassVar[str] = "constituents"
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
            share=False,
            better="less",
        ),
    )

    def __post_init__(self) -> None:
        """Check the costs. Raises OptionError or CrossbankError where one is wrong."""
        super().__post_init__()
        check_edits("function_cost", self.function_cost)

    @property
    def deletion(self) -> float:
        """What it costs that the candidate has an event that gold does not have."""
        return 0.0 if self.free_deletion else 1.0

    def symbols(self, pair: Pair) -> Symbols:
        """Labels, tags and words of both sides with the prices that the options set."""
        return symbols(pair, cost=self.cost, table=self.table, function_cost=self.function_cost)

    @abstractmethod
    def edits(self, pair: Pair, names: Symbols) -> Tally:
        """All edits by symbol; where a sentence is not scored, one for each event of gold."""

    @abstractmethod
    def encodings(self, pair: Pair, sentence: int) -> tuple[list[str], list[str]]:
        """Gold and candidate of a sentence as the strings of events that are compared."""

    def counts(self, pair: Pair) -> Counts:
        """Events of gold (one for each of its nodes), and edits."""
        self.require_view(pair)
        edits = self.edits(pair, self.symbols(pair))
        return Counts(
            self.signature(pair),
            self.measures,
            pair.sentence_ids(),
            pair.status,
            {
                "gold": pair.gold.nodes.lengths().astype(np.float64),
                "edits": by_sentence(edits.offsets, edits.amount),
            },
            {"label": partial(self._by_label, pair)},
        )

    def _by_label(self, pair: Pair) -> Parts:
        names = self.symbols(pair)
        gold = Tally(pair.gold.nodes.offsets, names.gold_label, np.ones(len(pair.gold.nodes)))
        return by_kind({"gold": gold, "edits": self.edits(pair, names)}, names.written)


def check_edits(name: str, edits: float | None) -> None:
    """Raise OptionError where an option is no number of edits from 0 to 1."""
    if edits is not None and not 0 <= edits <= 1:
        raise OptionError(f"option {name}", edits, "a number of edits from 0 to 1")


class Alignment(NamedTuple):
    """The cheapest way from the candidate's events to gold's.

    partner          the event of the candidate that stands for an event of gold, or -1
    gold_edits       what it costs to insert it, or to put it in its partner's place
    candidate_edits  what it costs to delete an event of the candidate
    """

    partner: Int64Array
    gold_edits: Column
    candidate_edits: Column


@dataclass(frozen=True)
class EventDistance(EditDistance):
    """A distance between strings of events that are inserted, deleted and replaced at one edit each."""

    @abstractmethod
    def events(self, pair: Pair, names: Symbols) -> tuple[Events, Events]:
        """The events of gold and of the candidate."""

    @abstractmethod
    def strings(self, bank: Treebank, events: Events, names: Symbols) -> list[str]:
        """The events of a treebank of one sentence as strings."""

    def edits(self, pair: Pair, names: Symbols) -> Tally:
        """All edits by symbol; where a sentence is not scored, one for each event of gold."""
        alignment = self._alignment(pair, *self.events(pair, names), names)
        return joined(
            len(pair),
            (pair.gold.nodes.sentence_of_row(), names.gold_label, alignment.gold_edits),
            (pair.candidate.nodes.sentence_of_row(), names.candidate_label, alignment.candidate_edits),
        )

    def encodings(self, pair: Pair, sentence: int) -> tuple[list[str], list[str]]:
        """Gold and candidate of a sentence as strings of events."""
        one = pair.select([sentence])
        names = self.symbols(one)
        gold, candidate = self.events(one, names)
        return self.strings(one.gold, gold, names), self.strings(one.candidate, candidate, names)

    def items(self, pair: Pair, sentence: int) -> list[Item]:
        """The events of gold with what stands for them in the candidate, then what is deleted."""
        one = pair.select([sentence])
        names = self.symbols(one)
        gold, candidate = self.events(one, names)
        alignment = self._alignment(one, gold, candidate, names)
        return aligned_items(
            "event",
            one,
            names,
            alignment,
            self.strings(one.gold, gold, names),
            self.strings(one.candidate, candidate, names),
        )

    def _alignment(self, pair: Pair, gold: Events, candidate: Events, names: Symbols) -> Alignment:
        """Each sentence is aligned by itself; one that is not scored, with no event at all."""
        offsets = pair.gold.nodes.offsets, pair.candidate.nodes.offsets
        ours = np.column_stack((offsets[0][:-1], offsets[0][1:]))
        theirs = np.column_stack((offsets[1][:-1], offsets[1][1:]))
        theirs[~pair.scored] = 0
        result: Alignment = align(gold, ours, candidate, theirs, names.prices, 1.0, self.deletion)
        return result


def aligned_items(
    kind: str,
    pair: Pair,
    names: Symbols,
    alignment: Alignment,
    gold: list[str],
    candidate: list[str],
    worth: float = 1.0,
) -> list[Item]:
    """The events of a pair of one sentence: gold's with what stands for them, then what is deleted.

    ``worth`` is what inserting an event costs, and so what a score of 0 means.
    """
    tokens = node_tokens(pair.gold)
    partner, edits = alignment.partner.tolist(), alignment.gold_edits.tolist()
    found = [
        Item(
            kind=kind,
            label=names.written(int(names.gold_label[event])),
            tokens=tokens[event],
            side="both" if partner[event] >= 0 else "gold",
            matched=edits[event] == 0,
            score=max(1 - edits[event] / worth, 0.0),
            gold=text,
            candidate=candidate[partner[event]] if partner[event] >= 0 else "",
        )
        for event, text in enumerate(gold)
    ]
    if not pair.scored[0]:
        return found
    tokens = node_tokens(pair.candidate)
    deleted = sorted(set(range(len(candidate))) - set(partner))
    return found + [
        Item(
            kind=kind,
            label=names.written(int(names.candidate_label[event])),
            tokens=tokens[event],
            side="candidate",
            matched=False,
            score=0.0,
            candidate=candidate[event],
        )
        for event in deleted
    ]


@njit(cache=True, nogil=True)
def align(
    gold: Events,
    gold_runs: Int64Array,
    candidate: Events,
    candidate_runs: Int64Array,
    prices: Prices,
    insertion: float,
    deletion: float,
) -> Alignment:
    """Align the events of each run of gold with those of the same run of the candidate.

    Runs have shape ``(runs, 2)``: the first event, and one behind the last. ``insertion`` is the cost
    of an event that only gold has, ``deletion`` of one that only the candidate has. What both have in
    common at either end is aligned at once: as insertions all cost the same, and deletions too,
    nothing is gained by aligning it otherwise. In most sentences little is left.
    """
    partner = np.full(len(gold.frame), -1, np.int64)
    gold_edits = np.full(len(gold.frame), insertion, np.float64)
    candidate_edits = np.zeros(len(candidate.frame), np.float64)
    for run in range(len(gold_runs)):
        g, g_end = gold_runs[run]
        c, c_end = candidate_runs[run]
        same = common(gold, g, g_end, 1, candidate, c, c_end)
        for _ in range(same):
            partner[g] = c
            gold_edits[g] = 0
            g += 1
            c += 1
        same = common(gold, g_end - 1, g - 1, -1, candidate, c_end - 1, c - 1)
        for _ in range(same):
            g_end -= 1
            c_end -= 1
            partner[g_end] = c_end
            gold_edits[g_end] = 0
        candidate_edits[c:c_end] = deletion
        if g == g_end or c == c_end:
            continue
        replaced = replacements(gold, g, g_end, candidate, c, c_end, prices)
        steps = cheapest_steps(replaced, insertion, deletion)
        i, j = g_end - g, c_end - c
        while i > 0 and j > 0:
            if steps[i, j] == INSERT:
                i -= 1
            elif steps[i, j] == DELETE:
                j -= 1
            else:
                i -= 1
                j -= 1
                partner[g + i] = c + j
                gold_edits[g + i] = replaced[i, j]
                candidate_edits[c + j] = 0
    return Alignment(partner, gold_edits, candidate_edits)


@njit(cache=True, nogil=True)
def common(gold: Events, g: int, g_end: int, step: int, candidate: Events, c: int, c_end: int) -> int:
    """How many events are the same from one event of each side on, in steps of 1 or -1."""
    frame, first, symbols = gold
    other_frame, other_first, other_symbols = candidate
    found = 0
    while g != g_end and c != c_end and frame[g] == other_frame[c]:
        other = other_first[c]
        for place in range(first[g], first[g + 1]):
            if symbols[place] != other_symbols[other]:
                return found
            other += 1
        found += 1
        g += step
        c += step
    return found


REPLACE, INSERT, DELETE = 0, 1, 2
"""What is done to an event on the way from the candidate to gold."""


@njit(cache=True, nogil=True)
def cheapest_steps(replaced: PriceMatrix, insertion: float, deletion: float) -> NDArray[np.uint8]:
    """The last step of the cheapest way to each pair of prefixes, shape ``(gold + 1, candidate + 1)``.

    Of ways that cost the same, the one is taken that replaces earlier events, or none (Wagner and
    Fischer 1974).
    """
    rows, columns = replaced.shape
    steps = np.empty((rows + 1, columns + 1), np.uint8)
    cost = np.empty(columns + 1, np.float64)
    for j in range(columns + 1):
        cost[j] = j * deletion
    for i in range(1, rows + 1):
        diagonal = cost[0]
        cost[0] = i * insertion
        for j in range(1, columns + 1):
            best, step = cost[j] + insertion, INSERT
            if cost[j - 1] + deletion < best:
                best, step = cost[j - 1] + deletion, DELETE
            if diagonal + replaced[i - 1, j - 1] < best:
                best, step = diagonal + replaced[i - 1, j - 1], REPLACE
            diagonal = cost[j]
            cost[j] = best
            steps[i, j] = step
    return steps
