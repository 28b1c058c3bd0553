"""Faults of a scheme's file that its form does not show: wrong expressions, rules that can never fire.

Labels are split before rules are looked up: with ``-`` as the mark of functions ``S-MAIN`` is the category
``S`` with the function ``MAIN``. A rule for ``S-MAIN`` is then never found, and nothing says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from crossbank.converters.schemes.dependency_rules import BareRules
from crossbank.converters.schemes.label_syntax import LabelSyntax
from crossbank.converters.schemes.relation_rules import load_rules
from crossbank.converters.schemes.scheme import Scheme
from crossbank.converters.transformations import files_read
from crossbank.treebanks import OptionError
from crossbank.treebanks.errors import CrossbankError
from crossbank.treebanks.yaml_objects import object_of

Keys = list[str | int]

TOKEN_CLASSES = ("punctuation", "empty", "metadata", "sentence_ids")
"""The keys of ``tokens`` that name tokens by tags and forms."""

WILDCARDS = frozenset("*?[")
"""The characters that make a pattern of a label; patterns are not checked."""

RULES = (
    ("heads", "rules"),
    ("dependencies", "prepositions", "noun"),
    ("dependencies", "prepositions", "preposition"),
)
"""The keys of a scheme's file that have groups of candidates by category."""

CATEGORIES = (
    ("dependencies", "transparent"),
    ("dependencies", "unlabelled"),
    ("dependencies", "coordination", "categories"),
    ("heads", "coordination", "in"),
)
"""The keys of a scheme's file that list categories."""


def faults(
    own: Mapping[str, Any], merged: Mapping[str, Any], labels: LabelSyntax
) -> Iterator[tuple[Keys, str]]:
    """Keys of each fault of a file that its schema allows, with what was found and what was expected.

    merged  the file's content with that of the scheme that it extends
    """
    name = own.get("name", "")
    if re.search(r"[|:\n]", name):
        yield ["name"], f"found {name!r}, expected a name without '|', ':' and line ends, as in signatures"
    yield from _expressions(own)
    for kind in ("governors", "conjuncts"):
        for place, pattern in enumerate(at_path(own, ("dependencies", "bare", kind))):
            try:
                object_of(BareRules, {kind: [pattern]})
            except OptionError as error:
                yield ["dependencies", "bare", kind, place], str(error)
    for view, transformations in at_path(own, ("views",)).items():
        for place, transformation in enumerate(transformations):
            try:
                files_read([transformation])
            except CrossbankError as error:
                yield ["views", view, place], str(error)
    for key, load in (("relation_rules", load_rules), ("universal_dependencies", _load_universal)):
        try:
            if key in own:
                load(own[key])
        except CrossbankError as error:
            yield [key], str(error)
    yield from unreachable(own, labels)
    if "delete" not in merged and any(at_path(merged, ("tokens", "punctuation")).values()):
        yield (
            ["tokens", "punctuation"],
            "there is no 'delete' beside it; write 'delete: punct' (metrics leave punctuation out) or "
            "'delete: none' (they count it)",
        )


def _load_universal(rules: str) -> None:
    """Read rules for Universal Dependencies, as the transformation does that has them."""
    files_read(["universal_dependencies"], Scheme("", "", (), universal=rules))


def _expressions(own: Mapping[str, Any]) -> Iterator[tuple[Keys, str]]:
    """Yield the regular expressions that cannot be compiled."""
    paths: list[Keys] = [["tokens", kind, "forms"] for kind in TOKEN_CLASSES]
    paths += [["frames", "passive", key] for key in ("forms", "perfect", "always")]
    paths.append(["erase", "contractions"])
    auxiliaries = at_path(own, ("erase", "auxiliaries"))
    paths += [["erase", "auxiliaries", place, "forms"] for place in range(len(auxiliaries))]
    for what, rules in at_path(own, ("erase", "others")).items():
        paths += [["erase", "others", what, place, "forms"] for place in range(len(rules))]
    for place in range(len(at_path(own, ("redraw", "extraposition")))):
        paths += [["redraw", "extraposition", place, key] for key in ("subjects", "verbs")]
    for path in paths:
        for place, form in enumerate(at_path(own, path)):
            try:
                re.compile(form)
            except re.error as error:
                yield [*path, place], f"found {form!r}, expected a regular expression ({error})"


def unreachable(content: Mapping[str, Any], labels: LabelSyntax) -> Iterator[tuple[Keys, str]]:
    """Yield the keys of each rule that can never fire, with what was found there and what would match."""
    for path in RULES:
        yield from _in_rules(at_path(content, path), list(path), labels)
    for name, own in at_path(content, ("heads", "sets")).items():
        yield from _in_rules(own.get("rules", {}), ["heads", "sets", name, "rules"], labels)
    for place, group in enumerate(at_path(content, ("heads", "before"))):
        yield from _in_group(group, ["heads", "before", place], labels)
    for path in CATEGORIES:
        for place, label in enumerate(at_path(content, path)):
            if label != labels.main_category(label):
                yield [*path, place], _said(label, labels)


def _in_rules(rules: Mapping[str, Any], keys: Keys, labels: LabelSyntax) -> Iterator[tuple[Keys, str]]:
    for category, groups in rules.items():
        if category != labels.main_category(category):
            yield [*keys, category], _said(category, labels)
        for place, group in enumerate(groups):
            yield from _in_group(group, [*keys, category, place], labels)


def _in_group(group: Mapping[str, Any], keys: Keys, labels: LabelSyntax) -> Iterator[tuple[Keys, str]]:
    for name in ("any_of", "first_of"):
        for place, label in enumerate(group.get(name, ())):
            if not WILDCARDS & set(label) and label != labels.main_category(label):
                yield [*keys, name, place], _said(label, labels)


def _said(label: str, labels: LabelSyntax) -> str:
    category, function = labels.main_category(label), labels.parts(label).function
    parts = f"the category {category}"
    parts += f" with the function {function}" if function else " and what marks it further"
    return f"found {label!r}, which is split into {parts} and never met; expected {category!r}"


def at_path(content: Any, path: Sequence[str | int]) -> Any:
    """Return the value at some keys of a file's content; an empty mapping where there is none."""
    for key in path:
        try:
            content = content[key]
        except (KeyError, IndexError):
            return {}
        if content is None:
            return {}
    return content
