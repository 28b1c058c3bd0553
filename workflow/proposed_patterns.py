"""Names of files in studies, and patterns that stand for files, as ``reports.study.patterns`` reads them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from os.path import basename, dirname, splitext
from pathlib import Path
from typing import NamedTuple

from crossbank.reports.study.model import GOLD
from crossbank.reports.study.patterns import SYSTEM, TREEBANK, expand_patterns, plain
from crossbank.treebanks.errors import CrossbankError
from crossbank.treebanks.files import STANDARD, matching

BOUNDARY = re.compile(r"[^A-Za-z0-9]")
WORDS = re.compile(r"((?!(?<=[A-Za-z]0)\.)[^A-Za-z0-9])")
"""The signs between the words of a name; ``lr0.1`` is one word."""

NUMBERED = ("seed", "run", "fold", "epoch", "step", "layers", "size", "lr")
"""Words before a number that say what it is."""

LARGE = 100
"""A number from which on one is a size of training data rather than a seed."""

MOST_EXCEPTIONS = 3
"""The number of candidates that a pattern may find besides those that are given."""


class Proposed(NamedTuple):
    """A pattern, and names that it finds and that were not given."""

    path: str
    exceptions: Sequence[str] = ()


def golds_among(gold: str, candidates: Sequence[str]) -> list[str]:
    """Return the files of gold where a shell has put them before those of candidates.

    They are in the folder of the first file, and names in other folders have theirs (``gold/*.mrg
    out/*.mrg``); or they have the name of the first, each in a folder with candidates (``*/gold.mrg
    */*.mrg``).
    """
    files = list(dict.fromkeys([gold, *candidates]))
    like_gold = [path for path in files if basename(path) == basename(gold)]
    folders = [{dirname(path) for path in some} for some in (like_gold, set(files).difference(like_gold))]
    if len(like_gold) > 1 and files[: len(like_gold)] == like_gold and folders[0] == folders[1]:
        return like_gold
    elsewhere = "\n".join(path for path in files if dirname(path) != dirname(gold))
    here = [path for path in files if dirname(path) == dirname(gold)]
    stems = {path: splitext(basename(path).removesuffix(".gz"))[0] for path in here}
    several = [path for path, stem in stems.items() if word_pattern(stem).search(elsewhere)]
    return several if gold in several else [gold]


def names_of(paths: Sequence[str]) -> list[str]:
    """Return the names of files; where these are alike, the parts in which their paths differ."""
    names = [name_of(path) for path in paths]
    if len(set(paths)) < len(paths) or (len(set(names)) == len(names) and GOLD not in names):
        return names
    parts = varying([splitext(path)[0] for path in paths])[1] if len(paths) > 1 else [""]
    return [
        part.strip("/") or Path(path).resolve().parent.name or name
        for part, path, name in zip(parts, paths, names, strict=True)
    ]


def name_of(path: str) -> str:
    """Return the name of a file without its ending; of all files of a folder, that of the folder."""
    if path == STANDARD:
        return "standard_input"
    name = Path(path.removesuffix(".gz")).stem.replace("*", "")
    return name if re.search(r"\w", name) else Path(path).parent.name or "treebank"


def distinct(names: Sequence[str]) -> list[str]:
    """Return the names that study files allow; one that is taken, or means gold, gets a number."""
    unique_names: list[str] = []
    for name in names:
        unique, number = plain(name), 1
        while unique in unique_names or unique == GOLD:
            number += 1
            unique = f"{plain(name)}_{number}"
        unique_names.append(unique)
    return unique_names


def varying(paths: Sequence[str]) -> tuple[str, list[str], str]:
    """Return the beginning and the end that paths share, and the parts between, cut at whole words."""
    prefix = _common(paths)
    prefix = prefix[: max((boundary.end() for boundary in BOUNDARY.finditer(prefix)), default=0)]
    rests = [path[len(prefix) :] for path in paths]
    suffix = _common([rest[::-1] for rest in rests])[::-1]
    boundary = BOUNDARY.search(suffix)
    suffix = suffix[boundary.start() :] if boundary else ""
    return prefix, [rest.removesuffix(suffix) for rest in rests], suffix


def _common(texts: Sequence[str]) -> str:
    first, last = min(texts), max(texts)
    return next(
        (first[:length] for length in range(len(first)) if last[: length + 1] != first[: length + 1]), first
    )


def treebanks_of(golds: Sequence[str], candidates: Sequence[str]) -> dict[str, str]:
    """Return the files of gold by the names of their treebanks: the part in which they differ."""
    if len(golds) == 1:
        return {basename(golds[0]).partition(".")[0] or TREEBANK: golds[0]}
    return dict(zip(varying_names(golds, candidates)[1], golds, strict=True))


def varying_names(golds: Sequence[str], candidates: Sequence[str]) -> tuple[str, list[str], str]:
    """Return the beginning and the end that files of gold share, and the names of treebanks between.

    Words that all of them end in, as in ``1testing`` and ``2testing``, do not belong to the names where
    candidates lack them.
    """
    prefix, names, suffix = varying(golds)
    ending = _common([name[::-1] for name in names])[::-1]
    numbered = [name.removesuffix(ending) for name in names]
    if not ending or any(word_pattern(name).search(path) for name in names for path in candidates):
        return prefix, names, suffix
    are_numbered = all(name[-1:].isdecimal() for name in numbered)
    return (prefix, numbered, ending + suffix) if are_numbered else (prefix, names, suffix)


def pattern_of_golds(golds: Sequence[str], candidates: Sequence[str]) -> str | None:
    """Return a pattern that matches the files of gold alone; None if there is none, or for one file."""
    prefix, names, suffix = varying_names(golds, candidates)
    if len(golds) == 1 or not all(names) or set(matching(f"{prefix}*{suffix}")) != set(golds):
        return None
    return f"{prefix}{{{TREEBANK}}}{suffix}"


def by_treebank(names: Iterable[str], candidates: Sequence[str]) -> dict[str, list[str]]:
    """Return the files of candidates by the treebanks that they name.

    Raises CrossbankError for one that names none.
    """
    longest = sorted(names, key=len, reverse=True)
    by_name: dict[str, list[str]] = {name: [] for name in names}
    for path in candidates:
        named = next((name for name in longest if word_pattern(name).search(path)), None)
        if named is None:
            raise CrossbankError(f"{path}: its name has none of the treebanks {', '.join(names)}")
        by_name[named].append(path)
    return by_name


def pattern_of_candidates(
    treebanks: Mapping[str, str], candidates: Mapping[str, Sequence[str]], gold: str | None
) -> Proposed | None:
    """Return a pattern that matches the candidates, and as few others as can be omitted by name.

    treebanks   files of gold by treebank
    candidates  files of candidates by treebank
    gold        the pattern of gold where there are several treebanks
    """
    several = len(treebanks) > 1
    written = [
        word_pattern(name).sub(f"{{{TREEBANK}}}", path) if several else path
        for name, paths in candidates.items()
        for path in paths
    ]
    distinct = list(dict.fromkeys(written))
    if len(distinct) < 2:
        return Proposed(distinct[0]) if distinct and several else None
    prefix, middles, suffix = varying([path.replace(f"{{{TREEBANK}}}", "\0") for path in distinct])
    for middle in _named(middles):
        path = f"{prefix}{middle}{suffix}".replace("\0", f"{{{TREEBANK}}}")
        if (exceptions := _found_besides(path, treebanks, candidates, gold)) is not None:
            return Proposed(path, exceptions)
    return None


def word_pattern(name: str) -> re.Pattern[str]:
    """Return the expression for a name between others; after a number letters may follow."""
    following = "0-9" if name[-1:].isdecimal() else "A-Za-z0-9"
    return re.compile(rf"(?<![A-Za-z0-9]){re.escape(name)}(?![{following}])")


def _named(parts: Sequence[str]) -> Iterator[str]:
    """Yield names in braces for the part in which paths differ, the most specific first.

    Numbers have names of their own.
    """
    words_of_parts = [WORDS.split(part) for part in parts]
    # Signs before the last ones that all have are in a word: self_attentive-100 and pcfg-100.
    alike = len(_common(["".join(words[1::2])[::-1] for words in words_of_parts]))
    ends = [len(words) - 2 * alike for words in words_of_parts]
    words_of_parts = [
        ["".join(words[:end]), *words[end:]] for words, end in zip(words_of_parts, ends, strict=True)
    ]
    columns = list(zip(*words_of_parts, strict=True))
    split = [_numbered(column) if len(set(column)) > 1 else (column[0], None) for column in columns]
    numbered = alike and all(rest is None or _are_numbers(rest) for _, rest in split[1:])
    if numbered or set(ends) == {1}:
        # Of several numbers the largest is a size.
        most = sorted(max(map(float, rest)) for _, rest in split if rest and _are_numbers(rest))
        large = min([LARGE, *most[1:][-1:]])
        names: list[str] = []
        for word, rest in split:
            names.append(word if rest is None else f"{word}{{{_name(rest, names, word, large)}}}")
        yield "".join(names)
    if not any("/" in part for part in parts):
        yield f"{{{SYSTEM}}}"


def _are_numbers(column: Sequence[str]) -> bool:
    return all(re.fullmatch(r"[0-9]+(\.[0-9]+)?", value) for value in column)


def _numbered(column: Sequence[str]) -> tuple[str, Sequence[str]]:
    """Return the word before the numbers of ``seed1`` and ``seed2``, if it tells something, and these."""
    matches = [re.fullmatch(r"([A-Za-z]+)([0-9]+(?:\.[0-9]+)?)", value) for value in column]
    words, numbers = {match and match[1] for match in matches}, [match[2] for match in matches if match]
    (word, *further) = words
    if word is None or further:
        return "", column
    large = max(map(float, numbers)) >= LARGE
    return (word, numbers) if large or word.lower() in NUMBERED else ("", column)


def _name(column: Sequence[str], taken: Sequence[str], word: str, large: float) -> str:
    name = SYSTEM
    if _are_numbers(column):
        name = "training_size" if max(map(float, column)) >= large else "seed"
        name = word.lower() if word.lower() in NUMBERED else name
    number = sum(part.partition("{")[2].strip("}0123456789") == name for part in taken)
    return f"{name}{number + 1}" if number else name


def _found_besides(
    path: str, treebanks: Mapping[str, str], candidates: Mapping[str, Sequence[str]], gold: str | None
) -> Sequence[str] | None:
    """Return the names that a pattern matches besides the candidates; None unless it matches all of these."""
    listed: object = {"path": gold}
    if gold is None:
        listed = [{"name": name, "gold": {"path": file}} for name, file in treebanks.items()]
    # A folder of gold is no candidate, and must be omitted by its name.
    for left_out in ([], [GOLD]):
        pattern = {"path": path, **({"except": left_out} if left_out else {})}
        try:
            matched = expand_patterns({"treebanks": listed, "candidates": pattern}, "")["treebanks"]
        except CrossbankError:
            continue
        expected_files = {file for files in candidates.values() for file in files}
        every = {one["path"]: one["name"] for entry in matched for one in entry["candidates"]}
        besides = {name for file, name in every.items() if file not in expected_files}
        expected_names = {name for file, name in every.items() if file in expected_files}
        if (
            expected_files <= every.keys()
            and not besides & expected_names
            and len(besides) <= MOST_EXCEPTIONS
        ):
            return [*left_out, *sorted(besides)]
    return None
