"""Maps from f-structures to grammatical relations: YAML files in ``maps/``, with ``maps/schema.json``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from operator import itemgetter
from pathlib import Path
from typing import Any

from crossbank.treebanks.errors import OptionError
from crossbank.treebanks.relations.hierarchy import hierarchy_file, load_hierarchy
from crossbank.treebanks.yaml_files import YamlError, at, load_yaml, read_once
from crossbank.treebanks.yaml_objects import object_of, said

FOLDER = Path(__file__).parent / "maps"

CARROLL_MINNEN_BRISCOE = "carroll_minnen_briscoe"
"""The map that comes with the package."""


@dataclass(frozen=True)
class Condition:
    """A path to an atom, and what the atom must be; None for any."""

    path: tuple[str, ...]
    value: str | None = None


@dataclass(frozen=True)
class Function:
    """A grammatical function: the path from head to dependent, and the relation between their words.

    introduced  whether a preposition or marker of the dependent fills the slot ``type``
    when        what must hold of the head
    """

    path: tuple[str, ...]
    relation: str
    introduced: bool = False
    type: str = ""
    initial_gr: str = ""
    when: Condition | None = None


@dataclass(frozen=True)
class FeatureWord:
    """A word that f-structures have as a feature: its condition, and the word; the atom if it is empty."""

    condition: Condition
    word: str = ""


def _words(content: Iterable[Mapping[str, Any]]) -> tuple[FeatureWord, ...]:
    return tuple(object_of(FeatureWord, {**one, "condition": one}) for one in content)


@dataclass(frozen=True, eq=False)
class RelationMap:
    """Map of f-structures to relations: see ``maps/carroll_minnen_briscoe.yaml``.

    prepositions  the function of a preposition's object, and the one that shows that it is none
    coordination  the attributes from a coordination to its members, the one of its conjunction, the relation
    pronouns      the predicate of pronouns, and the attribute that has their form
    words         the word that stands for a word
    neutralised   the relation that stands for a relation
    left_out      relations with their dependents' words
    files         the YAML files it was read from: its own, and its inventory's
    """

    functions: tuple[Function, ...]
    prepositions: tuple[str, str] = said(("", ""), read=itemgetter("object", "without"))
    markers: tuple[FeatureWord, ...] = said(read=_words)
    auxiliary: str = said("", key="auxiliaries.relation")
    auxiliaries: tuple[FeatureWord, ...] = said(key="auxiliaries.words", read=_words)
    members: tuple[str, ...] = said(key="coordination.members")
    conjunction: str = said("", key="coordination.form")
    coordination: str = said("", key="coordination.relation")
    pronouns: tuple[str, str] = said(("", ""), read=itemgetter("predicate", "form"))
    also_elsewhere: frozenset[str] = frozenset()
    words: Mapping[str, str] = field(default_factory=dict)
    neutralised: Mapping[str, str] = field(default_factory=dict)
    left_out: frozenset[tuple[str, str]] = said(
        frozenset(), read=lambda content: frozenset(map(itemgetter("relation", "dependent"), content))
    )
    files: tuple[Path, ...] = ()


def _file(name: str = CARROLL_MINNEN_BRISCOE) -> Path:
    path = Path(name) if name.endswith((".yaml", ".yml")) else FOLDER / f"{name}.yaml"
    if not path.is_file():
        raise OptionError("map of f-structures", name, [CARROLL_MINNEN_BRISCOE, "FILE.yaml"])
    return path


@read_once(_file)
def load_relation_map(name_or_path: str | Path = CARROLL_MINNEN_BRISCOE) -> RelationMap:
    """A map by its name, or a file of one's own.

    Raises OptionError for an unknown name, YamlError where the file is not as its schema wants it or names a
    relation that its inventory does not have.
    """
    path = Path(name_or_path)
    content = load_yaml(path, FOLDER / "schema.json")
    hierarchy = load_hierarchy(content["inventory"])
    relation_map: RelationMap = object_of(RelationMap, content)
    named: dict[tuple[str | int, ...], str] = {
        ("functions", i, "relation"): one.relation for i, one in enumerate(relation_map.functions)
    }
    named["auxiliaries", "relation"] = relation_map.auxiliary
    named["coordination", "relation"] = relation_map.coordination
    named |= {("neutralised", old): new for old, new in relation_map.neutralised.items()}
    for keys, relation in named.items():
        if relation and relation not in hierarchy:
            raise YamlError(at(path, keys, hierarchy.unlisted(relation)))
    return replace(relation_map, files=(path, hierarchy_file(content["inventory"])))
