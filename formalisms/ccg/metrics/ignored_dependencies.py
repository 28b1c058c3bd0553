"""Dependencies of CCG that a score ignores, as listed in a YAML file in ``ignored/``.

Clark, Stephen and James R. Curran (2007): Wide-Coverage Efficient Statistical Parsing with CCG and Log-Linear
Models. The C&C parser gives dependencies that CCGbank does not have. Their script ``evaluate`` ignores
them, by the rule that made them, by category and slot, and some for certain words.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import numpy as np

from crossbank.formalisms.ccg.ccg_categories import Category, CategoryError, parse_category
from crossbank.treebanks import OptionError, Treebank
from crossbank.treebanks.arrays import BoolArray
from crossbank.treebanks.typed_yaml import Rule, Text, Texts, key
from crossbank.treebanks.yaml_files import load_yaml, read_once
from crossbank.treebanks.yaml_nodes import YamlError, at

FOLDER = Path(__file__).parent / "ignored"

NO_RULE = "0"
"""The number of a dependency without a special rule; it is equivalent to no number."""

VARIABLE_FEATURE = "[X]"
"""The feature of categories that have the feature of their argument."""


def compared_category(category: Category) -> str:
    """Return a category for comparison: without variables, slots, and features that are variables."""
    return str(category.bare()).replace(VARIABLE_FEATURE, "")


Number = Annotated[int, Rule("the number of a rule", minimum=0)]


@dataclass(frozen=True)
class IgnoredEntry:
    """An entry of a list: dependencies of a category and slot that some rules made, perhaps of some words."""

    category: Text
    slot: int = key(..., minimum=1)
    rules: tuple[Number, ...] = key(...)
    words: Texts = ()
    arguments: Texts = ()


@dataclass(frozen=True)
class IgnoredFile:
    """A list of dependencies of a candidate that a score ignores.

    rules         the rules whose dependencies are all ignored
    dependencies  entries by construction
    """

    name: Text
    sources: Texts
    rules: tuple[Number, ...] = ()
    dependencies: Mapping[str, tuple[IgnoredEntry, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class Ignored:
    """A compiled entry; empty sets of words and arguments match any."""

    category: str
    slot: str
    rules: frozenset[str]
    words: frozenset[str] = frozenset()
    arguments: frozenset[str] = frozenset()


@dataclass(frozen=True)
class IgnoredDependencies:
    """Dependencies that a score ignores: all that some rules made, and those of single entries."""

    name: str
    rules: frozenset[str]
    entries: tuple[Ignored, ...]

    def mask(self, bank: Treebank) -> BoolArray:
        """Return a mask of the ignored relations of a treebank, shape ``(relations,)``."""
        table, string = bank.relations, bank.vocabulary.__getitem__
        entries: dict[tuple[str, str], list[Ignored]] = {}
        for entry in self.entries:
            entries.setdefault((entry.category, entry.slot), []).append(entry)
        distinct, which = np.unique(
            np.stack((table.name, table.type, table.initial_gr)), axis=1, return_inverse=True
        )
        which = which.reshape(-1)
        mask = np.zeros(len(table), np.bool_)
        for index, (name, slot, rule) in enumerate(distinct.T.tolist()):
            number = string(rule).partition(" ")[0] or NO_RULE
            if number in self.rules:
                mask[which == index] = True
                continue
            category = compared_category(parse_category(string(name)))
            for entry in entries.get((category, string(slot)), ()):
                if number in entry.rules:
                    heads = _has_words(bank, entry.words, "head_word")
                    mask |= (which == index) & heads & _has_words(bank, entry.arguments, "dependent_word")
        return mask


def _has_words(bank: Treebank, words: frozenset[str], column: str) -> BoolArray:
    """Return a mask of the relations with one of some words in a column; all if there are no words."""
    codes = getattr(bank.relations, column)
    return np.isin(codes, [bank.vocabulary.code(word) for word in words]) | (not words)


def ignored_file(name: str) -> Path:
    """Return the file of that name in ``ignored/``, or a custom file. Raises OptionError if there is none."""
    path = Path(name) if name.endswith((".yaml", ".yml")) else FOLDER / f"{name}.yaml"
    if not path.is_file():
        known = sorted(path.stem for path in FOLDER.glob("*.yaml"))
        raise OptionError("option ignore", name, ["none", *known, "FILE.yaml"])
    return path


@read_once(ignored_file)
def load_ignored(name_or_path: str | Path) -> IgnoredDependencies:
    """Return one of the files in ``ignored/`` by its name, or a custom file.

    Raises OptionError for an unknown name, YamlError if the file does not follow its schema or a
    category does not parse.
    """
    path = Path(name_or_path)
    content = load_yaml(path, IgnoredFile)
    entries = []
    for construction, listed in content.get("dependencies", {}).items():
        for index, entry in enumerate(listed):
            keys = ("dependencies", construction, index, "category")
            try:
                category = parse_category(entry["category"])
            except CategoryError as error:
                raise YamlError(at(path, keys, str(error))) from error
            entries.append(
                Ignored(
                    compared_category(category),
                    str(entry["slot"]),
                    frozenset(map(str, entry["rules"])),
                    frozenset(entry.get("words", ())),
                    frozenset(entry.get("arguments", ())),
                )
            )
    return IgnoredDependencies(content["name"], frozenset(map(str, content.get("rules", ()))), tuple(entries))
