"""Transformations by name: the lists of studies and of the command line.

A transformation is a function ``(bank, scheme, **options) -> Treebank``; its options are its keyword
arguments, with the types and defaults they have there. Its module may have, under the same name with
another ending,

``_files``     a function ``(scheme, **options) -> tuple[Path, ...]``: the data files that it reads
``_resolves``  the structures of ``treebanks.formats.losses.STRUCTURES`` that it takes away
``_turns``     the contents of ``treebanks.formats.CONTENTS`` that it says in another way: by the name of each
               what it becomes, and the transformation as it is written for that
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from types import NoneType
from typing import Any, TypeAlias, get_type_hints

from crossbank.converters.schemes.scheme import Scheme
from crossbank.treebanks import OptionError, Treebank
from crossbank.treebanks.ranges import each
from crossbank.treebanks.registry import REFERENCE, Registry, option_value, written
from crossbank.treebanks.validation import refuse_unsound

TRANSFORMATIONS: dict[str, str] = {
    "chosen_analyses": "crossbank.converters.chosen_analyses:chosen_analyses",
    "virtual_root": "crossbank.converters.virtual_root:virtual_root",
    "strip_functions": "crossbank.converters.functions:strip_functions",
    "split_functions": "crossbank.converters.functions:split_functions",
    "join_functions": "crossbank.converters.functions:join_functions",
    "map_labels": "crossbank.converters.map_labels:map_labels",
    "equate_labels": "crossbank.converters.map_labels:equate_labels",
    "split_lemmas": "crossbank.converters.split_lemmas:split_lemmas",
    "surface_words": "crossbank.converters.surface_words:surface_words",
    "delete_tokens": "crossbank.converters.delete_tokens:delete_tokens",
    "delete_punctuation": "crossbank.converters.delete_tokens:delete_punctuation",
    "delete_empty_elements": "crossbank.converters.delete_tokens:delete_empty_elements",
    "resolve_traces": "crossbank.converters.resolve_traces:resolve_traces",
    "delete_metadata": "crossbank.converters.delete_tokens:delete_metadata",
    "delete_nodes": "crossbank.converters.delete_nodes:delete_nodes",
    "delete_roots": "crossbank.converters.delete_nodes:delete_roots",
    "collapse_unary": "crossbank.converters.delete_nodes:collapse_unary",
    "erase": "crossbank.converters.parseval1991.erase:erase",
    "delete_empty_brackets": "crossbank.converters.parseval1991.delete_empty_brackets:delete_empty_brackets",
    "redraw": "crossbank.converters.parseval1991.redraw:redraw",
    "flatten": "crossbank.converters.flat_keys.flatten:flatten",
    "agreed_labels": "crossbank.converters.flat_keys.flatten:agreed_labels",
    "label_frames": "crossbank.converters.constructions.label_frames:label_frames",
    "noun_chunks": "crossbank.converters.constructions.noun_chunks:noun_chunks",
    "filter_key": "crossbank.converters.flat_keys.filter_key:filter_key",
    "attach_punctuation": "crossbank.converters.crossing.attach_punctuation:attach_punctuation",
    "raise_crossing": "crossbank.converters.crossing.raise_crossing:raise_crossing",
    "split_crossing": "crossbank.converters.crossing.split_crossing:split_crossing",
    "join_crossing": "crossbank.converters.crossing.split_crossing:join_crossing",
    "syllable_structure": "crossbank.converters.syllable_structure:syllable_structure",
    "mark_heads": "crossbank.converters.heads.marking:mark_heads",
    "mark_coordination": "crossbank.converters.constructions.mark_coordination:mark_coordination",
    "insert_flat_phrases": "crossbank.converters.dependencies.flat_phrases:insert_flat_phrases",
    "dependencies": "crossbank.converters.dependencies.from_trees:dependencies",
    "conll_columns": "crossbank.converters.dependencies.conll_columns:conll_columns",
    "single_root": "crossbank.converters.dependencies.single_root:single_root",
    "attach_to_main_verbs": "crossbank.converters.dependencies.main_verbs:attach_to_main_verbs",
    "attach_word_groups": "crossbank.converters.dependencies.word_groups:attach_word_groups",
    "delete_punctuation_levels": "crossbank.converters.ccg.derivation_brackets:delete_punctuation_levels",
    "auxiliaries_as_leaves": (
        "crossbank.converters.dependencies.auxiliaries_as_leaves:auxiliaries_as_leaves"
    ),
    "ccg_heads": "crossbank.converters.ccg.lexical_heads:ccg_heads",
    "ccg_dependencies": "crossbank.converters.ccg.argument_slots:ccg_dependencies",
    "universal_dependencies": "crossbank.converters.universal.conversion:universal_dependencies",
    "preds_only": "crossbank.converters.lfg.preds_only:preds_only",
    "relations_from_fstructures": "crossbank.converters.lfg.fstructure_relations:relations_from_fstructures",
    "neutral_relations": "crossbank.converters.lfg.fstructure_relations:neutral_relations",
    "relations_from_trees": "crossbank.converters.relations.relations_from_trees:relations_from_trees",
    "map_relations": "crossbank.converters.relations.map_relations:map_relations",
}
"""The place of each transformation, ``module:function``; a module is imported when it is first used."""

REGISTRY = Registry("transformation", "crossbank.converters", TRANSFORMATIONS, "module:function")


@dataclass(frozen=True)
class Transformation:
    """A transformation by name, with options; ``str()`` of it is how the command line writes it."""

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
    Raises OptionError for an unknown name, an unknown option or a value that is not of its kind.
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
    """Options of a transformation, and their types: looked up once, not at each of a thousand calls."""
    parameters = inspect.signature(function).parameters.values()
    return {p.name: p for p in parameters if p.kind == p.KEYWORD_ONLY}, get_type_hints(function)


def transform(bank: Treebank, transformations: Iterable[Written], scheme: Scheme | None = None) -> Treebank:
    """Return the treebank after some transformations, which its ``history`` then names.

    Raises OptionError for an unknown transformation, ConversionError where one cannot be done.
    """
    steps = [parse(transformation) for transformation in transformations]
    for chosen in each(steps, lambda step: f"converting: {step.name}", "steps"):
        bank = _function(chosen.name)(bank, scheme, **chosen.options)
        if chosen.name not in TRANSFORMATIONS:
            refuse_unsound(bank, chosen.name)
        bank = bank.replace(history=(*bank.history, str(chosen)))
    return bank


def files_read(transformations: Iterable[Written], scheme: Scheme | None = None) -> tuple[Path, ...]:
    """Return the data files that some transformations read: relation rules, their hierarchies, relation maps.

    The scheme's own files are not among them: they are ``scheme.files``. Together they are everything
    but the treebank and the code that the result depends on. Raises OptionError for an unknown
    transformation, YamlError where a file cannot be read.
    """
    paths: dict[Path, None] = {}
    for chosen in map(parse, transformations):
        files = _declared(chosen.name, "files", None)
        paths.update(dict.fromkeys(files(scheme, **chosen.options) if files is not None else ()))
    return tuple(paths)


def resolved_by(name: str) -> tuple[str, ...]:
    """Return the structures that a transformation takes away, as its module declares."""
    contents: tuple[str, ...] = _declared(name, "resolves", ())
    return contents


def turned_by(name: str) -> Mapping[str, tuple[str, str]]:
    """Return the contents that a transformation says in another way, as its module declares."""
    changes: Mapping[str, tuple[str, str]] = _declared(name, "turns", {})
    return changes


def _declared(name: str, ending: str, nothing: Any) -> Any:
    function = _function(name)
    return getattr(sys.modules[REGISTRY.module(name)], f"{function.__name__}_{ending}", nothing)


def _function(name: str) -> Callable[..., Treebank]:
    loaded = REGISTRY.load(name)
    if not callable(loaded):
        raise OptionError("transformation", name, "a function of a treebank and a scheme")
    function: Callable[..., Treebank] = loaded
    return function


def _written_options(transformation: str, options: str) -> dict[str, Any]:
    """Options by name. A comma parts them if ``key=`` follows, else it belongs to a value (``$,``)."""
    written: dict[str, Any] = {}
    for option in re.split(r",(?=[a-z_]+=)", options) if options else ():
        key, equals, value = option.partition("=")
        if not equals or not key:
            raise OptionError("transformation", transformation, "NAME:key=value,...")
        written[key] = value
    return written
