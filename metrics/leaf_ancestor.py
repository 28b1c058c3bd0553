"""Leaf-ancestor: the similarity of the lineages of each word.

Sampson, Geoffrey and Anna Babarczy (2003): A Test of the Leaf-Ancestor Metric for Parse Accuracy.
Natural Language Engineering 9(4), sections 2 and 4. A word's lineage is the sequence of labels from
its parent node to the root, with a left bracket before the highest node that begins at the word and
a right bracket after the highest node that ends at it. A word's score is 1 - d / (c + g), where d is
the edit distance of its lineages and c and g are their lengths.

A discontinuous node begins at its first word and ends at its last, wherever its gaps are. It dominates both
words, so both brackets have a place in their lineages, as in trees without gaps.

Lineages are no items that are found or not (``counting.items``): they are more or less alike.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Literal

import numpy as np

from crossbank.metrics.counting.counts import Breakdown, Column, Counts, Measure, ratio, share
from crossbank.metrics.counting.items import Tally, by_sentence, count_by_key
from crossbank.metrics.counting.metric import Item, Losses
from crossbank.metrics.edits.costs import UNRELATED, CostedMetric, replacement_costs
from crossbank.metrics.loops.bracket_matching import Both
from crossbank.metrics.loops.lineages import LineageCosts, compare_lineages, lineages_of
from crossbank.metrics.pairing.pair import Pair
from crossbank.metrics.parseval import UNCOUNTED, both_sides, brackets
from crossbank.treebanks import NO_PARENT, Treebank
from crossbank.treebanks.arrays import Int32Array
from crossbank.treebanks.ranges import in_ranges

MARKERS = {-1: "[", -2: "]"}
"""The boundary markers as written, by their codes among those of labels."""

BREAKDOWNS = ("form", "pos", "label", "construction")
"""The breakdowns of words: see ``LeafAncestor.counts``."""


@dataclass(frozen=True)
class LeafAncestor(CostedMetric):
    r"""Mean similarity of lineages, over sentences and over words.

    cost  of replacing a label by another: ``exact`` (2), ``first_letter`` (0.5 where the first
          characters are the same, else 2), ``none`` (0: labels are not compared), or a file with a table
          (see ``metrics.edits.costs``)
    root  whether nodes without a parent belong to lineages

    When to use it
    --------------
    `leaf_ancestor` gives every word a score: how similar its way to the root is on both sides. Take it to
    find which words a parser gets wrong, and to compare parsers across schemes more fairly than brackets do:
    an error costs the words near it, and costs less the more of their ancestors are right.

    Definition
    ----------
    The lineage of a word is the sequence of labels from its parent to the root. A left bracket comes before
    the highest node that begins at the word, a right bracket after the highest node that ends at it. The
    distance of two lineages is the least cost of inserting and deleting symbols (1 each) and of replacing
    them (2, unless `cost` says less for similar labels). A discontinuous node begins at its first word and
    ends at its last.

    Formula
    -------
    With *g* and *c* the lineages of a word, |g| and |c| their lengths and *d* their distance:

    ```math
    s = 1 - \frac{d(g, c)}{\lvert g \rvert + \lvert c \rvert}
    ```

    `mean` is the mean over sentences of the means of their words, `word_mean` the mean over all words.

    Example
    -------
    The parser attaches *with a bell* to the verb; gold attaches it to *the cat*. Three words have the lineage
    that they have in gold. In those of the others one noun phrase is missing. For *with* gold has `[ PP NP VP
    S` and the candidate `[ PP VP S`: the distance is 1, the lengths are 5 and 4, and the score is 1 - 1/9.

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
    $ crossbank score gold.mrg parsed.mrg --scheme ptb --metric leaf_ancestor --by form
    leaf_ancestor|cost:exact|root:yes|...|v1.0
      mean          93.56 %  mean over sentences of the mean similarity of their words' lineages
      word_mean     93.56 %  mean over all words of the similarity of their lineages
      1 sentence: 1 scored

      form    word_mean
      The        100.00
      dog        100.00
      chases     100.00
      the         88.89
      cat         88.89
      with        88.89
      a           90.91
      bell        90.91
    ```

    Other programs
    --------------
    - disco-dop's `--la` has other costs and other brackets: `--mode discodop --option la=yes`.
    - Sampson and Babarczy (2003) have the costs of `--option cost=first_letter`.
    """

    root: bool = True

    name: ClassVar[str] = "leaf_ancestor"
    position: ClassVar[float] = 90
    version: ClassVar[str] = "1.0"
    papers: ClassVar[tuple[str, ...]] = ("sampson-babarczy-2003",)
    view: ClassVar[str] = "constituents"
    title: ClassVar[str] = "Leaf-ancestor"
    headline: ClassVar[tuple[str, ...]] = ("mean",)
    compared: ClassVar[tuple[str, ...]] = ("mean",)
    breakdown_titles: ClassVar[Mapping[str, str]] = {"form": "word", "pos": "tag"}
    measures: ClassVar[tuple[Measure, ...]] = (
        Measure(
            "mean",
            share("mean", "rows"),
            "mean over sentences of the mean similarity of their words' lineages",
            title="Avg.",
        ),
        Measure(
            "word_mean",
            share("similarity", "words"),
            "mean over all words of the similarity of their lineages",
            title="Word avg.",
        ),
    )

    def counts(self, pair: Pair) -> Counts:
        """Return the words of gold, the sum of their similarities, and the sentence's mean."""
        self.require(pair)
        offsets = pair.gold.tokens.offsets
        words = np.diff(offsets).astype(np.float64)
        similarity = by_sentence(offsets, self.similarities(pair))
        columns = {"words": words, "similarity": similarity, "mean": ratio(similarity, words)}
        return self.counted(pair, columns, {column: partial(self._by, column, pair) for column in BREAKDOWNS})

    def similarities(self, pair: Pair) -> Column:
        """Score of every word of gold, shape ``(gold tokens,)``; 0 in sentences that are not scored."""
        gold, candidate = both_sides(pair, partial(_counted, root=self.root))
        used = np.zeros(pair.codes, np.bool_)
        used[pair.gold.nodes.label] = used[pair.candidate_codes(pair.candidate.nodes.label)] = True
        costs = LineageCosts(*replacement_costs(self.cost, self.table, used, pair.string), UNRELATED, False)
        both = Both(gold.columns, candidate.columns, pair.scored)
        # Words of sentences that are not scored keep one edit in one symbol: no similarity.
        edits, symbols = np.ones(len(pair.gold.tokens)), np.ones(len(pair.gold.tokens), np.int32)
        in_ranges(partial(compare_lineages, both, costs, edits, symbols), len(pair))
        similarities: Column = np.where(pair.has_counterpart, 1.0 - edits / np.maximum(symbols, 1), 0.0)
        return similarities

    def losses(self, pair: Pair) -> Losses:
        """Return the words of gold; the loss of each is one minus the similarity of its lineage."""
        counted = np.repeat(pair.scored, pair.gold.tokens.lengths())
        return Losses("tokens", counted, 1.0 - self.similarities(pair))

    def items(self, pair: Pair, sentence: int) -> list[Item]:
        """Return the words of a sentence with both lineages and their score."""
        one = pair.select([sentence])
        scored, scores = bool(one.scored[0]), self.similarities(one).tolist()
        gold, candidate = (
            [" ".join(lineage) for lineage in lineages(bank, 0, root=self.root)]
            for bank in (one.gold, one.candidate)
        )
        if not scored:
            candidate = [""] * len(gold)
        words = enumerate(zip(one.gold.words(0), gold, candidate, scores, strict=True))
        side: Literal["both", "gold"] = "both" if scored else "gold"
        return [
            Item(
                "word",
                word,
                (index,),
                side,
                scored and gold_lineage == candidate_lineage,
                score,
                gold_lineage,
                candidate_lineage,
            )
            for index, (word, gold_lineage, candidate_lineage, score) in words
        ]

    def _by(self, column: str, pair: Pair) -> Breakdown:
        """Return the counts by form, tag, parent's label or construction of each word, all of them gold's.

        A construction is the parent's label with the parent's first word: ``PP of``.
        """
        tokens = pair.gold.tokens
        name: Callable[[int], str] = pair.string
        if column in ("label", "construction"):
            code, first = _label_and_first_word(pair.gold)
            if column == "construction":
                pairs, which = np.unique(np.stack((code, first), 1), axis=0, return_inverse=True)
                code = np.array(which, np.int32).reshape(-1)
                names = [" ".join(filter(None, map(pair.string, codes))) for codes in pairs.tolist()]
                name = names.__getitem__
        else:
            code = getattr(tokens, column)
        amounts = {"words": np.ones(len(tokens)), "similarity": self.similarities(pair)}
        return count_by_key({key: Tally(tokens.offsets, code, each) for key, each in amounts.items()}, name)


def _label_and_first_word(bank: Treebank) -> tuple[Int32Array, Int32Array]:
    """Return the label of each word's parent and the form of the parent's first word; 0 without a parent."""
    tokens, nodes = bank.tokens, bank.nodes
    label, first = np.zeros(len(tokens), np.int32), np.zeros(len(tokens), np.int32)
    hangs = np.flatnonzero(tokens.parent != NO_PARENT)
    node = nodes.parent_rows(tokens)[hangs]
    begin = tokens.begins(tokens)[hangs]
    label[hangs] = nodes.label[node]
    first[hangs] = tokens.form[begin + bank.spans.start[node]]
    return label, first


def _counted(bank: Treebank, label: Int32Array, root: bool) -> Int32Array:
    if root:
        return label
    return np.where(bank.nodes.parent == NO_PARENT, UNCOUNTED, label).astype(np.int32)


def lineages(bank: Treebank, sentence: int, *, root: bool = True) -> list[list[str]]:
    """Return the lineage of every word of a sentence, from the leaf to the root.

    Those of ``[S [NP two bills ] passed ]`` are ``NP [ S``, ``NP ] S`` and ``S ]``.
    """
    one = bank.select([sentence])
    side = brackets(one, _counted(one, one.nodes.label, root)).columns
    return [[MARKERS.get(code) or bank.vocabulary[code] for code in lineage] for lineage in lineages_of(side)]
