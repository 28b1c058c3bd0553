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
    ItemKeys,
    ItemMetric,
    SideName,
    as_marked,
    confusions_of_partners,
    relation_items,
)
from crossbank.metrics.counting.relation_matching import compared, is_by_position, match
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
    r"""Precision and recall of grammatical relations.

    words      the property by which words are compared: their ``position`` in the sentence, their ``form`` (or
               lemma, as the lists have it), or ``auto``: the position if both treebanks have positions
    hierarchy  the inventory that says which relation subsumes which, or a file; ``auto``: the inventory that
               knows most of the names
    threshold  the least weight of a relation; lighter ones are omitted on both sides
    alpha      the weight of precision in ``f_alpha``, between 0 and 1 (section 1 of Briscoe et al.):
               1 / (alpha / precision + (1 - alpha) / recall); at 0.5 this is F1, and is not given again

    When to use it
    --------------
    `relations` compares grammatical relations: those that are the same, those of which one is less specific,
    and those without names. Take it to compare parsers of different make: relations are close to what
    applications use, and a parser that cannot tell `ncsubj` from `csubj` still earns something for `subj`.

    Definition
    ----------
    A relation has a name, a head and a dependent, and may have a type (the preposition of `iobj`) and the
    relation that the dependent has logically. Names form a hierarchy, the inventory: `ncsubj` is a `subj`,
    which is an `arg`. By subsumption a relation earns part of a match if one of two names is above the other.
    Relations are read from files, or off trees by the scheme's rules.

    Formula
    -------
    With *G* and *C* the relations:

    ```math
    P = \frac{\lvert G \cap C \rvert}{\lvert C \rvert}
    \qquad R = \frac{\lvert G \cap C \rvert}{\lvert G \rvert}
    \qquad F_1 = \frac{2 P R}{P + R}
    ```

    By subsumption a name at depth *a* of the hierarchy and one at depth *b* ≥ *a* below it earn

    ```math
    \frac{a + 1}{b + 1}
    ```

    The `macro_` measures are means over the relations that gold has. The weighted ones count each relation
    with the probability that an n-best list gives it.

    Example
    -------
    The candidate is less specific about the subject (`subj`), and takes the complement for a modifier. Two
    relations of four are the same. By subsumption `subj` for `ncsubj` earns 4/5, so that 2.8 of 4 match.
    Without names all pairs of words are right.

    <!-- file: gold.grs -->
    ```text
    1
    (ncsubj die:3_VVZ owner:2_NN1 _)
    (det owner:2_NN1 the:1_AT)
    (iobj in die:3_VVZ hospital:6_NN1)
    (det hospital:6_NN1 a:5_AT)
    ```

    <!-- file: parsed.grs -->
    ```text
    1
    (subj die:3_VVZ owner:2_NN1 _)
    (det owner:2_NN1 the:1_AT)
    (ncmod in die:3_VVZ hospital:6_NN1)
    (det hospital:6_NN1 a:5_AT)
    ```

    ```console
    $ crossbank score gold.grs parsed.grs --metric relations
    relations|words:position|hierarchy:rasp|...|v1.1
      precision                    50.00 %  matched relations / relations of the candidate
      recall                       50.00 %  matched relations / relations of gold
      f1                           50.00 %  harmonic mean of precision and recall
      macro_precision              33.33 %  mean of the precision of each relation that gold has
      macro_recall                 33.33 %  mean of the recall of each relation that gold has
      macro_f1                     33.33 %  mean of the f1 of each relation that gold has
      subsumption_precision        70.00 %  matched relations (in part where one subsumes) / relations (in part where one subsumes) of the candidate
      subsumption_recall           70.00 %  matched relations (in part where one subsumes) / relations (in part where one subsumes) of gold
      subsumption_f1               70.00 %  harmonic mean of precision and recall
      relation_blind_precision    100.00 %  matched pairs of governor and dependent / pairs of governor and dependent of the candidate
      relation_blind_recall       100.00 %  matched pairs of governor and dependent / pairs of governor and dependent of gold
      relation_blind_f1           100.00 %  harmonic mean of precision and recall
      weighted_precision           50.00 %  matched weights of relations / weights of relations of the candidate
      weighted_recall              50.00 %  matched weights of relations / weights of relations of gold
      weighted_f1                  50.00 %  harmonic mean of precision and recall
      exact                         0.00 %  sentences whose relations are all the same / sentences
      1 sentence: 1 scored
    ```

    ### Relations read off trees

    The rules of a scheme (`relation_rules`) read relations off trees with functions and traces, with
    functions alone, or with neither, as parsers print them. Rules of which most need functions, as those of
    TIGER and TüBa-D/Z, refuse trees without any; a parse in which no relation holds is a parse. Relations
    read off GUM's trees, which are a parser's and have no traces, against those read off GUM's dependencies,
    which are corrected by hand:

    <!-- needs: gum -->
    ```console
    $ crossbank convert 'gum/const/*.ptb' parsed.grs --scheme ptb --transform relations_from_trees --quiet
    ...
    $ crossbank convert 'gum/dep/*.conllu' gold.grs --scheme ud --transform relations_from_trees --quiet
    ...
    $ crossbank score gold.grs parsed.grs --metric relations --by relation
    ...
      3,236 sentences: 3,236 scored

      relation    gold  candidate  precision  recall      f1
      ncmod      20583      19636      78.77   75.15   76.92
      detmod      5937       6051      96.74   98.60   97.66
      ncsubj      5853       5784      94.64   93.52   94.08
      dobj        3162       3085      95.79   93.45   94.61
      conj        2071       1996      55.11   53.11   54.09
      xcomp       2027       1745      85.21   73.36   78.84
      aux         1919       1976      93.93   96.72   95.30
      xmod        1384       1027      85.88   63.73   73.16
      cmod        1231       1146      30.28   28.19   29.20
      ccomp        493        675      55.56   76.06   64.21
      arg_mod      223        214      92.99   89.24   91.08
      xsubj         60         30      93.33   46.67   62.22
      csubj         41          1     100.00    2.44    4.76
      obj2          37         51      64.71   89.19   75.00
      iobj           0         37       0.00    0.00    0.00
    ```

    In trees with traces a question or relative word stands where its trace is, an infinitive's silent subject
    is the word that has its index, and a passive's trace is no object: a word is one argument of its verb
    (`arguments` in the rules). Objects read off the 3,914 trees of the WSJ sample, against what is read off
    CoreNLP's dependencies of the same sentences: precision 94.9, recall 93.9.

    Other programs
    --------------
    `gramreleval` of RASP 3: `--mode greval` prints its report.
    """  # noqa: E501 (lines that are printed)

    words: Literal["auto", "position", "form"] = "auto"
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
                f"weighted harmonic mean of {prefix}precision and {prefix}recall, under alpha",
            )
            for name, matched, prefix in F_ALPHA
        ),
        exact_match("relations"),
    )
    breakdown_measures: ClassVar[Mapping[str, tuple[Measure, ...]]] = dict.fromkeys(
        ("relation", "confusion"), measures[:3]
    )

    def __post_init__(self) -> None:
        """Raise OptionError where ``alpha`` is no weight."""
        if not 0 < self.alpha < 1:
            raise OptionError("option alpha", self.alpha, "a number between 0 and 1")

    pair = staticmethod(pair_relations)

    def counts(self, pair: Pair) -> Counts:
        """Return the relations of gold and candidate, the common ones under each comparison, and by name."""
        counts = super().counts(pair)
        left_out = {name for name, _, _ in F_ALPHA} if self.alpha == EVEN else set()
        measures = tuple(measure for measure in self.measures if measure.name not in left_out)
        return replace(counts, measures=measures)

    def compare(self, pair: Pair) -> Compared:
        """Return the relations, those that subsume each other, pairs of words and weights."""
        hierarchy = self._hierarchy(pair)
        both = compared(pair, is_by_position(pair, self.words), self.threshold, hierarchy.ordered)
        matches = match(both, hierarchy)
        gold, candidate, names = both
        exact, paired = matches.exact, matches.partner >= 0
        matched = np.zeros(len(candidate.name), np.bool_)
        matched[matches.partner[exact]] = True
        weight = np.minimum(gold.weight, candidate.weight[matches.partner] if len(candidate.weight) else 0.0)
        also_summed: dict[str, tuple[SideName, NDArray[Any]]] = {
            "pairs gold": ("gold", gold.counted & gold.is_pair),
            "pairs candidate": ("candidate", candidate.counted & candidate.is_pair),
            "pairs matched": ("gold", paired & gold.is_pair),
            "weight gold": ("gold", gold.counted * gold.weight),
            "weight candidate": ("candidate", candidate.counted * candidate.weight),
            "weight matched": ("gold", exact * weight),
        }
        for code, name in enumerate(names):
            named, of_candidate = gold.name == code, candidate.name == code
            also_summed[f"gold {name}"] = ("gold", gold.counted & named)
            also_summed[f"candidate {name}"] = ("candidate", candidate.counted & of_candidate)
            also_summed[f"matched {name}"] = ("gold", exact & named)
        return Compared(
            pair,
            relation_items(pair.gold, exact, gold.counted, _texts(pair.gold)),
            relation_items(pair.candidate, matched, candidate.counted, _texts(pair.candidate)),
            {
                "relation": lambda: ItemKeys(gold.name, candidate.name, names.__getitem__),
                "confusion": lambda: confusions_of_partners(
                    gold.name, candidate.name, matches.partner, names.__getitem__
                ),
            },
            {"subsumed": ("gold", matches.credit)},
            also_summed,
            match=as_marked,
            partner=matches.partner,
            credit=matches.credit,
        )

    def columns(self, comparison: Compared) -> dict[str, Column]:
        """Return the sums by sentence, and what ``alpha`` divides by."""
        columns = super().columns(comparison)
        columns[ALPHA_TOTAL] = self.alpha * columns["candidate"] + (1 - self.alpha) * columns["gold"]
        return columns

    def signature(self, pair: Pair) -> Signature:
        """Return the options, with the choices that ``auto`` made; ``alpha`` where it is not that of F1."""
        words = "position" if is_by_position(pair, self.words) else "form"
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
    """Return what gives each relation as written."""
    written = cache(partial(written_relations, bank))
    return lambda row: written()[row]
