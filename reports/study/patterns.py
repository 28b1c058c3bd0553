"""Treebanks and candidates by the names of their files: ``{data}/{system}/{treebank}.conllu``.

A name in braces stands for any part of a file's name or of a folder's. ``treebank`` names the treebank,
and the other names together the candidate. They are attributes of it as well: numbers are axes of the
report's charts, except those of ``system``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, TypeAlias

from crossbank.reports.study.addresses import is_address
from crossbank.treebanks.errors import OptionError
from crossbank.treebanks.files import matching
from crossbank.treebanks.yaml_nodes import YamlError, at

TREEBANK = "treebank"
SYSTEM = "system"
NAMED = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)\}")
NUMBER = re.compile(r"(?<![0-9.])([0-9]+(?:\.[0-9]+)?)([kKmM]?)(?![0-9A-Za-z])")
RESERVED = ("gold", "dependencies")
OF_PATTERN = ("path", "only", "except")

NamedFiles: TypeAlias = dict[str, tuple[str, dict[str, str]]]
"""Files by the names that a pattern gives them, each with what the names in braces stand for."""


def expand_patterns(content: Mapping[str, Any], file: str) -> dict[str, Any]:
    """Return a study with lists of treebanks and candidates instead of patterns.

    A candidate of some treebanks that has no file for another is listed there under ``missing``. A treebank
    that has candidates and no gold is listed under ``without_gold``. Raises YamlError if a pattern finds
    no file, or names nothing; where two files have one name; and where ``only`` or ``except`` names nothing
    that is there.
    """
    expanded = dict(content)
    shared, keys = expanded.pop("candidates", None), ["candidates"]
    data, treebanks = content.get("data"), content["treebanks"]
    golds: NamedFiles = {}
    if isinstance(treebanks, Mapping):
        if "candidates" in treebanks:
            shared, keys = treebanks["candidates"], ["treebanks", "candidates"]
        of_gold = _Pattern(treebanks, data, file, ["treebanks"])
        golds = of_gold.files([{}])[0]
        entries = [_treebank(treebanks, name, path) for name, (path, _) in of_gold.chosen([golds])[0].items()]
    else:
        entries = [dict(entry) for entry in treebanks]
    sharing = [] if shared is None else [entry for entry in entries if "candidates" not in entry]
    if isinstance(shared, Mapping):
        pattern = _Pattern(shared, data, file, keys)
        if sharing:
            pattern.add_candidates(sharing, golds)
        if golds and "only" not in treebanks and (without := pattern.without_gold(golds)):
            expanded["without_gold"] = without
    elif shared is not None:
        for entry in sharing:
            entry["candidates"] = shared
    for index, entry in enumerate(entries):
        if isinstance(entry.get("candidates"), Mapping):
            pattern = _Pattern(entry["candidates"], data, file, ["treebanks", index, "candidates"])
            pattern.add_candidates([entry], golds)
    if shared is not None:
        _list_missing(entries)
    return {**expanded, "treebanks": entries}


@dataclass(frozen=True)
class _Pattern:
    """A pattern of files' names as a study has it at some keys, with ``only`` and ``except``."""

    entry: Mapping[str, Any]
    data: str | None
    file: str
    keys: Sequence[str | int]

    def add_candidates(self, entries: Sequence[dict[str, Any]], golds: NamedFiles) -> None:
        """Add to treebanks the candidates whose files match the pattern for each of them."""
        known = [_known(entry["name"], golds) for entry in entries]
        further = {key: value for key, value in self.entry.items() if key not in OF_PATTERN}
        by_treebank = self.chosen(self.files(known))
        numbers = _Numbers([values for files in by_treebank for _, values in files.values()])
        for entry, files in zip(entries, by_treebank, strict=True):
            for name in RESERVED:
                if name in files:
                    advice = f"expected another name (or except: [{name}], which leaves it out)"
                    raise self._error(f"found the candidate {name!r} in {files[name][0]}, {advice}")
            entry["candidates"] = [
                {
                    "name": name,
                    "path": path,
                    **further,
                    "attributes": numbers.of(values),
                    "system": numbers.system_of(values),
                }
                for name, (path, values) in files.items()
            ]

    def files(self, known: Sequence[Mapping[str, str]]) -> list[NamedFiles]:
        """Return the files for each treebank, of which some values are known.

        Raises YamlError if there are no files at all.
        """
        by_treebank: list[NamedFiles] = []
        for values in known:
            files: NamedFiles = {}
            for path, named in self._files(values):
                name = plain("-".join(named.values()))
                if name in files and self._is_chosen(name):
                    raise self._error(f"{files[name][0]} and {path} both have the name {name!r}")
                files[name] = (path, named)
            by_treebank.append(files)
        if known and not any(by_treebank):
            raise self._error(f"no such file: {self._written({})}", "path")
        return by_treebank

    def chosen(self, by_treebank: Sequence[NamedFiles]) -> list[NamedFiles]:
        """Return the files that ``only`` and ``except`` leave."""
        names = list(dict.fromkeys(chain.from_iterable(by_treebank)))
        for key in ("only", "except"):
            for index, name in enumerate(self.entry.get(key, ())):
                if name not in names:
                    raise self._error(str(OptionError("name", name, names)), key, index)
        chosen = [{name: files[name] for name in files if self._is_chosen(name)} for files in by_treebank]
        if not any(chosen):
            raise self._error("no file is left after the keys only and except")
        return chosen

    def without_gold(self, golds: NamedFiles) -> list[dict[str, Any]]:
        """Return the treebanks for which there are candidates and no gold, with the candidates."""
        of_gold = {path for name in golds for path, _ in self._files(_known(name, golds))}
        names = set(next(iter(golds.values()))[1]) | {TREEBANK}
        without: dict[str, list[str]] = {}
        for path, values in self._files({}):
            treebank = "-".join(value for name, value in values.items() if name in names)
            candidate = plain("-".join(value for name, value in values.items() if name not in names))
            if path not in of_gold and self._is_chosen(candidate):
                without.setdefault(treebank, []).append(candidate)
        return [{"treebank": treebank, "candidates": listed} for treebank, listed in without.items()]

    def _is_chosen(self, name: str) -> bool:
        return name in self.entry.get("only", [name]) and name not in self.entry.get("except", ())

    def _files(self, known: Mapping[str, str]) -> Iterator[tuple[str, dict[str, str]]]:
        """Yield the files that the pattern matches, with what its names stand for."""
        written = self._written(known)
        if not NAMED.search(written):
            message = f"found {self.entry['path']!r}, expected a name in braces besides {{data}}"
            raise self._error(message, "path")
        if is_address(written):
            advice = "expected a path: names in braces match no files on the web"
            raise self._error(f"found the address {written}, {advice}", "path")
        seen: set[str] = set()
        parts = []
        for index, part in enumerate(NAMED.split(written)):
            if index % 2 == 0:
                parts.append(re.escape(part).replace(r"\*", "[^/]*"))
            else:
                parts.append(f"(?P={part})" if part in seen else f"(?P<{part}>[^/]+?)")
                seen.add(part)
        expression = re.compile("".join(parts))
        for path in matching(NAMED.sub("*", written)):
            if match := expression.fullmatch(path):
                yield path, match.groupdict()

    def _written(self, known: Mapping[str, str]) -> str:
        """Return the path with the known values instead of names in braces."""
        written = str(self.entry["path"])
        if self.data is None and "{data}" in written:
            raise self._error(f"found {written!r}, expected the key data, for which {{data}} stands", "path")
        for name, value in {"data": self.data or "", **known}.items():
            written = written.replace(f"{{{name}}}", value)
        return written

    def _error(self, message: str, *keys: str | int) -> YamlError:
        return YamlError(at(self.file, [*self.keys, *keys], message))


class _Numbers:
    """Names in braces that stand for numbers in all files: ``500``, ``20k``, ``1.5M``, or ``n500``.

    ``system`` never does: ``sys01`` and ``sys02`` are candidates side by side and no points of a curve.
    """

    def __init__(self, of_files: Sequence[Mapping[str, str]]) -> None:
        names = dict.fromkeys(name for values in of_files for name in values)
        frames = {name: {NUMBER.sub("", values[name], count=1) for values in of_files} for name in names}
        numeric = {name: all(NUMBER.search(values[name]) for values in of_files) for name in names}
        self.names = [name for name in names if name != SYSTEM and numeric[name] and len(frames[name]) == 1]

    def system_of(self, values: Mapping[str, str]) -> str:
        """Return the name of a system with several files: the parts of their names that are not numbers."""
        return plain("-".join(value for name, value in values.items() if name not in self.names))

    def of(self, values: Mapping[str, str]) -> dict[str, str | int | float]:
        """Return the values of a file, numbers as such."""
        return {name: _number(value) if name in self.names else value for name, value in values.items()}


def _number(value: str) -> int | float:
    """Return the number in a part of a name."""
    match = NUMBER.search(value)
    assert match is not None  # else the name stands for no numbers
    number = float(match[1]) * {"k": 1_000, "m": 1_000_000}.get(match[2].lower(), 1)
    return int(number) if number.is_integer() else number


def _known(name: str, golds: NamedFiles) -> dict[str, str]:
    """Return the values of names in braces in the paths of a treebank's candidates."""
    values = golds[name][1] if name in golds else {}
    return {**values, TREEBANK: "-".join(values.values()) or name}


def _treebank(pattern: Mapping[str, Any], name: str, path: str) -> dict[str, Any]:
    of_gold = {key: pattern[key] for key in ("format", "encoding") if key in pattern}
    own = (*OF_PATTERN, *of_gold, "candidates")
    further = {key: value for key, value in pattern.items() if key not in own}
    return {"name": name, **further, "gold": {"path": path, **of_gold}}


def plain(name: str) -> str:
    """Return a name with the characters that study files allow, short enough to append a number."""
    return re.sub(r"[^A-Za-z0-9_-]", "_", name)[:190]


def _list_missing(entries: list[dict[str, Any]]) -> None:
    """Name at each treebank the candidates that others have."""
    names = [[candidate["name"] for candidate in entry["candidates"]] for entry in entries]
    distinct = dict.fromkeys(chain.from_iterable(names))
    for entry, own in zip(entries, names, strict=True):
        if missing := [name for name in distinct if name not in own]:
            entry["missing"] = missing
