"""Arcs of gold and the candidate, as spaCy's ``Scorer.score_deps`` compares them.

An arc of the candidate is written with gold's words. A word or a head that is aligned with several of gold's
words makes a wrong arc. Two words of the candidate within one of gold's make one arc if they say the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Set
from dataclasses import dataclass

import numpy as np

from crossbank.compat.spacy.alignment import AlignedWords, align
from crossbank.compat.spacy.dependency_files import relations_of
from crossbank.treebanks import Treebank
from crossbank.treebanks.arrays import BoolArray, Int64Array

Arc = tuple[int, int, str]


@dataclass(frozen=True, eq=False)
class Arcs:
    """Arcs as (word, head, relation), the root being its own head.

    gold, candidate  distinct arcs
    unaligned        gold's word, for each arc of the candidate without a word or head of gold
    """

    gold: frozenset[Arc]
    candidate: frozenset[Arc]
    unaligned: Int64Array

    def columns(self) -> dict[str, Int64Array]:
        """Return gold's word for each arc and for each right one, with relation (labelled) or without."""
        pairs = {(word, head) for word, head, _ in self.candidate}
        heads = pairs & {(word, head) for word, head, _ in self.gold}
        words = {
            "gold": [word for word, _, _ in self.gold],
            "candidate": [*(word for word, _, _ in self.candidate), *self.unaligned.tolist()],
            "candidate_heads": [*(word for word, _ in pairs), *self.unaligned.tolist()],
            "heads": [word for word, _ in heads],
            "labelled": [word for word, _, _ in self.gold & self.candidate],
        }
        return {name: np.array(listed, np.int64) for name, listed in words.items()}

    def by_relation(self) -> dict[str, tuple[int, int, int]]:
        """Return the number of right arcs, of gold's and of the candidate's, by relation."""
        right, gold, candidate = (
            Counter(name for _, _, name in arcs)
            for arcs in (self.gold & self.candidate, self.gold, self.candidate)
        )
        return {name: (right[name], gold[name], candidate[name]) for name in gold | candidate}


def compare(gold: Treebank, candidate: Treebank, ignore: Set[str]) -> Arcs:
    """Return the arcs of two files. Raises CrossbankError where the letters of the words differ.

    ignore  relations in lower case: words with them make no arc
    """
    aligned = align(gold, candidate)
    own, other = ([name.lower() for name in relations_of(bank)] for bank in (gold, candidate))
    counted = np.array([name not in ignore and name != "" for name in own], np.bool_)
    guessed = np.array([name not in ignore for name in other], np.bool_) & (aligned.number > 0)
    guessed &= ~_missing(gold, candidate, aligned, np.array([name == "" for name in own], np.bool_))
    heads, head = _heads(gold), _heads(candidate)
    one = aligned.number == 1
    known = guessed & one & one[head]
    rows, other_rows = np.flatnonzero(counted).tolist(), np.flatnonzero(known).tolist()
    first, first_of_head = aligned.first.tolist(), aligned.first[head].tolist()
    return Arcs(
        frozenset((row, int(heads[row]), own[row]) for row in rows),
        frozenset((first[row], first_of_head[row], other[row]) for row in other_rows),
        aligned.first[guessed & ~known],
    )


def _heads(bank: Treebank) -> Int64Array:
    """Return the row of each word's head, and a root's own row."""
    tokens = bank.tokens
    begins = tokens.offsets[:-1].astype(np.int64)[tokens.sentence_of_row()]
    return np.where(tokens.head >= 0, begins + tokens.head, np.arange(len(tokens)))


def _missing(gold: Treebank, candidate: Treebank, aligned: AlignedWords, bare: BoolArray) -> BoolArray:
    """Return a mask of the candidate's words that are left out for gold's words without a relation.

    The Scorer remembers the index of such a word, and leaves out the words with this index in all later
    sentences as well.

    bare  which words of gold have no relation
    """
    missing = np.zeros(len(aligned.first), np.bool_)
    if not bare.any():
        return missing
    same = len(gold) == len(candidate)
    same = same and bool(
        (gold.tokens.sentence_of_row()[aligned.first] == candidate.tokens.sentence_of_row()).all()
    )
    sentence = gold.tokens.sentence_of_row() if same else np.zeros(len(bare), np.int64)
    index = gold.tokens.indices() if same else np.arange(len(bare))
    since = np.full(int(index.max()) + 1, len(gold) + 1, np.int64)
    np.minimum.at(since, index[bare], sentence[bare])
    one = aligned.number == 1
    words = aligned.first[one]
    missing[one] = since[index[words]] <= sentence[words]
    return missing
