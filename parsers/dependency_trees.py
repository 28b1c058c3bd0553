"""Dependencies to train on, relations of arcs, and parses as a treebank."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from crossbank.converters import scheme_of
from crossbank.converters.transformations import transform
from crossbank.parsers.grammar_views import without_trees
from crossbank.treebanks import ROOT, UNATTACHED, Treebank
from crossbank.treebanks.arrays import Int32Array
from crossbank.treebanks.errors import MissingAnnotationError


def dependencies_of(bank: Treebank, scheme: str | None) -> Treebank:
    """Return a treebank with dependencies: its own, or those of its trees with one root each.

    Raises MissingAnnotationError if it has neither.
    """
    loaded = scheme_of(scheme)
    dependencies = bank
    if bank.has_constituents and not bank.has_dependencies:
        steps = loaded.views.get("dependencies", ()) if loaded is not None else ()
        dependencies = transform(bank, [*steps, "single_root"], loaded)
    if not dependencies.has_dependencies:
        where = bank.where(0) if len(bank) else "training set"
        raise MissingAnnotationError(where, "dependencies", "to train on (a scheme makes them of trees)")
    return dependencies.replace(history=bank.history, diagnosis=bank.diagnosis)


def words_to_parse(bank: Treebank, scheme: str | None) -> Treebank:
    """Return the tokens to be parsed: those of the treebank's dependencies, without heads."""
    if bank.has_constituents and not bank.has_dependencies:
        bank = dependencies_of(bank, scheme)
    return without_trees(bank)


def heads_of(bank: Treebank, sentence: int) -> Int32Array:
    """Return the heads of a sentence's tokens for the loops: index 0 is the root, tokens count from 1.

    Shape ``(tokens + 1,)``; a token without a head has -1.
    """
    head = bank.tokens.head[bank.tokens.rows(sentence)]
    heads = np.where(head == UNATTACHED, -1, np.where(head == ROOT, 0, head + 1))
    return np.concatenate(([-1], heads)).astype(np.int32)


def as_treebank(words: Treebank, heads: Sequence[Int32Array | None], relations: RelationsOfArcs) -> Treebank:
    """Return the sentences with heads and relations; a sentence without heads has no tokens."""
    head = np.full(len(words.tokens), UNATTACHED, np.int32)
    names = [""] * len(words.tokens)
    for sentence, heads_of_sentence in enumerate(heads):
        if heads_of_sentence is None:
            continue
        rows = words.tokens.rows(sentence)
        head[rows] = heads_of_sentence[1:] - 1
        pos = words.vocabulary.decode(words.tokens.pos[rows])
        for token, above in enumerate((heads_of_sentence[1:] - 1).tolist()):
            names[rows.start + token] = relations.relation(pos, token, above)
    vocabulary, relation = words.vocabulary.extended(names)
    tokens = words.tokens.replace(head=head, relation=relation)
    parsed = np.array([heads_of_sentence is not None for heads_of_sentence in heads], np.bool_)
    return Treebank.of_tables(vocabulary, words.sentences, tokens.take(np.repeat(parsed, tokens.lengths())))


@dataclass(frozen=True)
class RelationsOfArcs:
    """Relation of an arc: the most frequent one of its context in the training set.

    by_arc  by the dependent's tag, its head's tag (empty for the root) and ``<`` for a dependent before its
            head or ``>`` after it, joined by tabs
    by_tag  by the dependent's tag, for contexts that the training set does not have
    """

    by_arc: Mapping[str, str]
    by_tag: Mapping[str, str]

    @classmethod
    def learn(cls, bank: Treebank) -> RelationsOfArcs:
        """Return the most frequent relations of a treebank; ties are resolved alphabetically."""
        arcs: dict[str, Counter[str]] = {}
        tags: dict[str, Counter[str]] = {}
        for sentence in range(len(bank)):
            rows = bank.tokens.rows(sentence)
            pos = bank.vocabulary.decode(bank.tokens.pos[rows])
            relations = bank.vocabulary.decode(bank.tokens.relation[rows])
            for token, head in enumerate(bank.tokens.head[rows].tolist()):
                if head >= -1:
                    arcs.setdefault(_key(pos, token, head), Counter())[relations[token]] += 1
                    tags.setdefault(pos[token], Counter())[relations[token]] += 1
        return cls(_most_frequent(arcs), _most_frequent(tags))

    @classmethod
    def of(cls, content: Mapping[str, Any]) -> RelationsOfArcs:
        """Return relations from plain mappings. Raises TypeError if one is not a string."""
        relations = cls(dict(content["by_arc"]), dict(content["by_tag"]))
        if not all(
            isinstance(name, str) for name in (*relations.by_arc.values(), *relations.by_tag.values())
        ):
            raise TypeError("a relation that is not a string")
        return relations

    def relation(self, pos: list[str], token: int, head: int) -> str:
        """Return the relation of a token to its head; -1 is the root."""
        return self.by_arc.get(_key(pos, token, head), self.by_tag.get(pos[token], ""))

    def content(self) -> dict[str, Any]:
        """Return the relations as plain mappings."""
        return {"by_arc": dict(self.by_arc), "by_tag": dict(self.by_tag)}


def _key(pos: list[str], token: int, head: int) -> str:
    return f"{pos[token]}\t{pos[head] if head >= 0 else ''}\t{'<' if token < head else '>'}"


def _most_frequent(counts: Mapping[str, Counter[str]]) -> dict[str, str]:
    return {
        key: min(frequencies, key=lambda relation: (-frequencies[relation], relation))
        for key, frequencies in sorted(counts.items())
    }
