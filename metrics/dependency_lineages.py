"""Leaf-ancestor over dependency trees: the similarity of the ways from each word up to the root.

Sampson, Geoffrey and Anna Babarczy (2003): A Test of the Leaf-Ancestor Metric for Parse Accuracy. Natural
Language Engineering 9(4), section 1: "In principle, the LA metric can be applied equally well to dependency
or to phrase-structure trees (Sampson 2000: 62-4)." A node stands for each word with its dependents; its label
is the word's relation. Boundary markers are those of these nodes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from crossbank.converters.dependencies.arcs_as_constituents import dependency_trees, require_dependencies
from crossbank.metrics.counting.counts import Measure
from crossbank.metrics.leaf_ancestor import LeafAncestor
from crossbank.metrics.pairing.pair import Pair, Status
from crossbank.metrics.pairing.pair import pair as by_words
from crossbank.treebanks import UNATTACHED, Treebank
from crossbank.treebanks.arrays import BoolArray
from crossbank.treebanks.cycles import on_cycle


@dataclass(frozen=True)
class DependencyLineages(LeafAncestor):
    r"""Mean similarity of the lineages of words in dependency trees.

    The options are those of ``LeafAncestor``; labels are relations, and roots are nodes without a parent.

    When to use it
    --------------
    `dependency_lineages` gives every word a score from its whole way to the root, where LAS sees its own head
    alone. Take it beside [`leaf_ancestor`](leaf_ancestor.md), to compare constituents and dependencies by one
    measure, or to weight errors by the words below them.

    Definition
    ----------
    The lineage of a word is its relation, its head's relation, and so on up to the root. A left bracket comes
    before the highest word whose subtree begins at the word, a right bracket after the highest one whose
    subtree ends there. Costs are those of `leaf_ancestor`. A word that `delete` omits leaves its dependents
    to its head. Sentences whose heads form a cycle are not scored.

    Formula
    -------
    With *g* and *c* the lineages of a word, |g| and |c| their lengths and *d* their distance:

    ```math
    s = 1 - \frac{d(g, c)}{\lvert g \rvert + \lvert c \rvert}
    ```

    `mean` is the mean over sentences of the means of their words, `word_mean` the mean over all words.

    Example
    -------
    The parser attaches *with a bell* to the verb; gold attaches it to *cat*.

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
    $ crossbank score gold.mrg parsed.mrg --scheme ptb --metric dependency_lineages --by form
    dependency_lineages|cost:exact|root:yes|...|v1.0
      mean          93.36 %  mean over sentences of the mean similarity of their words' lineages
      word_mean     93.36 %  mean over all words of the similarity of their lineages
      1 sentence: 1 scored

      form    word_mean
      The        100.00
      dog        100.00
      chases     100.00
      the        100.00
      cat         80.00
      with        85.71
      a           92.31
      bell        88.89
    ```

    Other programs
    --------------
    None that we know of.
    """

    name: ClassVar[str] = "dependency_lineages"
    position: ClassVar[float] = 95
    version: ClassVar[str] = "1.0"
    view: ClassVar[str] = "dependencies"
    title: ClassVar[str] = "Leaf-ancestor of dependencies"
    measures: ClassVar[tuple[Measure, ...]] = LeafAncestor.measures

    @staticmethod
    def pair(
        gold: Treebank, candidate: Treebank, *, delete: BoolArray | None = None, align: bool = False
    ) -> Pair:
        """Pair the words, and make nodes of dependencies on both sides.

        Raises ConversionError if gold's heads form a cycle.
        """
        paired = by_words(gold, candidate, delete=delete, align=align)
        require_dependencies(paired.gold, DependencyLineages.name)
        tokens = paired.candidate.tokens
        cyclic = on_cycle(tokens.offsets, tokens.head)
        status = paired.status.copy()
        in_cycle = tokens.sentence_of_row()[cyclic]
        status[in_cycle[status[in_cycle] == Status.SCORED]] = Status.CYCLE
        heads = np.where(cyclic, UNATTACHED, tokens.head).astype(np.int32)
        acyclic = paired.candidate.replace(tokens=tokens.replace(head=heads))
        return replace(paired, gold=_as_nodes(paired.gold), candidate=_as_nodes(acyclic), status=status)


def _as_nodes(bank: Treebank) -> Treebank:
    """Return the dependencies as nodes, with the tags of words; without any heads there are no nodes."""
    if not bank.has_dependencies:
        return bank
    trees = dependency_trees(bank)
    return trees.replace(tokens=trees.tokens.replace(pos=bank.tokens.pos), history=bank.history)
