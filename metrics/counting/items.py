"""Metrics that compare items of two sides (brackets, arcs, triples, frames), and what follows from items.

A metric says what its items are. Which of them both sides have, the sums by sentence and by kind, the list of
a sentence's items and the losses of tokens or constituents are found in the same way for all metrics.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar, Literal, NamedTuple, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from crossbank.metrics.counting.counts import ARROW, Column, Counts, Parts
from crossbank.metrics.counting.metric import Item, Losses, Metric
from crossbank.metrics.loops.common_items import Keys, add_up, count_flags, mark_common
from crossbank.metrics.pairing.pair import Pair
from crossbank.treebanks import Treebank
from crossbank.treebanks.arrays import BoolArray, Int32Array, Int64Array, offsets_of
from crossbank.treebanks.cached_properties import cached_property
from crossbank.treebanks.ranges import in_ranges
from crossbank.treebanks.tables import NO_TOKEN, Tokens

NO_ANCHOR = -1
"""The anchor of an item for which no token or constituent stands."""

NOTHING = "nothing"
"""The kind of what an item is confused with where the other side has nothing."""

SideName: TypeAlias = Literal["gold", "candidate"]


class ItemDescription(NamedTuple):
    """An item for people: its label, the places of its tokens, and its text if it has one."""

    label: str
    tokens: tuple[int, ...]
    text: str = ""


class Items(NamedTuple):
    """Items of one side, sentence by sentence; all columns but ``offsets`` have shape ``(items,)``.

    offsets  which items belong to which sentence, shape ``(sentences + 1,)``
    key      a number that is the same for the same item of a sentence on either side; what a matching of the
             metric's own compares; or whether the other side has the item (``as_marked``)
    counted  whether the item counts; the candidate's only in sentences that are scored
    describe the description of the item in a row, for people; called for pairs of one sentence alone
    anchor   gold's token or constituent that loses where the item is not found, a row of its table
    weight   how much the item counts, by default 1
    """

    offsets: Int64Array
    key: Any
    counted: BoolArray
    describe: Callable[[int], ItemDescription]
    anchor: NDArray[np.integer]
    weight: Column | None = None

    def amount(self, rows: NDArray[Any]) -> NDArray[Any]:
        """Return the amount that the items of a mask, or of a column of proportions, count."""
        return rows if self.weight is None else rows * self.weight


class Kinds(NamedTuple):
    """Kind of each item on both sides, and the kinds' names.

    gold, candidate  codes, shape ``(items,)`` of each side
    ordered          whether kinds have an order of their own
    """

    gold: Int32Array
    candidate: Int32Array
    name: Callable[[int], str]
    ordered: bool = False


def confusions(
    gold: Sequence[NDArray[np.integer]], candidate: Sequence[NDArray[np.integer]], name: Callable[[int], str]
) -> Kinds:
    """Return the kinds of items by two codes that each has: gold's and the candidate's.

    ``name`` gives the name of a code.
    """
    size = 1 + max(int(codes.max(initial=0)) for codes in (*gold, *candidate))
    pairs = [left.astype(np.int64) * size + right for left, right in (gold, candidate)]
    distinct = np.unique(np.concatenate(pairs))
    left, right = (np.searchsorted(distinct, both).astype(np.int32) for both in pairs)
    return Kinds(left, right, lambda code: ARROW.join(map(name, divmod(int(distinct[code]), size))))


def confusions_of_partners(
    gold: NDArray[np.integer], candidate: NDArray[np.integer], partner: Int64Array, name: Callable[[int], str]
) -> Kinds:
    """Return the same, where ``partner`` is the other side's row of each of gold's items, or -1.

    An item without a counterpart is confused with ``NOTHING``.
    """
    nothing = 1 + max(int(codes.max(initial=0)) for codes in (gold, candidate))
    partner_kind, true = np.full(len(gold), nothing), np.full(len(candidate), nothing)
    paired = partner >= 0
    partner_kind[paired], true[partner[paired]] = candidate[partner[paired]], gold[paired]
    return confusions(
        (gold, partner_kind), (true, candidate), lambda code: name(code) if code < nothing else NOTHING
    )


def anchors(tokens: Tokens, sentence: NDArray[np.integer], position: NDArray[np.integer]) -> Int64Array:
    """Rows of the tokens at some places in some sentences; ``NO_ANCHOR`` where there is no token."""
    there = (position >= 0) & (position < tokens.lengths()[sentence])
    return np.where(there, tokens.offsets[sentence] + position, NO_ANCHOR)


def relation_items(
    bank: Treebank,
    key: NDArray[Any],
    counted: BoolArray,
    text: Callable[[int], str],
    weight: Column | None = None,
) -> Items:
    """Return the relations of a treebank as items. The dependent's word loses, or the governor's."""
    table = bank.relations

    def describe(row: int) -> ItemDescription:
        words = {int(table.head_index[row]), int(table.dependent_index[row])} - {NO_TOKEN}
        return ItemDescription(bank.vocabulary[int(table.name[row])], tuple(sorted(words)), text(row))

    position = np.where(table.dependent_index != NO_TOKEN, table.dependent_index, table.head_index)
    anchor = anchors(bank.tokens, table.sentence_of_row(), position)
    return Items(table.offsets, key, counted, describe, anchor, weight)


def in_bag(left: Items, right: Items) -> BoolArray:
    """A mask of the second side's items that the first has too: the intersection of two multisets of keys."""
    common = np.zeros(len(right.counted), np.bool_)
    sides = _keys(left), _keys(right)
    in_ranges(lambda first, last: mark_common(*sides, common, first, last), len(left.offsets) - 1)
    return common


def _keys(items: Items) -> Keys:
    lengths = np.diff(items.offsets)
    rows = np.flatnonzero(items.counted)
    sentence, key = np.repeat(np.arange(len(lengths)), lengths)[rows], items.key[rows]
    # Items that stand in the order of their words mostly are in that of their keys.
    if not ((key[1:] >= key[:-1]) | (sentence[1:] > sentence[:-1])).all():
        rows = rows[np.lexsort((key, sentence))]
    return Keys(offsets_of(np.bincount(sentence, minlength=len(lengths))), items.key[rows], rows)


def as_marked(left: Items, right: Items) -> BoolArray:
    """A mask of the second side's items that the first has too, where this is what their keys say."""
    marked: BoolArray = right.key
    return marked


def word_by_word(left: Items, right: Items) -> BoolArray:
    """A mask of the items that are the same, where each row is that of the same word on both sides."""
    same: BoolArray = left.counted & right.counted & (left.key == right.key)
    return same


class Tally(NamedTuple):
    """Items of one side, and the amount that is counted about each.

    offsets  which items belong to which sentence, shape ``(sentences + 1,)``
    kind     code of the item's label, relation or tag, shape ``(items,)``
    amount   how much the item counts: a flag or a number, shape ``(items,)``
    """

    offsets: Int64Array
    kind: Int32Array
    amount: NDArray[Any]


def joined(sentences: int, *parts: tuple[Int32Array, Int32Array, NDArray[Any]]) -> Tally:
    """Items of several tables as one tally, from the sentence, kind and amount of each; without zeros."""
    counts = [amount != 0 for _, _, amount in parts]
    sentence, kind, amount = (
        np.concatenate([part[column][mask] for part, mask in zip(parts, counts, strict=True)])
        for column in range(3)
    )
    order = np.argsort(sentence, kind="stable")
    return Tally(offsets_of(np.bincount(sentence, minlength=sentences)), kind[order], amount[order])


def by_sentence(offsets: Int64Array, amount: NDArray[Any]) -> Column:
    """Return the sum of the items' amounts, flags or numbers, in each sentence; shape ``(sentences,)``."""
    sums = np.zeros(len(offsets) - 1, np.float64)
    if amount.dtype == np.bool_:
        in_ranges(lambda first, last: count_flags(offsets, amount, sums, first, last), len(sums))
    else:
        amounts = amount.astype(np.float64, copy=False)
        in_ranges(lambda first, last: add_up(offsets, amounts, sums, first, last), len(sums))
    return sums


CHUNK = 5000
"""The number of sentences that ``by_kind`` takes at a time, so that sorting takes little memory."""


def by_kind(tallies: Mapping[str, Tally], name: Callable[[int], str], *, ordered: bool = False) -> Parts:
    """Return the sums by sentence and kind, one column for each tally; ``name`` gives the name of a code.

    ``ordered``: the kinds have an order of their own, that of their codes.
    """
    used = np.zeros(1 + max(int(tally.kind.max(initial=0)) for tally in tallies.values()), np.bool_)
    for tally in tallies.values():
        used[tally.kind[tally.amount != 0]] = True
    keys = np.cumsum(used) - 1
    sentences = len(next(iter(tallies.values())).offsets) - 1
    cells: list[NDArray[np.int64]] = []
    sums: list[dict[str, Column]] = []
    for first in range(0, max(sentences, 1), CHUNK):
        columns = {
            column: _cells(tally, keys, first, min(first + CHUNK, sentences))
            for column, tally in tallies.items()
        }
        # As np.unique, which hashes whole numbers: sorting them is several times as fast.
        every = np.sort(np.concatenate([cell for cell, _ in columns.values()]))
        occurring = every[np.diff(every, prepend=-1) > 0]
        cells.append(occurring)
        sums.append(
            {
                column: np.bincount(np.searchsorted(occurring, cell), amount, len(occurring)).astype(
                    np.float64
                )
                for column, (cell, amount) in columns.items()
            }
        )
    cell = np.concatenate(cells)
    kinds = max(int(used.sum()), 1)
    codes = np.flatnonzero(used).tolist()
    return Parts(
        tuple(map(name, codes)),
        (cell // kinds).astype(np.int32),
        (cell % kinds).astype(np.int32),
        {column: np.concatenate([chunk[column] for chunk in sums]) for column in tallies},
        ordered,
        ranks=tuple(codes) if ordered else (),
    )


def _cells(
    tally: Tally, keys: NDArray[np.int64], first: int, last: int
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Sentence and key as one number, and the amount, of the items of some sentences that count."""
    items = slice(int(tally.offsets[first]), int(tally.offsets[last]))
    sentence = np.repeat(np.arange(first, last), np.diff(tally.offsets[first : last + 1]))
    counts = tally.amount[items] != 0
    cell = sentence[counts] * (keys[-1] + 1) + keys[tally.kind[items][counts]]
    return cell, tally.amount[items][counts].astype(np.float64)


@dataclass(frozen=True, eq=False)
class Compared:
    """Items of both sides.

    pair     gold and candidate, as they are compared
    kinds    the breakdowns: for each what gives the kinds
    also     what else is counted about one side's items: flags or numbers, under the name of the column
    beside   the same, of what is summed by sentence alone, not by kind
    match    gives a mask of the second side's items that the first has too
    aligned  whether the items in one row of both sides are those of one word
    as_one   whether the two items of a word are listed as one, also where they are not the same
    partner  gold's counterparts on the other side, equal or not: their rows, -1 for none
    notes    what readers of the scores have to know, each with a number
    part     the credit of each of gold's items, where items that are not equal have some
    losing   whether gold's tokens lose what is not found, or its nodes
    """

    pair: Pair
    gold: Items
    candidate: Items
    kinds: Mapping[str, Callable[[], Kinds]] = field(default_factory=dict)
    also: Mapping[str, tuple[SideName, NDArray[Any]]] = field(default_factory=dict)
    beside: Mapping[str, tuple[SideName, NDArray[Any]]] = field(default_factory=dict)
    match: Callable[[Items, Items], BoolArray] = in_bag
    aligned: bool = False
    as_one: bool = False
    partner: Int64Array | None = None
    part: Column | None = None
    notes: Mapping[str, int] = field(default_factory=dict)
    losing: Literal["tokens", "nodes"] = "tokens"

    @cached_property
    def found(self) -> BoolArray:
        """A mask of gold's items that the candidate has too."""
        return self.match(self.candidate, self.gold)

    @cached_property
    def matched(self) -> BoolArray:
        """A mask of the candidate's items that gold has too."""
        return self.match(self.gold, self.candidate)

    @property
    def amounts(self) -> dict[str, tuple[SideName, NDArray[Any]]]:
        """Amounts that are counted about the items of either side, by column."""
        return {
            "gold": ("gold", self.gold.amount(self.gold.counted)),
            "candidate": ("candidate", self.candidate.amount(self.candidate.counted)),
            "matched": ("candidate", self.candidate.amount(self.matched)),
            **self.also,
        }

    def sums(self) -> dict[str, Column]:
        """Gold's items, the candidate's, those in common and what else is counted, by sentence."""
        return {
            name: by_sentence((self.gold if side == "gold" else self.candidate).offsets, amount)
            for name, (side, amount) in (self.amounts | dict(self.beside)).items()
        }

    def parts(self, breakdown: str) -> Parts:
        """Return the same by kind. Those in common are counted under the candidate's kind."""
        kinds = self.kinds[breakdown]()
        tallies = {
            name: Tally(self.gold.offsets, kinds.gold, amount)
            if side == "gold"
            else Tally(self.candidate.offsets, kinds.candidate, amount)
            for name, (side, amount) in self.amounts.items()
        }
        return by_kind(tallies, kinds.name, ordered=kinds.ordered)

    def losses(self) -> Losses:
        """Losses of gold's tokens or nodes: of each, the proportion of its items that are not found."""
        rows = self.gold.counted & np.repeat(self.pair.scored, np.diff(self.gold.offsets))
        rows &= self.gold.anchor != NO_ANCHOR
        size = len(self.pair.gold.tokens if self.losing == "tokens" else self.pair.gold.nodes)
        whole, without = (
            np.bincount(self.gold.anchor[rows], self.gold.amount(amount)[rows], size)
            for amount in (rows, ~self.found)
        )
        return Losses(self.losing, whole > 0, without / np.where(whole > 0, whole, 1.0))

    def listed(self, kind: str) -> list[Item]:
        """Return the items of a pair of one sentence: those in common, then gold's, then the candidate's.

        Where both sides have the same words, word by word.
        """
        partner = self._partners()
        rows_and_items: list[tuple[int, Item]] = []
        sides: tuple[tuple[Literal["gold", "candidate", "both"], BoolArray], ...] = (
            ("both", self.gold.counted & self.found),
            ("gold", self.gold.counted & ~self.found),
            ("candidate", self.candidate.counted & ~self.matched),
        )
        for side, chosen in sides:
            own = side == "candidate"
            items, opposite = (self.candidate, self.gold) if own else (self.gold, self.candidate)
            for row in np.flatnonzero(chosen).tolist():
                label, tokens, text = items.describe(row)
                other = int(partner[own][row])
                counterpart = opposite.describe(other).text if other >= 0 else text if side == "both" else ""
                texts = (counterpart, text) if own else (text, counterpart)
                matched = side == "both"
                score = float(matched)
                if self.part is not None:
                    gold_row = other if own else row
                    score = float(self.part[gold_row]) if gold_row >= 0 else 0.0
                shared = matched or (self.as_one and bool(opposite.counted[row]))
                if not (own and shared):
                    item = Item(kind, label, tokens, "both" if shared else side, matched, score, *texts)
                    rows_and_items.append((row, item))
        if self.aligned:
            rows_and_items.sort(key=lambda one: one[0])
        return [item for _, item in rows_and_items]

    def _partners(self) -> tuple[Int64Array, Int64Array]:
        """Return the row of each item's counterpart, of gold's and of the candidate's items."""
        if self.aligned:
            rows = np.where(
                np.repeat(self.pair.scored, np.diff(self.gold.offsets)), np.arange(len(self.gold.counted)), -1
            )
            return rows, rows
        partners = np.full(len(self.gold.counted), -1), np.full(len(self.candidate.counted), -1)
        if self.partner is not None:
            rows = np.flatnonzero(self.partner >= 0)
            partners[0][rows] = self.partner[rows]
            partners[1][self.partner[rows]] = rows
        return partners


@dataclass(frozen=True)
class ItemMetric(Metric):
    """A metric that compares items, with its options.

    A subclass gives the items of both sides (``compare``). Counts, breakdowns, ``items`` and ``losses``
    follow from them.

    item  what ``Item.kind`` says its items are
    """

    item: ClassVar[str]

    @abstractmethod
    def compare(self, pair: Pair) -> Compared:
        """Return the items of both sides."""

    def counts(self, pair: Pair) -> Counts:
        """Items of gold, of the candidate, those in common and what else the metric counts."""
        self.require(pair)
        comparison = self.compare(pair)
        columns = self.columns(comparison)
        return self.counted(pair, columns, self.parts(comparison, columns), notes=comparison.notes)

    def applied(self, pair: Pair) -> Self:
        """Return the metric with the options that it has for a pair, where some depend on all sentences."""
        return self

    def columns(self, comparison: Compared) -> dict[str, Column]:
        """Sums by sentence; where measures need it, whether all is the same, and whether it is parsed."""
        columns = comparison.sums()
        scored, measures = comparison.pair.scored, {measure.name for measure in self.measures}
        if "exact" in measures:
            same = (columns["matched"] == columns["gold"]) & (columns["matched"] == columns["candidate"])
            columns["exact"] = (scored & same).astype(np.float64)
        if "coverage" in measures:
            columns["parsed"] = scored.astype(np.float64)
        return columns

    def parts(self, comparison: Compared, columns: Mapping[str, Column]) -> dict[str, Callable[[], Parts]]:
        """Return the breakdowns, made when they are asked for."""
        return {breakdown: partial(comparison.parts, breakdown) for breakdown in comparison.kinds}

    def items(self, pair: Pair, sentence: int) -> list[Item]:
        """Return the items of a sentence: those in common, gold's and the candidate's."""
        return self.applied(pair).compare(pair.select([sentence])).listed(self.item)

    def losses(self, pair: Pair) -> Losses:
        """Return the losses of gold's tokens or nodes."""
        return self.applied(pair).compare(pair).losses()
