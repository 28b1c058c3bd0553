"""A scheme's file by itself and held against a treebank: all errors, what never matches, what has no rule."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path
from typing import Any

from crossbank.converters.heads.marking import NAME as MARK_HEADS
from crossbank.converters.heads.marking import mark_heads
from crossbank.converters.labels import functions_of_nodes
from crossbank.converters.relations import relations_from_trees
from crossbank.converters.scheme_files import NEARLY_ALL, Examined, examine
from crossbank.converters.schemes.relation_rules import load_rules
from crossbank.converters.schemes.scheme import Scheme, TokenClass
from crossbank.converters.schemes.unreachable_rules import at_path
from crossbank.converters.transformations import parse, transform
from crossbank.metrics.counting.scoring import in_view
from crossbank.metrics.pairing.word_forms import is_punctuation
from crossbank.treebanks import Treebank
from crossbank.treebanks.errors import CrossbankError
from crossbank.treebanks.quantities import listed, quantity
from crossbank.treebanks.typed_yaml import DROPPED
from crossbank.treebanks.yaml_files import load_yaml
from crossbank.treebanks.yaml_nodes import FileDiagnostic, YamlError, at

Keys = list[str | int]

USUAL_VIEWS = ("constituents", "dependencies", "relations")

DRAFTED = ("title", "sources", "inventory")
"""The keys of a draft under which only its author knows what to write."""

EDIT = re.compile(r"edit(:.*)?", re.DOTALL)
"""What is in a draft where something is to be written."""

TOKEN_CLASSES = ("punctuation", "empty", "metadata", "sentence_ids")
"""The keys of ``tokens`` that name tokens by tags and forms."""


def examined(path: Path) -> tuple[list[FileDiagnostic], Examined | None]:
    """Return the errors and warnings of a scheme's file, and the file, if it is YAML of a scheme.

    Raises CrossbankError if it cannot be read.
    """
    try:
        scheme = examine(path)
    except YamlError as error:
        return [*error.diagnostics], None
    # A scheme of which nobody wrote yet what its labels mean gives the same scores.
    content = load_yaml(path)
    drafted = unedited({key: content[key] for key in DRAFTED if key in content})
    warnings = [replace(at(path, *one), severity="warning") for one in drafted]
    return [*scheme.errors, *warnings], scheme


def unedited(content: Any, keys: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Yield the keys at which a draft still has ``edit``, those of one mapping or list together."""
    entries: dict[Any, Any] = dict(content.items() if isinstance(content, dict) else enumerate(content))
    left = [key for key, value in entries.items() if isinstance(value, str) and EDIT.fullmatch(value)]
    if keys and len(left) > 1:
        names = listed([str(key) for key in left])
        yield keys, f"found 'edit' for {names}, as drafted; expected your text"
    else:
        yield from (((*keys, key), "found 'edit', as drafted; expected your text") for key in left)
    for key, value in entries.items():
        if isinstance(value, dict | list):
            yield from unedited(value, (*keys, key))


@dataclass(frozen=True, eq=False)
class NameCounts:
    """Names in a treebank and how often each is there, as a scheme's rules see them.

    tags        tags of words, without functions
    categories  main categories of nodes
    functions   functions of words and nodes; one of several parts counts as each part, too
    """

    tags: Mapping[str, int]
    categories: Mapping[str, int]
    functions: Mapping[str, int]

    @classmethod
    def of(cls, bank: Treebank, scheme: Scheme) -> NameCounts:
        """Return the names that a treebank has under a scheme's syntax of labels."""
        named, of_nodes = functions_of_nodes(bank, scheme)
        functions: dict[str, int] = {}
        for numbers in (bank.vocabulary.counted(bank.tokens.function), named.vocabulary.counted(of_nodes)):
            for function, number in numbers.items():
                for part in {function, *function.split("-")}:
                    functions[part] = functions.get(part, 0) + number
        category = scheme.labels.main_category
        return cls(
            _renamed(bank.vocabulary.counted(bank.tokens.pos), category),
            _renamed(bank.vocabulary.counted(bank.nodes.label), category),
            functions,
        )

    @cached_property
    def children(self) -> Mapping[str, int]:
        """Tags and categories."""
        return {**self.tags, **self.categories}


def unused(examined: Examined, bank: Treebank) -> Iterator[FileDiagnostic]:
    """Yield everything in the file that the treebank never uses, and what the treebank has without a rule.

    All are warnings except for views that cannot be made of the treebank.
    """
    scheme = examined.scheme
    if not len(bank.tokens):
        return
    path = scheme.files[0]
    names = NameCounts.of(bank, scheme)
    spoken = without_silent(bank, scheme)
    for keys, message in (
        *_token_classes(examined.own, scheme, bank),
        *_head_rules(examined.own, names),
        *_lists(examined, names),
        *_without_rules(examined.own, scheme, spoken),
    ):
        yield replace(at(path, keys, message), severity="warning")
    yield from _views(examined, scheme, bank, path)


def without_silent(bank: Treebank, scheme: Scheme) -> Treebank:
    """Return a treebank without empty elements, metadata, and the nodes over these alone.

    No rule applies to these.
    """
    silent = scheme.is_empty(bank) | scheme.is_metadata(bank)
    return bank.without_tokens(silent, "scheme check") if silent.any() else bank


def _token_classes(own: Mapping[str, Any], scheme: Scheme, bank: Treebank) -> Iterator[tuple[Keys, str]]:
    """Yield unused tags and forms of punctuation, empty elements and metadata, and unlisted signs."""
    for kind in TOKEN_CLASSES:
        declared = at_path(own, ("tokens", kind))
        classes = [("tags", entry, tag, TokenClass(frozenset((tag,))))
                   for entry, tag in enumerate(declared.get("tags", ()))]  # fmt: skip
        classes += [("forms", entry, form, TokenClass(forms=(form,)))
                    for entry, form in _entries(declared, "forms")]  # fmt: skip
        for key, entry, value, tokens in classes:
            if not tokens.mask(bank, scheme.labels).any():
                yield ["tokens", kind, key, entry], f"found {value!r}, which no word has"
    signs = bank.vocabulary.matching(is_punctuation)[bank.tokens.form]
    missed = signs & ~scheme.is_punctuation(bank) & ~scheme.is_empty(bank) & ~scheme.is_metadata(bank)
    for tag, number in bank.vocabulary.counted(bank.tokens.pos[missed]).items():
        of_tag = int((bank.tokens.pos == bank.vocabulary.code(tag)).sum())
        if number > NEARLY_ALL * of_tag:
            yield (
                ["tokens", "punctuation"],
                f"found {number:,} signs with the tag {tag}, which is not listed as punctuation",
            )


def _entries(content: Mapping[str, Any], key: str) -> Iterator[tuple[int, str]]:
    """Yield the entries of a list that are right, with their indices."""
    yield from ((index, one) for index, one in enumerate(content.get(key, ())) if one is not DROPPED)


def _head_rules(own: Mapping[str, Any], names: NameCounts) -> Iterator[tuple[Keys, str]]:
    """Yield rules for categories, and candidates and functions in rules, that the treebank does not have."""
    key_paths: list[Keys] = [["heads", "rules"]]
    key_paths += [["heads", "sets", name, "rules"] for name in at_path(own, ("heads", "sets"))]
    key_paths += [
        ["dependencies", "prepositions", name] for name in at_path(own, ("dependencies", "prepositions"))
    ]
    for keys in key_paths:
        for category, groups in at_path(own, keys).items():
            if category not in names.categories:
                yield [*keys, category], f"found a rule for {category!r}, a label that never occurs"
                continue
            for number, group in enumerate(groups):
                yield from _group(group, [*keys, category, number], names)
    for number, group in enumerate(at_path(own, ("heads", "before"))):
        yield from _group(group, ["heads", "before", number], names)


def _group(group: Mapping[str, Any], keys: Keys, names: NameCounts) -> Iterator[tuple[Keys, str]]:
    if group is DROPPED:
        return
    for name in ("any_of", "first_of"):
        if missing := _missing(group.get(name, ()), names.children):
            yield [*keys, name], f"found {listed(missing)}, which {_never(missing)}"
    if missing := _missing(group.get("functions", ()), names.functions):
        yield [*keys, "functions"], f"found {listed(missing)}, which {_never(missing)}"


LISTS: Mapping[tuple[str, ...], str] = {
    ("roots", "labels"): "categories",
    ("no_function",): "functions",
    ("equivalences",): "children",
    ("heads", "coordination", "conjunctions"): "children",
    ("heads", "coordination", "in"): "categories",
    ("dependencies", "transparent"): "categories",
    ("dependencies", "unlabelled"): "categories",
    ("dependencies", "clause_parts"): "categories",
    ("dependencies", "coordination", "functions"): "functions",
    ("dependencies", "coordination", "conjunctions"): "children",
    ("dependencies", "coordination", "categories"): "categories",
    ("dependencies", "long_distance", "closest"): "functions",
    ("dependencies", "long_distance", "first"): "functions",
    ("dependencies", "long_distance", "conjuncts"): "functions",
    ("flat_key", "keep"): "categories",
    ("flat_key", "position"): "categories",
    ("chunks", "phrases"): "categories",
    ("chunks", "nouns"): "tags",
    ("frames", "clauses"): "categories",
    ("frames", "verbs"): "tags",
}
"""The lists of names in a scheme's file (of a mapping: its keys), and the names that each has."""


def _lists(examined: Examined, names: NameCounts) -> Iterator[tuple[Keys, str]]:
    """Yield the names in lists that the treebank does not have, and that are not taken over from the base."""
    lists = dict(LISTS)
    lists |= {
        ("universal_tags", universal): "tags" for universal in at_path(examined.own, ("universal_tags",))
    }
    for path, kind in lists.items():
        inherited = at_path(examined.base, path)
        listed_here = [name for name in at_path(examined.own, path) if name not in inherited]
        if missing := _missing(listed_here, getattr(names, kind)):
            yield [*path], f"found {listed(missing)}, which {_never(missing)}"


def _without_rules(own: Mapping[str, Any], scheme: Scheme, bank: Treebank) -> Iterator[tuple[Keys, str]]:
    """Yield the labels that have no head rule or one that finds no head, tags without a universal tag."""
    names = NameCounts.of(bank, scheme)
    if bank.has_constituents:
        rules = at_path(own, ("heads", "rules"))
        marked = mark_heads(bank.replace(diagnosis=()), scheme)
        for finding in marked.diagnosis:
            category, _, how = finding.event.partition(": head by ")
            headless = scheme.transparent | scheme.root_labels
            if finding.step != MARK_HEADS or how != "default" or category in headless:
                continue
            end = f"the {'first' if scheme.heads.default == 'left' else 'last'} child is the head"
            nodes = f"{finding.total:,} node{'s' if finding.total > 1 else ''} with several children"
            if category in rules:
                yield ["heads", "rules", category], f"no candidate in {nodes}: {end}"
            elif category not in scheme.heads.rules:
                yield ["heads", "rules"], f"no rule for {category!r} ({nodes}): {end}"
    if scheme.universal_tags:
        for tag, number in names.tags.items():
            if tag not in scheme.universal_tags:
                yield ["universal_tags"], f"no universal tag for {tag!r} ({quantity(number, 'word')})"
    known = scheme.inventory
    for kind in ("tags", "categories", "functions"):
        if known.get(kind):
            silent = {"", *scheme.no_function, *scheme.root_labels}
            missing = [name for name in getattr(names, kind) if name not in {*known[kind], *silent}]
            if kind == "functions":
                missing = [
                    name for name in missing if any(part not in known[kind] for part in name.split("-"))
                ]
            if missing:
                yield ["inventory", kind], f"{listed(missing)} is missing, which the treebank has"


def _views(examined: Examined, scheme: Scheme, bank: Treebank, path: Path) -> Iterator[FileDiagnostic]:
    """Yield the views that cannot be made of the treebank, and rules for relations that never match.

    Those that most studies make are tried even where the scheme has them from the one that it extends.
    """
    own = at_path(examined.own, ("views",))
    usual = [view for view in USUAL_VIEWS if view in scheme.views and bank.has_constituents]
    for view in dict.fromkeys((*own, *usual)):
        if view == "relations" and (view in own or "relation_rules" in examined.own):
            yield from _relations(scheme, bank, path)
            continue
        try:
            in_view(bank, view, scheme)
        except CrossbankError as error:
            yield at(path, ["views", view], str(error))


def _relations(scheme: Scheme, bank: Treebank, path: Path) -> Iterator[FileDiagnostic]:
    for index, step in enumerate(map(parse, scheme.views["relations"])):
        if step.name != relations_from_trees.NAME:
            continue
        try:
            before = transform(bank, scheme.views["relations"][:index], scheme)
            findings = transform(before, [step], scheme).diagnosis
            rules = load_rules(relations_from_trees.rules_of(scheme, **step.options))
        except CrossbankError as error:
            yield at(path, ["views", "relations", index], str(error))
            continue
        fired = {finding.event for finding in findings if finding.step == relations_from_trees.NAME}
        for number, rule in enumerate(rules.rules):
            if f"{rule.relation}: {rule.name}" not in fired:
                problem = f"the rule {rule.name!r} ({rule.relation}) never matches"
                yield replace(at(rules.files[0], ["rules", number], problem), severity="warning")


def _missing(patterns: Iterable[str], names: Collection[str]) -> list[str]:
    """Return the patterns that no name fits."""
    return [
        pattern
        for pattern in patterns
        if pattern is not DROPPED
        and pattern not in names
        and not any(fnmatchcase(name, pattern) for name in names)
    ]


def _never(names: Collection[str]) -> str:
    return "never occurs" if len(names) == 1 else "never occur"


def _renamed(numbers: Mapping[str, int], change: Callable[[str], str]) -> dict[str, int]:
    """Return the numbers by changed names; those of one name are added up."""
    changed: dict[str, int] = {}
    for name, number in numbers.items():
        changed[change(name)] = changed.get(change(name), 0) + number
    return changed
