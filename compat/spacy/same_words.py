"""Two files of dependencies with the same words, for programs that compare word by word."""

from __future__ import annotations

from crossbank.metrics.modes.protocol import Call, Path
from crossbank.metrics.pairing.pair import Status, have_same_words, word_status
from crossbank.treebanks import Treebank
from crossbank.treebanks.errors import CrossbankError


def read_same_words(call: Call) -> tuple[Treebank, Treebank]:
    """Read gold and candidate.

    Raises CrossbankError if a file has no dependencies, or if a sentence has other words.
    """
    gold, candidate = call.read_both(_read)
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


def relations_of(bank: Treebank) -> list[str]:
    """Return the relation of each word."""
    return bank.vocabulary.decode(bank.tokens.relation)


def _read(path: Path, format: str, encoding: str | None) -> Treebank:
    from crossbank.treebanks.formats import read

    bank = read(path, format, encoding=encoding)
    if not bank.has_dependencies:
        raise CrossbankError(f"{bank.where(0)}: there are no dependencies")
    return bank
