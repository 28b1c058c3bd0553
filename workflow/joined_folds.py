"""Files that are one treebank in numbered parts, such as the folds of a cross-validation, with their parses.

A parser that was trained ten times, each time without a tenth of the treebank, has parsed all of it: one
treebank with one candidate, and a test over all sentences, rather than ten treebanks.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from os.path import basename, splitext
from pathlib import Path
from typing import NamedTuple

from crossbank.reports.study.patterns import TREEBANK, plain
from crossbank.treebanks.errors import CrossbankError
from crossbank.treebanks.files import matching
from crossbank.workflow.proposed_patterns import by_treebank, distinct, names_of, varying_names, word_pattern

NUMBERED = re.compile(r"(.*?)([0-9]+)")
PART = re.compile(r"[-_.]?(fold|split|part)?[-_.]?\*", re.IGNORECASE)
"""The word that says what the number of a file is, and the star for the number."""


class JoinedFolds(NamedTuple):
    """Patterns in place of files.

    name        of the treebank
    gold        the pattern of its files
    candidates  patterns by name, each with the first file that it matches
    """

    name: str
    gold: str
    candidates: Mapping[str, tuple[str, str]]


def joined_folds(golds: Sequence[str], candidates: Sequence[str]) -> JoinedFolds | None:
    """Return the patterns of files of gold that differ by a number only; None if they are no such files.

    Each candidate must have a file for each of them.
    """
    if len(golds) < 2:
        return None
    names = varying_names(golds, candidates)[1]
    parts = [NUMBERED.fullmatch(name) for name in names]
    beginnings = {part and part[1] for part in parts}
    if None in beginnings or len(beginnings) > 1:
        return None
    try:
        own = by_treebank(names, candidates)
    except CrossbankError:
        return None
    starred = f"{beginnings.pop()}*"
    files = {word_pattern(name).sub(starred, path): path for name, path in zip(names, golds, strict=True)}
    patterns: dict[str, list[str]] = {}
    for name, paths in own.items():
        for path in paths:
            patterns.setdefault(word_pattern(name).sub(starred, path), []).append(path)
    every = {**{pattern: list(golds) for pattern in files}, **patterns}
    if len(files) > 1 or any(
        len(matches) != len(golds) or set(matching(pattern)) != set(matches)
        for pattern, matches in every.items()
    ):
        return None
    (gold,) = files
    called = [
        _name_of_candidate(pattern, name)
        for pattern, name in zip(patterns, names_of(list(patterns)), strict=True)
    ]
    first = ((pattern, matches[0]) for pattern, matches in patterns.items())
    return JoinedFolds(_name_of_treebank(gold), gold, dict(zip(distinct(called), first, strict=True)))


def numbered_alike(gold: str, candidates: Sequence[str]) -> list[str]:
    """Return the files that differ from gold by a number only, if the other files are numbered alike."""
    alike = [path for path in dict.fromkeys([gold, *candidates]) if _starred(path) == _starred(gold)]
    rest = [path for path in candidates if path not in alike]
    return alike if rest and joined_folds(alike, rest) is not None else [gold]


def _starred(path: str) -> str:
    return re.sub(r"[0-9]+", "*", path)


def _name_of_treebank(pattern: str) -> str:
    """Return what comes before the number and its word in the files' names, else the name of their folder."""
    beginning = PART.split(basename(pattern))[0].strip("-_.")
    return plain(beginning or Path(pattern).resolve().parent.name) or TREEBANK


def _name_of_candidate(pattern: str, name: str) -> str:
    """Return the name of the files without their number and its word; where nothing is left, their ending.

    name  the name that tells the pattern from others
    """
    stem, ending = splitext(basename(pattern).removesuffix(".gz"))
    if name != stem.replace("*", ""):
        return name
    return PART.sub("_", stem, count=1).strip("-_.") or ending.strip(".") or name
