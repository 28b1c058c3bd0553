"""Rules that rewrite dependencies of one scheme as those of another: a YAML file of steps.

``rewriting.rule_files`` describes its form. Rules of a step are in order: the first that holds counts.

    steps:
      - name: nominals
        relabel:
          - nsubj: {relation: subj, is: nominal, guideline: u/dep/nsubj}

reads: a subject that is a nominal is ``nsubj``.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from crossbank.converters.rewriting.rule_files import RewritingFile
from crossbank.converters.rewriting.steps import Rule
from crossbank.converters.rewriting.word_tests import CompiledTest, WordTests, relation_matches
from crossbank.converters.universal.notation import labels
from crossbank.treebanks.registry import DataFiles
from crossbank.treebanks.yaml_files import load_yaml, read_once
from crossbank.treebanks.yaml_nodes import YamlError, at

RULES = DataFiles("rewriting rules", "rules that rewrite dependencies")

LISTS_OF_TESTS = ("group", "chain", "idioms", "turn", "stay", "rise", "attach", "punctuation")
LISTS_OF_RULES = ("relabel", "features", "misc", "promote")


class Possible(dict[str, bool]):
    """Whether a rule may hold of a word with a relation, by the relation."""

    def __init__(self, patterns: tuple[str, ...]) -> None:
        self.patterns = patterns

    def __missing__(self, relation: str) -> bool:
        held = not self.patterns or any(relation_matches(one, relation) for one in self.patterns)
        self[relation] = held
        return held


class Lower(NamedTuple):
    """Words to attach to a dependent of their governor before them, and the flag that they get."""

    to: CompiledTest
    words: tuple[CompiledTest, ...]
    nearest: str
    flag: str


class RewritingStepRules(NamedTuple):
    """A step: its name, its lists of tests and rules by key, and what else it does."""

    name: str
    tests: Mapping[str, tuple[CompiledTest, ...]]
    rules: Mapping[str, tuple[tuple[Rule, Possible], ...]]
    flags: Mapping[str, CompiledTest]
    lower: Lower | None
    recall: str


@dataclass(frozen=True, eq=False)
class RewritingRules:
    """Rules of a conversion: its steps, the schemes that it leads from and to, and the files they are in."""

    name: str
    title: str
    source: str
    target: str
    steps: tuple[RewritingStepRules, ...]
    files: tuple[Path, ...]


@read_once(RULES.path)
def load_rewriting_rules(name_or_path: str | Path) -> RewritingRules:
    """Return the rules by name, or from a custom YAML file; they are read once in a process.

    Raises OptionError for an unknown name, YamlError if the file is wrong, with line and key.
    """
    content, files = _content(Path(name_or_path))
    reader = _Reader(WordTests(content.get("tests", {}), _flags(content)))
    return RewritingRules(
        name=content["name"],
        title=content["title"],
        source=content.get("from", ""),
        target=content.get("to", ""),
        steps=tuple(reader.step(step) for step in content.get("steps", ())),
        files=files,
    )


def _content(path: Path) -> tuple[dict[str, Any], tuple[Path, ...]]:
    """Return the content of a file, merged with that of the file that it extends.

    Rules of a step come before those of the step of the same name in the base. Raises YamlError for a step
    that the base does not have, and for the name of a test that there is not.
    """
    content = load_yaml(path, RewritingFile)
    if "extends" not in content:
        _refuse_unknown_tests(content, {*content.get("tests", {}), *_flags(content)}, path)
        return content, (path,)
    base, files = _content(RULES.path(content["extends"]))
    tests = {**base.get("tests", {}), **content.get("tests", {})}
    _refuse_unknown_tests(content, {*tests, *_flags(base), *_flags(content)}, path)
    steps = {step["name"]: dict(step) for step in base.get("steps", ())}
    for i, step in enumerate(content.get("steps", ())):
        if step["name"] not in steps:
            message = f"found the step {step['name']!r}, expected one of {', '.join(steps)}"
            raise YamlError(at(path, ["steps", i, "name"], message))
        known = steps[step["name"]]
        for key, value in step.items():
            if isinstance(value, list):
                known[key] = [*value, *known.get(key, ())]
            elif isinstance(value, dict):
                known[key] = {**known.get(key, {}), **value}
    return {**base, **content, "tests": tests, "steps": list(steps.values())}, (path, *files)


def _flags(content: Mapping[str, Any]) -> list[str]:
    """Return the names of the flags that steps make."""
    steps = content.get("steps", ())
    lowered = [step["lower"]["flag"] for step in steps if "flag" in step.get("lower", {})]
    return [*(name for step in steps for name in step.get("flag", {})), *lowered]


def _refuse_unknown_tests(content: Any, known: Collection[str], path: Path, *keys: str | int) -> None:
    """Raise YamlError for the name of a test that there is not."""
    if isinstance(content, Mapping):
        for name in labels(content.get("is", [])):
            if name not in known:
                message = f"found the test {name!r}, expected one of those under 'tests'"
                raise YamlError(at(path, [*keys, "is"], message))
        for key, value in content.items():
            _refuse_unknown_tests(value, known, path, *keys, key)
    elif isinstance(content, list):
        for i, value in enumerate(content):
            _refuse_unknown_tests(value, known, path, *keys, i)


class _Reader:
    """Steps from the content of a file."""

    def __init__(self, tests: WordTests) -> None:
        self.tests = tests

    def step(self, content: Mapping[str, Any]) -> RewritingStepRules:
        """Return a step."""
        lower = content.get("lower")
        return RewritingStepRules(
            content["name"],
            {key: self._list(content.get(key, ())) for key in LISTS_OF_TESTS},
            {key: self._rules(content.get(key, ())) for key in LISTS_OF_RULES},
            {name: self.tests.test(test) for name, test in content.get("flag", {}).items()},
            None if lower is None else self._lower(lower),
            content.get("recall", ""),
        )

    def _lower(self, content: Mapping[str, Any]) -> Lower:
        nearest, flag = content.get("nearest", "before"), content.get("flag", "")
        return Lower(self.tests.test(content["to"]), self._list(content["words"]), nearest, flag)

    def _list(self, tests: Sequence[Mapping[str, Any]]) -> tuple[CompiledTest, ...]:
        return tuple(map(self.tests.test, tests))

    def _rules(self, listed: Sequence[Mapping[str, Any]]) -> tuple[tuple[Rule, Possible], ...]:
        rules = []
        for entry in listed:
            ((gives, test),) = entry.items()
            possible = Possible(labels(test.get("relation", [])))
            rules.append((Rule(gives, self.tests.test(test)), possible))
        return tuple(rules)
