"""Pairs of files of gold and a candidate, read at the same time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from crossbank.treebanks import Treebank
    from crossbank.treebanks.chunks import ChunkedSource


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


def sources_of(formats: HasFormats, pairs: Sequence[tuple[str, str]]) -> tuple[ChunkedSource, ChunkedSource]:
    """Return the files of gold as one source, and those of the candidate; each file is read once."""
    from crossbank.treebanks.in_memory.sources import chunked_files

    golds, candidates = (list(dict.fromkeys(paths)) for paths in zip(*pairs, strict=True))
    gold = chunked_files(golds, formats.format, formats.encoding)
    candidate = chunked_files(candidates, formats.candidate_format or formats.format, formats.encoding)
    return gold, candidate


def read_both(formats: HasFormats, pairs: Sequence[tuple[str, str]]) -> tuple[Treebank, Treebank]:
    """Return gold and candidate, all pairs of files one after the other.

    Raises LengthMismatchError if a side of a pair has more sentences.
    """
    from crossbank.treebanks.chunks import aligned_chunks
    from crossbank.treebanks.treebank import Treebank

    gold, candidate = zip(*aligned_chunks(*sources_of(formats, pairs)), strict=True)
    return Treebank.concatenate(gold), Treebank.concatenate(candidate)
