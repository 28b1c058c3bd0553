"""The keys of a file as text, from its schema: what each says and what holds without it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from textwrap import wrap
from typing import Any

INDENT = "  "

Part = Mapping[str, Any]
"""A part of a JSON schema."""


def keys_as_text(schema: Part, width: int) -> str:
    """Every key of a file in lines of at most ``width`` characters, in the form of the file."""
    about = schema.get("description", schema["title"])
    return "\n".join([*wrap(f"{about}.", width), "", *_keys(schema, schema, "", width)])


def _keys(part: Part, schema: Part, indent: str, width: int) -> Iterator[str]:
    """The keys of a mapping and what is said of each; below it, the keys of its value."""
    for key, value in part.get("properties", {}).items():
        yield f"{indent}{key}:"
        said = _said(value, required=key in part.get("required", ()))
        yield from wrap(
            said, width, initial_indent=f"{indent}{INDENT}# ", subsequent_indent=f"{indent}{INDENT}# "
        )
        forms = list(_forms(value, schema))
        for place, (form, listed) in enumerate(forms):
            if place:
                yield f"{indent}{INDENT}# or, in place of that:"
            below = list(_keys(form, schema, f"{indent}{INDENT}{'  ' if listed else ''}", width))
            if listed and below:
                below[0] = f"{indent}{INDENT}- {below[0].lstrip()}"
            yield from below


def _forms(part: Part, schema: Part) -> Iterator[tuple[Part, bool]]:
    """The mappings that a value may be, and whether it is a list of them."""
    part = _resolved(part, schema)
    if "properties" in part:
        yield part, False
    # A list is the usual form of a value that may also be a mapping.
    for other in (*(part[key] for key in ("else", "then") if key in part), *part.get("anyOf", ())):
        yield from _forms(other, schema)
    if "items" in part:
        yield from ((form, True) for form, _ in _forms(part["items"], schema))


def _said(value: Part, *, required: bool) -> str:
    """The description of a key, its values and its default."""
    said = value.get("description", "")
    if "enum" in value:
        said = "; ".join(filter(None, (said, f"one of {', '.join(map(str, value['enum']))}")))
    if required:
        return f"{said} (required)".strip()
    if "default" in value:
        return f"{said} (default: {json.dumps(value['default'], ensure_ascii=False)})"
    return f"{said} (without it: {value['otherwise']})" if "otherwise" in value else said


def _resolved(part: Part, schema: Part) -> Part:
    """The part with the definition that it refers to."""
    if "$ref" not in part:
        return part
    definition = _resolved(schema["$defs"][part["$ref"].rpartition("/")[2]], schema)
    return {**definition, **part}
