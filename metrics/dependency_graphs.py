"""Dependency graphs: words with several heads, as the column DEPS of CoNLL-U has them.

Kübler and Telljohann (2002), sections 4 and 5: conjuncts have the same status, so that a word may depend on
each of them, and precision and recall count every dependency. A word without anything in DEPS has its one
head.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossbank.metrics.counting.counts import Column, Counts, Measure, Parts, precision_recall_f1, ratio
from crossbank.metrics.counting.metric import Item, Metric
from crossbank.metrics.counting.tally import by_kind, joined
from crossbank.metrics.pairing.pair import Pair, pair
from crossbank.treebanks import ROOT, UNATTACHED, Treebank
from crossbank.treebanks.arrays import BoolArray, Int32Array, Int64Array

ARC = re.compile(r"(\d{1,9})(\.\d+)?:(.+)", re.ASCII)
"""A head, which may be an empty node, and a relation."""


class Arcs(NamedTuple):
    """The dependencies of one side, each of shape ``(arcs,)``.

    token     the row of the dependent among gold's tokens
    head      the place of the head in its sentence, or ``ROOT``
    relation  the relation, a number that both sides share
    """

    token: Int64Array
    head: Int64Array
    relation: Int32Array

    def of(self, chosen: BoolArray) -> Arcs:
        """Some of the dependencies."""
        return Arcs(self.token[chosen], self.head[chosen], self.relation[chosen])


@dataclass(frozen=True)
class DependencyGraphs(Metric):
    """Precision and recall of dependencies where words may have several heads.

    labels    whether relations must match
    roots     whether being a root counts as a dependency
    subtypes  whether relations are compared whole; if not, they are cut at the first ``:``

    Arcs from empty nodes are left out; a note counts them.
    """

    labels: bool = True
    roots: bool = True
    subtypes: bool = True

    name: ClassVar[str] = "dependency_graphs"
    version: ClassVar[str] = "1.1"
    papers: ClassVar[tuple[str, ...]] = ("kuebler-telljohann-2002",)
    title: ClassVar[str] = "Dependency graphs"
    view: ClassVar[str] = "dependency_graphs"
    headline: ClassVar[tuple[str, ...]] = ("f1",)
    measures: ClassVar[tuple[Measure, ...]] = (
        *precision_recall_f1("gold", "candidate", "matched", "dependencies"),
        Measure(
            "exact",
            lambda sums: ratio(sums["exact"], sums["rows"]),
            "sentences whose dependencies are all the same / sentences",
        ),
    )

    @staticmethod
    def pair(
        gold: Treebank, candidate: Treebank, *, delete: BoolArray | None = None, align: bool = False
    ) -> Pair:
        """Gold and candidate sentence by sentence. Tokens that are left out remain, without heads."""
        return pair(gold, candidate, delete=delete, align=align, leave_out=_headless)

    def counts(self, pair: Pair) -> Counts:
        """The dependencies of each side, and those in common."""
        self.require_view(pair)
        found = self._arcs(pair)
        sides = {
            "gold": found.gold,
            "candidate": found.candidate,
            "matched": found.gold.of(_among(found.gold, found.candidate, self.labels)),
        }
        offsets = pair.gold.tokens.offsets
        columns = {name: _by_sentence(offsets, arcs) for name, arcs in sides.items()}
        same = (columns["matched"] == columns["gold"]) & (columns["matched"] == columns["candidate"])
        columns["exact"] = (pair.scored & same).astype(np.float64)
        parts = {"relation": partial(_by_relation, offsets, sides, found.names)} if self.labels else {}
        notes = {"dependencies on empty nodes, which are left out": found.empty} if found.empty else {}
        return Counts(
            self.signature(pair), self.measures, pair.sentence_ids(), pair.status, columns, parts, notes=notes
        )

    def items(self, pair: Pair, sentence: int) -> list[Item]:
        """The dependencies of a sentence: those in common, gold's and the candidate's."""
        found = self._arcs(pair.select([sentence]))
        common = _among(found.gold, found.candidate, self.labels)
        extra = ~_among(found.candidate, found.gold, self.labels)
        items = []
        sides: tuple[tuple[Literal["gold", "candidate", "both"], Arcs], ...] = (
            ("both", found.gold.of(common)),
            ("gold", found.gold.of(~common)),
            ("candidate", found.candidate.of(extra)),
        )
        for side, arcs in sides:
            for token, head, relation in zip(*(column.tolist() for column in arcs), strict=True):
                tokens = (token,) if head == ROOT else (token, head)
                same = side == "both"
                items.append(Item("arc", found.names[relation], tokens, side, same, float(same)))
        return items

    def _arcs(self, pair: Pair) -> _Found:
        """The dependencies of both sides; the candidate's in sentences that are scored."""
        names: dict[str, int] = {}
        gold, of_gold = self._read(pair.gold, names)
        candidate, of_candidate = self._read(pair.candidate, names)
        place = np.full(len(pair.candidate.tokens), -1, np.int64)
        scored = np.repeat(pair.scored, pair.candidate.tokens.lengths())
        place[scored] = np.flatnonzero(np.repeat(pair.scored, pair.gold.tokens.lengths()))
        candidate = candidate._replace(token=place[candidate.token])
        known = candidate.of(candidate.token >= 0)
        return _Found(gold, known, list(names), of_gold + of_candidate)

    def _read(self, bank: Treebank, names: dict[str, int]) -> tuple[Arcs, int]:
        """The dependencies of a treebank, and the number of those on empty nodes."""
        tokens, empty = bank.tokens, 0
        found: list[tuple[NDArray[np.integer], NDArray[np.integer], int]] = []
        basic = (tokens.deps == 0) & (tokens.head != UNATTACHED)
        for code, rows in _alike(np.where(basic, tokens.relation, -1)):
            if code >= 0:
                found.append((rows, tokens.head[rows], self._number(bank.vocabulary[code], names)))
        for code, rows in _alike(tokens.deps):
            for arc in bank.vocabulary[code].split("|") if code else ():
                if (read := ARC.fullmatch(arc)) is None or read[2]:
                    empty += len(rows)
                    continue
                head = np.full(len(rows), int(read[1]) - 1)
                found.append((rows, head, self._number(read[3], names)))
        relations = [np.full(len(rows), relation, np.int32) for rows, _, relation in found]
        nothing = np.zeros(0, np.int64)
        arcs = Arcs(
            np.concatenate([nothing, *(rows for rows, _, _ in found)]),
            np.concatenate([nothing, *(head for _, head, _ in found)]),
            np.concatenate([nothing.astype(np.int32), *relations]),
        )
        return arcs if self.roots else arcs.of(arcs.head != ROOT), empty

    def _number(self, relation: str, names: dict[str, int]) -> int:
        return names.setdefault(relation if self.subtypes else relation.partition(":")[0], len(names))


class _Found(NamedTuple):
    """The dependencies of both sides, the names of relations, and how many depend on empty nodes."""

    gold: Arcs
    candidate: Arcs
    names: list[str]
    empty: int


def _alike(codes: Int32Array) -> Iterator[tuple[int, NDArray[np.intp]]]:
    """The rows of a column that have the same code, for each code."""
    order = np.argsort(codes, kind="stable")
    found, first = np.unique(codes[order], return_index=True)
    return zip(found.tolist(), np.split(order, first[1:]), strict=True) if len(codes) else iter(())


def _headless(bank: Treebank, tokens: BoolArray, step: str) -> Treebank:
    """The treebank whose tokens of a mask have no heads."""
    head = np.where(tokens, UNATTACHED, bank.tokens.head).astype(np.int32)
    deps = np.where(tokens, 0, bank.tokens.deps).astype(np.int32)
    return bank.replace(tokens=bank.tokens.replace(head=head, deps=deps))


def _among(arcs: Arcs, others: Arcs, labels: bool) -> BoolArray:
    """A mask of the dependencies of one side that the other side has, shape ``(arcs,)``."""
    one, other = (
        np.stack((side.token, side.head, side.relation if labels else np.zeros_like(side.token)), axis=1)
        for side in (arcs, others)
    )
    _, number = np.unique(np.concatenate((one, other)), axis=0, return_inverse=True)
    number = number.reshape(-1)
    found: BoolArray = np.isin(number[: len(one)], number[len(one) :])
    return found


def _by_sentence(offsets: Int64Array, arcs: Arcs) -> Column:
    """The number of dependencies of each sentence, shape ``(sentences,)``."""
    sentence = np.searchsorted(offsets, arcs.token, side="right") - 1
    return np.bincount(sentence, minlength=len(offsets) - 1).astype(np.float64)


def _by_relation(offsets: Int64Array, sides: dict[str, Arcs], names: list[str]) -> Parts:
    tallies = {}
    for side, arcs in sides.items():
        sentence = (np.searchsorted(offsets, arcs.token, side="right") - 1).astype(np.int32)
        one = np.ones(len(arcs.token), np.bool_)
        tallies[side] = joined(len(offsets) - 1, (sentence, arcs.relation, one))
    return by_kind(tallies, names.__getitem__)
