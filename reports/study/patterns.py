"""Treebanks and candidates by the names of their files: ``{data}/{system}/{treebank}.conllu``.

A name in braces stands for any part of a file's name or of a folder's. ``treebank`` names the treebank,
and the other names together the candidate. They are attributes of it as well: numbers are axes of the
report's charts, but for those of ``system``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

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

Found = dict[str, tuple[str, dict[str, str]]]
"""Files by the names that a pattern gives them, each with what the names in braces stand for."""


def found_by_patterns(content: Mapping[str, Any], file: str) -> dict[str, Any]:
    """A study with lists of treebanks and candidates in place of patterns.

    A candidate of some treebanks that has no file for another is listed there under ``missing``. A treebank
    that has candidates and no gold is listed under ``without_gold``. Raises YamlError where a pattern finds
    no file, or names nothing; where two files have one name; and where ``only`` or ``except`` names nothing
    that is there.
    """
    found = dict(content)
    shared, keys = found.pop("candidates", None), ["candidates"]
    data, treebanks = content.get("data"), content["treebanks"]
    golds: Found = {}
    if isinstance(treebanks, Mapping):
        if "candidates" in treebanks:
            shared, keys = treebanks["candidates"], ["treebanks", "candidates"]
        of_gold = _Pattern(treebanks, data, file, ["treebanks"])
        golds = of_gold.found([{}])[0]
        entries = [_treebank(treebanks, name, path) for name, (path, _) in of_gold.chosen([golds])[0].items()]
    else:
        entries = [dict(entry) for entry in treebanks]
    sharing = [] if shared is None else [entry for entry in entries if "candidates" not in entry]
    if isinstance(shared, Mapping):
        pattern = _Pattern(shared, data, file, keys)
        if sharing:
            pattern.give(sharing, golds)
        if golds and "only" not in treebanks and (without := pattern.without_gold(golds)):
            found["without_gold"] = without
    elif shared is not None:
        for entry in sharing:
            entry["candidates"] = shared
    for place, entry in enumerate(entries):
        if isinstance(entry.get("candidates"), Mapping):
            own = _Pattern(entry["candidates"], data, file, ["treebanks", place, "candidates"])
            own.give([entry], golds)
    if shared is not None:
        _list_missing(entries)
    return {**found, "treebanks": entries}


@dataclass(frozen=True)
class _Pattern:
    """A pattern of files' names as a study has it at some keys, with ``only`` and ``except``."""

    entry: Mapping[str, Any]
    data: str | None
    file: str
    keys: Sequence[str | int]

    def give(self, entries: Sequence[dict[str, Any]], golds: Found) -> None:
        """Put into treebanks the candidates that the pattern finds for each of them."""
        known = [_known(entry["name"], golds) for entry in entries]
        others = {key: value for key, value in self.entry.items() if key not in OF_PATTERN}
        every = self.chosen(self.found(known))
        numbers = _Numbers([values for found in every for _, values in found.values()])
        for entry, found in zip(entries, every, strict=True):
            for name, (path, _) in found.items():
                if name in RESERVED:
                    said = f"found the candidate {name!r} in {path}, expected another name"
                    raise self._error(f"{said} (or except: [{name}], which leaves it out)")
            entry["candidates"] = [
                {
                    "name": name,
                    "path": path,
                    **others,
                    "attributes": numbers.of(values),
                    "system": numbers.system_of(values),
                }
                for name, (path, values) in found.items()
            ]

    def found(self, known: Sequence[Mapping[str, str]]) -> list[Found]:
        """Files for each treebank, by what is known of it. Raises YamlError where there are none."""
        every: list[Found] = []
        for values in known:
            files: Found = {}
            for path, named in self._files(values):
                name = plain("-".join(named.values()))
                if name in files and self._wanted(name):
                    raise self._error(f"{files[name][0]} and {path} both have the name {name!r}")
                files[name] = (path, named)
            every.append(files)
        if known and not any(every):
            raise self._error(f"no such file: {self._written({})}", "path")
        return every

    def chosen(self, every: Sequence[Found]) -> list[Found]:
        """Those that ``only`` and ``except`` leave."""
        names = list(dict.fromkeys(chain.from_iterable(every)))
        for key in ("only", "except"):
            for place, name in enumerate(self.entry.get(key, ())):
                if name not in names:
                    said = str(OptionError("name", name, names))
                    raise YamlError(at(self.file, [*self.keys, key, place], said))
        chosen = [{name: files[name] for name in files if self._wanted(name)} for files in every]
        if not any(chosen):
            raise self._error("only and except leave no file")
        return chosen

    def without_gold(self, golds: Found) -> list[dict[str, Any]]:
        """Return the treebanks for which there are candidates and no gold, with the candidates."""
        of_gold = {path for name in golds for path, _ in self._files(_known(name, golds))}
        names = set(next(iter(golds.values()))[1]) | {TREEBANK}
        without: dict[str, list[str]] = {}
        for path, values in self._files({}):
            treebank = "-".join(value for name, value in values.items() if name in names)
            candidate = plain("-".join(value for name, value in values.items() if name not in names))
            if path not in of_gold and self._wanted(candidate):
                without.setdefault(treebank, []).append(candidate)
        return [{"treebank": treebank, "candidates": listed} for treebank, listed in without.items()]

    def _wanted(self, name: str) -> bool:
        return name in self.entry.get("only", [name]) and name not in self.entry.get("except", ())

    def _files(self, known: Mapping[str, str]) -> Iterator[tuple[str, dict[str, str]]]:
        """Yield the files that the pattern matches, with what its names stand for."""
        written = self._written(known)
        if not NAMED.search(written):
            said = f"found {self.entry['path']!r}, expected a name in braces besides {{data}}"
            raise self._error(said, "path")
        if is_address(written):
            said = f"found the address {written}, expected a path: names in braces match no files on the web"
            raise self._error(said, "path")
        seen: set[str] = set()
        parts = []
        for place, part in enumerate(NAMED.split(written)):
            if place % 2 == 0:
                parts.append(re.escape(part).replace(r"\*", "[^/]*"))
            else:
                parts.append(f"(?P={part})" if part in seen else f"(?P<{part}>[^/]+?)")
                seen.add(part)
        expression = re.compile("".join(parts))
        for path in matching(NAMED.sub("*", written)):
            if match := expression.fullmatch(path):
                yield path, match.groupdict()

    def _written(self, known: Mapping[str, str]) -> str:
        """Return the path with what is known in place of names in braces."""
        written = str(self.entry["path"])
        if self.data is None and "{data}" in written:
            raise self._error(f"found {written!r}, expected the key data, for which {{data}} stands", "path")
        for name, value in {"data": self.data or "", **known}.items():
            written = written.replace(f"{{{name}}}", value)
        return written

    def _error(self, message: str, *keys: str) -> YamlError:
        return YamlError(at(self.file, [*self.keys, *keys], message))


class _Numbers:
    """Names in braces that stand for numbers in all files: ``500``, ``20k``, ``1.5M``, or ``n500``.

    ``system`` never does: ``sys01`` and ``sys02`` are candidates side by side and no points of a curve.
    """

    def __init__(self, every: Sequence[Mapping[str, str]]) -> None:
        names = dict.fromkeys(name for values in every for name in values)
        frames = {name: {NUMBER.sub("", values[name], count=1) for values in every} for name in names}
        found = {name: all(NUMBER.search(values[name]) for values in every) for name in names}
        self.names = [name for name in names if name != SYSTEM and found[name] and len(frames[name]) == 1]

    def system_of(self, values: Mapping[str, str]) -> str:
        """Return the name of what has several files: the parts of their names that are no numbers."""
        return plain("-".join(value for name, value in values.items() if name not in self.names))

    def of(self, values: Mapping[str, str]) -> dict[str, str | int | float]:
        """Return the values of a file, numbers as such."""
        return {name: _number(value) if name in self.names else value for name, value in values.items()}


def _number(value: str) -> int | float:
    """Return the number in a part of a name."""
    found = NUMBER.search(value)
    assert found is not None  # else the name stands for no numbers
    number = float(found[1]) * {"k": 1_000, "m": 1_000_000}.get(found[2].lower(), 1)
    return int(number) if number.is_integer() else number


def _known(name: str, golds: Found) -> dict[str, str]:
    """Return the values of names in braces in the paths of a treebank's candidates."""
    values = golds[name][1] if name in golds else {}
    return {**values, TREEBANK: "-".join(values.values()) or name}


def _treebank(pattern: Mapping[str, Any], name: str, path: str) -> dict[str, Any]:
    of_gold = {key: pattern[key] for key in ("format", "encoding") if key in pattern}
    own = (*OF_PATTERN, *of_gold, "candidates")
    others = {key: value for key, value in pattern.items() if key not in own}
    return {"name": name, **others, "gold": {"path": path, **of_gold}}


def plain(name: str) -> str:
    """A name with the characters that study files allow in names, and room for a number."""
    return re.sub(r"[^A-Za-z0-9_-]", "_", name)[:190]


def _list_missing(entries: list[dict[str, Any]]) -> None:
    """Name at each treebank the candidates that others have."""
    names = [[candidate["name"] for candidate in entry["candidates"]] for entry in entries]
    every = dict.fromkeys(chain.from_iterable(names))
    for entry, here in zip(entries, names, strict=True):
        if missing := [name for name in every if name not in here]:
            entry["missing"] = missing
