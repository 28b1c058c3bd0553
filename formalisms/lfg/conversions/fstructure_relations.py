"""Convert f-structures to grammatical relations between words, by a map in YAML.

Crouch, Kaplan, King and Riezler (2002): A Comparison of Evaluation Metrics for a Broad-Coverage Stochastic
Parser, sections 5.2 and 5.3.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from crossbank.converters.declaration import transformation
from crossbank.converters.schemes.scheme import Scheme
from crossbank.formalisms.lfg.conversions.relation_map import (
    CARROLL_MINNEN_BRISCOE,
    AtomCondition,
    FeatureWord,
    Function,
    RelationMap,
    load_relation_map,
)
from crossbank.treebanks import Treebank
from crossbank.treebanks.relations.relation import NO_WORD, Relation, Word, relations_of, with_relations

NOT_EXPRESSED = "relations of predicates that no word expresses dropped"
UNMAPPED = "functions that the map does not have dropped"


def relation_map_files(scheme: Scheme | None = None, *, by: str = CARROLL_MINNEN_BRISCOE) -> tuple[Path, ...]:
    """Return the files of the map. Raises the errors of ``load_relation_map``."""
    return load_relation_map(by).files


@transformation(position=450, files=relation_map_files)
def relations_from_fstructures(
    bank: Treebank, scheme: Scheme | None = None, *, by: str = CARROLL_MINNEN_BRISCOE
) -> Treebank:
    """Replace feature specifications by relations between the words of predicates.

    by  the name of a built-in map, or a custom YAML file

    The diagnosis counts functions between two predicates that the map does not have, and relations of
    predicates that no word expresses. Raises ConversionError for relations that are not between nodes of an
    f-structure, OptionError for an unknown map, YamlError for a file that is not a map.
    """
    chosen = load_relation_map(by)
    events: dict[str, list[int]] = {NOT_EXPRESSED: [], UNMAPPED: []}
    sentences: list[list[Relation]] = []
    for sentence in range(len(bank)):
        specifications = relations_of(bank, sentence)
        if not all(relation.head.tag for relation in specifications):
            why = "the relations are between words, not in an f-structure (formats xle, triples)"
            raise bank.refused(sentence, why)
        structure = _FStructure(specifications, chosen)
        sentences.append([_neutral(relation, chosen) for relation in structure.relations()])
        events[NOT_EXPRESSED] += [sentence] * structure.not_expressed
        events[UNMAPPED] += [sentence] * structure.unmapped
    return with_relations(bank, sentences).with_events("relations_from_fstructures", events)


@transformation(position=460, files=relation_map_files)
def neutral_relations(
    bank: Treebank, scheme: Scheme | None = None, *, by: str = CARROLL_MINNEN_BRISCOE
) -> Treebank:
    """Reduce a list of relations to the distinctions that f-structures can express.

    The diagnosis counts relations that were changed or dropped.
    """
    chosen = load_relation_map(by)
    changed: list[int] = []
    dropped: list[int] = []
    sentences: list[list[Relation]] = []
    for sentence in range(len(bank)):
        own: list[Relation] = []
        for relation in relations_of(bank, sentence):
            neutral = _neutral(relation, chosen)
            if (neutral.name, neutral.dependent.word) in chosen.left_out:
                dropped.append(sentence)
                continue
            changed += [sentence] * (neutral != relation)
            own.append(neutral)
        sentences.append(own)
    events = {"relations neutralised": changed, "relations dropped": dropped}
    return with_relations(bank, sentences).with_events("neutral_relations", events)


def _neutral(relation: Relation, chosen: RelationMap) -> Relation:
    """Return a relation without clausal distinctions, its words coerced."""

    def coerced(word: Word) -> Word:
        return word._replace(word=chosen.words.get(word.word, word.word))

    return relation._replace(
        name=chosen.neutralised.get(relation.name, relation.name),
        head=coerced(relation.head),
        dependent=coerced(relation.dependent),
        further_heads=tuple(map(coerced, relation.further_heads)),
    )


class _FStructure:
    """F-structure of a sentence, whose nodes are names."""

    def __init__(self, specifications: Sequence[Relation], chosen: RelationMap) -> None:
        self._map = chosen
        self._values: dict[str, dict[str, list[Word]]] = {}
        self._words: dict[str, Word] = {}
        for relation in specifications:
            values = self._values.setdefault(relation.head.tag, {}).setdefault(relation.name, [])
            values.append(relation.dependent)
            for word in relation[1:3]:
                if word.tag and word.word:
                    self._words[word.tag] = word._replace(tag="")
        for node, word in self._words.items():
            if word.word == chosen.pronouns[0]:
                forms = self._values.get(node, {}).get(chosen.pronouns[1], ())
                atoms = (form._replace(token=word.token) for form in forms if not form.tag)
                self._words[node] = next(atoms, NO_WORD)
        self.not_expressed = 0
        self.unmapped = 0

    def relations(self) -> Iterator[Relation]:
        """Yield the relations, node by node."""
        mapped = {function.path[0] for function in self._map.functions} | self._map.also_elsewhere
        for node in self._values:
            own = self._values[node]
            if self._map.conjunction in own:
                yield from self._coordination(node)
            word = self._words.get(node)
            if word is None:
                continue
            unmapped_values = (values for attribute, values in own.items() if attribute not in mapped)
            self.unmapped += sum(value.tag in self._words for values in unmapped_values for value in values)
            for form in self._feature_words(node, self._map.auxiliaries):
                yield Relation(self._map.auxiliary, word, Word(form))
            done: set[tuple[str, ...]] = set()
            for function in self._map.functions:
                if function.path in done or not (function.when is None or self._holds(node, function.when)):
                    continue
                done.add(function.path)
                # A preposition and its object have no relation of their own.
                if function.path != (self._map.prepositions[0],) or not self._is_preposition(node):
                    yield from self._function(node, word, function)

    def _function(self, node: str, head: Word, function: Function) -> Iterator[Relation]:
        for value in self._at(node, function.path):
            for dependent in self._heads(value):
                introducer = ""
                if function.introduced and dependent.tag:
                    introducer, dependents = self._introduced(dependent)
                else:
                    dependents = [dependent]
                for one in dependents:
                    word = self._words.get(one.tag, one) if one.tag else one
                    if not word.word or not head.word:
                        self.not_expressed += 1
                        continue
                    type = function.type or introducer
                    yield Relation(function.relation, head, word, type, function.initial_gr)

    def _introduced(self, dependent: Word) -> tuple[str, list[Word]]:
        """Return the preposition or marker of a dependent, and the dependents that it introduces."""
        node = dependent.tag
        if self._is_preposition(node):
            objects = self._at(node, (self._map.prepositions[0],))
            return self._words[node].word, [head for value in objects for head in self._heads(value)]
        words = self._feature_words(node, self._map.markers)
        return next(words, ""), [dependent]

    def _is_preposition(self, node: str) -> bool:
        own = self._values.get(node, {})
        object_, without = self._map.prepositions
        return node in self._words and object_ in own and without not in own

    def _feature_words(self, node: str, words: Sequence[FeatureWord]) -> Iterator[str]:
        for feature in words:
            for value in self._at(node, feature.condition.path):
                if not value.tag and feature.condition.value in (None, value.word):
                    yield feature.word or value.word

    def _coordination(self, node: str) -> Iterator[Relation]:
        heads = [self._words.get(head.tag, head) for head in self._heads(Word(tag=node))]
        forms = self._at(node, (self._map.conjunction,))
        expressed = [head for head in heads if head.word]
        self.not_expressed += len(heads) - len(expressed)
        if expressed and self._map.coordination:
            conjunction, further_heads = next((form.word for form in forms), ""), tuple(expressed[1:])
            yield Relation(
                self._map.coordination, expressed[0], type=conjunction, further_heads=further_heads
            )

    def _holds(self, node: str, condition: AtomCondition) -> bool:
        return any(value.word == condition.value for value in self._at(node, condition.path) if not value.tag)

    def _at(self, node: str, path: Sequence[str]) -> list[Word]:
        """Return the values at the end of a path."""
        values = [Word(tag=node)]
        for attribute in path:
            nodes = [self._values.get(value.tag, {}) for value in values if value.tag]
            values = [below for node_values in nodes for below in node_values.get(attribute, ())]
        return values

    def _heads(self, value: Word) -> list[Word]:
        """Return the nodes with predicates of a value: the value itself, or the members of a set."""
        heads: list[Word] = []
        seen: set[str] = set()
        todo = [value]
        while todo:
            one = todo.pop()
            if not one.tag:
                heads.append(one)
                continue
            if one.tag in seen:
                continue
            seen.add(one.tag)
            if one.tag in self._words:
                heads.append(one)
                continue
            own = self._values.get(one.tag, {})
            members = [member for attribute in self._map.members for member in own.get(attribute, ())]
            todo += reversed(members)
        return heads
