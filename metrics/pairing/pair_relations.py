"""Gold and candidate lists of grammatical relations, sentence by sentence.

Such lists may lack the sentences' words. Sentences are paired by number where both sides have numbers, else
by order. Derivations have words, and a parser that counts its sentences does not know gold's names: where
both sides have words and no number in common, the order counts, too. Where both sides have a sentence's
words, the words must be the same.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from crossbank.metrics.pairing.pair import Pair, Status, file_of, refuse_other_number, word_status
from crossbank.treebanks import CrossbankError, Treebank
from crossbank.treebanks.arrays import BoolArray
from crossbank.treebanks.builder import TreebankBuilder


def pair_relations(
    gold: Treebank,
    candidate: Treebank,
    *,
    delete: BoolArray | None = None,
    align: bool = False,
    compare_words: bool = True,
) -> Pair:
    """Pair the sentences of two treebanks that have relations. No token is left out, and none is joined.

    A sentence has no parse if the candidate lacks it, or has no relation where gold has some. A sentence
    in which neither side has one is scored. ``compare_words`` is no where relations are between
    characters, whatever the tokens are.

    Raises CrossbankError where the candidate has a sentence that gold lacks, where a number stands
    twice, and, without numbers, where there are more or fewer sentences.
    """
    numbers, others = (bank.vocabulary.decode(bank.sentences.id) for bank in (gold, candidate))
    missing = np.zeros(len(gold), np.bool_)
    unnamed = len(gold.tokens) and len(candidate.tokens) and set(numbers).isdisjoint(others)
    if all(numbers) and all(others) and not unnamed:
        place = _places(candidate, others)
        known = _places(gold, numbers)
        for number, sentence in place.items():
            if number not in known:
                where = candidate.where(sentence)
                raise CrossbankError(f"{where}: sentence {number} is not in {file_of(gold)}")
        chosen = [place.get(number, len(candidate)) for number in numbers]
        missing = np.array(chosen) == len(candidate)
        if missing.any():
            # One sentence without tokens and relations, of the same file and history.
            builder = TreebankBuilder(file_of(candidate))
            builder.sentence()
            nothing = builder.build().replace(history=candidate.history)
            candidate = Treebank.concatenate([candidate, nothing])
        candidate = candidate.select(chosen)
    else:
        refuse_other_number(gold, candidate)
    status = np.full(len(gold), Status.SCORED, np.int8)
    if compare_words:
        status[word_status(gold, candidate) == Status.WORDS_DIFFER] = Status.WORDS_DIFFER
    found, expected = candidate.relations.lengths() > 0, gold.relations.lengths() > 0
    status[missing | (expected & ~found)] = Status.NO_PARSE
    return Pair(gold, candidate, status)


def _places(bank: Treebank, numbers: Sequence[str]) -> dict[str, int]:
    """Each number's sentence. Raises CrossbankError where a number stands twice."""
    place: dict[str, int] = {}
    for sentence, number in enumerate(numbers):
        if number in place:
            raise CrossbankError(f"{bank.where(sentence)}: sentence {number} comes a second time")
        place[number] = sentence
    return place
