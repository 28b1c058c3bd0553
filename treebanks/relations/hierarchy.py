"""Inventories of grammatical relations: which subsumes which, and how each is written.

Carroll, John, Guido Minnen and Ted Briscoe (1999): Corpus annotation for parser evaluation; Briscoe,
Carroll, Graham and Copestake (2002): Relational Evaluation Schemes, section 1 and Figure 1. The
inventories are the files of ``treebanks/relations/hierarchies``; a custom file is checked in the same way.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Annotated, Any, Literal

from crossbank.treebanks.errors import meant
from crossbank.treebanks.typed_yaml import Rule, Text, key
from crossbank.treebanks.yaml_files import load_yaml, named_file, read_once
from crossbank.treebanks.yaml_nodes import YamlError, at

FOLDER = Path(__file__).parent / "hierarchies"

INVENTORIES = ("rasp", "carroll_minnen_briscoe", "comparisons")
"""The inventories that come with the package; the first is the default."""

Slots = tuple[str, ...]
"""One way to write a relation: the slots after its name, in order. ``heads`` means all heads."""


Slot = Literal["type", "head", "dependent", "initial_gr", "heads"]


@dataclass(frozen=True)
class RelationEntry:
    """A relation: the ways to write it, and the relations above it.

    ordered  whether the heads have an order: else they are a set
    """

    slots: tuple[Annotated[tuple[Slot, ...], Rule(minItems=1, uniqueItems=True)], ...] = key(..., minItems=1)
    under: tuple[str, ...] = key(uniqueItems=True)
    ordered: bool = False


@dataclass(frozen=True)
class HierarchyFile:
    """A hierarchy of grammatical relations.

    extends  an inventory of Crossbank that this one adds relations to
    """

    name: str = key(..., expected="a name of small letters", pattern="^[a-z][a-z0-9_]*$(?!\\n)")
    title: Text = key(...)
    source: Text = key(...)
    relations: Mapping[str, RelationEntry] = key(..., minProperties=1)
    extends: str = ""


@dataclass(frozen=True, eq=False)
class Hierarchy:
    """Named relations in an order of subsumption.

    under  for each relation its parents; the first one is its parent in the tree
    slots  for each relation the ways it is written, the preferred one first
    ordered  the relations whose heads have an order; those of others are a set
    """

    name: str
    title: str
    source: str
    under: Mapping[str, tuple[str, ...]]
    slots: Mapping[str, tuple[Slots, ...]]
    ordered: frozenset[str] = frozenset()

    def __contains__(self, relation: str) -> bool:
        return relation in self.slots

    @cached_property
    def above(self) -> Mapping[str, frozenset[str]]:
        """All relations that subsume each relation, itself among them."""
        ancestors: dict[str, frozenset[str]] = {}
        for relation in TopologicalSorter(self.under).static_order():
            ancestors[relation] = frozenset([relation]).union(
                *(ancestors[above] for above in self.under[relation])
            )
        return {relation: ancestors[relation] for relation in self.slots}

    def unlisted(self, relation: str) -> str:
        """Return the message on a relation that is not listed."""
        return f"found the relation {relation!r}, expected one of {', '.join(self.slots)}"

    def subsumes(self, general: str, specific: str) -> bool:
        """Return whether a relation is equal to or above another; an unlisted one subsumes only itself."""
        return general == specific or general in self.above.get(specific, ())

    def depth(self, relation: str) -> int:
        """Return the steps from ``dependent`` (0) to a relation, through the first parent of each."""
        steps = 0
        while self.under[relation]:
            relation = self.under[relation][0]
            steps += 1
        return steps

    def proportion(self, one: str, other: str) -> float:
        """Return the number of levels of the more general of two relations, divided by that of the other.

        The dividend is the number of levels from the top to the general relation, the divisor that to the
        specific one: ``subj`` has three of the four levels of ``ncsubj`` (dependent, arg, subj, ncsubj).
        0 if neither relation subsumes the other.
        """
        if one == other:
            return 1.0
        if self.subsumes(one, other):
            return (self.depth(one) + 1) / (self.depth(other) + 1)
        if self.subsumes(other, one):
            return (self.depth(other) + 1) / (self.depth(one) + 1)
        return 0.0

    def common(self, one: str, other: str) -> str | None:
        """Return the lowest relation that subsumes both, or None; of equally low ones the first listed."""
        both = self.above.get(one, frozenset()) & self.above.get(other, frozenset())
        return max((relation for relation in self.slots if relation in both), key=self.depth, default=None)

    def has_slot(self, relation: str, slot: str) -> bool:
        """Return whether a relation can be written with a slot; an unlisted one can with any slot."""
        ways = self.slots.get(relation)
        return ways is None or any(slot in way for way in ways)


def hierarchy_file(name: str) -> Path:
    """Return the YAML file of an inventory. Raises OptionError for an unknown name."""
    return named_file(FOLDER, name, "hierarchy")


@read_once(hierarchy_file)
def load_hierarchy(name_or_path: str | Path) -> Hierarchy:
    """Return an inventory by its name, or from a YAML file.

    Raises OptionError for an unknown name, YamlError if the file does not follow its schema, names an
    unknown relation in ``under`` or puts a relation above itself.
    """
    path = Path(name_or_path)
    content = load_yaml(path, HierarchyFile)
    relations: dict[str, Any] = content["relations"]
    if "extends" in content:
        if content["extends"] not in INVENTORIES:
            expected = f"found {content['extends']!r}, {meant(content['extends'], INVENTORIES)}"
            raise YamlError(at(path, ["extends"], expected))
        relations = {**load_yaml(hierarchy_file(content["extends"]))["relations"], **relations}
    under = {relation: tuple(entry.get("under", ())) for relation, entry in relations.items()}
    for relation, parents in under.items():
        for parent in parents:
            if parent not in relations:
                message = f"found the unknown relation {parent!r}, expected one of {', '.join(relations)}"
                raise YamlError(at(path, ["relations", relation, "under"], message))
    try:
        TopologicalSorter(under).prepare()
    except CycleError as error:
        cyclic = error.args[1][0]
        raise YamlError(at(path, ["relations", cyclic, "under"], "a relation is above itself")) from None
    return Hierarchy(
        content["name"],
        content["title"],
        content["source"].strip(),
        under,
        {relation: tuple(tuple(way) for way in entry["slots"]) for relation, entry in relations.items()},
        frozenset(relation for relation, entry in relations.items() if entry.get("ordered")),
    )


def hierarchy_for(names: Iterable[str]) -> Hierarchy:
    """Return the inventory that has most of the names; of equal ones the first."""
    distinct = set(names)
    return max(map(load_hierarchy, INVENTORIES), key=lambda h: sum(name in h for name in distinct))


UNLISTED: dict[int, Slots] = {
    1: ("head",),
    2: ("head", "dependent"),
    3: ("type", "head", "dependent"),
    4: ("type", "head", "dependent", "initial_gr"),
}
"""The slots of a relation that no inventory lists, by their number."""


@cache
def slots_read(relation: str, count: int) -> Slots | None:
    """Return the slots of a relation with ``count`` slots, by the first inventory that has them, or None."""
    known = False
    for name in INVENTORIES:
        ways = load_hierarchy(name).slots.get(relation, ())
        known = known or bool(ways)
        for way in ways:
            if len(way) == count or (way[-1] == "heads" and count >= len(way)):
                return way
    return None if known else UNLISTED.get(count)


def ways_to_write(relation: str) -> str:
    """Return the ways to write a relation as text for an error message."""
    ways = dict.fromkeys(way for name in INVENTORIES for way in load_hierarchy(name).slots.get(relation, ()))
    if not ways:
        return "(name, then one to four slots)"
    return " or ".join(f"({relation} {' '.join(way)})" for way in ways)
