"""``crossbank list``: the names that the command line knows, one line each.

Names come from the registries and their meanings from docstrings, so that there is no second list.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields
from functools import partial
from importlib import import_module
from inspect import cleandoc
from textwrap import dedent
from types import NoneType
from typing import Any, Literal, get_args, get_origin, get_type_hints

import click

from crossbank.workflow.commands.command import command
from crossbank.workflow.commands.names import FORMATS, METRICS, TRANSFORMATIONS, breakdowns, registered
from crossbank.workflow.commands.parameters import Name, json_option
from crossbank.workflow.commands.printing import in_columns, print_result

Entries = dict[str, str]
"""The meaning of each name."""

KINDS = ("metrics", "schemes", "formats", "transformations", "breakdowns", "modes", "profiles", "options")

EXAMPLES = ("crossbank list metrics", "crossbank list options parseval", "crossbank list formats --json")


@command(
    "list",
    EXAMPLES,
    group="help",
    help="list metrics, options, schemes, formats, transformations, breakdowns, modes or profiles",
    position=220,
)
@click.argument("kind", type=click.Choice(KINDS), help=f"the kind of names: {', '.join(KINDS)}")
@click.argument("metric", required=False, type=Name("metric"), help="the metric whose options are listed")
@json_option("print one JSON object: the meanings by name")
def run(kind: str, metric: str | None, json: bool) -> None:
    """Print the names and their meanings. Raises OptionError for an unknown metric."""
    from crossbank.treebanks.errors import CrossbankError

    if kind == "options":
        if metric is None:
            raise CrossbankError("list options: name a metric (crossbank list metrics)")
        entries = options(metric)
    elif metric is not None:
        raise CrossbankError(f"list {kind}: found {metric!r}, expected nothing after {kind}")
    else:
        entries = LISTS[kind]()
    print_result(json, lambda: entries, lambda: in_columns(entries))


def formats() -> Entries:
    """Return the formats, with the ends of the names by which files in them are recognised."""
    from crossbank.treebanks.formats import format_named

    def suffixes(name: str) -> str:
        format = format_named(name)
        notes = [*format.suffixes, *([] if format.written else ["read only"])]
        return f" ({', '.join(notes)})" if notes else ""

    return _registered(FORMATS, suffixes)


def schemes() -> Entries:
    """Return the annotation schemes."""
    from crossbank.converters.scheme_files import load_scheme, scheme_names

    return {name: load_scheme(name).title for name in scheme_names()}


def modes() -> Entries:
    """Return the modes, with the programs whose output they equal."""
    from crossbank.metrics.modes.modes_by_name import REGISTRY, mode_named

    return {name: mode_named(name).label for name in REGISTRY.names()}


def profiles() -> Entries:
    """Return the profiles with which studies run, by the first comment of each."""
    from crossbank.workflow.named_profiles import profile_names, profile_text

    return {name: profile_text(name).partition("\n")[0].removeprefix("#").strip() for name in profile_names()}


def _registered(module: str, notes: Callable[[str], str] = lambda name: "") -> Entries:
    """Return names with their meanings; of what another package names and does not have, why it fails."""
    from crossbank.treebanks.errors import OptionError

    load, entries = import_module(module).REGISTRY.load, {}
    for name in registered(module):
        try:
            entries[name] = first_sentence(load(name).__doc__) + notes(name)
        except OptionError as error:
            entries[name] = str(error)
    return entries


LISTS: Mapping[str, Callable[[], Entries]] = {
    "metrics": partial(_registered, METRICS),
    "schemes": schemes,
    "formats": formats,
    "transformations": partial(_registered, TRANSFORMATIONS),
    "breakdowns": breakdowns,
    "modes": modes,
    "profiles": profiles,
}
"""The function that lists each kind; the options of a metric are listed by ``options``."""


def options(metric: str) -> Entries:
    """Return the options of a metric, then those of all metrics.

    Raises OptionError for an unknown metric.
    """
    from crossbank.metrics.counting.metric import metric_class
    from crossbank.metrics.counting.scoring import SHARED, Scoring

    entries: dict[str, str] = {}
    for owner in (metric_class(metric), Scoring):
        kinds = get_type_hints(owner)
        for field in fields(owner):
            if owner is not Scoring or field.name in SHARED:
                text = f"{_described(owner, field.name)} ({_values(field, kinds[field.name])})"
                # One metric has an option of the same name, with other values.
                own = entries.get(field.name)
                entries[field.name] = text if own is None else f"{own}; also {text}"
    return entries


def first_sentence(text: str | None) -> str:
    """Return the first sentence of a docstring, on one line and without marks of code."""
    paragraph = " ".join(cleandoc(text or "").partition("\n\n")[0].split())
    sentence = re.split(r"(?<=\.) (?=[A-Z])", paragraph, maxsplit=1)[0]
    return sentence.replace("``", "").rstrip(".:")


def sections(text: str | None) -> dict[str, str]:
    """Return the underlined sections of a docstring by title; the key "" has what precedes them."""
    parts = re.split(r"^(\S.*)\n-{3,}\n", _dedented(text or ""), flags=re.M)
    return {title: body.strip() for title, body in zip(["", *parts[1::2]], parts[::2], strict=True)}


def _dedented(text: str) -> str:
    """Return a docstring without its indentation; tabs in it stay, which ``cleandoc`` replaces."""
    first, _, indented = text.partition("\n")
    return f"{first.strip()}\n{dedent(indented)}"


def _described(owner: type, option: str) -> str:
    """Return an option's meaning, from the docstring of its class or of a base class."""
    for parent in owner.__mro__:
        entry = re.search(rf"^{option} {{2,}}(.+(?:\n .+)*)", sections(parent.__doc__)[""], re.M)
        if entry:
            return " ".join(entry[1].split()).replace("``", "").rstrip(".")
    return option.replace("_", " ")


def _values(field: Field[Any], kind: Any) -> str:
    from crossbank.treebanks.registry import written

    values = ""
    for one in get_args(kind) if NoneType in get_args(kind) else (kind,):
        if get_origin(one) is Literal:
            values = ", ".join(map(str, get_args(one))) + "; "
        elif one is bool:
            values = "yes, no; "
    default = field.default if field.default_factory is MISSING else field.default_factory()
    return f"{values}required" if default is MISSING else f"{values}default {written(default)}"
