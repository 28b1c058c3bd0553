"""Metrics that compare items of gold and candidate: brackets, arcs, triples, frames.

A metric says what its items are. Matches, sums by sentence and by key, the list of a sentence's items and the
losses of tokens or constituents are computed in the same way for all metrics.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar, Literal, NamedTuple, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from crossbank.metrics.counting.counts import ARROW, Breakdown, Breakdowns, Column, Counts
from crossbank.metrics.counting.metric import Item, Losses, Metric, names_of_measures
from crossbank.metrics.loops.bracket_matching import Brackets, tokens_of_nodes
from crossbank.metrics.loops.common_items import Keys, mark_common
from crossbank.metrics.pairing.pair import Pair
from crossbank.treebanks import Treebank
from crossbank.treebanks.arrays import BoolArray, Int32Array, Int64Array, offsets_of
from crossbank.treebanks.cached_properties import cached_property
from crossbank.treebanks.code_columns import count_flags
from crossbank.treebanks.ranges import in_ranges
from crossbank.treebanks.tables import NO_TOKEN, Tokens

NO_ANCHOR = -1
"""The anchor of an item without a token or constituent."""

NO_NAME = "nothing"
"""The key with which an item without a counterpart is confused."""

SideName: TypeAlias = Literal["gold", "candidate"]


class ItemDescription(NamedTuple):
    """Description of an item: its label, the indices of its tokens, and its text if it has one."""

    label: str
    tokens: tuple[int, ...]
    text: str = ""


class Items(NamedTuple):
    """Items of one side, sentence by sentence; all columns but ``offsets`` have shape ``(items,)``.

    offsets  the first item of each sentence, shape ``(sentences + 1,)``
    key      a number that is equal for equal items of a sentence in gold and candidate; what a matching of
             the metric's own compares; or whether the other side has the item (``as_marked``)
    counted  whether the item counts; the candidate's only in sentences that are scored
    describe the description of the item in a row; called only for pairs of one sentence
    anchor   gold's token or constituent to which the item's loss belongs, a row of its table
    weight   the weight of the item, by default 1
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


class ItemKeys(NamedTuple):
    """Key of each item in a breakdown, such as its label, and the names of the keys.

    gold, candidate  codes of gold's and of the candidate's items, shape ``(items,)``
    ordered          whether keys have an order of their own
    """

    gold: Int32Array
    candidate: Int32Array
    name: Callable[[int], str]
    ordered: bool = False


def confusions(
    gold: Sequence[NDArray[np.integer]], candidate: Sequence[NDArray[np.integer]], name: Callable[[int], str]
) -> ItemKeys:
    """Return the keys of items by two codes that each has: gold's and the candidate's.

    ``name`` gives the name of a code.
    """
    size = 1 + max(int(codes.max(initial=0)) for codes in (*gold, *candidate))
    pairs = [left.astype(np.int64) * size + right for left, right in (gold, candidate)]
    distinct = np.unique(np.concatenate(pairs))
    left, right = (np.searchsorted(distinct, both).astype(np.int32) for both in pairs)
    return ItemKeys(left, right, lambda code: ARROW.join(map(name, divmod(int(distinct[code]), size))))


def confusions_of_partners(
    gold: NDArray[np.integer], candidate: NDArray[np.integer], partner: Int64Array, name: Callable[[int], str]
) -> ItemKeys:
    """Return the same, where ``partner`` is the other side's row of each of gold's items, or -1.

    An item without a counterpart is confused with ``NO_NAME``.
    """
    nothing = 1 + max(int(codes.max(initial=0)) for codes in (gold, candidate))
    of_partner, of_gold = np.full(len(gold), nothing), np.full(len(candidate), nothing)
    paired = partner >= 0
    of_partner[paired], of_gold[partner[paired]] = candidate[partner[paired]], gold[paired]
    return confusions(
        (gold, of_partner), (of_gold, candidate), lambda code: name(code) if code < nothing else NO_NAME
    )


def node_tokens(bank: Treebank) -> list[tuple[int, ...]]:
    """Return the tokens of every node of a treebank of one sentence, in order."""
    spans, nothing = bank.spans, np.zeros(len(bank.nodes), np.uint64)
    side = Brackets(bank.forest, spans.start, spans.end, spans.size, bank.nodes.label, nothing)
    first, order = tokens_of_nodes(side)
    return [
        tuple(sorted(order[begin : begin + size].tolist()))
        for begin, size in zip(first.tolist(), spans.size.tolist(), strict=False)
    ]


def anchors(tokens: Tokens, sentence: NDArray[np.integer], position: NDArray[np.integer]) -> Int64Array:
    """Return the rows of tokens, by sentence and position; ``NO_ANCHOR`` where there is no token."""
    there = (position >= 0) & (position < tokens.lengths()[sentence])
    return np.where(there, tokens.offsets[sentence] + position, NO_ANCHOR)


def relation_items(
    bank: Treebank,
    key: NDArray[Any],
    counted: BoolArray,
    text: Callable[[int], str],
    weight: Column | None = None,
) -> Items:
    """Return the relations of a treebank as items.

    A loss belongs to the dependent's word, or else to the governor's.
    """
    table = bank.relations

    def describe(row: int) -> ItemDescription:
        words = {int(table.head_index[row]), int(table.dependent_index[row])} - {NO_TOKEN}
        return ItemDescription(bank.vocabulary[int(table.name[row])], tuple(sorted(words)), text(row))

    position = np.where(table.dependent_index != NO_TOKEN, table.dependent_index, table.head_index)
    anchor = anchors(bank.tokens, table.sentence_of_row(), position)
    return Items(table.offsets, key, counted, describe, anchor, weight)


def in_bag(left: Items, right: Items) -> BoolArray:
    """Return a mask of the candidate's items that gold has too.

    This is the intersection of two multisets of keys.
    """
    common = np.zeros(len(right.counted), np.bool_)
    sides = _keys(left), _keys(right)
    in_ranges(lambda first, last: mark_common(*sides, common, first, last), len(left.offsets) - 1)
    return common


def _keys(items: Items) -> Keys:
    lengths = np.diff(items.offsets)
    rows = np.flatnonzero(items.counted)
    sentence, key = np.repeat(np.arange(len(lengths)), lengths)[rows], items.key[rows]
    # Items in the order of their words are mostly in the order of their keys.
    if not ((key[1:] >= key[:-1]) | (sentence[1:] > sentence[:-1])).all():
        rows = rows[np.lexsort((key, sentence))]
    return Keys(offsets_of(np.bincount(sentence, minlength=len(lengths))), items.key[rows], rows)


def as_marked(left: Items, right: Items) -> BoolArray:
    """Return a mask of the candidate's items that gold has too, where their keys say so."""
    marked: BoolArray = right.key
    return marked


def word_by_word(left: Items, right: Items) -> BoolArray:
    """Return a mask of the equal items, where each row is that of the same word in both treebanks."""
    same: BoolArray = left.counted & right.counted & (left.key == right.key)
    return same


class Tally(NamedTuple):
    """Items of one side, and the amount that is counted about each.

    offsets  the first item of each sentence, shape ``(sentences + 1,)``
    key      code of the item's label, relation or tag, shape ``(items,)``
    amount   the amount of the item: a flag or a number, shape ``(items,)``
    """

    offsets: Int64Array
    key: Int32Array
    amount: NDArray[Any]


def joined(sentences: int, *parts: tuple[Int32Array, Int32Array, NDArray[Any]]) -> Tally:
    """Return several tables as one tally, from each item's sentence, key and amount; without zeros."""
    counts = [amount != 0 for _, _, amount in parts]
    sentence, key, amount = (
        np.concatenate([part[column][mask] for part, mask in zip(parts, counts, strict=True)])
        for column in range(3)
    )
    order = np.argsort(sentence, kind="stable")
    return Tally(offsets_of(np.bincount(sentence, minlength=sentences)), key[order], amount[order])


def by_sentence(offsets: Int64Array, amount: NDArray[Any]) -> Column:
    """Return the sum of the items' amounts, flags or numbers, in each sentence; shape ``(sentences,)``."""
    if amount.dtype == np.bool_:
        return count_flags(offsets, amount).astype(np.float64)
    lengths = np.diff(offsets)
    sentence = np.repeat(np.arange(len(lengths)), lengths)
    return np.bincount(sentence, amount, len(lengths)).astype(np.float64, copy=False)


CHUNK = 5000
"""The number of sentences that ``count_by_key`` takes at a time, so that sorting takes little memory."""


def count_by_key(
    tallies: Mapping[str, Tally], name: Callable[[int], str], *, ordered: bool = False
) -> Breakdown:
    """Return the sums by sentence and key, one column for each tally; ``name`` gives the name of a code.

    ``ordered``: the keys have an order of their own, that of their codes.
    """
    used = np.zeros(1 + max(int(tally.key.max(initial=0)) for tally in tallies.values()), np.bool_)
    for tally in tallies.values():
        used[tally.key[tally.amount != 0]] = True
    index = np.cumsum(used) - 1
    sentences = len(next(iter(tallies.values())).offsets) - 1
    cells: list[NDArray[np.int64]] = []
    sums: list[dict[str, Column]] = []
    for first in range(0, max(sentences, 1), CHUNK):
        columns = {
            column: _cells(tally, index, first, min(first + CHUNK, sentences))
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
    keys = max(int(used.sum()), 1)
    codes = np.flatnonzero(used).tolist()
    return Breakdown(
        tuple(map(name, codes)),
        (cell // keys).astype(np.int32),
        (cell % keys).astype(np.int32),
        {column: np.concatenate([chunk[column] for chunk in sums]) for column in tallies},
        ordered,
        ranks=tuple(codes) if ordered else (),
    )


def _cells(
    tally: Tally, index: NDArray[np.int64], first: int, last: int
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return the counted items of some sentences: sentence and key as one number, and the amount."""
    items = slice(int(tally.offsets[first]), int(tally.offsets[last]))
    sentence = np.repeat(np.arange(first, last), np.diff(tally.offsets[first : last + 1]))
    counts = tally.amount[items] != 0
    cell = sentence[counts] * (index[-1] + 1) + index[tally.key[items][counts]]
    return cell, tally.amount[items][counts].astype(np.float64)


@dataclass(frozen=True, eq=False)
class Compared:
    """Items of gold and candidate.

    pair          gold and candidate, as compared
    keys          the keys of the items in each breakdown, made when they are requested
    also_counted  further counts of gold's or the candidate's items, by name of the column
    also_summed   further counts that are summed by sentence only, not by key
    match         returns a mask of its second argument's items that the first has too
    aligned       whether the items in one row of gold and candidate are those of one word
    as_one        whether the two items of a word are listed as one, even if they differ
    partner       the rows of the candidate's counterparts of gold's items, equal or not; -1 for none
    notes         notes for readers of the scores, each with a number
    credit        the credit of each of gold's items, if items that are not equal have some
    losing        whether losses belong to gold's tokens or to its nodes
    known_matches a mask of the candidate's items that gold has too, if it is known
    known_sums    the sums by sentence of some columns, if they are known
    """

    pair: Pair
    gold: Items
    candidate: Items
    keys: Mapping[str, Callable[[], ItemKeys]] = field(default_factory=dict)
    also_counted: Mapping[str, tuple[SideName, NDArray[Any]]] = field(default_factory=dict)
    also_summed: Mapping[str, tuple[SideName, NDArray[Any]]] = field(default_factory=dict)
    match: Callable[[Items, Items], BoolArray] = in_bag
    aligned: bool = False
    as_one: bool = False
    partner: Int64Array | None = None
    credit: Column | None = None
    notes: Mapping[str, int] = field(default_factory=dict)
    losing: Literal["tokens", "nodes"] = "tokens"
    known_matches: BoolArray | None = None
    known_sums: Mapping[str, Column] = field(default_factory=dict)

    @cached_property
    def matched_gold(self) -> BoolArray:
        """A mask of gold's items that the candidate has too."""
        return self.match(self.candidate, self.gold)

    @cached_property
    def matched_candidate(self) -> BoolArray:
        """A mask of the candidate's items that gold has too."""
        return self.match(self.gold, self.candidate) if self.known_matches is None else self.known_matches

    @property
    def amounts(self) -> dict[str, tuple[SideName, NDArray[Any]]]:
        """Amounts that are counted about the items of either side, by column."""
        return {
            "gold": ("gold", self.gold.amount(self.gold.counted)),
            "candidate": ("candidate", self.candidate.amount(self.candidate.counted)),
            "matched": ("candidate", self.candidate.amount(self.matched_candidate)),
            **self.also_counted,
        }

    def sums(self) -> dict[str, Column]:
        """Return gold's items, the candidate's, those in common and what else is counted, by sentence."""
        known = self.known_sums
        return {
            name: known[name]
            if name in known
            else by_sentence((self.gold if side == "gold" else self.candidate).offsets, amount)
            for name, (side, amount) in (self.amounts | dict(self.also_summed)).items()
        }

    def breakdown(self, name: str) -> Breakdown:
        """Return the same by key. Those in common are counted under the candidate's key."""
        keys = self.keys[name]()
        tallies = {
            column: Tally(self.gold.offsets, keys.gold, amount)
            if side == "gold"
            else Tally(self.candidate.offsets, keys.candidate, amount)
            for column, (side, amount) in self.amounts.items()
        }
        return count_by_key(tallies, keys.name, ordered=keys.ordered)

    def losses(self) -> Losses:
        """Losses of gold's tokens or nodes: of each, the proportion of its items that are not matched."""
        rows = self.gold.counted & np.repeat(self.pair.scored, np.diff(self.gold.offsets))
        rows &= self.gold.anchor != NO_ANCHOR
        size = len(self.pair.gold.tokens if self.losing == "tokens" else self.pair.gold.nodes)
        whole, without = (
            np.bincount(self.gold.anchor[rows], self.gold.amount(amount)[rows], size)
            for amount in (rows, ~self.matched_gold)
        )
        return Losses(self.losing, whole > 0, without / np.where(whole > 0, whole, 1.0))

    def listed(self, type: str) -> list[Item]:
        """Return the items of a pair of one sentence: those in common, then gold's, then the candidate's.

        Where both sides have the same words, word by word.
        """
        partner = self._partners()
        rows_and_items: list[tuple[int, Item]] = []
        sides: tuple[tuple[Literal["gold", "candidate", "both"], BoolArray], ...] = (
            ("both", self.gold.counted & self.matched_gold),
            ("gold", self.gold.counted & ~self.matched_gold),
            ("candidate", self.candidate.counted & ~self.matched_candidate),
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
                if self.credit is not None:
                    gold_row = other if own else row
                    score = float(self.credit[gold_row]) if gold_row >= 0 else 0.0
                shared = matched or (self.as_one and bool(opposite.counted[row]))
                if not (own and shared):
                    item = Item(type, label, tokens, "both" if shared else side, matched, score, *texts)
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

    A subclass returns the items of gold and candidate (``compare``), from which counts, breakdowns, ``items``
    and ``losses`` follow.

    item  the type of its items (``Item.type``)
    """

    item: ClassVar[str]

    @abstractmethod
    def compare(self, pair: Pair) -> Compared:
        """Return the items of gold and candidate."""

    def counts(self, pair: Pair) -> Counts:
        """Return the items of gold, of the candidate, those in common and what else the metric counts."""
        self.require(pair)
        comparison = self.compare(pair)
        columns = self.columns(comparison)
        return self.counted(pair, columns, self.breakdowns(comparison, columns), notes=comparison.notes)

    def applied(self, pair: Pair) -> Self:
        """Return the metric with the options that it has for a pair, where some depend on all sentences."""
        return self

    def columns(self, comparison: Compared) -> dict[str, Column]:
        """Return sums by sentence, and the columns ``exact`` and ``parsed`` if measures need them."""
        columns = comparison.sums()
        scored, measures = comparison.pair.scored, names_of_measures(type(self))
        if "exact" in measures:
            same = (columns["matched"] == columns["gold"]) & (columns["matched"] == columns["candidate"])
            columns["exact"] = (scored & same).astype(np.float64)
        if "coverage" in measures:
            columns["parsed"] = scored.astype(np.float64)
        return columns

    def breakdowns(self, comparison: Compared, columns: Mapping[str, Column]) -> Breakdowns:
        """Return the breakdowns, made when they are requested."""
        return {name: partial(comparison.breakdown, name) for name in comparison.keys}

    def items(self, pair: Pair, sentence: int) -> list[Item]:
        """Return the items of a sentence: those in common, gold's and the candidate's."""
        return self.applied(pair).compare(pair.select([sentence])).listed(self.item)

    def losses(self, pair: Pair) -> Losses:
        """Return the losses of gold's tokens or nodes."""
        return self.applied(pair).compare(pair).losses()
