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
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossbank.metrics.counting.counts import Measure, exact_match, precision_recall_f1
from crossbank.metrics.counting.items import Compared, ItemDescription, ItemKeys, ItemMetric, Items
from crossbank.metrics.dependencies import unattached
from crossbank.metrics.pairing.pair import Pair
from crossbank.metrics.pairing.pair import pair as by_words
from crossbank.treebanks import ROOT, UNATTACHED, Treebank
from crossbank.treebanks.arrays import Int32Array, Int64Array, offsets_of

ARC = re.compile(r"(\d{1,9})(\.\d+)?:(.+)", re.ASCII)
"""A head, which may be an empty node, and a relation."""

FURTHEST = 10**9 + 1
"""One more than the largest number that ``ARC`` reads."""


class Arcs(NamedTuple):
    """Dependencies of one side, each of shape ``(arcs,)``, in the order of their sentences.

    word      the position of the dependent in its sentence
    head      that of the head, or ``ROOT``
    relation  the relation, a number that both sides share
    """

    sentence: Int32Array
    word: NDArray[np.integer]
    head: NDArray[np.integer]
    relation: Int32Array

    def of(self, chosen: NDArray[Any]) -> Arcs:
        """Return the dependencies of a mask, or of a list of rows."""
        return Arcs(*(column[chosen] for column in self))

    def offsets(self, sentences: int) -> Int64Array:
        """Return which dependencies belong to which of some sentences, shape ``(sentences + 1,)``."""
        return offsets_of(np.bincount(self.sentence, minlength=sentences))


@dataclass(frozen=True)
class DependencyGraphs(ItemMetric):
    r"""Precision and recall of dependencies where words may have several heads.

    labels    whether relations must match
    roots     whether being a root counts as a dependency
    subtypes  whether relations are compared whole; if not, they are cut at the first ``:``

    Arcs from empty nodes are omitted; a note counts them.

    When to use it
    --------------
    `dependency_graphs` compares dependencies where words may have several heads. Take it for enhanced
    dependencies, for secondary edges, and for coordinations in which every conjunct has the same status.

    Definition
    ----------
    The dependencies are those of the column DEPS of CoNLL-U. A word without anything there has its one head.
    Arcs from empty nodes are omitted, and counted in a note. Of trees, a scheme's view `dependency_graphs`
    makes such graphs; without it, its view `dependencies` does. With `--transform`, `insert_flat_phrases
    dependencies:heads=several` does. The view of `tuebadz` is section 4 of Kübler and Telljohann (2002):
    `--scheme tuebadz --option roots=no` gives the scores that they print, 1/3 for *am siebten und achten*.

    Formula
    -------
    With *G* and *C* the triples of word, head and relation:

    ```math
    P = \frac{\lvert G \cap C \rvert}{\lvert C \rvert}
    \qquad R = \frac{\lvert G \cap C \rvert}{\lvert G \rvert}
    \qquad F_1 = \frac{2 P R}{P + R}
    ```

    Example
    -------
    *cats* is a conjunct of *dogs* and a subject of *sleep*. The candidate has the first dependency and not
    the second, so that its tree is perfect (LAS 100) and its graph is not.

    <!-- file: gold.conllu -->
    ```text
    1	dogs	dog	NOUN	_	_	4	nsubj	4:nsubj	_
    2	and	and	CCONJ	_	_	3	cc	3:cc	_
    3	cats	cat	NOUN	_	_	1	conj	1:conj|4:nsubj	_
    4	sleep	sleep	VERB	_	_	0	root	0:root	_
    ```

    <!-- file: parsed.conllu -->
    ```text
    1	dogs	dog	NOUN	_	_	4	nsubj	4:nsubj	_
    2	and	and	CCONJ	_	_	3	cc	3:cc	_
    3	cats	cat	NOUN	_	_	1	conj	1:conj	_
    4	sleep	sleep	VERB	_	_	0	root	0:root	_
    ```

    ```console
    $ crossbank score gold.conllu parsed.conllu --metric dependency_graphs
    dependency_graphs|labels:yes|roots:yes|...|v1.2
      precision    100.00 %  matched dependencies / dependencies of the candidate
      recall        80.00 %  matched dependencies / dependencies of gold
      f1            88.89 %  harmonic mean of precision and recall
      exact          0.00 %  sentences whose dependencies are all the same / sentences
      1 sentence: 1 scored
    ```

    Other programs
    --------------
    ELAS and EULAS of the IWPT shared tasks: `--mode conll18 --option enhanced=yes`, which counts as their
    program does.
    """

    labels: bool = True
    roots: bool = True
    subtypes: bool = True

    name: ClassVar[str] = "dependency_graphs"
    compares_words: ClassVar[bool] = False
    item: ClassVar[str] = "arc"
    position: ClassVar[float] = 170
    version: ClassVar[str] = "1.2"
    papers: ClassVar[tuple[str, ...]] = ("kuebler-telljohann-2002",)
    title: ClassVar[str] = "Dependency graphs"
    view: ClassVar[str] = "dependency_graphs"
    headline: ClassVar[tuple[str, ...]] = ("f1",)
    measures: ClassVar[tuple[Measure, ...]] = (
        *precision_recall_f1("gold", "candidate", "matched", "dependencies"),
        exact_match("dependencies"),
    )

    # Tokens that are omitted remain, without heads.
    pair = staticmethod(partial(by_words, leave_out=partial(unattached, names="deps")))

    def compare(self, pair: Pair) -> Compared:
        """Return the dependencies of both sides, the candidate's in scored sentences."""
        names: dict[str, int] = {}
        gold_arcs, of_gold = self._read(pair.gold, names)
        candidate_arcs, of_candidate = self._read(pair.candidate, names)
        candidate_arcs = candidate_arcs.of(pair.scored[candidate_arcs.sentence])
        relation_keys = ItemKeys(gold_arcs.relation, candidate_arcs.relation, list(names).__getitem__)
        empty = of_gold + of_candidate
        return Compared(
            pair,
            self._items(pair, gold_arcs, list(names)),
            self._items(pair, candidate_arcs, list(names)),
            {"relation": lambda: relation_keys} if self.labels else {},
            notes={"dependencies on empty nodes, which are left out": empty} if empty else {},
        )

    def _items(self, pair: Pair, arcs: Arcs, names: list[str]) -> Items:
        key = arcs.word.astype(np.int64) * FURTHEST + arcs.head + 1
        if self.labels:
            key = key * len(names) + arcs.relation

        def describe(row: int) -> ItemDescription:
            word, head = int(arcs.word[row]), int(arcs.head[row])
            return ItemDescription(names[arcs.relation[row]], (word,) if head == ROOT else (word, head))

        anchor = pair.gold.tokens.offsets[arcs.sentence] + arcs.word
        return Items(arcs.offsets(len(pair)), key, np.ones(len(key), np.bool_), describe, anchor)

    def _read(self, bank: Treebank, names: dict[str, int]) -> tuple[Arcs, int]:
        """Return the dependencies of a treebank, and the number of those on empty nodes."""
        tokens, empty = bank.tokens, 0
        columns: list[tuple[NDArray[np.integer], NDArray[np.integer], int]] = []
        basic = (tokens.deps == 0) & (tokens.head != UNATTACHED)
        for code, rows in _alike(np.where(basic, tokens.relation, -1)):
            if code >= 0:
                columns.append((rows, tokens.head[rows], self._number(bank.vocabulary[code], names)))
        for code, rows in _alike(tokens.deps):
            for arc in bank.vocabulary[code].split("|") if code else ():
                if (read := ARC.fullmatch(arc)) is None or read[2]:
                    empty += len(rows)
                    continue
                head = np.full(len(rows), int(read[1]) - 1)
                columns.append((rows, head, self._number(read[3], names)))
        relations = [np.full(len(rows), relation, np.int32) for rows, _, relation in columns]
        nothing = np.zeros(0, np.int64)
        dependent = np.concatenate([nothing, *(rows for rows, _, _ in columns)])
        head = np.concatenate([nothing, *(head for _, head, _ in columns)])
        relation = np.concatenate([nothing.astype(np.int32), *relations])
        order = np.argsort(dependent, kind="stable")
        rows = dependent[order]
        arcs = Arcs(tokens.sentence_of_row()[rows], tokens.indices()[rows], head[order], relation[order])
        return arcs if self.roots else arcs.of(arcs.head != ROOT), empty

    def _number(self, relation: str, names: dict[str, int]) -> int:
        return names.setdefault(relation if self.subtypes else relation.partition(":")[0], len(names))


def _alike(codes: Int32Array) -> Iterator[tuple[int, NDArray[np.intp]]]:
    """Yield the rows of a column that have the same code, for each code."""
    order = np.argsort(codes, kind="stable")
    distinct, first = np.unique(codes[order], return_index=True)
    return zip(distinct.tolist(), np.split(order, first[1:]), strict=True) if len(codes) else iter(())
