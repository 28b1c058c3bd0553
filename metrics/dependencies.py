"""Dependencies: heads and relations of words, and triples of word, tag and head.

Attachment scores as in Buchholz and Marsi (2006): CoNLL-X Shared Task on Multilingual Dependency Parsing.
Precision and recall of triples after Lin (1998), as Rehbein and van Genabith (2007), section 3.3, use them. A
word without a head (of a partial parse, or left out by a conversion) has no triple. Where only the candidate
lacks heads, recall falls and precision does not. The partial parses of Kübler and Telljohann (2002), section
5, are scored in this way.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar, Literal

import numpy as np

from crossbank.metrics.arcs.breakdowns import (
    BY_KIND,
    OF_ARCS,
    OF_UNLABELLED_ARCS,
    TITLES,
    TREES,
    parts_of_arcs,
    parts_of_trees,
)
from crossbank.metrics.arcs.tree_faults import CYCLE, ROOTS, tree_faults
from crossbank.metrics.counting.counts import Counts, Measure, precision_recall_f1, ratio
from crossbank.metrics.counting.metric import Item, Losses, Metric
from crossbank.metrics.counting.tally import by_sentence
from crossbank.metrics.pairing.pair import Pair, pair
from crossbank.treebanks import ROOT, UNATTACHED, Treebank
from crossbank.treebanks.arrays import BoolArray

OF_RELATIONS = ("las", "label_accuracy")
"""The measures that compare relations whatever the options say of triples."""

COMPLETE = ("exact", "unlabelled_exact")
"""The measures of whole sentences."""


@dataclass(frozen=True)
class Dependencies(Metric):
    """Attachment scores, and precision and recall of triples.

    labels    whether a triple's relation must match; if not, triples are unlabelled
    tags      whether the word's tag is part of its triple: WORD POS HEAD
    subtypes  whether relations are compared whole; if not, they are cut at the first ``:``
    roots     whether being a root counts as a dependency. If not, a word without a governor has no triple, as
              in Kübler and Telljohann (2002), where the parts of a partial parse are several roots

    Tokens that ``delete`` leaves out have no triple. They remain as heads of other words and in distances, as
    punctuation does for ``eval.pl`` and ``eval07.pl``.

    Attachment scores and label accuracy do not depend on ``tags``. They are proportions of the words that
    have a head in gold. Without ``labels`` there is no LAS and no label accuracy, since they say nothing
    about a parser that gives no relations. Where one side has no relations, they are not compared, whatever
    ``labels`` says; the signature and a note tell so.
    """

    labels: bool = True
    tags: bool = False
    subtypes: bool = True
    roots: bool = True

    name: ClassVar[str] = "dependencies"
    version: ClassVar[str] = "1.2"
    papers: ClassVar[tuple[str, ...]] = ("buchholz-marsi-2006", "lin-1998")
    view: ClassVar[str] = "dependencies"
    title: ClassVar[str] = "Dependencies"
    micro_averaged: ClassVar[bool] = True
    headline: ClassVar[tuple[str, ...]] = ("las", "f1")
    compared: ClassVar[tuple[str, ...]] = ("precision", "recall", "uas", "las")
    part_titles: ClassVar[Mapping[str, str]] = TITLES
    measures: ClassVar[tuple[Measure, ...]] = (
        Measure(
            "uas",
            lambda sums: ratio(sums["heads"], sums["gold"], sums["candidate"]),
            "words with the right head / words with a head in gold",
            title="UAS",
        ),
        Measure(
            "las",
            lambda sums: ratio(sums["labelled"], sums["gold"], sums["candidate"]),
            "words with the right head and relation / words with a head in gold",
            title="LAS",
        ),
        Measure(
            "label_accuracy",
            lambda sums: ratio(sums["relations"], sums["gold"], sums["candidate"]),
            "words with the right relation / words with a head in gold",
        ),
        *precision_recall_f1("gold", "candidate", "matched", "triples"),
        Measure(
            "exact",
            lambda sums: ratio(sums["exact"], sums["rows"]),
            "sentences whose triples are all the same / sentences",
        ),
        Measure(
            "unlabelled_exact",
            lambda sums: ratio(sums["unlabelled_exact"], sums["rows"]),
            "sentences whose heads are all the same / sentences",
        ),
    )
    part_measures: ClassVar[Mapping[str, tuple[Measure, ...]]] = {
        **dict.fromkeys(("relation", "direction", "distance", "projectivity"), BY_KIND),
        "confusion": tuple(measure for measure in measures if measure.name == "uas"),
        TREES: tuple(m for m in measures if m.name in ("uas", *OF_RELATIONS, *COMPLETE)),
    }

    @staticmethod
    def pair(
        gold: Treebank, candidate: Treebank, *, delete: BoolArray | None = None, align: bool = False
    ) -> Pair:
        """Gold and candidate sentence by sentence. Tokens that are left out remain, without a head."""
        return pair(gold, candidate, delete=delete, align=align, leave_out=_unattached)

    def counts(self, pair: Pair) -> Counts:
        """Words with a head on either side, with the right head, relation, both, and right triples."""
        self.require_view(pair)
        if self.labels and (without := _without_relations(pair)):
            unlabelled = replace(self, labels=False).counts(pair)
            return replace(unlabelled, notes={**unlabelled.notes, **without})
        compared = self._compared(pair)
        words = self.words(compared)
        columns = {name: by_sentence(pair.gold.tokens.offsets, counted) for name, counted in words.items()}
        for measure, matched in zip(COMPLETE, ("matched", "heads"), strict=True):
            same = (columns[matched] == columns["gold"]) & (columns[matched] == columns["candidate"])
            columns[measure] = (pair.scored & same).astype(np.float64)
        kinds = OF_ARCS if self.labels else OF_UNLABELLED_ARCS
        return Counts(
            self.signature(pair),
            self.measures if self.labels else _unlabelled(self.measures),
            pair.sentence_ids(),
            pair.status,
            columns,
            {
                **{part: partial(parts_of_arcs, part, compared, words) for part in kinds},
                TREES: partial(parts_of_trees, compared, columns),
            },
            notes=_notes(pair),
        )

    def losses(self, pair: Pair) -> Losses:
        """The words with a head in gold; those lose whose triple the candidate lacks."""
        metric = replace(self, labels=False) if self.labels and _without_relations(pair) else self
        words = metric.words(metric._compared(pair))
        counted = words["gold"] & np.repeat(pair.scored, pair.gold.tokens.lengths())
        return Losses("tokens", counted, np.where(words["matched"], 0.0, 1.0))

    def items(self, pair: Pair, sentence: int) -> list[Item]:
        """The triples of a sentence, word by word: those in common, or gold's and then the candidate's."""
        one = self._compared(pair.select([sentence]))
        words = self.words(one)
        found = []
        for word in range(len(one.gold.tokens)):
            gold = _arc(one.gold, word)
            candidate = _arc(one.candidate, word) if one.scored[0] else ""
            if words["matched"][word]:
                found.append(_item(one.gold, word, "both", gold, candidate))
                continue
            if words["gold"][word]:
                found.append(_item(one.gold, word, "gold", gold, candidate))
            if words["candidate"][word]:
                found.append(_item(one.candidate, word, "candidate", gold, candidate))
        return found

    def _compared(self, pair: Pair) -> Pair:
        """The pair with its relations as they are compared."""
        if self.subtypes:
            return pair
        gold, candidate = (
            bank.with_strings("tokens", "relation", lambda relation: relation.partition(":")[0])
            for bank in (pair.gold, pair.candidate)
        )
        return replace(pair, gold=gold, candidate=candidate)

    def words(self, pair: Pair) -> dict[str, BoolArray]:
        """Masks of the words of gold that count in each column, each of shape ``(gold tokens,)``."""
        gold, candidate = pair.gold.tokens, pair.candidate.tokens
        head = pair.aligned(candidate.head, UNATTACHED)
        in_gold, in_candidate = gold.head != UNATTACHED, head != UNATTACHED
        if not self.roots:
            in_gold, in_candidate = in_gold & (gold.head != ROOT), in_candidate & (head != ROOT)
        heads = in_gold & (head == gold.head)
        relation = pair.aligned(pair.candidate_codes(candidate.relation), 0)
        relations = in_gold & in_candidate & (relation == gold.relation)
        matched = heads & relations if self.labels else heads
        if self.tags:
            matched = matched & (pair.aligned(pair.candidate_codes(candidate.pos), 0) == gold.pos)
        return {
            "gold": in_gold,
            "candidate": in_candidate,
            "heads": heads,
            "relations": relations,
            "labelled": heads & relations,
            "matched": matched,
        }


NO_RELATIONS = frozenset(("", "dep", "root", "punct"))
"""The names that conversions give to unknown relations, to roots and to punctuation."""


def names_relations(bank: Treebank) -> bool:
    """True if a word has another relation than those that conversions give to what they cannot name."""
    return not set(bank.vocabulary.decode(np.unique(bank.tokens.relation))) <= NO_RELATIONS


def _without_relations(pair: Pair) -> dict[str, int]:
    """A note with the number of words of a side that has no relations; empty where both sides have some."""
    for side, bank in (("gold", pair.gold), ("the candidate", pair.candidate)):
        heads = int((bank.tokens.head != UNATTACHED).sum())
        if heads and not names_relations(bank):
            return {f"words of {side}, which has no relations: relations are not compared": heads}
    return {}


def _unlabelled(measures: Sequence[Measure]) -> tuple[Measure, ...]:
    """The measures that do not look at relations, those of triples named as unlabelled."""
    return tuple(
        replace(measure, title=f"unlabelled {measure.heading}")
        if measure.name in ("precision", "recall", "f1")
        else measure
        for measure in measures
        if measure.name not in OF_RELATIONS
    )


def _notes(pair: Pair) -> dict[str, int]:
    """The number of the candidate's sentences that are not trees. Their arcs are compared nevertheless."""
    tokens = pair.candidate.tokens
    faults = tree_faults(tokens.offsets, tokens.head)[pair.scored]
    found = {"a cycle": int((faults == CYCLE).sum()), "several roots": int((faults == ROOTS).sum())}
    return {f"sentences of the candidate with {what}": count for what, count in found.items() if count}


def _unattached(bank: Treebank, tokens: BoolArray, step: str) -> Treebank:
    """The treebank whose tokens of a mask have no head and no relation."""
    head = np.where(tokens, UNATTACHED, bank.tokens.head).astype(np.int32)
    relation = np.where(tokens, 0, bank.tokens.relation).astype(np.int32)
    return bank.replace(tokens=bank.tokens.replace(head=head, relation=relation))


def _item(
    bank: Treebank, word: int, side: Literal["gold", "candidate", "both"], gold: str, other: str
) -> Item:
    """A triple of a treebank of one sentence; its tokens are the word and, if it has one, its head."""
    head = int(bank.tokens.head[word])
    return Item(
        kind="arc",
        label=bank.vocabulary[int(bank.tokens.relation[word])],
        tokens=(word,) if head == ROOT else (word, head),
        side=side,
        matched=side == "both",
        score=float(side == "both"),
        gold=gold,
        candidate=other,
    )


def _arc(bank: Treebank, word: int) -> str:
    """A word's relation and head, such as ``nsubj saw-2``. A root's head is ``-``, as in Lin (1998)."""
    head = int(bank.tokens.head[word])
    if head == UNATTACHED:
        return ""
    relation = bank.vocabulary[int(bank.tokens.relation[word])]
    form = "-" if head == ROOT else f"{bank.vocabulary[int(bank.tokens.form[head])]}-{head + 1}"
    return f"{relation} {form}".strip()
