"""JSON schemas of the dataclasses that declare the keys of files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import is_dataclass
from types import NoneType
from typing import Any, Literal, get_args, get_origin

from crossbank.treebanks.typed_yaml import Rule
from crossbank.treebanks.yaml_keys import NO_RULE, Key, is_union, keys_of, names_of, plain_kind, unwrapped

TYPES = {
    Mapping: "object",
    tuple: "array",
    str: "string",
    int: "integer",
    float: "number",
    bool: "boolean",
    NoneType: "null",
}
"""The names of types in JSON schemas."""


def json_schema(kind: type, title: str) -> dict[str, Any]:
    """Return the JSON schema of files whose content is of a dataclass.

    ``meaning`` becomes ``description``; ``otherwise`` stays, which validators ignore.
    """
    writer = _SchemaWriter()
    schema = writer.mapping(keys_of(kind))
    version = "https://json-schema.org/draft/2020-12/schema"
    return {"$schema": version, "title": title, **schema, "$defs": writer.definitions}


class _SchemaWriter:
    """Writes types as JSON schemas; each dataclass is a definition with its name."""

    def __init__(self) -> None:
        self.definitions: dict[str, Any] = {}

    def mapping(self, keys: Mapping[str, Key]) -> dict[str, Any]:
        required = [name for name, one in keys.items() if one.required]
        properties = {name: self.key(one) for name, one in keys.items()}
        schema = {"type": "object", "additionalProperties": False, "properties": properties}
        return {**schema, "required": required} if required else schema

    def key(self, one: Key) -> dict[str, Any]:
        schema = self.mapping(one.keys) if one.keys else self.value(one.kind, one.rule)
        if one.meaning:
            schema["description"] = one.meaning
        for named in () if one.keys else schema.get("properties", {}).values():
            named["otherwise"] = one.otherwise or "none"
        if one.otherwise or one.keys:
            schema["otherwise"] = one.otherwise or "the defaults of its keys"
        elif isinstance(one.default, (bool, int, float)) or (one.default and isinstance(one.default, str)):
            schema["default"] = one.default
        elif not one.required:
            schema["otherwise"] = "none"
        return schema

    def value(self, kind: Any, rule: Rule = NO_RULE) -> dict[str, Any]:
        kind, rule = unwrapped(kind, rule)
        return self._kind(kind) | rule.limits

    def _kind(self, kind: Any) -> dict[str, Any]:
        origin, parts = get_origin(kind), get_args(kind)
        if isinstance(kind, type) and is_dataclass(kind):
            if kind.__name__ not in self.definitions:
                self.definitions[kind.__name__] = {}
                self.definitions[kind.__name__] |= self.mapping(keys_of(kind))
                if (other := getattr(kind, "other_keys", None)) is not None:
                    self.definitions[kind.__name__]["additionalProperties"] = self.value(other)
            return {"$ref": f"#/$defs/{kind.__name__}"}
        if is_union(kind):
            return {"anyOf": [self.value(one) for one in parts]}
        if origin is Literal:
            return {"enum": list(parts)}
        if kind is Any:
            return {}
        schema: dict[str, Any] = {"type": TYPES[plain_kind(kind)]}
        if schema["type"] == "array":
            schema["items"] = self.value(parts[0])
        elif parts:
            value = self.value(parts[1])
            names = names_of(parts[0])
            if names is None:
                return {**schema, "additionalProperties": value}
            meanings = names if isinstance(names, Mapping) else dict.fromkeys(names, "")
            properties = {
                name: {**value, **({"description": of} if of else {})} for name, of in meanings.items()
            }
            return {**schema, "additionalProperties": False, "properties": properties}
        return schema
