"""Rules of a scheme for Universal Dependencies: one YAML file, which the scheme names.

``universal.rule_files`` describes its form, ``converters.universal.notation`` what a test says.
Each list of rules is in order: the first rule that holds gives the answer.

    relations:
      - nsubj: {category: NP, side: left, parent: {category: S}}
      - cc: {category: CC, to: {before: {unless: {category: ","}}}}

reads: a noun phrase left of the head of a clause is its ``nsubj``; a conjunction is the ``cc`` of the next
sister that is not a comma.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from crossbank.converters.universal.notation import AXES, FEATURES, Compiler, labels
from crossbank.converters.universal.rule_files import RuleFile
from crossbank.treebanks.registry import DataFiles
from crossbank.treebanks.yaml_files import load_yaml, read_once
from crossbank.treebanks.yaml_nodes import YamlError, at

RULES = DataFiles("universal rules", "rules for Universal Dependencies")


@dataclass(frozen=True)
class UniversalRule:
    """A rule.

    gives   a relation, a tag or features; the category of a head rule
    text    the test as the file has it
    test    the number in the compiler of what it says besides ``labels`` and ``second``
    labels  the categories, tags or relations that the test asks for, as patterns; empty: any
    second  of a rule for relations the categories of the node above, of one for tags and features the
            relations, of one for writing the forms
    to      the steps to the governor: axis and test each; none: the usual governor
    right   whether a head is searched from the right
    """

    gives: str
    text: str
    test: int
    labels: tuple[str, ...] = ()
    second: tuple[str, ...] = ()
    to: tuple[tuple[int, int], ...] = ()
    right: bool = False

    def __str__(self) -> str:
        return f"{self.gives}: {self.text}"


@dataclass(frozen=True, eq=False)
class UniversalRules:
    """Rules of a scheme.

    compiler   the tests of all rules
    first      the transformations that come first, by name
    through    categories of nodes that are passed over, such as topological fields: their children count as
               those of the node above
    heads      rules by category; those under ``*`` are tried last in every category
    relations  rules for the children of a node that are not its head
    revisions  rules for words, which look at governors and dependents; each sees what those before it gave
    tags       rules for UPOS
    features   rules for features; all that hold are followed, and of one feature the first value counts
    lemmas     how forms become lemmas
    fixed      fixed expressions and the relation of the whole, empty for that of its head
    goeswith   tags of the parts, but the last, of a word that is written as several
    gaps       traces of what was moved out of a clause, each with relations by its function or category
    controlled  functions of traces whose antecedents are subjects of controlled verbs
    writing    rules for words written without a space: ``joined`` to the word before as one token of several
               words, ``close`` after it, ``open`` before the next word, ``tight`` on both sides
    escapes    what stands for signs that the scheme's format cannot have
    files      the files they were read from
    """

    name: str
    compiler: Compiler
    first: tuple[str, ...]
    through: tuple[str, ...]
    heads: Mapping[str, tuple[UniversalRule, ...]]
    relations: tuple[UniversalRule, ...]
    revisions: tuple[UniversalRule, ...]
    tags: tuple[UniversalRule, ...]
    features: tuple[UniversalRule, ...]
    lemmas: Mapping[str, Any] = field(default_factory=dict)
    fixed: Mapping[str, str] = field(default_factory=dict)
    goeswith: tuple[str, ...] = ()
    gaps: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    controlled: tuple[str, ...] = ()
    writing: tuple[UniversalRule, ...] = ()
    escapes: Mapping[str, str] = field(default_factory=dict)
    files: tuple[Path, ...] = ()


@read_once(RULES.path)
def load_rules(name_or_path: str | Path) -> UniversalRules:
    """Rules by name, or from a custom YAML file; they are read once in a process.

    Raises OptionError for an unknown name, YamlError if the file is wrong, with line and key.
    """
    path = Path(name_or_path)
    content, files = _content(path)
    reader = _UniversalRuleReader(path, content.get("tests", {}))
    heads = {
        label: tuple(reader.head(category, rule, ["heads", category, i]) for i, rule in enumerate(listed))
        for category, listed in content.get("heads", {}).items()
        for label in category.split()
    }
    return UniversalRules(
        name=content["name"],
        first=labels(content.get("first", [])),
        through=labels(content.get("through", [])),
        heads=heads,
        relations=reader.rules(content.get("relations", ()), "relations", "category", "above"),
        revisions=reader.rules(content.get("revisions", ()), "revisions", "relation"),
        tags=reader.rules(content.get("tags", ()), "tags", "tag", "relation"),
        features=reader.rules(content.get("features", ()), "features", "tag", "relation"),
        lemmas=content.get("lemmas", {}),
        fixed=_fixed(content.get("fixed", ())),
        goeswith=labels(content.get("goeswith", [])),
        gaps=content.get("gaps", {}),
        controlled=labels(content.get("controlled", [])),
        writing=reader.rules(content.get("writing", ()), "writing", "tag", "form"),
        escapes=content.get("escapes", {}),
        compiler=reader.compiler,
        files=files,
    )


def _content(path: Path) -> tuple[dict[str, Any], tuple[Path, ...]]:
    """Return the content of a file of rules, with that of the file that it extends.

    Lists of rules come before those of the base, so that a custom rule is tried first; mappings are
    merged.
    """
    content = load_yaml(path, RuleFile)
    if "extends" not in content:
        return content, (path,)
    base, files = _content(RULES.path(content["extends"]))
    merged = dict(base)
    for key, value in content.items():
        if isinstance(value, list) and key != "sources":
            merged[key] = [*value, *base.get(key, ())]
        elif isinstance(value, dict):
            merged[key] = {**base.get(key, {}), **value}
        else:
            merged[key] = value
    return merged, (path, *files)


class _UniversalRuleReader:
    """Rules from the content of a file; errors name its lines."""

    def __init__(self, path: Path, named: Mapping[str, Any]) -> None:
        self.path, self.compiler = path, Compiler(named)

    def rules(
        self, listed: Iterable[Mapping[str, Any]], key: str, by: str, second: str = ""
    ) -> tuple[UniversalRule, ...]:
        """Return the rules of a list, each ``GIVES: {test}``; tables find them by two keys."""
        return tuple(self._rule(entry, [key, i], by, second) for i, entry in enumerate(listed))

    def head(self, category: str, content: Mapping[str, Any], keys: list[str | int]) -> UniversalRule:
        """A head rule of a category: a direction and a test."""
        test = {key: value for key, value in content.items() if key != "from"}
        of, right = _taken(test, "category"), content.get("from", "left") == "right"
        return UniversalRule(category, _format_test(content), self._test(test, keys), of, right=right)

    def _rule(self, entry: Mapping[str, Any], keys: list[str | int], by: str, second: str) -> UniversalRule:
        ((gives, content),) = entry.items()
        test = {key: value for key, value in content.items() if key not in ("to", "guideline")}
        steps = content.get("to", [])
        steps = steps if isinstance(steps, list) else [steps]
        text = _format_test(test)
        of = _taken(test, by) or self._implied(test, by)
        # A class of forms is made of what tests ask for: the test keeps its forms.
        other = labels(test.get("form", [])) if second == "form" else _taken(test, second)
        if second == "above" and "category" in test.get("parent", ()):
            test["parent"] = dict(test["parent"])
            other = _taken(test["parent"], "category")
        number = self._test(test, [*keys, gives])
        to = tuple(self._step(step, [*keys, gives, "to"]) for step in steps)
        return UniversalRule(gives, text, number, of, other, to)

    def _implied(self, test: Mapping[str, Any], key: str) -> tuple[str, ...]:
        """Labels that a test asks for by another test; empty: any."""
        if test.get(key):
            return labels(test[key])
        for name in labels(test.get("is", [])):
            if implied := self._implied(self.compiler.named.get(name, {}), key):
                return implied
        ways = [self._implied(way, key) for way in test.get("any", ())]
        return tuple(label for way in ways for label in way) if all(ways) else ()

    def _step(self, step: Any, keys: list[str | int]) -> tuple[int, int]:
        if isinstance(step, str):
            return len(FEATURES) + AXES.index(step), -1
        ((axis, test),) = step.items()
        return len(FEATURES) + AXES.index(axis), self._test(test, keys)

    def _test(self, content: Mapping[str, Any], keys: list[str | int]) -> int:
        try:
            return self.compiler.test(content)
        except KeyError as error:
            message = f"found the test {error.args[0]!r}, expected one of those under 'tests'"
            raise YamlError(at(self.path, keys, message)) from error


def _taken(test: dict[str, Any], key: str) -> tuple[str, ...]:
    """Labels that a test asks for, taken out of it: a table of rules by label answers that. Empty: any."""
    return labels(test.pop(key)) if test.get(key) else ()


def _fixed(listed: Iterable[Any]) -> dict[str, str]:
    """Fixed expressions with their relations: a string, or a list of them by relation."""
    expressions: dict[str, str] = {}
    for entry in listed:
        if isinstance(entry, str):
            expressions[entry] = ""
        else:
            expressions.update((expression, name) for name, of in entry.items() for expression in of)
    return expressions


def _format_test(content: Any) -> str:
    """Return a test as a file would have it on one line, shortened."""
    if isinstance(content, Mapping):
        return "{" + ", ".join(f"{key}: {_format_test(value)}" for key, value in content.items()) + "}"
    if isinstance(content, list):
        parts = [_format_test(part) for part in content]
        return "[" + ", ".join(parts[:4] + ["..."] * (len(parts) > 4)) + "]"
    return str(content)
