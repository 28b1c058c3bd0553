"""Keys of study files and of schemes, from the schemas that every file is checked with."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from markdown_tables import table

from crossbank.converters.scheme_files import scheme_schema
from crossbank.reports.study.reading import study_schema

Schema = Mapping[str, Any]


PARTS = {
    "treebank": "StudiedTreebank",
    "candidate": "Candidate",
    "metric": "StudiedMetric",
    "candidate_files": "SourceFiles",
    "treebank_files": "TreebankFiles",
}
"""The parts of a study file that have tables of their own, and their definitions in the schema."""

ELSEWHERE = {*PARTS.values(), "Source"}


def keys(part: str) -> str:
    """Return the keys of a part of a study file as a table, without rows that a source has as well."""
    known = [] if part == "candidate" else rows("candidate")
    return table(["key", "type", "meaning", "default"], [row for row in rows(part) if row not in known])


def scheme_keys() -> str:
    """Return the keys of a scheme's file, without the keys within them, as a table."""
    schema = scheme_schema()
    properties = schema["properties"].items()
    return table(
        ["key", "meaning"],
        [
            [f"`{key}`", _marked(str({**_resolved(schema, value), **value}["description"]))]
            for key, value in properties
        ],
    )


def rows(part: str) -> list[list[str]]:
    """Key, type, meaning and default of each key of a part of a study file.

    The part is ``study`` for the whole file, else a key of ``PARTS``. The keys of a mapping
    are joined to its own by a dot.
    """
    schema = study_schema()
    found = schema if part == "study" else schema["$defs"][PARTS[part]]
    return list(_rows(schema, found, ""))


def _rows(schema: Schema, of: Schema, prefix: str) -> Iterator[list[str]]:
    of = _mapping(schema, of)
    required = set(of.get("required", ()))
    for key, given in of["properties"].items():
        value = {**_resolved(schema, given), **given}
        if "properties" in value and _name(given) not in ELSEWHERE:
            yield from _rows(schema, value, f"{prefix}{key}.")
            continue
        default = "required" if key in required else _default(value)
        yield [f"`{prefix}{key}`", _type(schema, given), _marked(value["description"]), default]
        items = _resolved(schema, value.get("items", {}))
        if "properties" in items and _name(value["items"]) not in ELSEWHERE:
            yield from _rows(schema, items, f"{prefix}{key}[].")


def _mapping(schema: Schema, of: Schema) -> Schema:
    """Return the alternative of a definition that is a mapping with keys."""
    if "properties" in of:
        return of
    return next(one for each in of["anyOf"] if "properties" in (one := _resolved(schema, each)))


def _resolved(schema: Schema, of: Schema) -> Schema:
    found: Schema = schema["$defs"][_name(of)] if "$ref" in of else of
    return found


def _name(of: Schema) -> str:
    """Return the name of the definition that a part of the schema refers to; empty if it does not."""
    return str(of.get("$ref", "")).rpartition("/")[2]


def _default(value: Schema) -> str:
    if "default" not in value:
        return _marked(value["otherwise"])
    default = value["default"]
    if isinstance(default, bool):
        return "`yes`" if default else "`no`"
    return f"`{default}`"


def _type(schema: Schema, value: Schema) -> str:
    value = _resolved(schema, value)
    if value.get("pattern", "").startswith("^[A-Za-z0-9_-]"):
        return "name"
    if "enum" in value:
        return ", ".join(f"`{one}`" for one in value["enum"])
    if "anyOf" in value:
        return " or ".join(dict.fromkeys(_type(schema, one) for one in value["anyOf"]))
    if value.get("type") == "array":
        inner = _type(schema, value["items"])
        return f"list of {PLURALS.get(inner, inner)}"
    return NAMES[value.get("type", "any")]


NAMES = {
    "string": "text", "boolean": "yes or no", "integer": "whole number", "number": "number",
    "object": "mapping", "array": "list", "null": "nothing", "any": "any",
}  # fmt: skip
"""The types of JSON as a reader of YAML knows them."""

PLURALS = {"text": "texts", "name": "names", "mapping": "mappings", "whole number": "whole numbers"}


def _marked(text: str) -> str:
    """Text with the names of keys, files and options in it as code."""
    return re.sub(r"(?<![`\w])(\w+/\w+|\{\w+\}|\w+:\w+|\w+_\w+|\*)(?![`\w])", r"`\1`", text)
