"""Keys of YAML files, declared once: as the fields of dataclasses.

The declaration makes an object of a file's content (``object_of``), checks the content
(``yaml_checks.violations``), and is written as a JSON schema (``json_schemas.json_schema``), from which the
manual and ``crossbank help`` take their tables. What a key means stands in the docstring of its class, as
``name  meaning``.
"""

from __future__ import annotations

import inspect
import sys
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, fields, is_dataclass
from functools import cache
from importlib import import_module
from types import UnionType
from typing import Annotated, Any, Generic, TypeVar, get_args, get_origin, overload

Value = TypeVar("Value")


class Rule:
    """What holds of a value besides its type; written ``Annotated[str, Rule("a name", pattern="^[a-z]+$")]``.

    expected  what messages ask for; without it they name the limit that the value breaks
    names     of the keys of a mapping: those that there are, each with its meaning
    check     a function that raises CrossbankError or ValueError for a wrong value, or the place of one:
              ``module:function``
    limits    those of a JSON schema
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


Text = Annotated[str, Rule(minLength=1)]
Texts = Annotated[tuple[Text, ...], Rule(minItems=1)]

DROPPED = object()
"""Stands for an entry of a list that is wrong and left out, so that the others keep their indices."""


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

    default   ... for none
    name      the key, if the field has another name: ``in``, ``tokens.punctuation`` inside of a mapping,
              ``first_of|any_of`` for either
    form      the type of the value in the file, if the field's is another
    read      what makes the field's value of that in the file; otherwise the field's type does
    otherwise what holds without the key, in words
    required  whether the key is required where its mapping is there, if that is not as for the field
    expected, check, limits  as for ``Rule``
    """
    metadata = {
        "name": name, "form": form, "read": read, "otherwise": otherwise, "required": required,
        "rule": Rule(expected, check=check, **limits),
    }  # fmt: skip
    return _field(default, metadata)


def no_key(default: Any = ..., *, name: str = "") -> Any:
    """Declare a field that no file has; that with the ``name`` of a key may be made of its value."""
    return _field(default, {"no_key": True, "name": name})


def _field(default: Any, metadata: Mapping[str, Any]) -> Any:
    if default is ...:
        return field(metadata=metadata)
    if isinstance(default, dict):
        return field(default_factory=default.copy, metadata=metadata)
    return field(default=default, metadata=metadata)


ADDED: defaultdict[type, list[type]] = defaultdict(list)
"""Classes whose keys further packages add to those of a class."""


def adds_keys(model: type) -> Callable[[type[Value]], type[Value]]:
    """Return a decorator that adds the keys of a dataclass to those of another one, the model."""

    def add(extension: type[Value]) -> type[Value]:
        ADDED[model].append(extension)
        return extension

    return add


class Part(Generic[Value]):
    """Field of a dataclass that is made of its part of a file when it is first used.

    Most uses of a scheme need few of its parts: the classes of the others are not even imported. In the
    dataclass it is written ``heads: Part[HeadRules] = Part("crossbank.converters.schemes.head_rules", {})``.

    module   the module that has the names in the field's type
    content  what the file has for the part by default
    name     the key, as for ``key``; None for a part that no file has
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
            return Unmade(self.content)  # the default of the dataclass
        value = vars(holder)[self.name]
        if isinstance(value, Unmade):
            value = vars(holder)[self.name] = object_of(self.kind(), value.content)
        return value

    def __set__(self, holder: object, value: Value) -> None:
        vars(holder)[self.name] = value

    def kind(self) -> Any:
        """Return the type of the part."""
        names = {**vars(sys.modules[self.owner.__module__]), **vars(import_module(self.module))}
        return get_args(_evaluated(self.owner.__annotations__[self.name], names))[0]


class Unmade:
    """Content of a file of which no value has been made yet."""

    def __init__(self, content: Any) -> None:
        self.content = content


# Objects


def object_of(kind: Any, content: Any, /, **made: Any) -> Any:
    """Return a value of a type, made of content that breaks no rule.

    Of a dataclass each field is the value of its key, or has its default; ``made`` are fields that are made
    elsewhere. Lists become tuples or sets, mappings stay mappings, and so on inside.
    """
    kind = get_args(kind)[0] if get_origin(kind) is Annotated else kind
    if isinstance(kind, type) and is_dataclass(kind):
        values = {
            name: read(value)
            for name, under, read in _fields(kind)
            if name not in made and (value := _under(content, under)) is not None
        }
        return kind(**values, **made)
    origin, parts = get_origin(kind), get_args(kind)
    origin = tuple if origin is Sequence else origin
    if origin is UnionType:
        return content if content is None else object_of(parts[0], content)
    if origin in (tuple, frozenset):
        entries = (one for one in content if one is not DROPPED)
        return origin(entries if parts[0] in (str, Any) else (object_of(parts[0], one) for one in entries))
    if origin is Mapping and parts[1] is not str:
        return {key: object_of(parts[1], each) for key, each in content.items()}
    return content


@cache
def _fields(kind: Any) -> list[tuple[str, str, Callable[[Any], Any]]]:
    """Return the name of each field, the key under which a file has it, and what reads it."""
    listed: list[tuple[str, str, Callable[[Any], Any]]] = []
    for one in fields(kind):
        part = part_of(kind, one.name)
        if part is not None:
            listed.append((one.name, part.key or one.name, Unmade))
        else:
            read = one.metadata.get("read") or _reader(kind, one)
            listed.append((one.name, one.metadata.get("name") or one.name, read))
    return listed


def _reader(kind: Any, one: Any) -> Callable[[Any], Any]:
    """Return the function that makes a field's value; the type is looked up when there is a value to make."""

    @cache
    def of() -> Any:
        return type_of(kind, one)

    return lambda value: object_of(of(), value)


def part_of(kind: type, name: str) -> Part[Any] | None:
    """Return the part that a field of a class is; None if it is none."""
    return next((vars(base)[name] for base in kind.__mro__ if isinstance(vars(base).get(name), Part)), None)


def type_of(kind: type, one: Any) -> Any:
    """Return the type of a field, which the class or a base of it annotates."""
    if (part := part_of(kind, one.name)) is not None:
        return part.kind()
    owner = next(base for base in kind.__mro__ if one.name in inspect.get_annotations(base))
    return _evaluated(one.type, vars(sys.modules[owner.__module__]))


def _evaluated(annotation: Any, names: dict[str, Any]) -> Any:
    """Return the type that an annotation of ours names."""
    return eval(annotation, names) if isinstance(annotation, str) else annotation


def _under(content: Any, name: str) -> Any:
    """Return the value of a key, or None; ``name`` is as for ``key``."""
    for way in name.split("|"):
        value = content
        for part in way.split("."):
            value = value.get(part) if value is not None else None
        if value is not None:
            return value
    return None
