"""Map grammatical relations from one inventory to another, by a map that is data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

from crossbank.converters.declaration import transformation
from crossbank.converters.schemes.scheme import Scheme
from crossbank.treebanks import Treebank
from crossbank.treebanks.relations.relation import NO_WORD, Relation, Word, relations_of, with_relations
from crossbank.treebanks.typed_yaml import Rule, Text, key
from crossbank.treebanks.yaml_files import load_yaml, named_file, read_once

FOLDER = Path(__file__).parent / "maps"

Slot = Literal["type", "head", "dependent"]


@dataclass(frozen=True)
class NewRelation:
    """A new relation: its name, and the slots that fill its slots."""

    name: Text
    head: Slot
    type: Literal["type"] | None = None
    initial_gr: Literal["initial_gr"] | None = None
    dependent: Slot | Literal["heads"] | None = None


@dataclass(frozen=True)
class Way:
    """What a relation becomes, if the slot ``when`` is filled."""

    gives: tuple[NewRelation, ...] = key(..., minItems=1)
    when: Slot | Literal["initial_gr"] | None = None


@dataclass(frozen=True)
class MapFile:
    """A map from one inventory of grammatical relations to another."""

    name: Text
    source: Text
    relations: Mapping[str, Annotated[tuple[Way, ...], Rule(minItems=1)]]


MAPS = ("carroll_minnen_briscoe_to_rasp",)
"""The maps that come with the package."""

Ways: TypeAlias = Sequence[Mapping[str, Any]]
"""The results of a relation: the first entry counts whose ``when`` slot is filled."""


def _files(scheme: Scheme | None = None, *, by: str = MAPS[0]) -> tuple[Path, ...]:
    """Return the file of the map. Raises OptionError for an unknown one."""
    return (_map_file(by),)


@transformation(position=480, files=_files)
def map_relations(bank: Treebank, scheme: Scheme | None = None, *, by: str = MAPS[0]) -> Treebank:
    """Replace relations by those that a map gives for them.

    by  the map: one that comes with the package, or a custom YAML file

    A word that comes from the type slot has no position in the sentence. The diagnosis counts relations that
    were replaced, and filled slots that no new relation takes over. Raises OptionError for an unknown map,
    YamlError for a file that is not a map.
    """
    ways = load_map(by)
    changed, dropped = [], []
    sentences: list[list[Relation]] = []
    for sentence in range(len(bank)):
        mapped: list[Relation] = []
        for relation in relations_of(bank, sentence):
            new, lost = _mapped(relation, ways.get(relation.name, ()))
            mapped += new
            changed += [sentence] * (new != [relation])
            dropped += [sentence] * lost
        sentences.append(mapped)
    events = {"relations replaced": changed, "filled slots dropped": dropped}
    return with_relations(bank, sentences).with_events("map_relations", events)


def _map_file(name: str) -> Path:
    return named_file(FOLDER, name, "map of relations")


@read_once(_map_file)
def load_map(name_or_path: str | Path) -> Mapping[str, Ways]:
    """Return a map by name or from a file. Raises OptionError or YamlError like ``map_relations``."""
    relations: Mapping[str, Ways] = load_yaml(name_or_path, MapFile)["relations"]
    return relations


def _mapped(relation: Relation, ways: Ways) -> tuple[list[Relation], int]:
    """Return the relations that a relation becomes, and the number of its filled slots that are omitted."""
    heads = (relation.head, *relation.further_heads)
    slots: dict[str, tuple[Word, ...]] = {
        "type": (Word(relation.type),) if relation.type else (),
        "head": heads[:1],
        "heads": heads,
        "dependent": (relation.dependent,) if relation.dependent != NO_WORD else (),
        "initial_gr": (Word(relation.initial_gr),) if relation.initial_gr else (),
    }
    for way in ways:
        if "when" in way and not slots[way["when"]]:
            continue
        used = {source for target in way["gives"] for slot, source in target.items() if slot != "name"}
        used |= {"head"} if "heads" in used else set()
        lost = sum(
            bool(slots[slot]) for slot in ("type", "head", "dependent", "initial_gr") if slot not in used
        )
        lost += len(relation.further_heads) * ("heads" not in used)
        return [
            Relation(
                target["name"],
                next(iter(slots[target["head"]]), NO_WORD),
                dependent,
                relation.type if "type" in target else "",
                relation.initial_gr if "initial_gr" in target else "",
                weight=relation.weight,
            )
            for target in way["gives"]
            for dependent in slots.get(target.get("dependent", ""), ()) or (NO_WORD,)
        ], lost
    return [relation], 0
