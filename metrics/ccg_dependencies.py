r"""Dependencies of CCG: <head word, category, slot, argument>, labelled and unlabelled.

Clark, Stephen and Julia Hockenmaier (2002): Evaluating a Wide-Coverage CCG Parser, section 4.3: "To obtain
a point for a labelled dependency, the head, dependent, functor category, and slot must all be correct. To
obtain a point for an unlabelled dependency, the head and dependent must have appeared together in some
relation (in any order)". The C&C tools (Clark and Curran 2007, section 9) compare pairs of functor and
argument in their order, each pair once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossbank.metrics.counting.counts import Counts, Measure, Parts, Sums, precision_recall_f1, ratio
from crossbank.metrics.counting.metric import Item, Metric
from crossbank.metrics.counting.tally import Tally, by_kind, by_sentence
from crossbank.metrics.ignored_dependencies import compared_category, ignored_file, load_ignored
from crossbank.metrics.pairing.pair import Pair, file_of
from crossbank.metrics.pairing.pair_relations import pair_relations
from crossbank.treebanks import CrossbankError, Treebank
from crossbank.treebanks.arrays import BoolArray, Int32Array, Int64Array, offsets_of
from crossbank.treebanks.categories import parse_category, without_features
from crossbank.treebanks.tables import NO_TOKEN


class Side(NamedTuple):
    """The distinct dependencies of one side, in order; all but ``offsets`` of shape ``(dependencies,)``.

    relation           the category and slot, a place in a list of both sides
    functor, argument  places of words
    key                a number that is the same for the same dependency
    pair               a number that is the same for the same two words
    """

    offsets: Int64Array
    relation: Int32Array
    functor: Int32Array
    argument: Int32Array
    key: Int64Array
    pair: Int64Array


class Compared(NamedTuple):
    """Both sides, which dependencies match, labelled and unlabelled, and the names of relations."""

    gold: Side
    candidate: Side
    matched: tuple[BoolArray, BoolArray]
    together: tuple[BoolArray, BoolArray]
    names: list[str]


def _f1(sums: Sums) -> NDArray[np.float64]:
    precision = ratio(sums["unlabelled matched"], sums["unlabelled candidate"], sums["unlabelled gold"])
    recall = ratio(sums["unlabelled found"], sums["unlabelled gold"], sums["unlabelled candidate"])
    return ratio(2 * precision * recall, precision + recall)


@dataclass(frozen=True)
class CcgDependencies(Metric):
    """Precision and recall of the dependencies of lexical categories.

    unlabelled  ``either_order``: a dependency counts where its two words stand in some relation on the other
                side; ``directed``: pairs of functor and argument, each pair once
    features    whether features of categories count: without them ``S[dcl]\\NP`` and ``S[b]\\NP`` are one
    ignore      a list of dependencies of the candidate to be left out: ``candc`` (see
                ``metrics.ignored_dependencies``) or a file of one's own

    A category may be marked (``(S{_}\\NP{Y}<1>){_}``); marks are not compared. The C&C tools' script is
    ``unlabelled=directed,ignore=candc`` with ``--unscored skip``.
    """

    unlabelled: Literal["either_order", "directed"] = "either_order"
    features: bool = True
    ignore: str = "none"

    name: ClassVar[str] = "ccg_dependencies"
    version: ClassVar[str] = "1.1"
    papers: ClassVar[tuple[str, ...]] = ("clark-hockenmaier-2002",)
    title: ClassVar[str] = "CCG dependencies"
    view: ClassVar[str] = "relations"
    word_by_word: ClassVar[bool] = False
    measures: ClassVar[tuple[Measure, ...]] = (
        *precision_recall_f1("gold", "candidate", "matched", "dependencies"),
        Measure(
            "unlabelled_precision",
            lambda sums: ratio(
                sums["unlabelled matched"], sums["unlabelled candidate"], sums["unlabelled gold"]
            ),
            "dependencies of the candidate whose words gold relates / dependencies of the candidate",
        ),
        Measure(
            "unlabelled_recall",
            lambda sums: ratio(
                sums["unlabelled found"], sums["unlabelled gold"], sums["unlabelled candidate"]
            ),
            "dependencies of gold whose words the candidate relates / dependencies of gold",
        ),
        Measure("unlabelled_f1", _f1, "harmonic mean of unlabelled precision and recall"),
        Measure(
            "exact",
            lambda sums: ratio(sums["exact"], sums["rows"]),
            "sentences whose dependencies are all the same / sentences",
        ),
        Measure(
            "coverage",
            lambda sums: ratio(sums["parsed"], sums["rows"]),
            "sentences with a parse / sentences",
        ),
    )
    part_measures: ClassVar[Mapping[str, tuple[Measure, ...]]] = {
        "relation": tuple(m for m in measures if m.name in ("precision", "recall", "f1"))
    }

    def __post_init__(self) -> None:
        """Read the list. Raises OptionError or YamlError where there is none, or it is not one."""
        if self.ignore != "none":
            load_ignored(self.ignore)

    def files(self) -> tuple[Path, ...]:
        """The list of dependencies that are left out."""
        return () if self.ignore == "none" else (ignored_file(self.ignore),)

    @staticmethod
    def pair(
        gold: Treebank, candidate: Treebank, *, delete: BoolArray | None = None, align: bool = False
    ) -> Pair:
        """The sentences paired by number or order; punctuation has no dependencies that could be left out."""
        return pair_relations(gold, candidate)

    def counts(self, pair: Pair) -> Counts:
        """Dependencies of both sides, those in common, and those whose words the other side relates."""
        self.require_view(pair)
        found = self._compared(pair)
        gold, candidate = found.gold, found.candidate
        columns = {
            "gold": np.diff(gold.offsets).astype(np.float64),
            "candidate": np.diff(candidate.offsets).astype(np.float64),
            "matched": by_sentence(candidate.offsets, found.matched[1]),
        }
        for side, whole, related, together in (
            (gold, "unlabelled gold", "unlabelled found", found.together[0]),
            (candidate, "unlabelled candidate", "unlabelled matched", found.together[1]),
        ):
            counted = np.ones(len(side.pair), np.bool_)
            if self.unlabelled == "directed":
                counted[:] = False
                counted[np.unique(side.pair, return_index=True)[1]] = True
            columns[whole] = by_sentence(side.offsets, counted)
            columns[related] = by_sentence(side.offsets, counted & together)
        same = (columns["matched"] == columns["gold"]) & (columns["matched"] == columns["candidate"])
        columns["exact"] = (pair.scored & same).astype(np.float64)
        columns["parsed"] = pair.scored.astype(np.float64)
        if self.ignore != "none":
            left_out = self._ignored(pair.candidate) & np.repeat(
                pair.scored, pair.candidate.relations.lengths()
            )
            columns["ignored"] = by_sentence(pair.candidate.relations.offsets, left_out)
        return Counts(
            self.signature(pair),
            self.measures,
            pair.sentence_ids(),
            pair.status,
            columns,
            {"relation": partial(_by_relation, found)},
        )

    def items(self, pair: Pair, sentence: int) -> list[Item]:
        """The dependencies of a sentence: those in common, then gold's, then the candidate's."""
        found = self._compared(pair.select([sentence]))
        items = []
        sides: tuple[tuple[Literal["gold", "candidate"], Side, BoolArray], ...] = (
            ("gold", found.gold, found.matched[0]),
            ("candidate", found.candidate, found.matched[1]),
        )
        for name, side, matched in sides:
            for place in range(len(side.key)):
                same = bool(matched[place])
                if same and name == "candidate":
                    continue
                tokens = (int(side.functor[place]), int(side.argument[place]))
                relation = found.names[int(side.relation[place])]
                items.append(Item("arc", relation, tokens, "both" if same else name, same, float(same)))
        return sorted(items, key=lambda item: ("both", "gold", "candidate").index(item.side))

    def _compared(self, pair: Pair) -> Compared:
        """The dependencies of both sides; the candidate's only in sentences that are scored."""
        names: dict[tuple[str, str], int] = {}
        banks = (pair.gold, pair.candidate)
        relations = [self._relations(bank, names) for bank in banks]
        longest = 1 + max(
            int(column.max(initial=0))
            for bank in banks
            for column in (bank.relations.head_index, bank.relations.dependent_index)
        )
        counted = (
            np.ones(len(pair.gold.relations), np.bool_),
            np.repeat(pair.scored, banks[1].relations.lengths()) & ~self._ignored(pair.candidate),
        )
        gold, candidate = (
            _side(bank, relation, rows, longest, len(names), self.unlabelled == "directed")
            for bank, relation, rows in zip(banks, relations, counted, strict=True)
        )
        return Compared(
            gold,
            candidate,
            (_among(gold.key, candidate.key), _among(candidate.key, gold.key)),
            (_among(gold.pair, candidate.pair), _among(candidate.pair, gold.pair)),
            [f"{category} {slot}" for category, slot in names],
        )

    def _ignored(self, bank: Treebank) -> BoolArray:
        """A mask of the dependencies that are left out, shape ``(dependencies,)``."""
        if self.ignore == "none":
            return np.zeros(len(bank.relations), np.bool_)
        return load_ignored(self.ignore).mask(bank)

    def _relations(self, bank: Treebank, names: dict[tuple[str, str], int]) -> Int32Array:
        """Category and slot of each dependency as a place in ``names``, which grows."""
        table = bank.relations
        for column in (table.head_index, table.dependent_index):
            without = np.flatnonzero(column == NO_TOKEN)
            if len(without):
                sentence = int(table.sentence_of_row()[without[0]])
                raise CrossbankError(
                    f"{file_of(bank)}: sentence {bank.sentence_id(sentence)}: found a dependency whose words "
                    "have no places, expected both (ccg_dependencies)"
                )
        size = len(bank.vocabulary)
        keys, which = np.unique(table.name.astype(np.int64) * size + table.type, return_inverse=True)
        places = []
        for key in keys.tolist():
            category = parse_category(bank.vocabulary[key // size])
            bare = compared_category(category) if self.features else str(without_features(category))
            places.append(names.setdefault((bare, bank.vocabulary[key % size]), len(names)))
        return np.array(places or [0], np.int32)[which.reshape(-1)] if len(table) else np.zeros(0, np.int32)


def _among(numbers: Int64Array, others: Int64Array) -> BoolArray:
    """A mask of the numbers that are among others; both are nearly in order, so that a search is quick."""
    known = np.unique(others)
    if not len(known):
        return np.zeros(len(numbers), np.bool_)
    place = np.minimum(np.searchsorted(known, numbers), len(known) - 1)
    found: BoolArray = known[place] == numbers
    return found


def _side(
    bank: Treebank, relation: Int32Array, rows: BoolArray, longest: int, relations: int, directed: bool
) -> Side:
    """The distinct dependencies of some rows, in the order of sentences and words."""
    table = bank.relations
    sentence = table.sentence_of_row().astype(np.int64)
    functor, argument = table.head_index.astype(np.int64), table.dependent_index.astype(np.int64)
    key = ((sentence * longest + functor) * longest + argument) * max(relations, 1) + relation
    key, first = np.unique(key[rows], return_index=True)
    sentence, functor, argument = (column[rows][first] for column in (sentence, functor, argument))
    one, other = functor, argument
    if not directed:
        one, other = np.minimum(functor, argument), np.maximum(functor, argument)
    return Side(
        offsets_of(np.bincount(sentence, minlength=len(bank))),
        relation[rows][first],
        functor.astype(np.int32),
        argument.astype(np.int32),
        key,
        (sentence * longest + one) * longest + other,
    )


def _by_relation(found: Compared) -> Parts:
    """Count the dependencies by category and slot."""
    gold, candidate = found.gold, found.candidate
    return by_kind(
        {
            "gold": Tally(gold.offsets, gold.relation, np.ones(len(gold.key), np.bool_)),
            "candidate": Tally(candidate.offsets, candidate.relation, np.ones(len(candidate.key), np.bool_)),
            "matched": Tally(candidate.offsets, candidate.relation, found.matched[1]),
        },
        found.names.__getitem__,
    )
