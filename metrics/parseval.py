"""Parseval: brackets that gold and candidate share, and brackets that cross.

Black, Ezra, et al. (1991): A Procedure for Quantitatively Comparing the Syntactic Coverage of English
Grammars. Speech and Natural Language Workshop. With labels as in Magerman (1995) and Collins (1997):
"GEIG/labelled" in Sampson and Babarczy (2003), section 1. A bracket is a label and a set of tokens. So
discontinuous constituents are compared like all others, or by themselves (Maier and Søgaard 2008, Treebanks
and Mild Context-Sensitivity).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Literal

import numpy as np

from crossbank.metrics.counting.brackets import (
    UNCOUNTED,
    Brackets,
    brackets,
    codes,
    crossing,
    matching,
    node_tokens,
    without_duplicates,
)
from crossbank.metrics.counting.counts import Counts, Measure, Parts, precision_recall_f1, ratio
from crossbank.metrics.counting.metric import Item, Losses, Metric
from crossbank.metrics.counting.tally import Tally, by_kind, by_sentence
from crossbank.metrics.pairing.pair import Pair
from crossbank.treebanks import NO_PARENT, Treebank
from crossbank.treebanks.arrays import BoolArray, Int32Array


@dataclass(frozen=True)
class Parseval(Metric):
    """Precision and recall of brackets, exact match, crossing brackets.

    labels         whether a bracket's label must match too
    root           whether nodes without a parent count
    roots          which of them: ``all``, or the roots of ``trees``, without those that only join several
                   trees, like VROOT (Kübler and Telljohann 2002, note 2, count every tree's root)
    functions      whether a label is compared with the function of its edge
    discontinuous  ``all`` brackets, or ``only`` those with gaps
    trivial        whether brackets over one word or over the whole sentence count
    duplicates     the treatment of a label that stands twice over the same words: ``yes``, both brackets are
                   counted and matched; ``once``, both are counted and one is matched, as in PYEVALB, so that
                   gold itself may have less than 100 % there; ``no``, one is counted and matched
    """

    labels: bool = True
    root: bool = True
    roots: Literal["all", "trees"] = "all"
    functions: bool = False
    discontinuous: Literal["all", "only"] = "all"
    trivial: bool = True
    duplicates: Literal["yes", "once", "no"] = "yes"

    name: ClassVar[str] = "parseval"
    version: ClassVar[str] = "1.1"
    of_functions: ClassVar[Mapping[str, object]] = {"functions": False}
    papers: ClassVar[tuple[str, ...]] = ("black-etal-1991",)
    view: ClassVar[str] = "constituents"
    title: ClassVar[str] = "Parseval"
    micro_averaged: ClassVar[bool] = True
    headline: ClassVar[tuple[str, ...]] = ("f1",)
    compared: ClassVar[tuple[str, ...]] = ("precision", "recall", "f1")
    measures: ClassVar[tuple[Measure, ...]] = (
        *precision_recall_f1("gold", "candidate", "matched", "brackets"),
        Measure(
            "exact",
            lambda sums: ratio(sums["exact"], sums["rows"]),
            "sentences whose brackets are all the same / sentences",
        ),
        Measure(
            "crossing",
            lambda sums: ratio(sums["crossing"], sums["candidate"]),
            "brackets of the candidate that cross one of gold / brackets of the candidate",
            better="less",
        ),
        Measure(
            "no_crossing",
            lambda sums: ratio(sums["no_crossing"], sums["rows"]),
            "parsed sentences without a crossing bracket / sentences",
        ),
        Measure(
            "two_or_less_crossing",
            lambda sums: ratio(sums["two_or_less_crossing"], sums["rows"]),
            "parsed sentences with two crossing brackets or less / sentences",
        ),
        Measure(
            "crossing_per_sentence",
            lambda sums: ratio(sums["crossing"], sums["rows"]),
            "brackets of the candidate that cross one of gold / sentences",
            proportion=False,
            better="less",
        ),
    )

    def counts(self, pair: Pair) -> Counts:
        """Brackets of gold and of the candidate, those in common, and those that cross."""
        self.require_view(pair)
        gold, candidate = self._brackets(pair)
        matched, crosses = self._compare(pair, gold, candidate)
        columns = {
            "gold": by_sentence(gold.offsets, gold.label >= 0),
            "candidate": np.where(pair.scored, by_sentence(candidate.offsets, candidate.label >= 0), 0.0),
            "matched": by_sentence(candidate.offsets, matched),
            "crossing": by_sentence(candidate.offsets, crosses),
        }
        # Under ``once`` a bracket that stands twice on both sides is one match, and yet the same.
        shared = columns["matched"]
        if self.duplicates == "once":
            whole = matching(gold, candidate, pair.scored, codes(gold, candidate))
            shared = by_sentence(candidate.offsets, whole)
        same = (shared == columns["gold"]) & (shared == columns["candidate"])
        columns["exact"] = (pair.scored & same).astype(np.float64)
        columns["no_crossing"] = (pair.scored & (columns["crossing"] == 0)).astype(np.float64)
        columns["two_or_less_crossing"] = (pair.scored & (columns["crossing"] <= 2)).astype(np.float64)
        return Counts(
            self.signature(pair),
            self.measures,
            pair.sentence_ids(),
            pair.status,
            columns,
            {"label": partial(self._by_label, pair)},
        )

    def items(self, pair: Pair, sentence: int) -> list[Item]:
        """The brackets of a sentence: those in common first, then gold's, then the candidate's."""
        one = pair.select([sentence])
        return bracket_items(one, *self._brackets(one), once=self.duplicates == "once")

    def losses(self, pair: Pair) -> Losses:
        """The brackets of gold; those lose that the candidate lacks."""
        gold, candidate = self._brackets(pair)
        counted = (gold.label >= 0) & np.repeat(pair.scored, pair.gold.nodes.lengths())
        if self.duplicates == "once":
            gold, candidate = without_duplicates(gold), without_duplicates(candidate)
        found = matching(candidate, gold, pair.scored, codes(gold, candidate))
        return Losses("nodes", counted, np.where(found, 0.0, 1.0))

    def _brackets(self, pair: Pair) -> tuple[Brackets, Brackets]:
        gold, candidate = pair.gold.nodes.label, pair.candidate_codes(pair.candidate.nodes.label)
        if self.functions:
            gold, candidate = _with_functions(pair, gold, candidate)
        return self._counted(pair.gold, gold), self._counted(pair.candidate, candidate)

    def _counted(self, bank: Treebank, label: Int32Array) -> Brackets:
        """The brackets of one side, with labels as they are compared, or ``UNCOUNTED``."""
        found = brackets(bank, label if self.labels else np.zeros_like(label))
        left_out = np.zeros(len(label), np.bool_)
        if not self.root:
            left_out |= bank.nodes.parent == NO_PARENT
        elif self.roots == "trees":
            from crossbank.converters.virtual_root import roots

            left_out |= roots(bank, None)
        if self.discontinuous == "only":
            left_out |= ~bank.spans.discontinuous
        if not self.trivial:
            whole = np.repeat(bank.tokens.lengths(), bank.nodes.lengths())
            left_out |= (bank.spans.size == 1) | (bank.spans.size == whole)
        if left_out.any():
            found = found._replace(label=np.where(left_out, UNCOUNTED, found.label).astype(np.int32))
        return found if self.duplicates != "no" else without_duplicates(found)

    def _compare(self, pair: Pair, gold: Brackets, candidate: Brackets) -> tuple[BoolArray, BoolArray]:
        crosses = crossing(gold, candidate, pair.scored)
        if self.duplicates == "once":
            gold, candidate = without_duplicates(gold), without_duplicates(candidate)
        return matching(gold, candidate, pair.scored, codes(gold, candidate)), crosses

    def _by_label(self, pair: Pair) -> Parts:
        gold, candidate = self._brackets(pair)
        matched, crosses = self._compare(pair, gold, candidate)
        label = pair.candidate_codes(pair.candidate.nodes.label)
        scored = np.repeat(pair.scored, pair.candidate.nodes.lengths())
        return by_kind(
            {
                "gold": Tally(gold.offsets, pair.gold.nodes.label, gold.label >= 0),
                "candidate": Tally(candidate.offsets, label, scored & (candidate.label >= 0)),
                "matched": Tally(candidate.offsets, label, matched),
                "crossing": Tally(candidate.offsets, label, crosses),
            },
            pair.string,
        )


NO_FUNCTION = "--"
"""The function that files in the export format write for an edge without one."""


def _with_functions(pair: Pair, gold: Int32Array, candidate: Int32Array) -> tuple[Int32Array, Int32Array]:
    """A code for each label and function together, the same on both sides."""
    functions = pair.gold.nodes.function, pair.candidate_codes(pair.candidate.nodes.function)
    absent = [code for code in range(pair.codes) if pair.string(code) == NO_FUNCTION]
    both = [
        label.astype(np.int64) * pair.codes + np.where(np.isin(function, absent), 0, function)
        for label, function in zip((gold, candidate), functions, strict=True)
    ]
    code = np.unique(np.concatenate(both), return_inverse=True)[1].reshape(-1).astype(np.int32)
    return code[: len(gold)], code[len(gold) :]


def bracket_items(one: Pair, gold: Brackets, candidate: Brackets, *, once: bool = False) -> list[Item]:
    """The brackets of a pair of one sentence: those in common first, then gold's, then the candidate's.

    once  whether only one of several equal brackets is matched
    """
    mine, theirs = (without_duplicates(gold), without_duplicates(candidate)) if once else (gold, candidate)
    matched = matching(mine, theirs, one.scored, codes(mine, theirs))
    found = matching(theirs, mine, one.scored, codes(mine, theirs))
    return [
        *chosen_items(one.candidate, matched, "both"),
        *chosen_items(one.gold, (gold.label >= 0) & ~found, "gold"),
        *chosen_items(one.candidate, one.scored[0] & (candidate.label >= 0) & ~matched, "candidate"),
    ]


def chosen_items(bank: Treebank, chosen: BoolArray, side: Literal["gold", "candidate", "both"]) -> list[Item]:
    """The brackets of a mask, in a treebank of one sentence."""
    tokens = node_tokens(bank)
    matched = side == "both"
    return [
        Item(
            "bracket",
            bank.vocabulary[int(bank.nodes.label[node])],
            tokens[node],
            side,
            matched,
            float(matched),
        )
        for node in np.flatnonzero(chosen).tolist()
    ]
