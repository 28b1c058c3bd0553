"""Keys of YAML files, declared once: as the fields of dataclasses.

From the declaration ``object_of`` builds objects of a file's content, ``violations`` checks the content, and
``json_schema`` writes the schema from which the manual and ``crossbank help`` take their tables: see
``yaml_schemas``. The docstring of a class explains each key, as ``name  meaning``.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, Field, field, fields
from functools import cache
from importlib import import_module
from inspect import get_annotations
from types import UnionType
from typing import Annotated, Any, Generic, NamedTuple, TypeVar, get_args, get_origin, overload

Value = TypeVar("Value")


class Rule:
    """Limits of a value besides its type; written ``Annotated[str, Rule("a name", pattern="^[a-z]+$")]``.

    They are keywords of JSON schemas, and three others:

    expected  the expectation in messages; by default the limit that the value violates
    names     the allowed keys of a mapping, each with its meaning
    check     a function that raises CrossbankError or ValueError for a wrong value, or its address:
              ``module:function``
    """

    def __init__(self, expected: str = "", **limits: Any) -> None:
        self.keywords = limits | ({"expected": expected} if expected else {})


Text = Annotated[str, Rule(minLength=1)]
Texts = Annotated[tuple[Text, ...], Rule(minItems=1)]

DROPPED = object()
"""Placeholder of a wrong entry of a list, so that the other entries keep their indices."""


def key(
    default: Any = (),
    *,
    name: str | None = "",
    form: Any = None,
    read: Callable[[Any], Any] | None = None,
    otherwise: str = "",
    required: bool | None = None,
    **rule: Any,
) -> Any:
    """Declare the key of a field of a dataclass.

    default   the default; ``...`` if the key is required
    name      the key, if the field has another name: ``in``, ``tokens.punctuation`` inside of a mapping,
              ``first_of|any_of`` for either
    form      the type of the value in the file, if the field has another
    read      a function from the value in the file to that of the field; by default the field's type decides
    otherwise the effect of omitting the key, as text
    required  whether the key is required where its mapping is present, if that differs from the field
    rule      as for ``Rule``
    """
    metadata = {"name": name, "form": form, "read": read, "otherwise": otherwise, "required": required}
    metadata["rule"] = Rule(**rule)
    if default is ...:
        return field(metadata=metadata)
    if isinstance(default, dict):
        return field(default_factory=default.copy, metadata=metadata)
    return field(default=default, metadata=metadata)


def no_key(default: Any = ...) -> Any:
    """Declare a field that has no key in files; its value may be put into their content by its name."""
    return key(default, name=None)


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

    Most uses of a scheme need few of its parts, and the classes of the others are not imported. In the
    dataclass it is written ``heads: Part[HeadRules] = Part("crossbank.converters.schemes.head_rules", {})``.

    module   the module that has the names in the field's type
    content  the default content of the part
    name     the name of the key, as for ``key``; None for a part that no file has
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
            value = vars(holder)[self.name] = object_of(type_of(self.owner, self.name), value.content)
        return value

    def __set__(self, holder: object, value: Value) -> None:
        vars(holder)[self.name] = value


class UnreadPart(NamedTuple):
    """Content of a file from which no object has been built yet."""

    content: Any


class Key(NamedTuple):
    """A field of a dataclass and its key.

    paths  the keys from the outermost mapping down; of several paths the first that exists is used
    read   the function from the value in the file to that of the field
    is_in_files  whether files have the key; otherwise its value is put into the content by code
    """

    field: Field[Any]
    paths: Sequence[Sequence[str]]
    read: Callable[[Any], Any]
    is_in_files: bool

    @property
    def is_required(self) -> bool:
        """Whether the mapping must have the key."""
        declared = self.field.metadata.get("required")
        return self.field.default is self.field.default_factory is MISSING if declared is None else declared

    def value_in(self, content: Any) -> Any:
        """Return the value in the content of a mapping, or None."""
        for path in self.paths:
            value = content
            for name in path:
                value = value.get(name) if value is not None else None
            if value is not None:
                return value
        return None


@cache
def keys_of(owner: Any) -> list[Key]:
    """Return the keys of a dataclass, one for each field."""
    keys = []
    for one in fields(owner):
        part, read = part_of(owner, one.name), one.metadata.get("read")
        name = one.metadata.get("name", "") if part is None else part.key
        paths = [path.split(".") for path in (name or one.name).split("|")]
        read = read or (UnreadPart if part else _reader(owner, one.name))
        keys.append(Key(one, paths, read, is_in_files=name is not None))
    return keys


def _reader(owner: type, name: str) -> Callable[[Any], Any]:
    return lambda value: object_of(type_of(owner, name), value)  # the type may need an import


def object_of(type: Any, content: Any, /, **made: Any) -> Any:
    """Return a value of a type, built from content without violations.

    In a dataclass each field has the value of its key, or its default; ``made`` are fields whose values
    the caller passes. Lists become tuples or sets, mappings stay mappings, and so on recursively.
    """
    type = get_args(type)[0] if get_origin(type) is Annotated else type
    origin, parts = get_origin(type), get_args(type)
    if hasattr(type, "__dataclass_fields__"):
        for one in keys_of(type):
            if one.field.name not in made and (value := one.value_in(content)) is not None:
                made[one.field.name] = one.read(value)
        return type(**made)
    if origin is UnionType:
        return content if content is None else object_of(parts[0], content)
    if origin in (tuple, frozenset, Sequence):
        entries = (one for one in content if one is not DROPPED)
        values = entries if parts[0] in (str, Any) else (object_of(parts[0], one) for one in entries)
        return frozenset(values) if origin is frozenset else tuple(values)
    if origin is Mapping and parts[1] is not str:
        return {name: object_of(parts[1], value) for name, value in content.items()}
    return content


@cache
def part_of(owner: type, name: str) -> Part[Any] | None:
    """Return the ``Part`` of a field of a class; None if the field is not a part."""
    value = next((vars(base)[name] for base in owner.__mro__ if name in vars(base)), None)
    return value if isinstance(value, Part) else None


@cache
def type_of(owner: type, name: str) -> Any:
    """Return the type of a field, which the class or a base of it annotates."""
    base = next(base for base in owner.__mro__ if name in get_annotations(base))
    type, names = get_annotations(base)[name], vars(sys.modules[base.__module__])
    if (part := part_of(owner, name)) is not None:
        return get_args(eval(type, {**names, **vars(import_module(part.module))}))[0]
    return eval(type, names) if isinstance(type, str) else type
