r"""Categories that share heads: a YAML file in ``rules/``, described by ``HeadSharingFile``.

A lexical category has a variable after each position that shares its head with another:
``(NP{Y}\NP{Y})/(S\NP{Y})`` is the subject relative pronoun, whose noun is the subject of the clause, too.
``{_}`` is the word itself. A category without a feature matches all features.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from crossbank.formalisms.ccg.ccg_categories import Category, CategoryError, parse_category, without_features
from crossbank.treebanks.typed_yaml import Text, Texts, key
from crossbank.treebanks.yaml_files import load_yaml, named_file, read_once
from crossbank.treebanks.yaml_nodes import YamlError, at

FOLDER = Path(__file__).parent / "rules"


@dataclass(frozen=True)
class Change:
    """A unary rule: the categories of its child (from) and of its node (to)."""

    child: str = key(..., name="from")
    node: str = key(..., name="to")


@dataclass(frozen=True)
class HeadSharingFile:
    """The head sharing of CCG categories.

    punctuation   the categories of punctuation
    conjunctions  the categories that may precede a conjunct
    shared        by construction, lexical categories with variables: the same variable is the same head, _
                  the word's own
    unary         by construction, rules with one child: the same variable in child and node is the same head
    """

    name: Text
    sources: Texts
    punctuation: tuple[str, ...]
    conjunctions: tuple[str, ...]
    shared: Mapping[str, tuple[str, ...]]
    unary: Mapping[str, tuple[Change, ...]]


@dataclass(frozen=True, eq=False)
class HeadSharing:
    """Head sharing of all categories.

    punctuation, conjunctions  atoms
    exact    patterns with all features, by their category
    general  patterns without some features, by the category without any
    unary    by the categories, without features, of the child and of the node: patterns of both
    """

    name: str
    punctuation: frozenset[str]
    conjunctions: frozenset[str]
    exact: dict[Category, Category]
    general: dict[Category, list[Category]]
    unary: dict[tuple[Category, Category], tuple[Category, Category]]

    def pattern(self, category: Category, *, exact: bool) -> Category | None:
        """Return the pattern with all features of a category, or with some of them, or None."""
        if exact:
            return self.exact.get(category.bare())
        for pattern in self.general.get(without_features(category), ()):
            if _has_features_of(category, pattern):
                return pattern
        return None


def _has_features_of(category: Category, pattern: Category) -> bool:
    """Return whether a category has each feature that a pattern of the same structure has."""
    if category.result is None or pattern.result is None or not (category.argument and pattern.argument):
        return set(pattern.features) <= set(category.features)
    return _has_features_of(category.result, pattern.result) and _has_features_of(
        category.argument, pattern.argument
    )


def head_sharing_file(name: str = "english") -> Path:
    """Return file of that name in ``rules/``, or a custom file. Raises OptionError for an unknown name."""
    return named_file(FOLDER, name, "head sharing")


@read_once(head_sharing_file)
def load_head_sharing(name_or_path: str | Path = "english") -> HeadSharing:
    """Return one of the files in ``rules/`` by its name, or a custom file.

    Raises OptionError for an unknown name, YamlError if the file does not follow its schema or a
    category does not parse.
    """
    path = Path(name_or_path)
    content = load_yaml(path, HeadSharingFile)
    exact: dict[Category, Category] = {}
    general: dict[Category, list[Category]] = {}
    for construction, patterns in content["shared"].items():
        for index, written in enumerate(patterns):
            pattern = _parsed(written, path, ("shared", construction, index))
            if _all_clauses_have_features(pattern):
                exact[pattern.bare()] = pattern
            else:
                general.setdefault(without_features(pattern), []).append(pattern)
    unary: dict[tuple[Category, Category], tuple[Category, Category]] = {}
    for construction, changes in content["unary"].items():
        for index, change in enumerate(changes):
            before, after = (
                _parsed(change[side], path, ("unary", construction, index, side)) for side in ("from", "to")
            )
            unary.setdefault((without_features(before), without_features(after)), (before, after))
    punctuation, conjunctions = (frozenset(content[key]) for key in ("punctuation", "conjunctions"))
    return HeadSharing(content["name"], punctuation, conjunctions, exact, general, unary)


def _all_clauses_have_features(pattern: Category) -> bool:
    """Return whether a pattern has clauses, all with features, so that it fits one category alone."""
    if pattern.result is None or pattern.argument is None:
        return bool(pattern.features)
    sides = [side for side in (pattern.result, pattern.argument) if _has_clause(side)]
    return bool(sides) and all(_all_clauses_have_features(side) for side in sides)


def _has_clause(pattern: Category) -> bool:
    if pattern.result is None or pattern.argument is None:
        return pattern.name == "S"
    return _has_clause(pattern.result) or _has_clause(pattern.argument)


def _parsed(written: str, path: Path, keys: tuple[str | int, ...]) -> Category:
    try:
        return parse_category(written)
    except CategoryError as error:
        raise YamlError(at(path, keys, str(error))) from error
