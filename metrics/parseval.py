"""Parseval: brackets that gold and candidate share, and brackets that cross.

Black, Ezra, et al. (1991): A Procedure for Quantitatively Comparing the Syntactic Coverage of English
Grammars. Speech and Natural Language Workshop. With labels as in Magerman (1995) and Collins (1997):
"GEIG/labelled" in Sampson and Babarczy (2003), section 1. A bracket is a label and a set of tokens. So
discontinuous constituents are compared like all others, or by themselves (Maier and Søgaard 2008, Treebanks
and Mild Context-Sensitivity).

Nodes are in pre-order, so brackets are sorted by their first token, and those that begin at the same token
contain one another, the larger first. Two sorted lists are merged in one pass, and no bracket is ever
compared with all others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import ClassVar, Literal, NamedTuple

import numpy as np

from crossbank.metrics.counting.counts import (
    Column,
    Measure,
    Signature,
    exact_match,
    per_sentence,
    precision_recall_f1,
    share,
)
from crossbank.metrics.counting.items import (
    Compared,
    ItemDescription,
    ItemKeys,
    ItemMetric,
    Items,
    SideName,
    as_marked,
    by_sentence,
    node_tokens,
)
from crossbank.metrics.counting.metric import Losses
from crossbank.metrics.edits.costs import UNRELATED, cost_table, replacement_costs
from crossbank.metrics.loops import bracket_matching as loops
from crossbank.metrics.pairing.pair import Pair
from crossbank.metrics.pairing.word_forms import NO_COUNTERPART
from crossbank.treebanks import NO_PARENT, OptionError, Treebank
from crossbank.treebanks.arrays import BoolArray, Int32Array, UInt64Array
from crossbank.treebanks.ranges import in_ranges


@dataclass(frozen=True)
class Parseval(ItemMetric):
    r"""Precision and recall of brackets, exact match, crossing brackets.

    labels         whether a bracket's label must match too
    root           whether nodes without a parent count
    roots          which of them: ``all``, or the roots of ``trees``, without those that only join several
                   trees, like VROOT (Kübler and Telljohann 2002, note 2, count every tree's root)
    functions      whether a label is compared with the function of its edge
    discontinuous  ``all`` brackets, or ``only`` those with gaps
    trivial        whether brackets over one word or over the whole sentence count
    duplicates     the treatment of a label that occurs twice over the same words: ``yes``, both brackets are
                   counted and matched; ``once``, both are counted and one is matched, as in PYEVALB, so that
                   gold itself may have less than 100 % there; ``no``, one is counted and matched
    cost           of another label over the same words, which earns part of a match: 1 minus half its cost. As
                   ``leaf_ancestor`` has it: ``exact`` (2: no match), ``first_letter``, ``none`` or a file

    When to use it
    --------------
    `parseval` gives precision and recall of labelled brackets, exact match and crossing brackets. Take it to
    compare constituents of one scheme, and to compare a number with those of other papers. Do not compare it
    across schemes: a scheme with many nodes above each word gives a higher score for the same errors.

    Definition
    ----------
    A bracket is the label of a phrasal node and the set of tokens under it, which may be discontinuous. Tags
    of words are no brackets. The brackets of a sentence are a multiset: a label that occurs twice over the
    same words is two brackets (`duplicates` changes this). Two brackets cross if they share tokens, and
    neither contains the other.

    Formula
    -------
    With *G* the brackets of gold and *C* those of the candidate, summed over all sentences:

    ```math
    P = \frac{\lvert G \cap C \rvert}{\lvert C \rvert}
    \qquad R = \frac{\lvert G \cap C \rvert}{\lvert G \rvert}
    \qquad F_1 = \frac{2 P R}{P + R}
    ```

    Example
    -------
    The parser attaches *with a bell* to the verb; gold attaches it to *the cat*. So gold has one bracket
    more, the noun phrase *the cat with a bell*. All six brackets of the candidate are among the seven of
    gold.

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
    $ crossbank score gold.mrg parsed.mrg --scheme ptb --metric parseval
    parseval|labels:yes|root:yes|...|v1.1
      precision                100.00 %  matched brackets / brackets of the candidate
      recall                    85.71 %  matched brackets / brackets of gold
      f1                        92.31 %  harmonic mean of precision and recall
      exact                      0.00 %  sentences whose brackets are all the same / sentences
      crossing                   0.00 %  brackets of the candidate that cross one of gold / brackets of the candidate
      no_crossing              100.00 %  parsed sentences without a crossing bracket / sentences
      two_or_less_crossing     100.00 %  parsed sentences with two crossing brackets or less / sentences
      crossing_per_sentence      0.00    brackets of the candidate that cross one of gold / sentences
      1 sentence: 1 scored
    ```

    Precision is 6/6 and recall 6/7.

    Other programs
    --------------
    - EVALB: `--mode evalb --parameters COLLINS.prm` prints its report. EVALB_SPMRL: `--mode evalb_spmrl`.
    - disco-dop: `--mode discodop`.
    - Sampson and Babarczy (2003), section 7, suggest `--option cost=first_letter`: GEIG with their partial
      matches of labels.
    - PYEVALB counts a repeated bracket twice and matches it once: `--option duplicates=once`. A file with
      such brackets has less than 100 % against itself there; with `duplicates=no` it has 100 %.
    - `crossbank score --explain` scores one candidate under the conventions of all of them.
    """  # noqa: E501 (lines that are printed)

    labels: bool = True
    root: bool = True
    roots: Literal["all", "trees"] = "all"
    functions: bool = False
    discontinuous: Literal["all", "only"] = "all"
    trivial: bool = True
    duplicates: Literal["yes", "once", "no"] = "yes"
    cost: str = "exact"

    name: ClassVar[str] = "parseval"
    item: ClassVar[str] = "bracket"
    position: ClassVar[float] = 10
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
        exact_match("brackets"),
        Measure(
            "crossing",
            share("crossing", "candidate"),
            "brackets of the candidate that cross one of gold / brackets of the candidate",
            better="less",
        ),
        per_sentence("no_crossing", "parsed sentences without a crossing bracket"),
        per_sentence("two_or_less_crossing", "parsed sentences with two crossing brackets or less"),
        per_sentence(
            "crossing_per_sentence",
            "brackets of the candidate that cross one of gold",
            "crossing",
            proportion=False,
            better="less",
        ),
    )

    def __post_init__(self) -> None:
        """Check the option ``cost``. Raises OptionError or CrossbankError if it is wrong."""
        of_labels = self.labels and not self.functions and self.duplicates != "once"
        if self.cost != "exact" and not of_labels:
            raise OptionError("option cost", self.cost, "exact, unless labels are compared, as they are")
        cost_table(self.cost)

    def compare(self, pair: Pair) -> Compared:
        """Return the brackets of both sides, and those of the candidate that cross."""
        sides = self._brackets(pair)
        if self.cost != "exact":
            return similar_brackets(pair, *sides, self.cost)
        return compared_brackets(pair, *sides, with_crossing=True, once=self.duplicates == "once")

    def losses(self, pair: Pair) -> Losses:
        """Return the losses of gold's nodes; a bracket that is matched in part loses the rest."""
        losses = super().losses(pair)
        if self.cost == "exact":
            return losses
        credit = self.compare(pair).credit
        return losses if credit is None else replace(losses, loss=1.0 - credit)

    def files(self) -> tuple[Path, ...]:
        """Return the cost table, if it is a file."""
        return () if cost_table(self.cost) is None else (Path(self.cost),)

    def signature(self, pair: Pair) -> Signature:
        """Return the options; ``cost`` where labels earn parts of matches."""
        signature, table = super().signature(pair), cost_table(self.cost)
        if self.cost == "exact":
            return signature.with_values(cost=None)
        return signature if table is None else signature.with_values(cost=table.name)

    def columns(self, comparison: Compared) -> dict[str, Column]:
        """Return the sums by sentence, and how many sentences have few crossing brackets."""
        columns, scored = super().columns(comparison), comparison.pair.scored
        if self.duplicates == "once":
            # A bracket that occurs twice on both sides is one match, and yet the same.
            gold, candidate = self._brackets(comparison.pair)
            shared = by_sentence(comparison.candidate.offsets, matching(gold, candidate, scored))
            same = (shared == columns["gold"]) & (shared == columns["candidate"])
            columns["exact"] = (scored & same).astype(np.float64)
        columns["no_crossing"] = (scored & (columns["crossing"] == 0)).astype(np.float64)
        columns["two_or_less_crossing"] = (scored & (columns["crossing"] <= 2)).astype(np.float64)
        return columns

    def _brackets(self, pair: Pair) -> tuple[Brackets, Brackets]:
        label = pair.gold.nodes.label
        candidate = pair.candidate_codes(pair.candidate.nodes.label)
        if self.functions:
            gold, candidate = _with_functions(pair, label, candidate)
            return self._counted(pair.gold, gold), self._counted(pair.candidate, candidate)
        # What is kept beside a treebank must not refer to it: its memory would not be free after use.
        own = pair.gold.derived(self, lambda: self._counted(pair.gold, label)[1:])
        return Brackets(pair.gold, *own), self._counted(pair.candidate, candidate)

    def _counted(self, bank: Treebank, label: Int32Array) -> Brackets:
        """Return the brackets of one side, with labels as compared, or ``UNCOUNTED``."""
        counted = brackets(bank, label if self.labels else np.zeros_like(label))
        if self.root and self.roots == "all" and self.discontinuous == "all" and self.trivial:
            return counted if self.duplicates != "no" else without_duplicates(counted)
        left_out = np.zeros(len(label), np.bool_)
        if not self.root:
            left_out |= bank.nodes.parent == NO_PARENT
        elif self.roots == "trees":
            from crossbank.converters.deletions import roots

            left_out |= roots(bank, None)
        if self.discontinuous == "only":
            left_out |= ~bank.spans.discontinuous
        if not self.trivial:
            whole = np.repeat(bank.tokens.lengths(), bank.nodes.lengths())
            left_out |= (bank.spans.size == 1) | (bank.spans.size == whole)
        if left_out.any():
            counted = counted.with_labels(np.where(left_out, UNCOUNTED, counted.label).astype(np.int32))
        return counted if self.duplicates != "no" else without_duplicates(counted)


NO_FUNCTION = "--"
"""The function that files in the export format write for an edge without one."""


def _with_functions(pair: Pair, gold: Int32Array, candidate: Int32Array) -> tuple[Int32Array, Int32Array]:
    """Return a code for each label and function together, the same on both sides."""
    functions = pair.gold.nodes.function, pair.candidate_codes(pair.candidate.nodes.function)
    absent = [code for code in range(pair.codes) if pair.string(code) == NO_FUNCTION]
    both = [
        label.astype(np.int64) * pair.codes + np.where(np.isin(function, absent), 0, function)
        for label, function in zip((gold, candidate), functions, strict=True)
    ]
    code = np.unique(np.concatenate(both), return_inverse=True)[1].reshape(-1).astype(np.int32)
    return code[: len(gold)], code[len(gold) :]


UNCOUNTED = -1
"""The label of a node that is not a bracket: it is not counted, not matched and not crossed."""


class Brackets(NamedTuple):
    """Nodes of a treebank under the labels by which they are compared; columns of shape ``(nodes,)``.

    label        code of a vocabulary that both sides share, or ``UNCOUNTED``
    fingerprint  of nodes with gaps: a number that stands for the set of tokens; of those that dominate words
                 which only the other side has: one that the other side's nodes have not; else 0
    columns      the same as the loops see it
    """

    bank: Treebank
    label: Int32Array
    fingerprint: UInt64Array
    columns: loops.Brackets

    @classmethod
    def of(cls, bank: Treebank, label: Int32Array, fingerprint: UInt64Array) -> Brackets:
        """Return the nodes of a treebank under labels of shape ``(nodes,)``."""
        spans = bank.spans
        columns = loops.Brackets(bank.forest, spans.start, spans.end, spans.size, label, fingerprint)
        return cls(bank, label, fingerprint, columns)

    def with_labels(self, label: Int32Array) -> Brackets:
        """Return the same nodes under other labels."""
        return Brackets.of(self.bank, label, self.fingerprint)


def brackets(bank: Treebank, label: Int32Array) -> Brackets:
    """Return the brackets of a treebank under labels of shape ``(nodes,)``."""
    fingerprint = np.zeros(len(bank.nodes), np.uint64)
    if bank.spans.has_gaps:
        longest = int(bank.tokens.lengths().max())
        numbers = np.random.default_rng(0).integers(0, 2**64, longest, np.uint64)
        loops.mark_sets(bank.forest, np.ones(len(bank.tokens), np.bool_), numbers, fingerprint)
        fingerprint[~bank.spans.discontinuous] = 0
    if (code := bank.vocabulary.code(NO_COUNTERPART)) >= 0 and len(bank.tokens):
        lacking = np.zeros(len(bank.nodes), np.uint64)
        longest = int(bank.tokens.lengths().max())
        numbers = np.random.default_rng(1).integers(0, 2**64, longest, np.uint64)
        loops.mark_sets(bank.forest, bank.tokens.pos == code, numbers, lacking)
        fingerprint += lacking
    return Brackets.of(bank, label, fingerprint)


def both_sides(
    pair: Pair, compared: Callable[[Treebank, Int32Array], Int32Array]
) -> tuple[Brackets, Brackets]:
    """Return the brackets of gold and candidate.

    compared  maps labels, in common codes, to those compared
    """
    gold, candidate = pair.gold, pair.candidate
    codes = pair.candidate_codes(candidate.nodes.label)
    return brackets(gold, compared(gold, gold.nodes.label)), brackets(candidate, compared(candidate, codes))


def codes_of_labels(*sides: Brackets) -> int:
    """Return one more than the highest code of a label."""
    return 1 + max(int(side.label.max(initial=0)) for side in sides)


def without_duplicates(side: Brackets) -> Brackets:
    """Return the brackets as a set: only the highest of those with the same label and tokens."""
    label = side.label.copy()
    loops.drop_duplicates(side.bank.forest, side.bank.spans.size, label, codes_of_labels(side))
    return side.with_labels(label)


def matching(gold: Brackets, candidate: Brackets, scored: BoolArray) -> BoolArray:
    """Return a mask of the candidate's brackets that gold has too. Each bracket of gold is matched once.

    Brackets over the same tokens form a unary chain on either side; of the candidate's chain those are
    matched whose label is still waiting in gold's. This is the intersection of multisets of label and yield.
    Shape ``(candidate nodes,)``.
    """
    matched = np.zeros(len(candidate.label), np.bool_)
    both = loops.Both(gold.columns, candidate.columns, scored)
    in_ranges(lambda first, last: loops.match(both, matched, first, last), len(scored))
    return matched


def crossing(gold: Brackets, candidate: Brackets, scored: BoolArray) -> BoolArray:
    """Return a mask of the candidate's brackets that cross one of gold.

    Crossing brackets overlap, and neither contains the other.

    Shape ``(candidate nodes,)``.
    """
    crosses = np.zeros(len(candidate.label), np.bool_)
    both = loops.Both(gold.columns, candidate.columns, scored)
    in_ranges(lambda first, last: loops.mark_crossing(both, crosses, first, last), len(scored))
    return crosses


def similar_brackets(pair: Pair, gold: Brackets, candidate: Brackets, cost: str) -> Compared:
    """Return the brackets of gold and candidate as items, of which similar ones are matched in part.

    cost  as the option ``cost`` of metrics (``metrics.edits.costs``); a match earns 1 minus half of it
    """
    used = np.zeros(pair.codes, np.bool_)
    used[gold.label[gold.label >= 0]] = used[candidate.label[candidate.label >= 0]] = True
    group, costs = replacement_costs(cost, cost_table(cost), used, pair.string)
    prices = np.unique(np.append(costs[costs < UNRELATED], 0.0))
    partner = np.full(len(candidate.label), -1, np.int32)
    both = loops.Both(gold.columns, candidate.columns, pair.scored)
    in_ranges(partial(loops.match_similar, both, group, costs, prices, partner), len(pair))
    rows = np.flatnonzero(partner >= 0)
    left, right = gold.label[partner[rows]], candidate.label[rows]
    price = np.where(left == right, 0.0, costs[group[left], group[right]])
    of_candidate, of_gold = np.zeros(len(candidate.label)), np.zeros(len(gold.label))
    of_candidate[rows] = of_gold[partner[rows]] = 1.0 - price / UNRELATED
    partner_of_gold = np.full(len(gold.label), -1, np.int64)
    partner_of_gold[partner[rows]] = rows
    exact = compared_brackets(pair, gold, candidate, with_crossing=True)
    known = {name: sums for name, sums in exact.known_sums.items() if name != "matched"}
    matched = {**exact.also_counted, "matched": ("candidate", of_candidate)}
    return replace(
        exact,
        gold=exact.gold._replace(key=of_gold == 1),
        candidate=exact.candidate._replace(key=of_candidate == 1),
        also_counted=matched,
        match=as_marked,
        partner=partner_of_gold,
        credit=of_gold,
        known_matches=None,
        known_sums=known,
    )


def compared_brackets(
    pair: Pair,
    gold: Brackets,
    candidate: Brackets,
    also_counted: Mapping[str, tuple[SideName, BoolArray]] | None = None,
    *,
    with_crossing: bool = False,
    once: bool = False,
) -> Compared:
    """Return the brackets of gold and candidate as items, by label.

    with_crossing  whether the candidate's brackets that cross one of gold are counted too
    once           whether only one of several equal brackets is matched, though all of them are counted
    """
    keys = (without_duplicates(gold), without_duplicates(candidate)) if once else (gold, candidate)
    both = loops.Both(gold.columns, candidate.columns, pair.scored)
    matched_once = loops.Both(keys[0].columns, keys[1].columns, pair.scored) if once else both
    matched, crosses = np.zeros((2, len(candidate.label)), np.bool_)
    sums = np.zeros((4, len(pair)))

    def count(first: int, last: int) -> None:
        loops.count_brackets(both, matched_once, with_crossing, matched, crosses, sums, first, last)

    in_ranges(count, len(pair))
    summed = dict(zip(("gold", "candidate", "matched", "crossing"), sums, strict=True))
    if with_crossing:
        also_counted = {"crossing": ("candidate", crosses), **(also_counted or {})}

    def items(side: Brackets, key: Brackets, counted: BoolArray) -> Items:
        bank, nodes = side.bank, side.bank.nodes

        def describe(node: int) -> ItemDescription:
            tokens = bank.derived("node_tokens", partial(node_tokens, bank))
            return ItemDescription(bank.vocabulary[int(nodes.label[node])], tokens[node])

        return Items(nodes.offsets, key, counted, describe, np.arange(len(counted)))

    def match(left: Items, right: Items) -> BoolArray:
        return matching(left.key, right.key, pair.scored)

    def labels() -> ItemKeys:
        return ItemKeys(pair.gold.nodes.label, pair.candidate_codes(pair.candidate.nodes.label), pair.string)

    counted = candidate.label >= 0
    if not pair.are_scored:
        counted &= pair.scored.repeat(pair.candidate.nodes.lengths())
    return Compared(
        pair,
        items(gold, keys[0], gold.label >= 0),
        items(candidate, keys[1], counted),
        {"label": labels},
        also_counted or {},
        match=match,
        losing="nodes",
        known_matches=matched,
        known_sums=summed,
    )
