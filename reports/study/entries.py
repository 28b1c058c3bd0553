"""Entries of study files and the classes of the model: a field has the name of its key, and its default."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Part = TypeVar("Part", bound="DataclassInstance")


def made(model: type[Part], entry: Mapping[str, Any], **found: Any) -> Part:
    """A part of a study: what was found out about it, and all else as its entry says. Lists are tuples."""
    said = {one.name: entry[one.name] for one in fields(model) if one.name in entry}
    given = {name: tuple(value) if isinstance(value, list) else value for name, value in said.items()}
    return model(**{**given, **found})


def add_defaults(schema: Mapping[str, Any], *models: type[DataclassInstance]) -> None:
    """Give the keys of a schema the defaults of the fields, unless the schema says in words what holds."""
    for one in (one for model in models for one in fields(model) if one.default is not MISSING):
        key = schema["properties"].get(one.name, {"otherwise": "there is no such key"})
        if "otherwise" not in key:
            key["default"] = list(one.default) if isinstance(one.default, tuple) else one.default
