"""Grammatical relations: those that gold and candidate share, in whole, in part, or without names.

Briscoe, Ted, John Carroll, Jonathan Graham and Ann Copestake (2002): Relational Evaluation Schemes; Carroll,
Minnen and Briscoe (1999) before it. A relation earns part of a match by subsumption if its name is less
specific than gold's (``subj`` for ``ncsubj``), or more specific. Weighted precision and recall of n-best sets
follow Carroll and Briscoe (2001): High Precision Extraction of Grammatical Relations. The measures without
names compare governor and dependent alone: "DO" in Crouch et al. (2002), section 4.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from crossbank.metrics.counting.counts import (
    ARROW,
    Column,
    Counts,
    Measure,
    Parts,
    Sums,
    precision_recall_f1,
    ratio,
)
from crossbank.metrics.counting.metric import Item, Metric
from crossbank.metrics.counting.relation_matching import Compared, Match, by_place, compared, match
from crossbank.metrics.counting.signature import Signature
from crossbank.metrics.counting.tally import Tally, by_kind, by_sentence
from crossbank.metrics.pairing.pair import Pair
from crossbank.metrics.pairing.pair_relations import pair_relations
from crossbank.treebanks import Treebank
from crossbank.treebanks.arrays import BoolArray
from crossbank.treebanks.errors import OptionError
from crossbank.treebanks.formats.relations import written_relations
from crossbank.treebanks.relations.hierarchy import (
    Hierarchy,
    hierarchy_file,
    hierarchy_for,
    load_hierarchy,
)
from crossbank.treebanks.tables import NO_TOKEN


def _renamed(prefix: str, measures: tuple[Measure, ...]) -> tuple[Measure, ...]:
    return tuple(replace(measure, name=f"{prefix}_{measure.name}") for measure in measures)


def _macro(of: str) -> Measure:
    """The mean of a measure over the relations that gold has, from the columns ``gold ncsubj`` ..."""
    measures = {measure.name: measure for measure in precision_recall_f1("gold", "candidate", "matched", "")}

    def score(sums: Sums) -> NDArray[np.float64]:
        names = [column.removeprefix("gold ") for column in sums if column.startswith("gold ")]
        total, present = np.zeros(np.shape(sums["gold"])), np.zeros(np.shape(sums["gold"]))
        for name in names:
            own = {side: sums[f"{side} {name}"] for side in ("gold", "candidate", "matched")}
            total = total + np.where(own["gold"] > 0, measures[of].score(own), 0.0)
            present = present + (own["gold"] > 0)
        return ratio(total, present, sums["candidate"])

    return Measure(f"macro_{of}", score, f"mean of the {of} of each relation that gold has")


EVEN = 0.5
"""The weight of precision in F1."""

ALPHA_TOTAL = "relations by alpha"
"""The column of alpha x the candidate's relations + (1 - alpha) x gold's."""

F_ALPHA = (("f_alpha", "matched", ""), ("subsumption_f_alpha", "subsumed", "subsumption "))
"""The measures under ``alpha``: their names, the columns of found relations, and the kind of precision."""


def _f_alpha(matched: str, sums: Sums) -> NDArray[np.float64]:
    """F as a function of sums: 1 / (alpha / precision + (1 - alpha) / recall) without divisions by zero."""
    return ratio(sums[matched], sums[ALPHA_TOTAL], sums["gold"])


@dataclass(frozen=True)
class Relations(Metric):
    """Precision and recall of grammatical relations.

    words      the property by which words are compared: their ``place`` in the sentence, their ``form`` (or
               lemma, as the lists have it), or ``auto``: the place if both sides have places
    hierarchy  the inventory that says which relation subsumes which, or a file; ``auto``: the inventory that
               knows most of the names
    threshold  the least weight of a relation; lighter ones are left out on both sides
    alpha      the weight of precision in ``f_alpha``, between 0 and 1 (section 1 of Briscoe et al.):
               1 / (alpha / precision + (1 - alpha) / recall); at 0.5 this is F1, and is not given again
    """

    words: Literal["auto", "place", "form"] = "auto"
    hierarchy: str = "auto"
    threshold: float = 0.0
    alpha: float = EVEN

    name: ClassVar[str] = "relations"
    version: ClassVar[str] = "1.0"
    papers: ClassVar[tuple[str, ...]] = ("briscoe-etal-2002",)
    view: ClassVar[str] = "relations"
    word_by_word: ClassVar[bool] = False
    title: ClassVar[str] = "Grammatical relations"
    headline: ClassVar[tuple[str, ...]] = ("f1",)
    compared: ClassVar[tuple[str, ...]] = ("precision", "recall", "f1", "relation_blind_f1")
    measures: ClassVar[tuple[Measure, ...]] = (
        *precision_recall_f1("gold", "candidate", "matched", "relations"),
        *(_macro(of) for of in ("precision", "recall", "f1")),
        *_renamed(
            "subsumption",
            precision_recall_f1("gold", "candidate", "subsumed", "relations (in part where one subsumes)"),
        ),
        *_renamed(
            "relation_blind",
            precision_recall_f1(
                "pairs gold", "pairs candidate", "pairs matched", "pairs of governor and dependent"
            ),
        ),
        *_renamed(
            "weighted",
            precision_recall_f1("weight gold", "weight candidate", "weight matched", "weights of relations"),
        ),
        *(
            Measure(
                name,
                partial(_f_alpha, matched),
                f"weighted harmonic mean of {kind}precision and {kind}recall, under alpha",
            )
            for name, matched, kind in F_ALPHA
        ),
        Measure(
            "exact",
            lambda sums: ratio(sums["exact"], sums["rows"]),
            "sentences whose relations are all the same / sentences",
        ),
    )
    part_measures: ClassVar[Mapping[str, tuple[Measure, ...]]] = dict.fromkeys(
        ("relation", "confusion"), tuple(m for m in measures if m.name in ("precision", "recall", "f1"))
    )

    def __post_init__(self) -> None:
        """Raise OptionError where ``alpha`` is no weight."""
        if not 0 < self.alpha < 1:
            raise OptionError("option alpha", self.alpha, "a number between 0 and 1")

    @staticmethod
    def pair(
        gold: Treebank, candidate: Treebank, *, delete: BoolArray | None = None, align: bool = False
    ) -> Pair:
        """The sentences paired by number or order. Tokens are not compared."""
        return pair_relations(gold, candidate)

    def counts(self, pair: Pair) -> Counts:
        """Relations of gold and candidate, the common ones under each comparison, and by name."""
        self.require_view(pair)
        both, found = self._matched(pair)
        gold, candidate, names = both
        exact, paired = found.exact, found.partner >= 0
        weight = np.minimum(gold.weight, candidate.weight[found.partner] if len(candidate.weight) else 0.0)
        columns: dict[str, Column] = {
            "gold": by_sentence(gold.offsets, gold.counted),
            "candidate": by_sentence(candidate.offsets, candidate.counted),
            "matched": by_sentence(gold.offsets, exact),
            "subsumed": by_sentence(gold.offsets, found.part),
            "pairs gold": by_sentence(gold.offsets, gold.counted & gold.is_pair),
            "pairs candidate": by_sentence(candidate.offsets, candidate.counted & candidate.is_pair),
            "pairs matched": by_sentence(gold.offsets, paired & gold.is_pair),
            "weight gold": by_sentence(gold.offsets, gold.counted * gold.weight),
            "weight candidate": by_sentence(candidate.offsets, candidate.counted * candidate.weight),
            "weight matched": by_sentence(gold.offsets, exact * weight),
        }
        columns[ALPHA_TOTAL] = self.alpha * columns["candidate"] + (1 - self.alpha) * columns["gold"]
        same = (columns["matched"] == columns["gold"]) & (columns["matched"] == columns["candidate"])
        columns["exact"] = (pair.scored & same).astype(np.float64)
        for code, name in enumerate(names):
            named, others = gold.name == code, candidate.name == code
            columns[f"gold {name}"] = by_sentence(gold.offsets, gold.counted & named)
            columns[f"candidate {name}"] = by_sentence(candidate.offsets, candidate.counted & others)
            columns[f"matched {name}"] = by_sentence(gold.offsets, exact & named)
        left_out = {name for name, _, _ in F_ALPHA} if self.alpha == EVEN else set()
        return Counts(
            self.signature(pair),
            tuple(measure for measure in self.measures if measure.name not in left_out),
            pair.sentence_ids(),
            pair.status,
            columns,
            {
                "relation": partial(self._by_relation, both, found),
                "confusion": partial(self._by_confusion, both, found),
            },
        )

    def items(self, pair: Pair, sentence: int) -> list[Item]:
        """The relations of a sentence: those in common first, then gold's, then the candidate's."""
        one = pair.select([sentence])
        both, found = self._matched(one)
        matched = np.zeros(len(both.candidate.name), np.bool_)
        matched[found.partner[found.exact]] = True
        partner = np.full(len(both.candidate.name), -1, np.int64)
        paired = np.flatnonzero(found.partner >= 0)
        partner[found.partner[paired]] = paired
        gold, candidate = written_relations(one.gold), written_relations(one.candidate)
        items = []
        for row in np.flatnonzero(both.gold.counted).tolist():
            other = int(found.partner[row])
            side: Literal["gold", "both"] = "both" if found.exact[row] else "gold"
            said = candidate[other] if other >= 0 else ""
            items.append(_item(one.gold, row, side, float(found.part[row]), gold[row], said))
        for row in np.flatnonzero(both.candidate.counted & ~matched).tolist():
            other = int(partner[row])
            part = float(found.part[other]) if other >= 0 else 0.0
            said = gold[other] if other >= 0 else ""
            items.append(_item(one.candidate, row, "candidate", part, said, candidate[row]))
        return sorted(items, key=lambda item: ("both", "gold", "candidate").index(item.side))

    def signature(self, pair: Pair) -> Signature:
        """The options, with the choices that ``auto`` made; ``alpha`` where it is not that of F1."""
        words = "place" if by_place(pair, self.words) else "form"
        signature = super().signature(pair)
        choices = {"words": words, "hierarchy": self._hierarchy(pair).name}
        return replace(
            signature,
            choices=tuple(
                (name, choices.get(name, value))
                for name, value in signature.choices
                if name != "alpha" or self.alpha != EVEN
            ),
        )

    def files(self) -> tuple[Path, ...]:
        """The hierarchy's file, unless the relations decide which of ours it is."""
        return () if self.hierarchy == "auto" else (hierarchy_file(self.hierarchy),)

    def _hierarchy(self, pair: Pair) -> Hierarchy:
        if self.hierarchy != "auto":
            return load_hierarchy(self.hierarchy)
        return hierarchy_for(
            name
            for bank in (pair.gold, pair.candidate)
            for name in bank.vocabulary.decode(np.unique(bank.relations.name))
        )

    def _matched(self, pair: Pair) -> tuple[Compared, Match]:
        hierarchy = self._hierarchy(pair)
        both = compared(pair, by_place(pair, self.words), self.threshold, hierarchy.ordered)
        return both, match(both, hierarchy)

    def _by_relation(self, both: Compared, found: Match) -> Parts:
        """The counts by name: the candidate's relations by their own names, all else by gold's."""
        gold, candidate, names = both
        return by_kind(
            {
                "gold": Tally(gold.offsets, gold.name, gold.counted),
                "candidate": Tally(candidate.offsets, candidate.name, candidate.counted),
                "matched": Tally(gold.offsets, gold.name, found.exact),
                "subsumed": Tally(gold.offsets, gold.name, found.part),
            },
            names.__getitem__,
        )

    def _by_confusion(self, both: Compared, found: Match) -> Parts:
        """The counts by gold's name and the candidate's name for the same words, or ``nothing``."""
        gold, candidate, names = both
        nothing = len(names)
        given, true = np.full(len(gold.name), nothing), np.full(len(candidate.name), nothing)
        paired = found.partner >= 0
        given[paired] = candidate.name[found.partner[paired]]
        true[found.partner[paired]] = gold.name[paired]
        both_names = (*names, "nothing")
        of_gold = (gold.name * (nothing + 1) + given).astype(np.int32)
        of_candidate = (true * (nothing + 1) + candidate.name).astype(np.int32)
        return by_kind(
            {
                "gold": Tally(gold.offsets, of_gold, gold.counted),
                "candidate": Tally(candidate.offsets, of_candidate, candidate.counted),
                "matched": Tally(gold.offsets, of_gold, found.exact),
            },
            lambda code: f"{both_names[code // (nothing + 1)]}{ARROW}{both_names[code % (nothing + 1)]}",
        )


def _item(
    bank: Treebank,
    row: int,
    side: Literal["gold", "candidate", "both"],
    part: float,
    gold: str,
    candidate: str,
) -> Item:
    """A relation of a treebank of one sentence; its score is its credit by subsumption."""
    places = (int(bank.relations.head_index[row]), int(bank.relations.dependent_index[row]))
    tokens = tuple(sorted(place for place in places if place != NO_TOKEN))
    label = bank.vocabulary[int(bank.relations.name[row])]
    return Item("relation", label, tokens, side, side == "both", part, gold, candidate)
