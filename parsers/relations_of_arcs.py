"""Relation of a dependency whose ends are known: the most frequent one of such tags in training."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from crossbank.treebanks import Treebank


@dataclass(frozen=True)
class RelationsOfArcs:
    """Most frequent relation of a dependent's tag, its head's tag and its side; else of its tag alone.

    Keys are the tags and ``<`` or ``>``, joined by tabs; the root's tag is empty.
    """

    by_arc: Mapping[str, str]
    by_tag: Mapping[str, str]

    @classmethod
    def learn(cls, bank: Treebank) -> RelationsOfArcs:
        """Count the relations of a treebank; of equally frequent ones the first in the alphabet is taken."""
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
        """Relations from plain mappings. Raises TypeError where one is no string."""
        found = cls(dict(content["by_arc"]), dict(content["by_tag"]))
        if not all(isinstance(name, str) for name in (*found.by_arc.values(), *found.by_tag.values())):
            raise TypeError("a relation that is no string")
        return found

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
        key: min(found, key=lambda relation: (-found[relation], relation))
        for key, found in sorted(counts.items())
    }
