"""Keys of study files and of schemes, from the schemas that every file is checked with."""

from __future__ import annotations

import re
from collections.abc import Iterator

from markdown_tables import table

from crossbank.converters.schemes.scheme import Scheme
from crossbank.reports.study.model import (
    Candidate,
    Source,
    SourceFiles,
    StudiedMetric,
    StudiedTreebank,
    TreebankFiles,
)
from crossbank.reports.study.reading import keys_of_studies
from crossbank.treebanks.yaml_schemas import Schema, record_schema, whole

PARTS = {
    "treebank": StudiedTreebank,
    "candidate": Candidate,
    "metric": StudiedMetric,
    "candidate_files": SourceFiles,
    "treebank_files": TreebankFiles,
}
"""The parts of a study file that have tables of their own, and what declares them."""

ELSEWHERE = {*PARTS.values(), Source}


def keys(part: str) -> str:
    """Return the keys of a part of a study file as a table, without rows that a source has as well."""
    known = [] if part == "candidate" else rows("candidate")
    return table(["key", "type", "meaning", "default"], [row for row in rows(part) if row not in known])


def scheme_keys() -> str:
    """Return the keys of a scheme's file, without the keys within them, as a table."""
    properties = record_schema(Scheme)["properties"].items()
    return table(
        ["key", "meaning"], [[f"`{key}`", _marked(value["description"])] for key, value in properties]
    )


def rows(part: str) -> list[list[str]]:
    """Key, type, meaning and default of each key of a part of a study file.

    The part is ``study`` for the whole file, else a key of ``PARTS``. The keys of a mapping
    are joined to its own by a dot.
    """
    study = keys_of_studies()
    return list(_rows(study if part == "study" else record_schema(PARTS[part]), ""))


def _rows(of: Schema, prefix: str) -> Iterator[list[str]]:
    for key, value in of["properties"].items():
        if _is_shown(value):
            yield from _rows(whole(value), f"{prefix}{key}.")
            continue
        default = "required" if key in of.get("required", ()) else _default(value)
        yield [f"`{prefix}{key}`", _type(value), _marked(value["description"]), default]
        if _is_shown(items := value.get("items", {})):
            yield from _rows(whole(items), f"{prefix}{key}[].")


def _is_shown(schema: Schema) -> bool:
    """Return whether the keys of a mapping are in the table of the mapping that has it."""
    return "properties" in whole(schema) and schema.get("record") not in ELSEWHERE


def _default(value: Schema) -> str:
    if "default" not in value:
        return _marked(value["otherwise"])
    default = value["default"]
    if isinstance(default, bool):
        return "`yes`" if default else "`no`"
    return f"`{default}`"


def _type(value: Schema) -> str:
    if value.get("pattern", "").startswith("^[A-Za-z0-9_-]"):
        return "name"
    if "enum" in value:
        return ", ".join(f"`{one}`" for one in value["enum"])
    if "anyOf" in value:
        return " or ".join(dict.fromkeys(_type(one) for one in value["anyOf"]))
    if value.get("type") == "array":
        inner = _type(value["items"])
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
