"""Tables of an [incr tsdb()] profile: which items there are, their readings, and which is preferred.

A profile is a folder. Its file ``relations`` names the fields of each table; a table is a file with a line
for each record and ``@`` between fields, gzipped or not. Where a table is there twice, one of the two is
empty.

Source: Oepen, Stephan and John Carroll (2000): Performance Profiling for Parser Engineering. Natural Language
Engineering 6(1); PyDelphin reads the schema.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from os import PathLike
from pathlib import Path
from typing import NamedTuple

from crossbank.treebanks.errors import CrossbankError, FormatError
from crossbank.treebanks.files import decode, read_bytes
from crossbank.treebanks.quantities import quantity

RELATIONS = "relations"
"""The file that names the fields of each table."""

ESCAPE = re.compile(r"\\.?", re.S)

ESCAPED = {r"\s": "@", r"\n": "\n", "\\\\": "\\"}
"""The characters for which the escapes of a field stand."""

REJECTED = 0
"""The number of active trees where the annotator rejected every analysis."""


class ItemAnalysis(NamedTuple):
    """One analysis of an item: its ``result-id``, other fields of ``result``, and its line in the file."""

    number: int
    derivation: str
    tree: str
    mrs: str
    flags: str
    line: int


class ProfileItem(NamedTuple):
    """An item with its readings.

    id         its ``i-id``
    text       what was parsed
    wf         ``i-wf``: 1 for a well-formed sentence, 0 for one that should have no analysis
    preferred  the ``result-id`` of the preferred reading; None if none is preferred
    active     the number of trees that an annotator left active; None where nobody annotated the item
    """

    id: str
    text: str
    wf: str
    readings: list[ItemAnalysis]
    preferred: int | None
    active: int | None

    @property
    def rejected(self) -> bool:
        """Return whether an annotator rejected every reading."""
        return self.active == REJECTED


class AnnotatorDecision(NamedTuple):
    """A property of analyses that an annotator chose or rejected: one row of the table ``decision``.

    accepted    whether the analysis must have it, or must not
    names       of rules or types that are nodes over the same words: one, or a chain from the top down
    start, end  the vertices of the chart between which they are
    """

    accepted: bool
    names: tuple[str, ...]
    start: int
    end: int


ACCEPTED, NOT_ACCEPTED = ("1",), ("2", "4")
"""The states (``d-state``): a property was chosen; it was rejected, or another choice excluded it."""

OF_DERIVATIONS = ("2", "3", "7")
"""The types (``d-type``) of decisions on lexical types, rules and chains of both; 1 is one on a relation."""


class Record(NamedTuple):
    """Fields of a record by their names, and its line."""

    fields: Mapping[str, str]
    line: int


def folder_of(path: str | PathLike[str]) -> Path:
    """Return the folder of a profile, given as itself or as any file in it.

    Raises CrossbankError if there is no such file, FormatError if the folder has no ``relations``.
    """
    folder = Path(path)
    if not folder.exists():
        raise CrossbankError(f"{path}: no such folder; a profile is a folder")
    folder = folder if folder.is_dir() else folder.parent
    if not (folder / RELATIONS).is_file():
        raise FormatError(folder, f"no file {RELATIONS}", "one that names the fields of the profile's tables")
    return folder


class Profile:
    """Tables of a profile, read one by one as they are requested."""

    def __init__(self, folder: Path, encoding: str | None = None) -> None:
        self._folder, self._encoding = folder, encoding
        self._schema = _schema(folder / RELATIONS)

    def path(self, table: str) -> Path:
        """Return the file of a table: of a plain and a gzipped one that with content. Raises FormatError."""
        there = self._files(table)
        if not there:
            raise FormatError(self._folder, f"no file {table} or {table}.gz", "one of them")
        filled = [path for path in there if path.stat().st_size]
        if len(filled) > 1:
            raise FormatError(self._folder, f"both {table} and {table}.gz", "one of them, the other empty")
        return (filled or there)[0]

    def _files(self, table: str) -> list[Path]:
        return [path for name in (table, f"{table}.gz") if (path := self._folder / name).is_file()]

    def records(self, table: str) -> Iterator[Record]:
        """Yield the records of a table in their order. Raises FormatError for another number of fields."""
        if table not in self._schema:
            raise FormatError(self._folder / RELATIONS, f"no table {table}", "its fields")
        names = self._schema[table]
        path = self.path(table)
        data = read_bytes(path, may_be_blank=True)
        for line, text in enumerate(decode(data, path, self._encoding).split("\n"), 1):
            if not text:
                continue
            fields = text.split("@")
            if len(fields) != len(names):
                actual, expected = quantity(len(fields), "field"), f"{len(names)} as {RELATIONS} says"
                raise FormatError(path, actual, expected, line=line)
            try:
                values = [unescaped(field) if "\\" in field else field for field in fields]
            except KeyError as error:
                raise FormatError(path, f"the escape {error.args[0]}", r"\s, \n or \\", line=line) from error
            yield Record(dict(zip(names, values, strict=True)), line)

    def number(self, table: str, record: Record, field: str) -> int:
        """Return an integer of a record. Raises FormatError if it is not an integer."""
        if field not in record.fields:
            raise FormatError(self._folder / RELATIONS, f"no field {field} of {table}", "one")
        try:
            return int(record.fields[field])
        except ValueError as error:
            actual = f"{field} {record.fields[field]!r}"
            raise FormatError(self.path(table), actual, "a number", line=record.line) from error

    def items(self) -> list[ProfileItem]:
        """Return every item with its readings, in the order of the table ``item``.

        Raises FormatError if an item occurs twice or was parsed twice, a record names a parse or a reading
        that is not there, two readings are preferred, and where no item has a reading.
        """
        parses = self._items_of_parses()
        readings: dict[int, list[ItemAnalysis]] = {}
        for record in self.records("result"):
            parse, number = self._known("result", record, parses), self.number("result", record, "result-id")
            texts = {name: record.fields.get(name, "") for name in ("derivation", "tree", "mrs", "flags")}
            readings.setdefault(parse, []).append(ItemAnalysis(number, **texts, line=record.line))
        if not readings:
            raise FormatError(self.path("result"), "no results", "at least one")
        preferred = self._preferred(parses, readings)
        trees = self._latest("tree", "t-active", parses)
        # There are -1 if the parser found none and an annotator passed by.
        active = {parse: max(numbers) for parse, numbers in trees.items() if max(numbers) >= REJECTED}
        items: dict[int, ProfileItem] = {}
        parse_of = dict(zip(parses.values(), parses, strict=True))
        for record in self.records("item"):
            item = self.number("item", record, "i-id")
            if item in items:
                raise FormatError(self.path("item"), f"item {item} again", "each once", line=record.line)
            parse = parse_of.get(item, -1)
            text, wf = (record.fields.get(name, "") for name in ("i-input", "i-wf"))
            known = readings.get(parse, []), preferred.get(parse), active.get(parse)
            items[item] = ProfileItem(str(item), text, wf, *known)
        for parse, item in parses.items():
            if item not in items:
                there = f"parse {parse} of item {item}"
                raise FormatError(self.path("parse"), there, "an item of the profile")
        return list(items.values())

    def decisions(self) -> dict[str, list[AnnotatorDecision]]:
        """Return the latest decisions on derivations, by item. Raises FormatError for damaged records."""
        parses = self._items_of_parses()
        versions: dict[int, dict[int, list[AnnotatorDecision]]] = {}
        for record in self.records("decision"):
            parse, version = (
                self._known("decision", record, parses),
                self.number("decision", record, "t-version"),
            )
            of_version = versions.setdefault(parse, {}).setdefault(version, [])
            state, type_, key = (record.fields.get(name, "") for name in ("d-state", "d-type", "d-key"))
            if state in ACCEPTED + NOT_ACCEPTED and type_ in OF_DERIVATIONS:
                span = (self.number("decision", record, field) for field in ("d-start", "d-end"))
                of_version.append(AnnotatorDecision(state in ACCEPTED, tuple(key.lower().split("@")), *span))
        return {str(parses[parse]): of[max(of)] for parse, of in versions.items()}

    def _items_of_parses(self) -> dict[int, int]:
        parses: dict[int, int] = {}
        items: set[int] = set()
        for record in self.records("parse"):
            parse, item = (self.number("parse", record, field) for field in ("parse-id", "i-id"))
            if parse in parses or item in items:
                actual = f"a second parse of item {item}" if item in items else f"parse {parse} again"
                raise FormatError(self.path("parse"), actual, "one", line=record.line, sentence=str(item))
            parses[parse] = item
            items.add(item)
        return parses

    def _known(self, table: str, record: Record, parses: Mapping[int, int]) -> int:
        parse = self.number(table, record, "parse-id")
        if parse not in parses:
            actual = f"parse {parse}"
            raise FormatError(self.path(table), actual, "one that the table parse has", line=record.line)
        return parse

    def _preferred(
        self, parses: Mapping[int, int], readings: Mapping[int, list[ItemAnalysis]]
    ) -> dict[int, int]:
        preferred = {}
        for parse, numbers in self._latest("preference", "result-id", parses).items():
            item = str(parses[parse])
            path = self.path("preference")
            if len(numbers) > 1:
                actual = f"results {numbers[0]} and {numbers[1]} both preferred"
                raise FormatError(path, actual, "one", sentence=item)
            known = [reading.number for reading in readings.get(parse, [])]
            if known.count(numbers[0]) != 1:
                expected = f"one of {', '.join(map(str, known))}" if known else "a result"
                raise FormatError(path, f"result {numbers[0]} preferred", expected, sentence=item)
            preferred[parse] = numbers[0]
        return preferred

    def _latest(self, table: str, field: str, parses: Mapping[int, int]) -> dict[int, list[int]]:
        """Return the distinct values of a field in the latest version of each parse's tree."""
        latest: dict[int, dict[int, list[int]]] = {}
        for record in self.records(table) if table in self._schema and self._files(table) else ():
            versions = latest.setdefault(self._known(table, record, parses), {})
            values = versions.setdefault(self.number(table, record, "t-version"), [])
            value = self.number(table, record, field)
            if value not in values:
                values.append(value)
        return {parse: versions[max(versions)] for parse, versions in latest.items()}


def unescaped(field: str) -> str:
    r"""Return a field without its escapes. Raises KeyError for any but ``\s``, ``\n`` and ``\\``."""
    return ESCAPE.sub(lambda match: ESCAPED[match[0]], field)


def _schema(path: Path) -> dict[str, list[str]]:
    from delphin.tsdb import read_schema

    try:
        schema = read_schema(path)
    except Exception as error:  # PyDelphin lets AttributeError and the like through.
        actual = f"what PyDelphin does not read ({error})"
        raise FormatError(path, actual, "tables and their fields") from error
    return {table: [field.name for field in fields] for table, fields in schema.items()}
