"""Maps from f-structures to grammatical relations: YAML files in ``maps/``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from operator import itemgetter
from pathlib import Path
from typing import Any

from crossbank.treebanks.relations.hierarchy import hierarchy_file, load_hierarchy
from crossbank.treebanks.typed_yaml import Text, Texts, adds_keys, key, no_key, object_of
from crossbank.treebanks.yaml_files import load_yaml, named_file, read_once
from crossbank.treebanks.yaml_nodes import YamlError, at

FOLDER = Path(__file__).parent / "maps"

CARROLL_MINNEN_BRISCOE = "carroll_minnen_briscoe"
"""The map that comes with the package."""


@dataclass(frozen=True)
class AtomCondition:
    """A path to an atom, and what the atom must be; None for any."""

    path: Texts
    value: Text | None = None


@dataclass(frozen=True)
class ConditionWithValue(AtomCondition):
    """A condition of a head."""

    value: Text | None = key(None, required=True)


@dataclass(frozen=True)
class Function:
    """A grammatical function: the path from head to dependent, and the relation between their words.

    introduced  whether a preposition or marker of the dependent fills the slot ``type``
    when        what must hold of the head
    """

    path: Texts
    relation: Text
    introduced: bool = False
    type: Text = ""
    initial_gr: Text = ""
    when: ConditionWithValue | None = None


@dataclass(frozen=True)
class FeatureWord:
    """A word that f-structures have as a feature: its condition, and the word; the atom if it is empty."""

    condition: AtomCondition
    word: str = ""


@dataclass(frozen=True)
class WordInFile(AtomCondition):
    """A word as a file has it."""

    word: Text = ""


@dataclass(frozen=True)
class PrepositionsInFile:
    """The function of a preposition's object, and the one that shows that it is none."""

    object: Text
    without: Text


@dataclass(frozen=True)
class PronounsInFile:
    """The predicate of pronouns, and the attribute that has their form."""

    predicate: Text
    form: Text


@dataclass(frozen=True)
class LeftOutInFile:
    """A relation with its dependent's word."""

    relation: Text
    dependent: Text


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

    functions: tuple[Function, ...] = key(..., minItems=1)
    prepositions: tuple[str, str] = key(
        ("", ""), form=PrepositionsInFile, read=itemgetter("object", "without")
    )
    markers: tuple[FeatureWord, ...] = key(form=tuple[WordInFile, ...], read=_words)
    auxiliary: str = key("", name="auxiliaries.relation", form=Text, required=True)
    auxiliaries: tuple[FeatureWord, ...] = key(
        name="auxiliaries.words", form=tuple[WordInFile, ...], read=_words, required=True
    )
    members: tuple[str, ...] = key(name="coordination.members", form=Texts, required=True)
    conjunction: str = key("", name="coordination.form", form=Text, required=True)
    coordination: str = key("", name="coordination.relation", form=Text, required=True)
    pronouns: tuple[str, str] = key(("", ""), form=PronounsInFile, read=itemgetter("predicate", "form"))
    also_elsewhere: frozenset[str] = key(frozenset(), form=Texts)
    words: Mapping[str, Text] = field(default_factory=dict)
    neutralised: Mapping[str, Text] = field(default_factory=dict)
    left_out: frozenset[tuple[str, str]] = key(
        frozenset(),
        form=tuple[LeftOutInFile, ...],
        read=lambda content: frozenset(map(itemgetter("relation", "dependent"), content)),
    )
    files: tuple[Path, ...] = no_key(())


@adds_keys(RelationMap)
@dataclass(frozen=True)
class Description:
    """What a map is, for readers, and the inventory of its relations."""

    name: Text
    inventory: Text
    source: Text


def _file(name: str = CARROLL_MINNEN_BRISCOE) -> Path:
    return named_file(FOLDER, name, "map of f-structures")


@read_once(_file)
def load_relation_map(name_or_path: str | Path = CARROLL_MINNEN_BRISCOE) -> RelationMap:
    """Return a map by its name, or a custom file.

    Raises OptionError for an unknown name, YamlError if the file is not as its schema wants it or names a
    relation that its inventory does not have.
    """
    path = Path(name_or_path)
    content = load_yaml(path, RelationMap)
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
