"""Rules of a scheme that can never fire, because they name labels as no tree has them.

Labels are split before rules are looked up: with ``-`` as the mark of functions ``S-MAIN`` is the category
``S`` with the function ``MAIN``. A rule for ``S-MAIN`` is then never found, and nothing says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from crossbank.converters.schemes.label_syntax import LabelSyntax

Keys = list[str | int]

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
