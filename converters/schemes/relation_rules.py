"""Rules that read grammatical relations off trees: YAML files, of which a scheme names one.

A rule names a relation, a tree pattern (``converters.patterns.syntax``), and the nodes of the pattern that
fill the relation's slots with their lexical heads::

    - rule: subject of a passive
      relation: ncsubj
      pattern: S < *^SBJ=s <+(VP) (VP=v < VBN > (VP < i@/^(is|was)$/))
      head: v
      dependent: s
      initial_gr: obj

Where two rules relate the same words by the same relation, the first counts. The form of the files
is described by ``RelationRuleFile``. Briscoe, Ted, John Carroll, Jonathan Graham and Ann Copestake (2002):
Relational Evaluation Schemes, section 5, ask for rules of this kind.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal

from crossbank.converters.patterns.program import PatternProgram, compile_pattern
from crossbank.converters.patterns.syntax import Pattern, PatternError, parse
from crossbank.converters.schemes.head_rules import Group, HeadGroup
from crossbank.treebanks.errors import OptionError
from crossbank.treebanks.registry import DataFiles
from crossbank.treebanks.relations.hierarchy import Hierarchy, hierarchy_file, load_hierarchy
from crossbank.treebanks.typed_yaml import Rule as Limits
from crossbank.treebanks.typed_yaml import Text, key, object_of
from crossbank.treebanks.yaml_files import load_yaml, read_once
from crossbank.treebanks.yaml_nodes import YamlError, at

RULES = DataFiles("relation rules", "relation rules")

Nodes = tuple[int, ...]
"""Numbers of names in a pattern; the first one that exists counts."""


SlotNodes = Annotated[
    str,
    Limits(
        "the name of a node in the pattern, or several separated by |, of which the first that exists counts",
        pattern=r"^[A-Za-z0-9_]+(\|[A-Za-z0-9_]+)*$(?!\n)",
    ),
]


@dataclass(frozen=True)
class InsteadEntry:
    """A node whose slots another node fills."""

    pattern: Text
    of: SlotNodes
    take: SlotNodes


@dataclass(frozen=True)
class CoordinationEntry:
    """A coordination, whose conjuncts each fill a slot that the whole fills."""

    pattern: Text
    whole: SlotNodes
    conjunct: SlotNodes


@dataclass(frozen=True)
class VerbEntry:
    """A verb that should have a subject."""

    pattern: Text
    verb: SlotNodes


@dataclass(frozen=True)
class RuleEntry:
    """A rule.

    rule  the subject of the rule
    """

    rule: Text
    relation: Text
    pattern: Text
    head: SlotNodes = ""
    heads: SlotNodes = ""
    dependent: SlotNodes = ""
    type: SlotNodes = ""
    initial_gr: Text = ""


@dataclass(frozen=True)
class RelationRuleFile:
    """Rules that read grammatical relations off trees.

    inventory     the inventory of relations: a file of treebanks/hierarchies, or one's own
    heads         head rules by category in the form of schemes, which replace the scheme's
    instead       nodes whose slots another node fills
    coordination  coordinations, whose conjuncts each fill a slot that the whole fills
    arguments     relations of which a word has one to the same head: the first rule counts
    finite_verbs  verbs that should have a subject; those without one are counted
    """

    name: Text
    title: str
    sources: tuple[str, ...] = key(..., minItems=1)
    inventory: str = key(...)
    trees: Literal["constituents", "dependencies"] = key(...)
    rules: tuple[RuleEntry, ...] = key(..., minItems=1)
    heads: Mapping[str, tuple[Group, ...]] = field(default_factory=dict)
    macros: Mapping[str, Text] = field(default_factory=dict)
    instead: tuple[InsteadEntry, ...] = ()
    coordination: tuple[CoordinationEntry, ...] = ()
    arguments: tuple[str, ...] = ()
    finite_verbs: VerbEntry | None = None


@dataclass(frozen=True, eq=False)
class RelationRule:
    """A relation and the nodes that fill its slots; ``heads``: all fillers are heads of one relation."""

    name: str
    relation: str
    program: PatternProgram
    head: Nodes
    dependent: Nodes = ()
    type: Nodes = ()
    initial_gr: str = ""
    heads: bool = False


@dataclass(frozen=True, eq=False)
class SelectedNodes:
    """Nodes of a pattern that belong together: a coordination and a conjunct, for instance."""

    program: PatternProgram
    nodes: tuple[Nodes, ...]


@dataclass(frozen=True, eq=False)
class RelationRules:
    """Rules of a file.

    trees         whether patterns are about constituents or about dependencies (``dependency_trees``)
    heads         head rules by category that differ from the scheme's
    instead       (node, the node that fills its slots)
    coordination  (whole, conjunct)
    finite_verbs  (verb,): the verbs that should have a subject
    arguments     relations of which a word has one to the same head: the first rule counts
    files         the YAML files they were read from: the rules, and the hierarchy of relations
    """

    name: str
    title: str
    sources: tuple[str, ...]
    hierarchy: Hierarchy
    trees: Literal["constituents", "dependencies"]
    rules: tuple[RelationRule, ...]
    heads: Mapping[str, tuple[HeadGroup, ...]] = field(default_factory=dict)
    instead: tuple[SelectedNodes, ...] = ()
    coordination: tuple[SelectedNodes, ...] = ()
    finite_verbs: SelectedNodes | None = None
    arguments: tuple[str, ...] = ()
    files: tuple[Path, ...] = ()

    @cached_property
    def with_functions(self) -> tuple[RelationRule, ...]:
        """The rules that apply to nothing in trees without functions."""
        return tuple(rule for rule in self.rules if rule.program.needs_functions())

    @property
    def needs_functions(self) -> bool:
        """Return whether most of the rules apply to nothing in trees without functions."""
        return 2 * len(self.with_functions) > len(self.rules)


@read_once(RULES.path)
def load_rules(name_or_path: str | Path) -> RelationRules:
    """Return the rules by name, or from a custom YAML file; they are read once in a process.

    Raises OptionError for an unknown name, YamlError if a file is wrong: it names an unknown relation,
    slot or node, or a pattern cannot be parsed. The message names file and line.
    """
    path = Path(name_or_path)
    content = load_yaml(path, RelationRuleFile)
    try:
        hierarchy = load_hierarchy(content["inventory"])
    except OptionError as error:
        raise YamlError(at(path, ["inventory"], str(error))) from error
    reader = _RelationRuleReader(path, hierarchy, content.get("macros", {}))
    for index, relation in enumerate(content.get("arguments", ())):
        if relation not in hierarchy:
            raise YamlError(at(path, ["arguments", index], hierarchy.unlisted(relation)))
    finite = content.get("finite_verbs")
    return RelationRules(
        name=content["name"],
        title=content["title"],
        sources=tuple(content["sources"]),
        hierarchy=hierarchy,
        trees=content["trees"],
        rules=tuple(reader.rule(rule, ["rules", i]) for i, rule in enumerate(content["rules"])),
        heads=object_of(Mapping[str, tuple[HeadGroup, ...]], content.get("heads", {})),
        instead=reader.selections(content, "instead", ("of", "take")),
        coordination=reader.selections(content, "coordination", ("whole", "conjunct")),
        finite_verbs=reader.selection(finite, ["finite_verbs"], ("verb",)) if finite else None,
        arguments=tuple(content.get("arguments", ())),
        files=(path, hierarchy_file(content["inventory"])),
    )


class _RelationRuleReader:
    """Reads everything that has patterns; errors name the file, the line and the key."""

    def __init__(self, path: Path, hierarchy: Hierarchy, macros: Mapping[str, str]) -> None:
        self.path = path
        self.hierarchy = hierarchy
        self.macros: dict[str, Pattern] = {}
        for name, text in macros.items():
            try:
                (self.macros[name],) = parse(text, self.macros)
            except PatternError as error:
                raise self.error(["macros", name], _without_pattern(error)) from error

    def error(self, keys: Sequence[str | int], message: str) -> YamlError:
        return YamlError(at(self.path, keys, message))

    def program(self, content: Mapping[str, Any], keys: Sequence[str | int]) -> PatternProgram:
        try:
            return compile_pattern(content["pattern"], self.macros)
        except PatternError as error:
            raise self.error([*keys, "pattern"], _without_pattern(error)) from error

    def nodes(
        self, content: Mapping[str, Any], slot: str, program: PatternProgram, keys: Sequence[str | int]
    ) -> Nodes:
        names = content[slot].split("|") if slot in content else ()
        for name in names:
            if name not in program.names:
                known = ", ".join(program.names) or "one with =name in the pattern"
                raise self.error([*keys, slot], f"found the node {name!r}, expected {known}")
        return tuple(map(program.names.index, names))

    def selection(
        self, content: Mapping[str, Any], keys: Sequence[str | int], slots: Sequence[str]
    ) -> SelectedNodes:
        program = self.program(content, keys)
        return SelectedNodes(program, tuple(self.nodes(content, slot, program, keys) for slot in slots))

    def selections(
        self, content: Mapping[str, Any], key: str, slots: Sequence[str]
    ) -> tuple[SelectedNodes, ...]:
        return tuple(self.selection(one, [key, i], slots) for i, one in enumerate(content.get(key, ())))

    def rule(self, content: Mapping[str, Any], keys: Sequence[str | int]) -> RelationRule:
        relation = content["relation"]
        if relation not in self.hierarchy:
            raise self.error([*keys, "relation"], self.hierarchy.unlisted(relation))
        slots = [slot for slot in ("type", "head", "heads", "dependent", "initial_gr") if slot in content]
        for slot in slots:
            if not self.hierarchy.has_slot(relation, slot):
                allowed = dict.fromkeys(slot for way in self.hierarchy.slots[relation] for slot in way)
                raise self.error(
                    [*keys, slot],
                    f"found the slot {slot!r} of {relation}, expected one of {', '.join(allowed)}",
                )
        if ("head" in slots) == ("heads" in slots):
            raise self.error(keys, "found both head and heads" if "head" in slots else "'head' is missing")
        program = self.program(content, keys)
        heads = "heads" in slots
        return RelationRule(
            name=content["rule"],
            relation=relation,
            program=program,
            head=self.nodes(content, "heads" if heads else "head", program, keys),
            dependent=self.nodes(content, "dependent", program, keys),
            type=self.nodes(content, "type", program, keys),
            initial_gr=content.get("initial_gr", ""),
            heads=heads,
        )


def _without_pattern(error: PatternError) -> str:
    """Return the message of an error in a pattern, without the key, which its caller names."""
    return str(error).removeprefix("pattern: ")
