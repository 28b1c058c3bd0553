"""Rules of a scheme that can never fire, since labels are split before rules are looked up.

With ``-`` as the mark of functions ``S-MAIN`` is the category ``S`` with the function ``MAIN``: no node has
the category ``S-MAIN``, and a rule for it never fires.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from crossbank.converters.schemes.scheme import LabelSyntax


Keys = tuple[str | int, ...]

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
    """Yield the keys of each rule that can never fire, with what is wrong and what would match."""
    rules = [*RULES, *(("heads", "sets", name, "rules") for name in at_path(content, ("heads", "sets")))]
    groups = [
        (("heads", "before", index), group)
        for index, group in enumerate(at_path(content, ("heads", "before")))
    ]
    for path in rules:
        for category, listed in at_path(content, path).items():
            yield from _split([((*path, category), category)], labels)
            groups += [((*path, category, index), group) for index, group in enumerate(listed)]
    for keys, group in groups:
        for name in ("any_of", "first_of"):
            yield from _split(_entries(at_path(group, (name,)), (*keys, name)), labels)
    for path in CATEGORIES:
        yield from _split(_entries(at_path(content, path), path), labels)


def _entries(labels: Sequence[Any], path: Sequence[str | int]) -> Iterator[tuple[Keys, Any]]:
    yield from (((*path, index), label) for index, label in enumerate(labels))


def _split(entries: Iterable[tuple[Keys, Any]], syntax: LabelSyntax) -> Iterator[tuple[Keys, str]]:
    for keys, label in entries:
        if not isinstance(label, str) or WILDCARDS & set(label) or label == syntax.main_category(label):
            continue
        category, function = syntax.main_category(label), syntax.parts(label).function
        parts = f"the category {category}"
        parts += f" with the function {function}" if function else " and what marks it further"
        yield keys, f"found {label!r}, which is split into {parts} and never met; expected {category!r}"


def at_path(content: Any, path: Sequence[str | int]) -> Any:
    """Return the value at some keys of a file's content; an empty mapping where there is none."""
    for key in path:
        try:
            content = content[key]
        except (KeyError, IndexError, TypeError):
            return {}
        if content is None:
            return {}
    return content
