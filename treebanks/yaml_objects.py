"""Objects made of the content of a YAML file, as the types of their fields say."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field, fields, is_dataclass
from functools import cache
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints


def said(default: Any = (), *, key: str = "", read: Callable[[Any], Any] | None = None) -> Any:
    """A field of a dataclass that a file says elsewhere than under its name, or in a form of its own.

    key   where: ``in``, ``tokens.punctuation`` inside of a mapping, ``first_of|any_of`` under either
    read  what makes the field's value of what is said; otherwise the field's type does
    """
    return field(default=default, metadata={"key": key, "read": read})


def object_of(kind: Any, content: Any) -> Any:
    """A value of a type, made of the content of a file that has no faults.

    Of a dataclass each field is what is under its name (see ``said``), or has its default. Lists become
    tuples or sets, mappings stay mappings, and so on inside.
    """
    if isinstance(kind, type) and is_dataclass(kind):
        found = {name: (read, _under(content, key)) for name, key, read in _fields(kind)}
        return kind(**{name: read(value) for name, (read, value) in found.items() if value is not None})
    origin, parts = get_origin(kind), get_args(kind)
    if origin in (tuple, frozenset):
        return origin(content if parts[0] is str else (object_of(parts[0], one) for one in content))
    if origin is Mapping:
        return (
            content if parts[1] is str else {key: object_of(parts[1], each) for key, each in content.items()}
        )
    return object_of(parts[0], content) if origin is UnionType else content


@cache
def _fields(kind: Any) -> list[tuple[str, str, Callable[[Any], Any]]]:
    """Return the name of each field, the key under which a file has it, and what reads it."""
    kinds, found = get_type_hints(kind), []
    for one in fields(kind):
        read = one.metadata.get("read") or (lambda value, of=kinds[one.name]: object_of(of, value))
        found.append((one.name, one.metadata.get("key") or one.name, read))
    return found


def _under(content: Any, key: str) -> Any:
    for way in key.split("|"):
        found = content
        for name in way.split("."):
            found = found.get(name) if found is not None else None
        if found is not None:
            return found
    return None
