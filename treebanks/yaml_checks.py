"""Content of YAML files held against the dataclasses that declare their keys."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import is_dataclass
from functools import cache
from importlib import import_module
from operator import ge, gt, le, lt
from types import NoneType
from typing import Any, Literal, NamedTuple, get_args, get_origin

from crossbank.plugins.packages import absent
from crossbank.treebanks.errors import CrossbankError, OptionError, meant, one_of
from crossbank.treebanks.typed_yaml import DROPPED, Rule
from crossbank.treebanks.yaml_keys import (
    NO_RULE,
    Key,
    extensions,
    is_union,
    keys_of,
    names_of,
    plain_kind,
    unwrapped,
)

MAX_SHOWN = 60
"""The number of characters of a value in a message."""

Keys = tuple[str | int, ...]
"""Keys of mappings and indices of lists, from the content of a file down to a value."""

KINDS = {
    Mapping: "a mapping",
    tuple: "a list",
    str: "a string",
    int: "a whole number",
    float: "a number",
    bool: "yes or no",
    NoneType: "nothing",
}
LIMITS: Mapping[str, tuple[str, Callable[[Any, Any], bool]]] = {
    "minimum": (" from {}", ge),
    "maximum": (" to {}", le),
    "exclusiveMinimum": (" above {}", gt),
    "exclusiveMaximum": (" below {}", lt),
    "minLength": ("at least {} character", lambda value, limit: len(value) >= limit),
    "pattern": ("a text like {}", lambda value, limit: re.search(limit, value) is not None),
    "minItems": ("at least {}", lambda value, limit: len(value) >= limit),
    "uniqueItems": ("a list without repetition", lambda value, limit: len(set(value)) == len(value)),
    "minProperties": ("at least {}", lambda value, limit: len(value) >= limit),
    "maxProperties": ("at most {}", lambda value, limit: len(value) <= limit),
}
"""The limits of values, by their keywords in JSON schemas: what is expected, and whether a value is.

What begins with a blank comes after the name of the type.
"""


class Violation(NamedTuple):
    """A value that breaks the declaration: its keys, and what is wrong.

    inside  the key of the value that the message is about, for the line
    kind    what is broken: the type of a value, a limit, the rule that a key must be there;
            ``absent`` for a key of a plug-in that is not installed
    """

    keys: Keys
    message: str
    inside: Keys = ()
    kind: Literal["type", "limit", "missing", "absent", ""] = ""


def violations(kind: Any, value: Any, keys: Keys = (), rule: Rule = NO_RULE) -> Iterator[Violation]:
    """Yield everything in a value of a file that breaks the declaration of its type."""
    if value is DROPPED:
        return
    kind, rule = unwrapped(kind, rule)
    if not _fits(kind, value):
        yield _unexpected(keys, value, expected_of(kind, rule), "type")
        return
    inside = list(_inside(kind, value, keys))
    if rule.expected and any(one.keys == keys and one.kind in ("type", "limit") for one in inside):
        inside = [_unexpected(keys, value, rule.expected, "limit")]
    yield from inside
    for name, limit in rule.limits.items():
        expected, holds = LIMITS[name]
        if not inside and not holds(value, limit):
            is_whole = bool(rule.expected) or expected.startswith(" ")
            expected = expected_of(kind, rule) if is_whole else expected.format(limit)
            yield _unexpected(keys, value, expected, "limit")
            return
    if rule.check is not None and not inside:
        try:
            _function(rule.check)(value)
        except CrossbankError as error:
            yield Violation(keys, told(error))
        except (ValueError, re.error) as error:
            yield _unexpected(keys, value, f"{rule.expected} ({error})", "")


def _unexpected(
    keys: Keys, value: Any, expected: str, kind: Literal["type", "limit", "missing", ""]
) -> Violation:
    text = repr(value)
    found = text if len(text) <= MAX_SHOWN else f"{text[: MAX_SHOWN - 3]}..."
    return Violation(keys, f"found {found}, expected {expected}", kind=kind)


def _inside(kind: Any, value: Any, keys: Keys) -> Iterator[Violation]:
    """Yield what is wrong inside of a value whose own kind is right."""
    origin, parts = get_origin(kind), get_args(kind)
    if isinstance(kind, type) and is_dataclass(kind):
        inside = list(_in_mapping(keys_of(kind), value, keys, getattr(kind, "other_keys", None)))
        yield from inside
        for one in () if inside else (kind, *extensions(kind)):
            if (check := getattr(one, "check_keys", None)) is not None:
                yield from (Violation((*keys, *below), message) for below, message in check(value))
    elif is_union(kind):
        ways = [list(violations(one, value, keys)) for one in parts if _fits(one, value)]
        yield from min(ways, key=len)
    elif origin in (tuple, frozenset, Sequence):
        for index, one in enumerate(value):
            yield from violations(parts[0], one, (*keys, index))
    elif origin is Mapping:
        names = names_of(parts[0])
        for name, one in value.items():
            if names is not None and name not in names:
                yield unknown_key(name, names, keys)
            else:
                yield from violations(parts[1], one, (*keys, name))


def _in_mapping(
    known: Mapping[str, Key], value: Mapping[str, Any], keys: Keys, other: Any = None
) -> Iterator[Violation]:
    for name, one in value.items():
        if name not in known and other is not None:
            yield from violations(other, one, (*keys, name))
        elif name not in known:
            yield unknown_key(name, known, keys)
        elif known[name].keys:
            if isinstance(one, Mapping):
                yield from _in_mapping(known[name].keys, one, (*keys, name))
            else:
                yield _unexpected((*keys, name), one, KINDS[Mapping], "")
        else:
            yield from violations(known[name].kind, one, (*keys, name), known[name].rule)
    for name, one in known.items():
        if one.required and name not in value:
            yield Violation(keys, f"{name!r} is missing", kind="missing")


@cache
def _function(check: Callable[[Any], object] | str) -> Callable[[Any], object]:
    if not isinstance(check, str):
        return check
    module, _, name = check.partition(":")
    function: Callable[[Any], object] = getattr(import_module(module), name)
    return function


def unknown_key(name: Any, known: Iterable[str], keys: Keys) -> Violation:
    """Return the violation of a key that there is not."""
    for declared, folder in absent("key").items():
        if declared.partition(".")[2] == name:
            message = f"{name!r} is part of {folder}, which is not installed"
            return Violation(keys, message, (name,), "absent")
    return Violation(keys, f"{name!r} is not a key; {meant(str(name), list(known))}", (name,))


def _fits(kind: Any, value: Any) -> bool:
    """Return whether a value is of a kind, whatever is inside of it."""
    kind, _ = unwrapped(kind)
    if kind is Any:
        return True
    if is_union(kind):
        return any(_fits(one, value) for one in get_args(kind))
    if get_origin(kind) is Literal:
        return any(value == one and type(value) is type(one) for one in get_args(kind))
    plain = plain_kind(kind)
    if plain is tuple:
        return isinstance(value, (list, tuple))
    if plain in (int, float):
        return isinstance(value, (int, plain)) and not isinstance(value, bool)
    return isinstance(value, plain)


def expected_of(kind: Any, rule: Rule = NO_RULE) -> str:
    """Return what messages expect of a value: in the words of its rule, else its type with its limits."""
    kind, rule = unwrapped(kind, rule)
    if rule.expected:
        return rule.expected
    if is_union(kind):
        return " or ".join(dict.fromkeys(map(expected_of, get_args(kind))))
    if get_origin(kind) is Literal:
        return one_of(get_args(kind))
    limits = [LIMITS[name][0].format(limit) for name, limit in rule.limits.items()]
    return "".join([KINDS[plain_kind(kind)], *(limit for limit in limits if limit.startswith(" "))])


def told(error: CrossbankError) -> str:
    """Return what a message of a file says of an error: of an unknown name, that it is none."""
    named = isinstance(error, OptionError) and not isinstance(error.allowed, str)
    if isinstance(error, OptionError) and named and re.fullmatch("[a-z]+( [a-z]+)*", error.kind):
        article = "an" if error.kind[0] in "aeio" else "a"
        return f"{error.value!r} is not {article} {error.kind}; {meant(error.value, error.allowed)}"
    return str(error)


def without(content: Any, wrong: Iterable[Violation]) -> bool:
    """Leave out of a content the values that are wrong. Returns False where the whole content is.

    Entries of lists are replaced by ``DROPPED``, and a list of nothing else is left out.
    """
    is_part = True
    for violation in wrong:
        *above, last = (*violation.keys, *violation.inside) or (None,)
        part = content
        for one in above:
            part = part.get(one) if isinstance(part, dict) else part[one]
            if part is None or part is DROPPED:
                break
        if last is None:
            is_part = False
        elif isinstance(part, dict):
            part.pop(last, None)
        elif isinstance(part, list) and isinstance(last, int):
            part[last] = DROPPED
            if all(one is DROPPED for one in part):
                without(content, [Violation(violation.keys[:-1], "")])
    return is_part
