"""Gold and candidate lists of grammatical relations, sentence by sentence.

Such lists may lack the sentences' words. Sentences are paired by number where the candidate's numbers are
gold's, else by order, as trees are: a parser that counts its sentences does not know gold's names. Where both
sides have a sentence's words, the words must be the same.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from crossbank.metrics.pairing.pair import Pair, Status, file_of, refuse_other_number, word_status
from crossbank.treebanks import CrossbankError, Treebank
from crossbank.treebanks.arrays import BoolArray
from crossbank.treebanks.builder import TreebankBuilder
from crossbank.treebanks.diagnosis import NO_PARSE_MESSAGES


def pair_relations(
    gold: Treebank,
    candidate: Treebank,
    *,
    delete: BoolArray | None = None,
    align: bool = False,
    compare_words: bool = True,
    parse_has_relations: bool = False,
) -> Pair:
    """Pair the sentences of two treebanks that have relations. No token is omitted, and none is joined.

    A sentence has no parse if the candidate lacks it, if the candidate has neither words nor relations and
    gold has some, or if a message of the parser says so. Words without relations are a parse.

    compare_words        whether words are compared; not for relations between characters
    parse_has_relations  whether every parse has relations, as graphs do, so that none means no parse

    Raises CrossbankError if the candidate has a number that gold lacks, where a number occurs twice, and,
    without numbers, where there are more or fewer sentences.
    """
    numbers, candidate_numbers = (bank.vocabulary.decode(bank.sentences.id) for bank in (gold, candidate))
    missing = np.zeros(len(gold), np.bool_)
    if _paired_by_number(gold, candidate, numbers, candidate_numbers):
        sentence_of = _sentences_by_number(candidate, candidate_numbers)
        known = _sentences_by_number(gold, numbers)
        for number, sentence in sentence_of.items():
            if number not in known:
                where = candidate.where(sentence)
                raise CrossbankError(f"{where}: sentence {number} is not in {file_of(gold)}")
        chosen = [sentence_of.get(number, len(candidate)) for number in numbers]
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
    words = word_status(gold, candidate)
    if compare_words:
        status[words == Status.WORDS_DIFFER] = Status.WORDS_DIFFER
    expected, related = (bank.relations.lengths() > 0 for bank in (gold, candidate))
    if parse_has_relations:
        missing |= expected & ~related
    else:
        missing |= ~related & (candidate.tokens.lengths() == 0) & (expected | (gold.tokens.lengths() > 0))
        for entry in candidate.diagnosis:
            if entry.event == NO_PARSE_MESSAGES:
                missing |= expected & ~related & (entry.counts > 0)
        if len(gold.tokens):
            status[(words == Status.NO_GOLD) & ~expected & (related | ~missing)] = Status.NO_GOLD
    status[missing] = Status.NO_PARSE
    return Pair(gold, candidate, status)


def _paired_by_number(
    gold: Treebank, candidate: Treebank, numbers: Sequence[str], candidate_numbers: Sequence[str]
) -> bool:
    """Return whether sentences are paired by number, since they may be missing or in another order.

    Numbers of which gold has only some are an error, unless words show whether the order is right.
    """
    if not (all(numbers) and all(candidate_numbers)):
        return False
    unknown = set(candidate_numbers).difference(numbers)
    return not unknown or (
        len(unknown) < len(candidate_numbers) and not (len(gold.tokens) and len(candidate.tokens))
    )


def _sentences_by_number(bank: Treebank, numbers: Sequence[str]) -> dict[str, int]:
    """Return the sentence of each number. Raises CrossbankError if a number occurs twice."""
    sentence_of: dict[str, int] = {}
    for sentence, number in enumerate(numbers):
        if number in sentence_of:
            raise CrossbankError(f"{bank.where(sentence)}: sentence {number} comes a second time")
        sentence_of[number] = sentence
    return sentence_of
