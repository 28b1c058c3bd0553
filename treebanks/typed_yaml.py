"""Keys of YAML files, declared once: as the fields of dataclasses.

From the declaration ``object_of`` builds objects of a file's content, ``violations`` checks the content, and
``json_schema`` writes the schema from which the manual and ``crossbank help`` take their tables: see
``yaml_schemas``. The docstring of a class explains each key, as ``name  meaning``.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import Field, field, fields
from functools import cache
from importlib import import_module
from inspect import get_annotations
from types import UnionType
from typing import Annotated, Any, Generic, TypeVar, get_args, get_origin, overload

Value = TypeVar("Value")


class Rule:
    """Limits of a value besides its type; written ``Annotated[str, Rule("a name", pattern="^[a-z]+$")]``.

    expected  what messages ask for; by default the limit that the value breaks
    names     the allowed keys of a mapping, each with its meaning
    check     a function that raises CrossbankError or ValueError for a wrong value, or its address:
              ``module:function``
    limits    the limits of a JSON schema
    """

    def __init__(
        self,
        expected: str = "",
        *,
        names: Mapping[str, str] | None = None,
        check: Callable[[Any], object] | str | None = None,
        **limits: Any,
    ) -> None:
        self.expected, self.names, self.check, self.limits = expected, names, check, limits

    def joined(self, inner: Rule) -> Rule:
        """Return the rule of a key, with that of its type."""
        expected, check = self.expected or inner.expected, self.check or inner.check
        return Rule(expected, names=inner.names, check=check, **{**inner.limits, **self.limits})


Text = Annotated[str, Rule(minLength=1)]
Texts = Annotated[tuple[Text, ...], Rule(minItems=1)]

DROPPED = object()
"""Stands for a wrong entry of a list that is omitted, so that the others keep their indices."""


def key(
    default: Any = (),
    *,
    name: str = "",
    form: Any = None,
    read: Callable[[Any], Any] | None = None,
    expected: str = "",
    otherwise: str = "",
    required: bool | None = None,
    check: Callable[[Any], object] | str | None = None,
    **limits: Any,
) -> Any:
    """Declare the key of a field of a dataclass.

    default   the default; ``...`` if the key is required
    name      the key, if the field has another name: ``in``, ``tokens.punctuation`` inside of a mapping,
              ``first_of|any_of`` for either
    form      the type of the value in the file, if the field has another
    read      a function from the value in the file to that of the field; by default the field's type decides
    otherwise the effect of omitting the key, in words
    required  whether the key is required where its mapping is present, if that differs from the field
    expected, check, limits  as for ``Rule``
    """
    metadata = {"name": name, "form": form, "read": read, "otherwise": otherwise, "required": required}
    return _field(default, {**metadata, "rule": Rule(expected, check=check, **limits)})


def no_key(default: Any = ...) -> Any:
    """Declare a field that has no key in the file."""
    return _field(default, {"no_key": True})


def _field(default: Any, metadata: Mapping[str, Any]) -> Any:
    if default is ...:
        return field(metadata=metadata)
    if isinstance(default, dict):
        return field(default_factory=default.copy, metadata=metadata)
    return field(default=default, metadata=metadata)


ADDED: defaultdict[type, list[type]] = defaultdict(list)
"""For each class, the classes with which other packages extend its keys."""


def adds_keys(model: type) -> Callable[[type[Value]], type[Value]]:
    """Return a decorator that adds the keys of a dataclass to those of another one, the model."""

    def add(extension: type[Value]) -> type[Value]:
        ADDED[model].append(extension)
        return extension

    return add


class Part(Generic[Value]):
    """Field of a dataclass that is built from its part of the file on first use.

    Most uses of a scheme need few of its parts: the classes of the others are not even imported. In the
    dataclass it is written ``heads: Part[HeadRules] = Part("crossbank.converters.schemes.head_rules", {})``.

    module   the module that has the names in the field's type
    content  the default content of the part
    key      the name of the key, as for ``key``; None for a part that no file has
    """

    def __init__(self, module: str, content: Any = None, *, name: str | None = "") -> None:
        self.module, self.content, self.key = module, content, name

    def __set_name__(self, owner: type, name: str) -> None:
        self.owner, self.name = owner, name

    @overload
    def __get__(self, holder: None, owner: type) -> Any: ...
    @overload
    def __get__(self, holder: object, owner: type) -> Value: ...
    def __get__(self, holder: object | None, owner: type) -> Any:
        if holder is None:
            return UnreadPart(self.content)  # the default of the dataclass
        value = vars(holder)[self.name]
        if isinstance(value, UnreadPart):
            value = vars(holder)[self.name] = object_of(self.type(), value.content)
        return value

    def __set__(self, holder: object, value: Value) -> None:
        vars(holder)[self.name] = value

    def type(self) -> Any:
        """Return the type of the part."""
        names = {**vars(sys.modules[self.owner.__module__]), **vars(import_module(self.module))}
        return get_args(eval(self.owner.__annotations__[self.name], names))[0]


class UnreadPart:
    """Content of a file from which no object has been built yet."""

    def __init__(self, content: Any) -> None:
        self.content = content


def object_of(type: Any, content: Any, /, **made: Any) -> Any:
    """Return a value of a type, built from content without violations.

    In a dataclass each field has the value of its key, or its default; ``made`` are fields whose values
    the caller passes. Lists become tuples or sets, mappings stay mappings, and so on recursively.
    """
    type = get_args(type)[0] if get_origin(type) is Annotated else type
    origin, parts = get_origin(type), get_args(type)
    if hasattr(type, "__dataclass_fields__"):
        for name, path, read in _readers(type):
            if name not in made and (value := _value_at(content, path)) is not None:
                made[name] = read(value)
        return type(**made)
    if origin is UnionType:
        return content if content is None else object_of(parts[0], content)
    if origin in (tuple, frozenset, Sequence):
        entries = (one for one in content if one is not DROPPED)
        is_plain = parts[0] in (str, Any)
        values = entries if is_plain else (object_of(parts[0], one) for one in entries)
        return frozenset(values) if origin is frozenset else tuple(values)
    if origin is Mapping and parts[1] is not str:
        return {name: object_of(parts[1], value) for name, value in content.items()}
    return content


@cache
def _readers(owner: Any) -> list[tuple[str, str, Callable[[Any], Any]]]:
    """Return the name of each field of a dataclass, its path in a file, and the function that reads it."""

    def read(one: Field[Any]) -> Callable[[Any], Any]:
        return lambda value: object_of(type_of(owner, one), value)  # the type may need an import

    return [
        (
            one.name,
            path_of(owner, one),
            UnreadPart if part_of(owner, one.name) else one.metadata.get("read") or read(one),
        )
        for one in fields(owner)
    ]


def part_of(owner: type, name: str) -> Part[Any] | None:
    """Return the part that a field of a class is; None if it is not a part."""
    return _parts(owner).get(name)


@cache
def _parts(owner: type) -> dict[str, Part[Any]]:
    """Return the parts of a class and of its bases, by name."""
    members = {name: value for base in reversed(owner.__mro__) for name, value in vars(base).items()}
    return {name: value for name, value in members.items() if isinstance(value, Part)}


@cache
def type_of(owner: type, one: Field[Any]) -> Any:
    """Return the type of a field, which the class or a base of it annotates."""
    if (part := part_of(owner, one.name)) is not None:
        return part.type()
    base = next(base for base in owner.__mro__ if one.name in get_annotations(base))
    return eval(one.type, vars(sys.modules[base.__module__])) if isinstance(one.type, str) else one.type


def path_of(owner: type, one: Field[Any]) -> str:
    """Return the key of a field, with the keys around it: see ``key``."""
    part = part_of(owner, one.name)
    return (part.key if part is not None else one.metadata.get("name")) or one.name


def _value_at(content: Any, paths: str) -> Any:
    """Return the value at a path of keys, or None."""
    for path in paths.split("|"):
        value = content
        for name in path.split("."):
            value = value.get(name) if value is not None else None
        if value is not None:
            return value
    return None
