"""Schemas of the dataclasses that declare the keys of files, for checks, editors and documentation.

A schema has the keywords of JSON schemas, and four that ``json_schema`` omits: ``record``, the dataclass
that declares a mapping; ``expected``, what messages ask for; ``check`` and ``checks``, functions that check a
value. Its keyword ``otherwise`` describes the effect of omitting a key.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import is_dataclass
from functools import cache, reduce
from inspect import cleandoc
from operator import ge, getitem, gt, le, lt, or_
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias, Union, get_args, get_origin

from crossbank.treebanks.errors import CrossbankError, OptionError, meant, one_of
from crossbank.treebanks.typed_yaml import ADDED, DROPPED, Key, Rule, keys_of, type_of

MAX_VALUE_CHARACTERS = 60
"""Maximal number of characters of a value in a message."""

Schema: TypeAlias = dict[str, Any]

Keys: TypeAlias = tuple[str | int, ...]
"""Keys of mappings and indices of lists, from the content of a file down to a value."""

Broken = Literal["type", "limit", "missing", "absent", ""]
"""What is wrong with a value: its type, a limit, a missing key, or (``absent``) a missing plug-in.
"""

TYPES: Mapping[Any, tuple[str, str, tuple[type, ...]]] = {
    Mapping: ("object", "a mapping", (Mapping,)),
    Sequence: ("array", "a list", (list, tuple)),
    str: ("string", "a string", (str,)),
    int: ("integer", "a whole number", (int,)),
    float: ("number", "a number", (int, float)),
    bool: ("boolean", "yes or no", (bool,)),
    NoneType: ("null", "nothing", (NoneType,)),
}
"""The names of types in schemas and in messages, and the types of their values."""

BY_NAME = {name: (title, types) for name, title, types in TYPES.values()}

LIMITS: Mapping[str, tuple[str, Callable[[Any, Any], bool]]] = {
    "minimum": (" from {}", ge),
    "maximum": (" to {}", le),
    "exclusiveMinimum": (" above {}", gt),
    "exclusiveMaximum": (" below {}", lt),
    "minLength": ("at least {} character", lambda value, limit: len(value) >= limit),
    "pattern": ("a text like {}", lambda value, limit: re.search(limit, value) is not None),
    "minItems": ("a list of at least {}", lambda value, limit: len(value) >= limit),
    "uniqueItems": ("a list without repetition", lambda value, limit: len(set(value)) == len(value)),
    "minProperties": ("at least {}", lambda value, limit: len(value) >= limit),
    "maxProperties": ("at most {}", lambda value, limit: len(value) <= limit),
}
"""The limits of values by their keywords: what is expected, and whether a value is within the limit.

Texts that begin with a blank are appended to the name of the type.
"""


def schema_of(type: Any, rule: Rule | None = None) -> Schema:
    """Return the schema of the values of a type; ``rule`` is the key's rule, in addition to the type's."""
    rules = [] if rule is None else [rule]
    if get_origin(type) is Annotated:
        type, *inner = get_args(type)
        rules = [*inner, *rules]
    origin, parts = get_origin(type) or type, get_args(type)
    schema: Schema = {}
    if is_dataclass(origin):
        schema = {"type": "object", "record": origin}
    elif origin is Literal:
        schema = {"enum": list(parts)}
    elif origin in (UnionType, Union):
        schema = {"anyOf": [schema_of(one) for one in parts]}
    elif origin in (tuple, frozenset, Sequence):
        schema = {"type": "array", "items": schema_of(parts[0])}
    elif origin is Mapping:
        schema = _mapping_schema(*parts)
    elif origin is not Any:
        schema = {"type": TYPES[origin][0]}
    return reduce(or_, (one.keywords for one in rules), schema)


def _mapping_schema(names: Any, values: Any) -> Schema:
    """Return the schema of a mapping whose values have one type, and whose keys may be declared."""
    if names is str:
        return {"type": "object", "additionalProperties": schema_of(values)}
    of_names = schema_of(names)
    meanings = of_names["names"] if "names" in of_names else dict.fromkeys(of_names["enum"], "")
    of_values, schema = schema_of(values), _keys_schema(False)
    for name, meaning in meanings.items():
        schema["properties"][name] = of_values | ({"description": meaning} if meaning else {})
    return schema


def _keys_schema(others: Schema | Literal[False], **description: str) -> Schema:
    """Return the schema of a mapping to which keys are added later."""
    return {"type": "object", "additionalProperties": others, "properties": {}, "required": [], **description}


@cache
def record_schema(type: type) -> Schema:
    """Return the schema of the mapping whose keys a dataclass declares, required ones first."""
    meanings = _meanings(type)
    schema = _keys_schema(schema_of(type.other_keys) if hasattr(type, "other_keys") else False)
    for one in keys_of(type):
        for *groups, name in one.paths if one.is_in_files else ():
            mapping = schema
            for above in groups:
                described = {"description": meanings[above]} if above in meanings else {}
                group = _keys_schema(False, **described, otherwise="the defaults of its keys")
                mapping = mapping["properties"].setdefault(above, group)
            if name not in mapping["properties"]:  # two fields may be read from one key
                meaning = meanings.get(one.field.name) or meanings.get(name, "")
                mapping["properties"][name] = _key_schema(type, one, meaning)
                mapping["required"] += [name] if one.is_required else []
    extensions = [extension for base in type.__mro__ for extension in ADDED.get(base, ())]
    for extension in map(record_schema, extensions):
        schema["properties"] |= extension["properties"]
        schema["required"] += extension["required"]
    properties = sorted(schema["properties"].items(), key=lambda one: one[0] not in schema["required"])
    schema["properties"] = dict(properties)
    schema["required"].sort(key=[name for name, _ in properties].index)
    return {**schema, "checks": [one.check_keys for one in (type, *extensions) if hasattr(one, "check_keys")]}


def _key_schema(owner: type, one: Key, meaning: str) -> Schema:
    """Return the schema of a key's value, with its meaning and default."""
    declared, default = one.field.metadata, one.field.default
    type = declared.get("form") or type_of(owner, one.field.name)
    if default is None and not declared.get("form") and get_origin(type) in (UnionType, Union):
        type = Union[tuple(of for of in get_args(type) if of is not NoneType)]  # noqa: UP007
    schema = schema_of(type, declared.get("rule"))
    for named in schema.get("properties", {}).values():
        named["otherwise"] = declared.get("otherwise") or "none"
    if meaning:
        schema["description"] = meaning
    if declared.get("otherwise"):
        schema["otherwise"] = declared["otherwise"]
    elif isinstance(default, (bool, int, float)) or (default and isinstance(default, str)):
        schema["default"] = default
    elif not one.is_required:
        schema["otherwise"] = "none"
    return schema


@cache
def _meanings(type: type) -> dict[str, str]:
    """Return the meaning of each name in the docstrings of a class and its bases."""
    pattern = re.compile(r"^(\w+(?:, \w+)*)(?: {2,}|\n {2,})(\S.*(?:\n {2,}.*)*)", re.M)
    meanings: dict[str, str] = {}
    for base in filter(is_dataclass, reversed(type.__mro__)):
        for names, meaning in pattern.findall(cleandoc(base.__doc__ or "")):
            meanings |= dict.fromkeys(names.split(", "), " ".join(meaning.replace("``", "").split()))
    return meanings


def whole(schema: Schema) -> Schema:
    """Return a schema; if a dataclass declares it, with the keys of that dataclass."""
    return {**record_schema(schema["record"]), **schema} if "record" in schema else schema


def mappings_in(schema: Schema) -> Iterator[tuple[Schema, bool]]:
    """Yield the schema of each mapping that a value may be, and whether the value is a list of mappings."""
    schema = whole(schema)
    if "properties" in schema:
        yield schema, False
    for other in schema.get("anyOf", ()):
        yield from mappings_in(other)
    if "items" in schema:
        yield from ((mapping, True) for mapping, _ in mappings_in(schema["items"]))


def json_schema(type: type, title: str) -> Schema:
    """Return the JSON schema of files whose content is of a dataclass."""
    definitions: dict[str, Schema] = {}
    alternatives: dict[int, list[Schema]] = {}  # lists that YAML writes once

    def to_json(schema: Schema) -> Schema:
        internal_keywords = {"record", "expected", "check", "checks"} | (
            {"type"} if "record" in schema else set()
        )
        result = {
            name: value for name, value in schema.items() if name not in internal_keywords and value != []
        }
        if "record" in schema:
            name = schema["record"].__name__
            if name not in definitions:
                definitions[name] = {}
                definitions[name] |= to_json(record_schema(schema["record"]))
            result = {"$ref": f"#/$defs/{name}", **result}
        if "properties" in result:
            result["properties"] = {name: to_json(one) for name, one in result["properties"].items()}
        for name in ("items", "additionalProperties"):
            if result.get(name):
                result[name] = to_json(result[name])
        if "anyOf" in result:
            own = [to_json(one) for one in result["anyOf"]]
            result["anyOf"] = alternatives.setdefault(id(result["anyOf"]), own)
        return result

    version = "https://json-schema.org/draft/2020-12/schema"
    return {"$schema": version, "title": title, **to_json(record_schema(type)), "$defs": definitions}


class Violation(NamedTuple):
    """A value that breaks the declaration: its keys, and what is wrong.

    inside  the key of the value that the message is about, for the line
    """

    keys: Keys
    message: str
    inside: Keys = ()
    broken: Broken = ""


def violations(type: Any, content: Any) -> Iterator[Violation]:
    """Yield everything in the content of a file that breaks the declaration of its type."""
    return _violations(schema_of(type), content, ())


def _violations(schema: Schema, value: Any, keys: Keys) -> Iterator[Violation]:
    if value is DROPPED:
        return
    if not _fits(schema, value):
        yield _unexpected(keys, value, _expected(schema), "type")
        return
    inside = list(_inside(schema, value, keys))
    if "expected" in schema and any(one.keys == keys and one.broken in ("type", "limit") for one in inside):
        inside = [_unexpected(keys, value, schema["expected"], "limit")]
    yield from inside
    for name, (expected, is_within) in () if inside else LIMITS.items():
        if name in schema and not is_within(value, schema[name]):
            of_type = "expected" in schema or expected.startswith(" ")
            text = _expected(schema) if of_type else expected.format(schema[name])
            yield _unexpected(keys, value, text, "limit")
            return
    if not inside and "check" in schema:
        from pkgutil import resolve_name

        check = schema["check"]
        try:
            (resolve_name(check) if isinstance(check, str) else check)(value)
        except CrossbankError as error:
            yield Violation(keys, message_of(error))
        except (ValueError, re.error) as error:
            yield _unexpected(keys, value, f"{schema.get('expected', '')} ({error})")


def _fits(schema: Schema, value: Any) -> bool:
    """Return whether a value has the type in a schema; its contents are not examined."""
    if "anyOf" in schema:
        return any(_fits(one, value) for one in schema["anyOf"])
    if "enum" in schema:
        return any(value == one and type(value) is type(one) for one in schema["enum"])
    if "type" not in schema:
        return True
    is_boolean = schema["type"] == "boolean"
    return isinstance(value, BY_NAME[schema["type"]][1]) and isinstance(value, bool) == is_boolean


def _inside(schema: Schema, value: Any, keys: Keys) -> Iterator[Violation]:
    """Yield the violations inside a value of the right type."""
    if "anyOf" in schema:
        fitting = (one for one in schema["anyOf"] if _fits(one, value))
        yield from min((list(_violations(one, value, keys)) for one in fitting), key=len)
    elif "items" in schema:
        for index, one in enumerate(value):
            yield from _violations(schema["items"], one, (*keys, index))
    elif schema.get("type") == "object":
        schema = whole(schema)
        properties, wrong = schema.get("properties", {}), []
        for name, one in value.items():
            of_value = properties.get(name, schema["additionalProperties"])
            if of_value is False:
                wrong.append(_unknown_key(name, properties, keys))
            elif not isinstance(name, str):
                wrong.append(
                    Violation(keys, f"found the key {name!r}, expected a string (in quotes)", (name,))
                )
            else:
                wrong += _violations(of_value, one, (*keys, name))
        missing = [name for name in schema.get("required", ()) if name not in value]
        yield from wrong
        yield from (Violation(keys, f"{name!r} is missing", (), "missing") for name in missing)
        for check in () if wrong or missing else schema.get("checks", ()):
            yield from (Violation((*keys, *below), message) for below, message in check(value))


def _expected(schema: Schema) -> str:
    """Return the expectation in messages: the text of the rule, else the type and its limits."""
    if "expected" in schema:
        return str(schema["expected"])
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(map(_expected, schema["anyOf"])))
    if "enum" in schema:
        return one_of(schema["enum"])
    limits = [text.format(schema[name]) for name, (text, _) in LIMITS.items() if name in schema]
    return BY_NAME[schema["type"]][0] + "".join(limit for limit in limits if limit.startswith(" "))


def _unexpected(keys: Keys, value: Any, expected: str, broken: Broken = "") -> Violation:
    text = repr(value)
    text = text if len(text) <= MAX_VALUE_CHARACTERS else f"{text[: MAX_VALUE_CHARACTERS - 3]}..."
    return Violation(keys, f"found {text}, expected {expected}", (), broken)


def _unknown_key(name: Any, known: Iterable[str], keys: Keys) -> Violation:
    from crossbank.plugins.packages import absent

    for declared, folder in absent("key").items():
        if declared.partition(".")[2] == name:
            message = f"{name!r} is part of {folder}, which is not installed"
            return Violation(keys, message, (name,), "absent")
    return Violation(keys, f"{name!r} is not a key; {meant(str(name), list(known))}", (name,))


def message_of(error: CrossbankError) -> str:
    """Return the message of an error beside a key; of an unknown name: ``'x' is not a metric; ...``."""
    named = isinstance(error, OptionError) and not isinstance(error.allowed, str)
    if isinstance(error, OptionError) and named and re.fullmatch("(?!option )[a-z]+( [a-z]+)*", error.kind):
        article = "an" if error.kind[0] in "aeio" else "a"
        return f"{error.value!r} is not {article} {error.kind}; {meant(error.value, error.allowed)}"
    return str(error)


def remove_values(content: Any, wrong: Iterable[Violation]) -> bool:
    """Remove wrong values from a content. Returns False if the whole content is wrong.

    Entries of lists are replaced by ``DROPPED``, and a list of nothing else is removed.
    """
    is_part = True
    for violation in wrong:
        *above, last = (*violation.keys, *violation.inside) or (None,)
        is_part = is_part and last is not None
        try:
            part = reduce(getitem, above, content)
        except (KeyError, TypeError):  # inside of a value that has been removed
            continue
        if isinstance(part, dict):
            part.pop(last, None)
        elif isinstance(part, list) and isinstance(last, int):
            part[last] = DROPPED
            if all(one is DROPPED for one in part):
                remove_values(content, [Violation(violation.keys[:-1], "")])
    return is_part
