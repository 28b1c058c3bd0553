"""Transformations by name: the lists of studies and of the command line.

A transformation is a function ``(bank, scheme, **options) -> Treebank``; its options are its keyword
arguments, with the types and defaults they have there. ``@transformation`` above it
(``converters.declaration``) names it, and declares the structures that it resolves and the files that it
reads.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from types import NoneType
from typing import Any, NamedTuple, TypeAlias, get_type_hints

from crossbank.converters.declaration import declared_by
from crossbank.converters.schemes.scheme import Scheme
from crossbank.treebanks import OptionError, Treebank
from crossbank.treebanks.ranges import each
from crossbank.treebanks.registry import REFERENCE, Registry, option_value, written
from crossbank.treebanks.validation import refuse_unsound

REGISTRY = Registry("transformation", "module:function")

TRANSFORMATIONS = REGISTRY.bundled
"""Each transformation's ``module:function``; modules are imported on first use."""


@dataclass(frozen=True)
class Transformation:
    """A transformation by name, with options; ``str()`` gives its notation on the command line."""

    name: str
    options: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        options = ",".join(f"{name}={written(value)}" for name, value in self.options.items())
        return f"{self.name}:{options}" if options else self.name


Written: TypeAlias = str | Mapping[str, Any] | Transformation
"""A transformation as users write it: ``name``, ``name:key=value,key=value`` or ``name: {key: value}``."""


def parse(transformation: Written) -> Transformation:
    """Return the transformation that a user wrote, with its options as values.

    In the written form several values of one option are joined by ``+``, pairs are ``old>new``.
    Raises OptionError for an unknown name, an unknown option or a value of a wrong type.
    """
    if isinstance(transformation, Transformation):
        return transformation
    if isinstance(transformation, str):
        name, _, rest = transformation.partition(":")
        if name not in TRANSFORMATIONS and (reference := REFERENCE.match(transformation)):
            name, rest = reference.group(), transformation[reference.end() + 1 :]
        options = _written_options(transformation, rest)
    elif isinstance(transformation, Mapping) and len(transformation) == 1:
        ((name, value),) = transformation.items()
        _function(name)
        if not isinstance(value, (Mapping, NoneType)):
            raise OptionError(f"options of {name}", value, "a dictionary: each option by its name")
        options = dict(value or {})
    else:
        raise OptionError(
            "transformation", transformation, "NAME, NAME:key=value,... or one NAME with its options"
        )
    allowed, hints = _options_of(_function(name))
    for option in options:
        if option not in allowed:
            raise OptionError(f"option of {name}", option, allowed or "none")
        if option not in hints:
            raise OptionError(f"option {option} of {name}", "no type", f"one in the function: {option}: int")
    for option, parameter in allowed.items():
        if parameter.default is parameter.empty and option not in options:
            raise OptionError(f"options of {name}", ", ".join(options) or "none", f"{option}=...")
    return Transformation(name, {o: option_value(f"{name}:{o}", v, hints[o]) for o, v in options.items()})


@lru_cache(maxsize=256)
def _options_of(function: Callable[..., Any]) -> tuple[dict[str, inspect.Parameter], dict[str, Any]]:
    """Return the options of a transformation and their types, cached for repeated calls."""
    parameters = inspect.signature(function).parameters.values()
    return {p.name: p for p in parameters if p.kind == p.KEYWORD_ONLY}, get_type_hints(function)


class Step(NamedTuple):
    """A transformation with its function.

    written  its name in ``history``
    is_own   whether it is one of this package
    """

    chosen: Transformation
    function: Callable[..., Treebank]
    written: str
    is_own: bool


def steps_of(transformations: Iterable[Written]) -> tuple[Step, ...]:
    """Return some transformations with their functions. Raises OptionError for an unknown one."""
    parsed = map(parse, transformations)
    return tuple(Step(one, _function(one.name), str(one), one.name in TRANSFORMATIONS) for one in parsed)


def transform(bank: Treebank, transformations: Iterable[Written], scheme: Scheme | None = None) -> Treebank:
    """Return the treebank after some transformations, which its ``history`` then names.

    Raises OptionError for an unknown transformation, ConversionError if one cannot be done.
    """
    return transformed(bank, steps_of(transformations), scheme)


def transformed(bank: Treebank, steps: Sequence[Step], scheme: Scheme | None) -> Treebank:
    """Return the treebank after the transformations of ``steps_of``."""
    history = bank.history
    for step in each(steps, _name_of_work, "steps"):
        if not step.is_own:
            bank = bank.replace(history=history)  # which another package's function may read
        before = len(bank.history)
        bank = step.function(bank, scheme, **step.chosen.options)
        if not step.is_own:
            refuse_unsound(bank, step.chosen.name)
        # What the function itself has transformed comes before its own name.
        history = (*history, *bank.history[before:], step.written)
    return bank.replace(history=history) if steps else bank


def _name_of_work(step: Step) -> str:
    return f"converting: {step.chosen.name}"


def files_read(transformations: Iterable[Written], scheme: Scheme | None = None) -> tuple[Path, ...]:
    """Return the data files that some transformations read: relation rules, their hierarchies, relation maps.

    The scheme's own files are not among them: they are ``scheme.files``. Together they are everything
    but the treebank and the code that the result depends on. Raises OptionError for an unknown
    transformation, YamlError if a file cannot be read.
    """
    paths: dict[Path, None] = {}
    for chosen in map(parse, transformations):
        files = declared_by(_function(chosen.name)).files(scheme, **chosen.options)
        paths.update(dict.fromkeys(files))
    return tuple(paths)


def check_files(transformation: Written) -> None:
    """Raise CrossbankError for an unknown transformation, and for a data file that it cannot read."""
    files_read([transformation])


def resolved_by(name: str) -> tuple[str, ...]:
    """Return the structures that a transformation declares to resolve."""
    return declared_by(_function(name)).resolves


def turned_by(name: str) -> Mapping[str, tuple[str, str]]:
    """Return the contents that a transformation declares to convert to others."""
    return declared_by(_function(name)).turns


def _function(name: str) -> Callable[..., Treebank]:
    loaded = REGISTRY.load(name)
    if not callable(loaded):
        raise OptionError("transformation", name, "a function of a treebank and a scheme")
    function: Callable[..., Treebank] = loaded
    return function


def _written_options(transformation: str, options: str) -> dict[str, Any]:
    """Return options by name.

    A comma separates them if ``key=`` follows, else it belongs to a value (``$,``).
    """
    written: dict[str, Any] = {}
    for option in re.split(r",(?=[a-z_]+=)", options) if options else ():
        key, equals, value = option.partition("=")
        if not equals or not key:
            raise OptionError("transformation", transformation, "NAME:key=value,...")
        written[key] = value
    return written
