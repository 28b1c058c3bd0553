"""Differences of gold and candidate in one sentence: nodes, tags and arcs."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum

from crossbank.metrics.pairing.pair import Pair
from crossbank.metrics.pairing.word_forms import canonical
from crossbank.treebanks import ROOT, UNATTACHED, Treebank


class Mark(StrEnum):
    """Result of comparing a node with the other tree.

    SAME        the other tree has a node with its label over the same words
    RELABELLED  the other tree has a node over the same words, with another label
    MISSING     gold's node, which the candidate does not have
    ADDITIONAL  the candidate's node, which gold does not have
    """

    SAME = "same"
    RELABELLED = "relabelled"
    MISSING = "missing"
    ADDITIONAL = "additional"


NO_HEAD = "none"


@dataclass(frozen=True)
class ComparedArc:
    """A word's head and relation in gold and candidate; a head is a word with its position."""

    position: int
    word: str
    gold_head: str
    gold_relation: str
    candidate_head: str
    candidate_relation: str

    @property
    def verdict(self) -> str:
        """What differs: ``head``, ``relation``, ``both``, or nothing (``same``)."""
        head = self.gold_head != self.candidate_head
        relation = self.gold_relation != self.candidate_relation
        return ("both" if relation else "head") if head else ("relation" if relation else "same")


def mark_nodes(pair: Pair, sentence: int) -> tuple[list[Mark], list[Mark]]:
    """Return a mark for each of gold's nodes and for each of the candidate's."""
    gold, candidate = (
        list(zip(map(canonical, bank.labels(sentence)), bank.yields(sentence), strict=True))
        for bank in (pair.gold, pair.candidate)
    )
    unmatched_gold, unmatched_candidate = (
        Counter(gold) - Counter(candidate),
        Counter(candidate) - Counter(gold),
    )
    over_gold = Counter(words for _, words in unmatched_gold.elements())
    over_candidate = Counter(words for _, words in unmatched_candidate.elements())
    return (
        _mark_tree(gold, unmatched_gold, over_candidate, Mark.MISSING),
        _mark_tree(candidate, unmatched_candidate, over_gold, Mark.ADDITIONAL),
    )


def _mark_tree(
    nodes: list[tuple[str, int]],
    unmatched: Counter[tuple[str, int]],
    other_yields: Counter[int],
    unmatched_mark: Mark,
) -> list[Mark]:
    """Return the marks of a tree's nodes; both counters are reduced.

    unmatched       nodes without an equal one in the other tree
    other_yields    yields of the other tree's nodes without an equal one
    unmatched_mark  the mark of a node whose yield the other tree does not have
    """
    marks = []
    for node in nodes:
        if unmatched[node] == 0:
            marks.append(Mark.SAME)
            continue
        unmatched[node] -= 1
        relabelled = other_yields[node[1]] > 0
        other_yields[node[1]] -= relabelled
        marks.append(Mark.RELABELLED if relabelled else unmatched_mark)
    return marks


def mark_tags(pair: Pair, sentence: int) -> list[bool]:
    """Return for each word whether gold and candidate tag it differently."""
    gold, candidate = (
        bank.vocabulary.decode(bank.tokens.pos[bank.tokens.rows(sentence)])
        for bank in (pair.gold, pair.candidate)
    )
    return [canonical(one) != canonical(other) for one, other in zip(gold, candidate, strict=True)]


def compare_arcs(pair: Pair, sentence: int) -> list[ComparedArc]:
    """Return the heads and relations of every word that has a head in gold or in the candidate."""
    words = pair.gold.words(sentence)
    gold, candidate = _named_heads(pair.gold, sentence), _named_heads(pair.candidate, sentence)
    all_arcs = [
        ComparedArc(index + 1, word, *gold[index], *candidate[index]) for index, word in enumerate(words)
    ]
    return [arc for arc in all_arcs if (arc.gold_head, arc.candidate_head) != (NO_HEAD, NO_HEAD)]


def _named_heads(bank: Treebank, sentence: int) -> list[tuple[str, str]]:
    rows, words = bank.tokens.rows(sentence), bank.words(sentence)
    named = {index: f"{word} {index + 1}" for index, word in enumerate(words)}
    heads = map({ROOT: "root", UNATTACHED: NO_HEAD, **named}.__getitem__, bank.tokens.head[rows].tolist())
    return list(zip(heads, bank.vocabulary.decode(bank.tokens.relation[rows]), strict=True))
