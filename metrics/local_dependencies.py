"""Dependencies of local trees: each word's head, with parent, head child and sister in the tree between them.

Collins (1999): Head-Driven Statistical Models for Natural Language Parsing, as Clark and Hockenmaier (2002):
Evaluating a Wide-Coverage CCG Parser, section 4.2, describe it. A word depends on another where the parse
contains a local tree of which the other is the head and the word is the head of a non-head child. The
relation is named by the labels of the parent, the head child and the sister, the sister's direction, whether
it is a complement, and whether it is coordinated. There is one for each word; the head of the sentence has
one of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np

from crossbank.converters.constructions.mark_coordination import COORDINATED
from crossbank.metrics.counting.counts import Measure, exact_match, precision_recall_f1
from crossbank.metrics.counting.items import (
    Compared,
    ItemDescription,
    ItemKeys,
    ItemMetric,
    Items,
    word_by_word,
)
from crossbank.metrics.loops import local_trees as loops
from crossbank.metrics.pairing.pair import Pair
from crossbank.treebanks import ROOT, UNATTACHED, Treebank
from crossbank.treebanks.arrays import BoolArray, Int32Array, Int64Array
from crossbank.treebanks.ranges import in_ranges

COMPLEMENT = "C"
"""The function of complements: ``NP-C``."""

TAG, TOP = "TAG", "<TOP>"
"""The label that replaces every word tag, and the relation of the head of a sentence."""


LABELS = 3
"""Parent, head child and sister: the first rows of the parts of a relation."""


@dataclass(frozen=True)
class LocalDependencies(ItemMetric):
    r"""Precision and recall of the dependencies of local trees, labelled and unlabelled.

    tags          whether word tags are distinguished; else each of them is ``TAG``, as in Collins (1999)
    complements   whether a sister's complement mark (``-C``) belongs to the relation
    coordination  whether the relation says that there is a conjunction between sister and head child
    direction     whether the relation says on which side of the head the sister is

    Heads are those of the scheme's head rules on both sides, found before tokens are omitted. A word below a
    node whose head is omitted has no dependency.

    When to use it
    --------------
    `local_dependencies` gives each word one dependency, named by the local tree from which it comes. It is
    the score that Collins reports for lexicalised constituency parsers. It says which construction went
    wrong: a `PP` beside a `VBZ` in a `VP`, for example. It needs a scheme with head rules.

    Definition
    ----------
    Head rules find the head child of each node. Every other child's head word depends on the head word of the
    node. The relation is the triple ⟨parent, head child, sister⟩ with the sister's direction, whether it is a
    complement, and whether it is coordinated. There is one dependency for each word; the head of the sentence
    has one of its own.

    Formula
    -------
    With *G* and *C* the triples of word, head and relation; the measures with `unlabelled_` leave the
    relation out:

    ```math
    P = \frac{\lvert G \cap C \rvert}{\lvert C \rvert}
    \qquad R = \frac{\lvert G \cap C \rvert}{\lvert G \rvert}
    \qquad F_1 = \frac{2 P R}{P + R}
    ```

    Example
    -------
    The parser attaches *with a bell* to the verb; gold attaches it to *the cat*. The dependency of *with* has
    another head and another name, in gold that of a phrase beside a noun phrase, in the candidate that of a
    phrase beside a verb.

    <!-- file: gold.mrg -->
    ```text
    (S (NP (DT The) (NN dog))
       (VP (VBZ chases)
           (NP (NP (DT the) (NN cat))
               (PP (IN with) (NP (DT a) (NN bell)))))
       (. .))
    ```

    <!-- file: parsed.mrg -->
    ```text
    (S (NP (DT The) (NN dog))
       (VP (VBZ chases)
           (NP (DT the) (NN cat))
           (PP (IN with) (NP (DT a) (NN bell))))
       (. .))
    ```

    ```console
    $ crossbank score gold.mrg parsed.mrg --scheme ptb --metric local_dependencies --by relation
    local_dependencies|tags:no|complements:yes|...|v1.0
      precision                87.50 %  matched dependencies / dependencies of the candidate
      recall                   87.50 %  matched dependencies / dependencies of gold
      f1                       87.50 %  harmonic mean of precision and recall
      unlabelled_precision     87.50 %  matched heads of words / heads of words of the candidate
      unlabelled_recall        87.50 %  matched heads of words / heads of words of gold
      unlabelled_f1            87.50 %  harmonic mean of precision and recall
      exact                     0.00 %  sentences whose dependencies are all the same / sentences
      1 sentence: 1 scored

      relation                gold  candidate  precision  recall      f1  unlabelled_recall
      <NP, TAG, TAG, left>       3          3     100.00  100.00  100.00             100.00
      <NP, NP, PP, right>        1          0       0.00    0.00    0.00               0.00
      <PP, TAG, NP, right>       1          1     100.00  100.00  100.00             100.00
      <S, VP, NP, left>          1          1     100.00  100.00  100.00             100.00
      <TOP>                      1          1     100.00  100.00  100.00             100.00
      <VP, TAG, NP, right>       1          1     100.00  100.00  100.00             100.00
      <VP, TAG, PP, right>       0          1       0.00    0.00    0.00               0.00
    ```

    Other programs
    --------------
    None. Clark and Hockenmaier (2002), section 4.2, describe the definition of Collins (1999).
    """

    tags: bool = False
    complements: bool = True
    coordination: bool = True
    direction: bool = True

    name: ClassVar[str] = "local_dependencies"
    item: ClassVar[str] = "arc"
    position: ClassVar[float] = 180
    version: ClassVar[str] = "1.0"
    papers: ClassVar[tuple[str, ...]] = ("collins-1999", "clark-hockenmaier-2002")
    view: ClassVar[str] = "heads"
    title: ClassVar[str] = "Local dependencies"
    headline: ClassVar[tuple[str, ...]] = ("f1",)
    compared: ClassVar[tuple[str, ...]] = ("precision", "recall", "unlabelled_recall")
    measures: ClassVar[tuple[Measure, ...]] = (
        *precision_recall_f1("gold", "candidate", "matched", "dependencies"),
        *precision_recall_f1("gold", "candidate", "heads", "heads of words", "unlabelled_"),
        exact_match("dependencies"),
    )

    breakdown_measures: ClassVar[Mapping[str, tuple[Measure, ...]]] = {
        "relation": tuple(m for m in measures if m.name in ("precision", "recall", "f1", "unlabelled_recall"))
    }

    def compare(self, pair: Pair) -> Compared:
        """Return the dependency of each of gold's words on both sides, and the same heads."""
        head, parts = self._side(pair.gold, pair.gold.nodes.label, pair.gold.tokens.pos, pair.codes)
        other = pair.candidate
        label, tag = (pair.candidate_codes(column) for column in (other.nodes.label, other.tokens.pos))
        other_head, other_parts = self._side(other, label, tag, pair.codes)
        both = np.concatenate((parts, other_parts), axis=1)
        labels, numbers = np.unique(both[:LABELS], return_inverse=True)
        both[:LABELS] = numbers.reshape(LABELS, -1)
        sizes = (max(len(labels), 1),) * LABELS + (2,) * (len(both) - LABELS)
        keys, which = np.unique(np.ravel_multi_index(tuple(both), sizes), return_inverse=True)
        strings = [TAG if label == pair.codes else pair.string(label) for label in labels.tolist()]
        names = [
            self._name([strings[index] for index in row[:LABELS]], *row[LABELS:])
            for row in np.stack(np.unravel_index(keys, sizes), 1).tolist()
        ]
        code: Int32Array = which.reshape(-1).astype(np.int32)
        words = len(pair.gold.tokens)
        heads = head, pair.aligned(other_head, UNATTACHED)
        relations = code[:words], pair.aligned(code[words:], -1)
        gold_items, candidate_items = (
            Items(
                pair.gold.tokens.offsets,
                head.astype(np.int64) * (len(names) + 1) + relation,
                head != UNATTACHED,
                partial(_describe_arc, pair.gold, names, head, relation),
                np.arange(words),
            )
            for head, relation in zip(heads, relations, strict=True)
        )
        return Compared(
            pair,
            gold_items,
            candidate_items,
            {"relation": lambda: ItemKeys(relations[0], np.maximum(relations[1], 0), names.__getitem__)},
            {"heads": ("gold", gold_items.counted & (heads[0] == heads[1]))},
            match=word_by_word,
            aligned=True,
        )

    def _side(
        self, bank: Treebank, label: Int32Array, tag: Int32Array, any_tag: int
    ) -> tuple[Int32Array, Int64Array]:
        """Return the head of each word, and the parts of its relation, shape ``(7, tokens)``.

        The parts are codes of parent, head child and sister, and whether the word is the head of its
        sentence, is right of its head, is marked as a complement, and is marked as coordinated. ``label`` and
        ``tag`` are codes that both sides share.
        """
        tokens, nodes = bank.tokens, bank.nodes
        tags = tag if self.tags else np.full(len(tokens), any_tag, np.int32)
        trees = loops.Trees(bank.forest, tags, tokens.function, label, nodes.function, nodes.head)
        head, parent, child, sister, function = (np.zeros(len(tokens), np.int32) for _ in range(5))
        columns = loops.LocalTrees(head, parent, child, sister, function)
        in_ranges(lambda first, last: loops.climb(trees, columns, first, last), len(bank))
        relation = (
            parent,
            child,
            sister,
            head == ROOT,
            self.direction & (head >= 0) & (head < tokens.indices()),
            self.complements & _has(bank, function, COMPLEMENT),
            self.coordination & _has(bank, function, COORDINATED),
        )
        return head, np.stack(relation).astype(np.int64)

    def _name(self, labels: Sequence[str], top: int, right: int, complement: int, coordinated: int) -> str:
        """Return a dependency as text: ``<S, VP, NP-C, left>``; ``CC`` is added across a conjunction."""
        if top:
            return TOP
        parent, child, sister = labels
        parts = [parent, child, f"{sister}-{COMPLEMENT}" if complement else sister]
        parts += ["right" if right else "left"] * self.direction + ["CC"] * coordinated
        return f"<{', '.join(parts)}>"


def _has(bank: Treebank, function: Int32Array, part: str) -> BoolArray:
    """Return a mask of the functions that have a part, of the shape of ``function``.

    ``SBJ-C`` has ``SBJ`` and ``C``.
    """
    marked = np.zeros(len(bank.vocabulary), np.bool_)
    for code in np.unique(function).tolist():
        marked[code] = part in bank.vocabulary[code].split("-")
    return np.asarray(marked[function])


def _describe_arc(
    gold: Treebank, names: Sequence[str], heads: Int32Array, relations: Int32Array, word: int
) -> ItemDescription:
    """Return the relation of a word, the word and its head, and both; no text where it has none."""
    head, name = int(heads[word]), names[int(relations[word])]
    if head < 0:
        return ItemDescription(name, (word,), name if head == ROOT else "")
    return ItemDescription(name, (word, head), f"{name} {gold.words(0)[head]}-{head + 1}")
