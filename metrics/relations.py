"""Grammatical relations: those that gold and candidate share, in whole, in part, or without names.

Briscoe, Ted, John Carroll, Jonathan Graham and Ann Copestake (2002): Relational Evaluation Schemes; Carroll,
Minnen and Briscoe (1999) before it. A relation earns part of a match by subsumption if its name is less
specific than gold's (``subj`` for ``ncsubj``), or more specific. Weighted precision and recall of n-best sets
follow Carroll and Briscoe (2001): High Precision Extraction of Grammatical Relations. The measures without
names compare governor and dependent alone: "DO" in Crouch et al. (2002), section 4.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from crossbank.metrics.counting.counts import (
    Column,
    Counts,
    Measure,
    Signature,
    Sums,
    exact_match,
    precision_recall_f1,
    ratio,
    share,
)
from crossbank.metrics.counting.items import (
    Compared,
    ItemMetric,
    Kinds,
    SideName,
    as_marked,
    confusions_of_partners,
    relation_items,
)
from crossbank.metrics.counting.relation_matching import by_place, compared, match
from crossbank.metrics.pairing.pair import Pair
from crossbank.metrics.pairing.pair_relations import pair_relations
from crossbank.treebanks import OptionError, Treebank
from crossbank.treebanks.formats.relations import written_relations
from crossbank.treebanks.relations.hierarchy import Hierarchy, hierarchy_file, hierarchy_for, load_hierarchy


def _macro(of: str) -> Measure:
    """Return the mean of a measure over the relations that gold has, from the columns ``gold ncsubj`` ..."""
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


@dataclass(frozen=True)
class Relations(ItemMetric):
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
    item: ClassVar[str] = "relation"
    position: ClassVar[float] = 250
    version: ClassVar[str] = "1.1"
    papers: ClassVar[tuple[str, ...]] = ("briscoe-etal-2002",)
    view: ClassVar[str] = "relations"
    word_by_word: ClassVar[bool] = False
    title: ClassVar[str] = "Grammatical relations"
    headline: ClassVar[tuple[str, ...]] = ("f1",)
    compared: ClassVar[tuple[str, ...]] = ("precision", "recall", "f1", "relation_blind_f1")
    measures: ClassVar[tuple[Measure, ...]] = (
        *precision_recall_f1("gold", "candidate", "matched", "relations"),
        *(_macro(of) for of in ("precision", "recall", "f1")),
        *precision_recall_f1(
            "gold", "candidate", "subsumed", "relations (in part where one subsumes)", "subsumption_"
        ),
        *precision_recall_f1(
            "pairs gold",
            "pairs candidate",
            "pairs matched",
            "pairs of governor and dependent",
            "relation_blind_",
        ),
        *precision_recall_f1(
            "weight gold", "weight candidate", "weight matched", "weights of relations", "weighted_"
        ),
        *(
            Measure(
                name,
                # 1 / (alpha / precision + (1 - alpha) / recall), without divisions by zero
                share(matched, ALPHA_TOTAL, "gold"),
                f"weighted harmonic mean of {kind}precision and {kind}recall, under alpha",
            )
            for name, matched, kind in F_ALPHA
        ),
        exact_match("relations"),
    )
    part_measures: ClassVar[Mapping[str, tuple[Measure, ...]]] = dict.fromkeys(
        ("relation", "confusion"), measures[:3]
    )

    def __post_init__(self) -> None:
        """Raise OptionError where ``alpha`` is no weight."""
        if not 0 < self.alpha < 1:
            raise OptionError("option alpha", self.alpha, "a number between 0 and 1")

    pair = staticmethod(pair_relations)

    def counts(self, pair: Pair) -> Counts:
        """Relations of gold and candidate, the common ones under each comparison, and by name."""
        counts = super().counts(pair)
        left_out = {name for name, _, _ in F_ALPHA} if self.alpha == EVEN else set()
        measures = tuple(measure for measure in self.measures if measure.name not in left_out)
        return replace(counts, measures=measures)

    def compare(self, pair: Pair) -> Compared:
        """Return the relations of both sides, those that subsume each other, pairs of words and weights."""
        hierarchy = self._hierarchy(pair)
        both = compared(pair, by_place(pair, self.words), self.threshold, hierarchy.ordered)
        matches = match(both, hierarchy)
        gold, candidate, names = both
        exact, paired = matches.exact, matches.partner >= 0
        matched = np.zeros(len(candidate.name), np.bool_)
        matched[matches.partner[exact]] = True
        weight = np.minimum(gold.weight, candidate.weight[matches.partner] if len(candidate.weight) else 0.0)
        beside: dict[str, tuple[SideName, NDArray[Any]]] = {
            "pairs gold": ("gold", gold.counted & gold.is_pair),
            "pairs candidate": ("candidate", candidate.counted & candidate.is_pair),
            "pairs matched": ("gold", paired & gold.is_pair),
            "weight gold": ("gold", gold.counted * gold.weight),
            "weight candidate": ("candidate", candidate.counted * candidate.weight),
            "weight matched": ("gold", exact * weight),
        }
        for code, name in enumerate(names):
            named, of_candidate = gold.name == code, candidate.name == code
            beside[f"gold {name}"] = ("gold", gold.counted & named)
            beside[f"candidate {name}"] = ("candidate", candidate.counted & of_candidate)
            beside[f"matched {name}"] = ("gold", exact & named)
        return Compared(
            pair,
            relation_items(pair.gold, exact, gold.counted, _texts(pair.gold)),
            relation_items(pair.candidate, matched, candidate.counted, _texts(pair.candidate)),
            {
                "relation": lambda: Kinds(gold.name, candidate.name, names.__getitem__),
                "confusion": lambda: confusions_of_partners(
                    gold.name, candidate.name, matches.partner, names.__getitem__
                ),
            },
            {"subsumed": ("gold", matches.part)},
            beside,
            match=as_marked,
            partner=matches.partner,
            part=matches.part,
        )

    def columns(self, comparison: Compared) -> dict[str, Column]:
        """Return the sums by sentence, and what ``alpha`` divides by."""
        columns = super().columns(comparison)
        columns[ALPHA_TOTAL] = self.alpha * columns["candidate"] + (1 - self.alpha) * columns["gold"]
        return columns

    def signature(self, pair: Pair) -> Signature:
        """Return the options, with the choices that ``auto`` made; ``alpha`` where it is not that of F1."""
        words = "place" if by_place(pair, self.words) else "form"
        signature = super().signature(pair).with_values(words=words, hierarchy=self._hierarchy(pair).name)
        return signature if self.alpha != EVEN else signature.with_values(alpha=None)

    def files(self) -> tuple[Path, ...]:
        """Return the hierarchy's file, unless the relations decide which of ours it is."""
        return () if self.hierarchy == "auto" else (hierarchy_file(self.hierarchy),)

    def _hierarchy(self, pair: Pair) -> Hierarchy:
        if self.hierarchy != "auto":
            return load_hierarchy(self.hierarchy)
        return hierarchy_for(
            name
            for bank in (pair.gold, pair.candidate)
            for name in bank.vocabulary.decode(np.unique(bank.relations.name))
        )


def _texts(bank: Treebank) -> Callable[[int], str]:
    """Return what gives each relation as it is written."""
    written = cache(partial(written_relations, bank))
    return lambda row: written()[row]
