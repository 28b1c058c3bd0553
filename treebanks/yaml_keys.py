"""Keys of a dataclass that declares what files have: types, limits, defaults and meanings."""

from __future__ import annotations

import inspect
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from crossbank.treebanks.typed_yaml import ADDED, Rule, part_of, type_of

NO_RULE = Rule()


@dataclass(frozen=True)
class Key:
    """A key of a mapping in a file.

    kind       the type of its value there
    rule       what holds of the value besides
    required   whether the mapping must have the key
    default    the value without the key
    meaning    what the docstring of its class says of it
    otherwise  what holds without the key, in words
    keys       of a mapping that is no class of its own: its keys
    """

    kind: Any
    rule: Rule
    default: Any
    required: bool = False
    meaning: str = ""
    otherwise: str = ""
    keys: dict[str, Key] = field(default_factory=dict)


@cache
def keys_of(kind: Any) -> dict[str, Key]:
    """Return the keys of a dataclass in a file, by their names there."""
    meanings = _meanings(kind)
    keys: dict[str, Key] = {}
    for one in fields(kind):
        part, given = part_of(kind, one.name), one.metadata
        if "no_key" in given or (part is not None and part.key is None):
            continue
        default = MISSING if part is not None or one.default_factory is not MISSING else one.default
        required = part is None and one.default is MISSING and one.default_factory is MISSING
        form = given.get("form") or type_of(kind, one)
        if default is None and given.get("form") is None:
            form = _without_none(form)
        written = (part.key if part is not None else given.get("name")) or one.name
        for way in written.split("|"):
            *groups, name = way.split(".")
            inner = keys
            for group in groups:
                inner.setdefault(group, Key(Mapping, NO_RULE, MISSING, meaning=meanings.get(group, "")))
                inner = inner[group].keys
            of_key = Key(
                form,
                given.get("rule", NO_RULE),
                default,
                required if given.get("required") is None else given["required"],
                meanings.get(one.name) or meanings.get(name, ""),
                given.get("otherwise", ""),
            )
            inner.setdefault(name, of_key)  # two fields may be made of one key
    for extension in extensions(kind):
        keys |= keys_of(extension)
    return dict(sorted(keys.items(), key=lambda one: not one[1].required))


def extensions(kind: type) -> list[type]:
    """Return the classes that add keys to those of a class and of its bases."""
    return [extension for base in kind.__mro__ for extension in ADDED.get(base, ())]


def _without_none(kind: Any) -> Any:
    left = tuple(one for one in get_args(kind) if one is not NoneType)
    return Union[left] if is_union(kind) else kind  # noqa: UP007


def is_union(kind: Any) -> bool:
    """Return whether a type is one of several."""
    return get_origin(kind) in (UnionType, Union)


@cache
def _meanings(kind: type) -> dict[str, str]:
    """Return what the docstrings of a class and its bases say of each name."""
    found: dict[str, str] = {}
    for base in reversed(kind.__mro__):
        text = inspect.cleandoc(base.__doc__ or "") if is_dataclass(base) else ""
        for names, meaning in re.findall(
            r"^(\w+(?:, \w+)*)(?: {2,}|\n {2,})(\S.*(?:\n {2,}.*)*)", text, re.M
        ):
            found |= dict.fromkeys(names.split(", "), " ".join(meaning.replace("``", "").split()))
    return found


def names_of(kind: Any) -> Collection[str] | None:
    """Return the names that the keys of a mapping may be; None for any."""
    return get_args(kind) if get_origin(kind) is Literal else unwrapped(kind)[1].names


def plain_kind(kind: Any) -> Any:
    """Return the entry of KINDS that a type is of."""
    origin = get_origin(kind) or kind
    if origin is None:
        return NoneType
    if origin in (tuple, frozenset, Sequence):
        return tuple
    return Mapping if is_dataclass(origin) or origin is Mapping else origin


def unwrapped(kind: Any, rule: Rule = NO_RULE) -> tuple[Any, Rule]:
    """Return a type without its annotation, and the rule of a key with that of its type."""
    if get_origin(kind) is not Annotated:
        return kind, rule
    kind, inner = get_args(kind)
    if rule is NO_RULE:
        return kind, inner
    expected, check = rule.expected or inner.expected, rule.check or inner.check
    return kind, Rule(expected, names=inner.names, check=check, **{**inner.limits, **rule.limits})
