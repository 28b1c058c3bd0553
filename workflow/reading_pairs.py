"""Pairs of files of gold and a candidate, read at the same time."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from crossbank.treebanks import Treebank


class HasFormats(Protocol):
    """Whatever says how gold and candidates are read: the arguments of a command."""

    @property
    def format(self) -> str | None:
        """Format of all files."""

    @property
    def candidate_format(self) -> str | None:
        """Format of the candidate's, if it differs."""

    @property
    def encoding(self) -> str | None:
        """Encoding of all files."""


class Formats(NamedTuple):
    """Formats and encoding of gold and a candidate; None where they are recognised."""

    format: str | None
    candidate_format: str | None
    encoding: str | None


def read_both(
    formats: HasFormats, pairs: Sequence[tuple[str, str]], *, text: bool = False
) -> tuple[Treebank, Treebank, Sequence[int]]:
    """Gold, candidate and the number of sentences of each pair of files, all pairs one after the other.

    text  whether sentences may be cut differently, as long as the text is the same

    Raises CrossbankError where one of several pairs has more sentences on one side.
    """
    from crossbank.treebanks.formats import read
    from crossbank.treebanks.ranges import side_by_side, work
    from crossbank.treebanks.treebank import Treebank

    of_sides = formats.format, formats.candidate_format or formats.format
    # A file that goes with several is read once.
    sides = [dict.fromkeys(paths) for paths in zip(*pairs, strict=True)]
    files = [(path, format) for paths, format in zip(sides, of_sides, strict=True) for path in paths]
    with work("reading", len(files), "files") as reading:

        def read_one(path: str, format: str | None) -> Treebank:
            bank = read(path, format, encoding=formats.encoding)
            reading.add()
            return bank

        banks = side_by_side([partial(read_one, *file) for file in files])
    gold, candidates = banks[: len(sides[0])], banks[len(sides[0]) :]
    lengths = [_sentences(bank) for bank in (gold if len(gold) == len(pairs) else candidates)]
    if not text:
        require_lengths(pairs, lengths, candidates)
    return Treebank.concatenate(gold), Treebank.concatenate(candidates), lengths


def require_lengths(
    pairs: Sequence[tuple[str, str]], lengths: Sequence[int], candidates: Sequence[Treebank]
) -> None:
    """Raise CrossbankError where a candidate's file has not as many sentences as its file of gold.

    lengths     the numbers of gold's sentences
    candidates  the candidate's files; nothing is asked of one file, in one pair or in several
    """
    if len(candidates) < 2 or len({gold for gold, _ in pairs}) < 2:
        return
    for (gold, candidate), expected, bank in zip(pairs, lengths, candidates, strict=True):
        if (found := _sentences(bank)) != expected:
            from crossbank.treebanks.errors import CrossbankError
            from crossbank.treebanks.quantities import quantity

            raise CrossbankError(f"{candidate} has {quantity(found, 'sentence')}, {gold} has {expected:,}")


def _sentences(bank: Treebank) -> int:
    """Return the number of sentences, each with one analysis or several."""
    return int((bank.sentences.analysis == 0).sum())
