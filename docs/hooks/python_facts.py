"""Reference of Python: signatures and docstrings of the public names."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import Any, get_overloads

from docstring_text import as_markdown

from crossbank.treebanks.cached_properties import cached_property
from crossbank.treebanks.tables import Tables

WIDTH = 96


def python(names: str) -> str:
    """What each of some names is, in the order given; a name is below ``crossbank``."""
    return "\n".join(line for name in names.split(",") for line in _described("###", *_found(name)))


def _found(name: str) -> tuple[str, Any]:
    """Return the full name of an object, and the object."""
    *modules, own = f"crossbank.{name}".split(".")
    return ".".join([*modules, own]), getattr(import_module(".".join(modules)), own)


def _described(marks: str, name: str, member_object: Any) -> Iterator[str]:
    """Yield the heading, the signature and the docstring of an object, and those of its members."""
    yield f"{marks} {name}\n"
    if signature := _signature(name.rpartition(".")[2], member_object):
        yield f"```text\n{signature}\n```\n"
    if text := as_markdown(member_object.__doc__ or ""):
        yield f"{text.rstrip()}\n"
    if inspect.isclass(member_object):
        inherited = vars(Tables) if issubclass(member_object, Tables) else {}
        for member, value in {**vars(member_object), **inherited}.items():
            value = getattr(value, "__func__", value)
            if not member.startswith("_") and _is_described(value):
                yield from _described(f"{marks}#", f"{name.rpartition('.')[2]}.{member}", value)


def _overloads(member_object: type) -> Sequence[Any]:
    """Return the ways to make an object of a class, the longest last."""
    return get_overloads(member_object.__init__) if inspect.isfunction(member_object.__init__) else ()


def _is_described(member: Any) -> bool:
    """True for what has a docstring of its own: methods and properties."""
    kinds = (property, functools.cached_property, cached_property)
    return (inspect.isfunction(member) or isinstance(member, kinds)) and bool(member.__doc__)


def _signature(name: str, member_object: Any) -> str:
    """How an object is called, on as many lines as it needs; empty if it is not."""
    if isinstance(member_object, property | functools.cached_property | cached_property):
        getter = member_object.fget if isinstance(member_object, property) else member_object.func
        returned = inspect.signature(getter).return_annotation if getter else inspect.Signature.empty
        return f"{name}: {_written(returned)}"
    try:
        signature = inspect.signature(member_object)
        if inspect.isclass(member_object) and (several := _overloads(member_object)):
            longest = inspect.signature(several[-1])
            signature = longest.replace(parameters=list(longest.parameters.values())[1:])
    except (TypeError, ValueError):
        return ""
    parts = _parts(signature)
    end = "" if inspect.isclass(member_object) else f" -> {_written(signature.return_annotation)}"
    line = f"{name}({', '.join(parts)}){end}"
    if len(line) <= WIDTH:
        return line
    return "\n".join([f"{name}(", *(f"    {part}," for part in parts), f"){end}"])


def _parts(signature: inspect.Signature) -> list[str]:
    """Return the parameters, and the star that parts those that are named from the others."""
    parts: list[str] = []
    named = False
    for parameter in signature.parameters.values():
        if parameter.name == "self":
            continue
        if parameter.kind is parameter.KEYWORD_ONLY and not named:
            parts.append("*")
        named |= parameter.kind in (parameter.KEYWORD_ONLY, parameter.VAR_POSITIONAL)
        parts.append(_without_quotes(parameter))
    return parts


def _without_quotes(parameter: inspect.Parameter) -> str:
    """One parameter, with its annotation as it is in the code."""
    stars = "*" * (parameter.kind == parameter.VAR_POSITIONAL) + "**" * (
        parameter.kind == parameter.VAR_KEYWORD
    )
    text = f"{stars}{parameter.name}: {_written(parameter.annotation)}"
    if parameter.default is parameter.empty:
        return text
    # The address of an object would be another one at each run.
    default = "..." if " at 0x" in repr(parameter.default) else repr(parameter.default)
    return f"{text} = {default}"


def _written(annotation: Any) -> str:
    text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
    return re.sub(r"\b(?:collections\.abc|typing|pathlib)\.", "", text)
