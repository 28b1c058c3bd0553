"""Pairs of gold files and parsed files: paired by what ``*`` stands for or by their order, and read."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from crossbank.treebanks.errors import CrossbankError, MissingFileError
from crossbank.treebanks.files import stars
from crossbank.treebanks.quantities import listed, quantity

if TYPE_CHECKING:
    from crossbank.treebanks import Treebank
    from crossbank.treebanks.chunks import ChunkedSource

NAMED = 3
"""The number of files that a message names."""


class FilePairs(NamedTuple):
    """Pairs of a gold file and a parsed file.

    remark  a sentence about the pairs where no names tell them; empty where names do
    """

    pairs: Sequence[tuple[str, str]]
    remark: str = ""


def file_pairs(gold: str, candidate: str) -> FilePairs:
    """Return the pairs that two names stand for; a name with ``*`` in it is all files that it matches.

    Files for which the stars stand for the same are a pair: ``gold/*.mrg`` and ``out/*.parsed.mrg``. If that
    is so for none, and there are as many files on both sides, the first goes with the first and so on. One
    file goes with all of the other side, and is in as many pairs.
    Raises CrossbankError if a name matches nothing, and where files are left without a partner.
    """
    if "*" not in gold and "*" not in candidate:
        return FilePairs([(gold, candidate)])
    golds, candidates = stars(gold), stars(candidate)
    for pattern, matches in ((gold, golds), (candidate, candidates)):
        if not matches:
            raise MissingFileError(pattern)
    partners = {names: path for path, names in candidates.items()}
    pairs = [(path, partners[names]) for path, names in golds.items() if names in partners]
    if pairs:
        alone = [path for path, names in golds.items() if names not in partners]
        known = set(golds.values())
        alone += [path for path, names in candidates.items() if names not in known]
        if alone:
            message = (
                f"{quantity(len(pairs), 'pair')} of the same name, but no partner for {listed(alone, NAMED)}"
            )
            raise CrossbankError(f"{gold} and {candidate}: {message}")
        return FilePairs(pairs)
    if (len(golds) > 1 and len(candidates) == 1) or (len(candidates) > 1 and len(golds) == 1):
        # One file has the sentences of all files on the other side.
        pairs = [(one, other) for one in golds for other in candidates]
        sides = [(golds, gold), (candidates, candidate)]
        (one, _), (many, pattern) = sides if len(golds) == 1 else sides[::-1]
        message = f"{quantity(len(many), 'file')} of {pattern} and one, {next(iter(one))}"
        return FilePairs(pairs, f"{message}: sentences are paired by order over all files")
    if len(golds) != len(candidates):
        message = f"{quantity(len(golds), 'file')} and {quantity(len(candidates), 'file')}"
        raise CrossbankError(f"{gold} and {candidate}: {message}, expected the same number on both sides")
    pairs = list(zip(golds, candidates, strict=True))
    if len(pairs) == 1:
        return FilePairs(pairs)
    named = listed([f"{one} with {other}" for one, other in pairs], NAMED)
    return FilePairs(pairs, f"{len(pairs)} pairs by order, since no names are alike: {named}")


def pairs_of_files(gold: str, candidate: str) -> Sequence[tuple[str, str]]:
    """Return the pairs that two names stand for; pairs by order are listed on stderr. See ``file_pairs``."""
    pairs, remark = file_pairs(gold, candidate)
    if remark:
        print(remark, file=sys.stderr)
    return pairs


class ScoredFiles(NamedTuple):
    """Pairs of files that were scored, and the number of sentences of each."""

    pairs: Sequence[tuple[str, str]]
    lengths: Sequence[int]

    @property
    def names(self) -> Sequence[str]:
        """A name for each pair: the file of gold, or the candidate's where gold is one file."""
        golds, candidates = zip(*self.pairs, strict=True)
        return golds if len(set(golds)) == len(golds) else candidates

    @property
    def description(self) -> str:
        """Their number, with what they are."""
        has_single = any(len(set(paths)) == 1 for paths in zip(*self.pairs, strict=True))
        return f"{len(self.pairs)} {'files' if has_single else 'pairs of files'}"


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

    @property
    def damaged(self) -> str | None:
        """What happens to damaged sentences; None for what gold and candidates have otherwise."""


class Formats(NamedTuple):
    """Formats and encoding of gold and a candidate; None if they are recognised."""

    format: str | None
    candidate_format: str | None
    encoding: str | None
    damaged: str | None = None


def sources_of(formats: HasFormats, pairs: Sequence[tuple[str, str]]) -> tuple[ChunkedSource, ChunkedSource]:
    """Return the files of gold as one source, and those of the candidate; each file is read once."""
    from crossbank.treebanks.damage.rules import policies
    from crossbank.treebanks.formats import chunked_files

    golds, candidates = (list(dict.fromkeys(paths)) for paths in zip(*pairs, strict=True))
    of_gold, of_candidate = policies(formats.damaged)
    gold = chunked_files(golds, formats.format, formats.encoding, damaged=of_gold)
    candidate = chunked_files(
        candidates,
        formats.candidate_format or formats.format,
        formats.encoding,
        damaged=of_candidate,
    )
    return gold, candidate


def read_both(
    formats: HasFormats, pairs: Sequence[tuple[str, str]], words: str = "same"
) -> tuple[Treebank, Treebank]:
    """Return gold and candidate, all pairs of files one after the other.

    words  the words that are compared: with others than the same, sentences may be cut differently

    Raises LengthMismatchError if a side of a pair has more sentences, and the same words are compared.
    """
    from crossbank.treebanks.chunks import aligned_chunks, aligned_treebanks
    from crossbank.treebanks.treebank import Treebank

    sources = sources_of(formats, pairs)
    if words != "same":
        return aligned_treebanks(*sources)
    gold, candidate = zip(*aligned_chunks(*sources), strict=True)
    return Treebank.concatenate(gold), Treebank.concatenate(candidate)
