"""Treebanks and candidates by the names of their files: ``{data}/{system}/{treebank}.conllu``.

A name in braces stands for any part of a file's name or of a folder's. ``treebank`` names the treebank,
and the other names together the candidate. They are attributes of it as well, for the report's axes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any

from crossbank.treebanks.files import matching
from crossbank.treebanks.yaml_files import YamlError, at
from crossbank.workflow.download import is_address

TREEBANK = "treebank"
NAMED = re.compile(r"\{([a-z_]+)\}")


def found_by_patterns(content: Mapping[str, Any], file: str) -> dict[str, Any]:
    """A study with lists of treebanks and candidates in place of patterns.

    A candidate of some treebanks that has no file for another is listed there under ``missing``. Raises
    YamlError where a pattern finds no file, or names nothing.
    """
    found = dict(content)
    data = content.get("data", "")
    shared = found.pop("candidates", None)
    treebanks = content["treebanks"]
    keys: list[str | int] = ["treebanks"]
    if isinstance(treebanks, Mapping):
        treebanks = _treebanks(treebanks, data, file, keys)
    entries = [{**({} if shared is None else {"candidates": shared}), **entry} for entry in treebanks]
    for place, entry in enumerate(entries):
        if isinstance(entry.get("candidates"), Mapping):
            where: list[str | int] = [*keys, place, "candidates"]
            if entry["candidates"] is shared:
                where = ["candidates"]
            entry["candidates"] = _candidates(entry["candidates"], entry["name"], data, file, where)
    if shared is not None:
        _list_missing(entries)
    return {**found, "treebanks": entries}


def _treebanks(
    pattern: Mapping[str, Any], data: str, file: str, keys: list[str | int]
) -> list[dict[str, Any]]:
    of_gold = {key: pattern[key] for key in ("format", "encoding") if key in pattern}
    others = {k: v for k, v in pattern.items() if k not in ("path", "only", "except", *of_gold)}
    names = {
        name: path
        for path, values in _files(pattern["path"], data, {}, file, keys)
        if _wanted(name := plain(values.values()), pattern)
    }
    if not names:
        raise YamlError(at(file, keys, "found no treebank that only and except leave, expected one"))
    return [{"name": name, **others, "gold": {"path": path, **of_gold}} for name, path in names.items()]


def _candidates(
    pattern: Mapping[str, Any], treebank: str, data: str, file: str, keys: list[str | int]
) -> list[dict[str, Any]]:
    others = {k: v for k, v in pattern.items() if k not in ("path", "only", "except")}
    found = []
    for path, values in _files(pattern["path"], data, {TREEBANK: treebank}, file, keys):
        name = plain(values.values())
        if _wanted(name, pattern):
            found.append({"name": name, "path": path, **others, "attributes": dict(values)})
    return found


def _files(
    pattern: str, data: str, known: Mapping[str, str], file: str, keys: list[str | int]
) -> Iterable[tuple[str, dict[str, str]]]:
    """The files that a pattern matches, with what its names stand for."""
    written = pattern.replace("{data}", data)
    for name, value in known.items():
        written = written.replace(f"{{{name}}}", value)
    names = list(dict.fromkeys(NAMED.findall(written)))
    if not names:
        message = f"found {pattern!r}, expected a name in braces besides {{data}}"
        raise YamlError(at(file, [*keys, "path"], message))
    seen: set[str] = set()
    parts = []
    for place, part in enumerate(NAMED.split(written)):
        if place % 2 == 0:
            parts.append(re.escape(part).replace(r"\*", "[^/]*"))
        else:
            parts.append(f"(?P={part})" if part in seen else f"(?P<{part}>[^/]+?)")
            seen.add(part)
    if is_address(written):
        message = (
            f"found the address {written}, expected a path: names in braces cannot match files on the web"
        )
        raise YamlError(at(file, [*keys, "path"], message))
    expression = re.compile("".join(parts))
    paths = matching(NAMED.sub("*", written))
    if not paths and not known:
        raise YamlError(at(file, [*keys, "path"], f"found no file {written}, expected one to read"))
    for path in paths:
        if match := expression.fullmatch(path):
            yield path, match.groupdict()


def _wanted(name: str, pattern: Mapping[str, Any]) -> bool:
    return name in pattern.get("only", [name]) and name not in pattern.get("except", ())


def plain(values: Iterable[str]) -> str:
    """A name as study files allow it, of one value or several."""
    return re.sub(r"[^A-Za-z0-9_-]", "_", "-".join(values))


def _list_missing(entries: list[dict[str, Any]]) -> None:
    """Name at each treebank the candidates that others have."""
    names = [[candidate["name"] for candidate in entry["candidates"]] for entry in entries]
    every = dict.fromkeys(chain.from_iterable(names))
    for entry, here in zip(entries, names, strict=True):
        if missing := [name for name in every if name not in here]:
            entry["missing"] = missing
