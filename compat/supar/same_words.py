"""Two files of dependencies with the same words, for programs that compare word by word."""

from __future__ import annotations

from crossbank.compat.spacy.dependency_files import read_dependencies
from crossbank.metrics.modes.protocol import Call
from crossbank.metrics.pairing.pair import Status, have_same_words, word_status
from crossbank.treebanks import Treebank
from crossbank.treebanks.errors import CrossbankError


def read_same_words(call: Call) -> tuple[Treebank, Treebank]:
    """Read gold and candidate.

    Raises CrossbankError if a file has no dependencies, or if a sentence has other words.
    """
    gold, candidate = call.read_both(read_dependencies)
    if len(gold) != len(candidate):
        raise CrossbankError(
            f"{call.candidate}: {len(candidate):,} sentences, expected {len(gold):,} as in {call.gold}"
        )
    if not have_same_words(gold, candidate):
        status = word_status(gold, candidate)
        index = int((status != Status.SCORED).argmax())
        raise CrossbankError(
            f"{candidate.where(index)}: other words than {gold.where(index)}, expected the same"
        )
    return gold, candidate
