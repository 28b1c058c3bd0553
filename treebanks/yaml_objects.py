"""Objects made of the content of a YAML file, as the types of their fields say."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import field, fields, is_dataclass
from functools import cache
from importlib import import_module
from types import UnionType
from typing import Any, Generic, TypeVar, get_args, get_origin, overload

Value = TypeVar("Value")


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
    if origin is UnionType:
        return content if content is None else object_of(parts[0], content)
    if origin in (tuple, frozenset):
        return origin(content if parts[0] is str else (object_of(parts[0], one) for one in content))
    if origin is Mapping:
        return (
            content if parts[1] is str else {key: object_of(parts[1], each) for key, each in content.items()}
        )
    return content


class Part(Generic[Value]):
    """Field of a dataclass that is made of its part of a file when it is first used.

    Most uses of a scheme need few of its parts: the classes of the others are not even imported. In the
    dataclass it is written ``heads: Part[HeadRules] = Part("crossbank.converters.schemes.head_rules", {})``.

    module   the module that has the names in the field's type
    content  what the file has for the part by default
    key      where the file has it, as for ``said``
    """

    def __init__(self, module: str, content: Any = None, *, key: str = "") -> None:
        self.module, self.content, self.key = module, content, key

    def __set_name__(self, owner: type, name: str) -> None:
        self.owner, self.name = owner, name
        self.key = self.key or name

    @overload
    def __get__(self, holder: None, owner: type) -> Any: ...
    @overload
    def __get__(self, holder: object, owner: type) -> Value: ...
    def __get__(self, holder: object | None, owner: type) -> Any:
        if holder is None:
            return Unmade(self.content)  # the default of the dataclass
        value = vars(holder)[self.name]
        if isinstance(value, Unmade):
            value = vars(holder)[self.name] = object_of(self._kind(), value.content)
        return value

    def __set__(self, holder: object, value: Value) -> None:
        vars(holder)[self.name] = value

    def _kind(self) -> Any:
        """Return the type of the part."""
        names = {**vars(sys.modules[self.owner.__module__]), **vars(import_module(self.module))}
        return get_args(_evaluated(self.owner.__annotations__[self.name], names))[0]


class Unmade:
    """Content of a file of which no value has been made yet."""

    def __init__(self, content: Any) -> None:
        self.content = content


@cache
def _fields(kind: Any) -> list[tuple[str, str, Callable[[Any], Any]]]:
    """Return the name of each field, the key under which a file has it, and what reads it."""
    found: list[tuple[str, str, Callable[[Any], Any]]] = []
    for one in fields(kind):
        part = vars(kind).get(one.name)
        if isinstance(part, Part):
            found.append((one.name, part.key, Unmade))
        else:
            read = one.metadata.get("read") or _reader(kind, one.type)
            found.append((one.name, one.metadata.get("key") or one.name, read))
    return found


def _reader(kind: Any, annotation: Any) -> Callable[[Any], Any]:
    """Return the function that makes a field's value; the type is looked up when there is a value to make."""

    @cache
    def of() -> Any:
        return _evaluated(annotation, vars(sys.modules[kind.__module__]))

    return lambda value: object_of(of(), value)


def _evaluated(annotation: Any, names: dict[str, Any]) -> Any:
    """Return the type that an annotation of ours names."""
    return eval(annotation, names) if isinstance(annotation, str) else annotation


def _under(content: Any, key: str) -> Any:
    for way in key.split("|"):
        found = content
        for name in way.split("."):
            found = found.get(name) if found is not None else None
        if found is not None:
            return found
    return None
