"""Pairs of gold files and parsed files, by what ``*`` stands for in their names or by their order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from crossbank.treebanks.errors import CrossbankError
from crossbank.treebanks.files import stars
from crossbank.treebanks.quantities import listed, quantity

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
    Raises CrossbankError where a name matches nothing, and where files are left without a partner.
    """
    if "*" not in gold and "*" not in candidate:
        return FilePairs([(gold, candidate)])
    ours, theirs = stars(gold), stars(candidate)
    for pattern, found in ((gold, ours), (candidate, theirs)):
        if not found:
            raise CrossbankError(f"{pattern}: no such file")
    partners = {names: path for path, names in theirs.items()}
    pairs = [(path, partners[names]) for path, names in ours.items() if names in partners]
    if pairs:
        alone = [path for path, names in ours.items() if names not in partners]
        known = set(ours.values())
        alone += [path for path, names in theirs.items() if names not in known]
        if alone:
            said = (
                f"{quantity(len(pairs), 'pair')} of the same name, but no partner for {listed(alone, NAMED)}"
            )
            raise CrossbankError(f"{gold} and {candidate}: {said}")
        return FilePairs(pairs)
    if (len(ours) > 1 and len(theirs) == 1) or (len(theirs) > 1 and len(ours) == 1):
        # One file has the sentences of all files on the other side.
        pairs = [(one, other) for one in ours for other in theirs]
        sides = [(ours, gold), (theirs, candidate)]
        (one, _), (many, pattern) = sides if len(ours) == 1 else sides[::-1]
        said = f"{quantity(len(many), 'file')} of {pattern} and one, {next(iter(one))}"
        return FilePairs(pairs, f"{said}: sentences are paired by order over all files")
    if len(ours) != len(theirs):
        said = f"{quantity(len(ours), 'file')} and {quantity(len(theirs), 'file')}"
        raise CrossbankError(f"{gold} and {candidate}: {said}, expected the same number on both sides")
    pairs = list(zip(ours, theirs, strict=True))
    if len(pairs) == 1:
        return FilePairs(pairs)
    told = listed([f"{one} with {other}" for one, other in pairs], NAMED)
    return FilePairs(pairs, f"{len(pairs)} pairs by order, since no names are alike: {told}")
