"""Chosen categories: accuracy of the constituents that all grammars share.

Müller, Karin (2002): Evaluating Syllabification: One Category Shared by Many Grammars. Beyond PARSEVAL,
section 3: syllable accuracy is the proportion of syllables that are found, word accuracy the proportion of
words whose syllables are all found. A unit is a sentence of the treebank. Beil, Franz, et al. (2002):
Evaluation of the Gramotron Parser for German, ibid., section 6.2: noun chunks by range, and by range and
label; precision = correct / guesses, recall = correct / baseline.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import ClassVar

import numpy as np

from crossbank.converters.constructions.noun_chunks import LABEL
from crossbank.metrics.counting.counts import Column, Counts, Measure, precision_recall_f1, share
from crossbank.metrics.counting.items import Compared, ItemMetric
from crossbank.metrics.counting.metric import Metric
from crossbank.metrics.pairing.pair import Pair
from crossbank.metrics.parseval import (
    UNCOUNTED,
    Brackets,
    both_sides,
    compared_brackets,
    without_duplicates,
)
from crossbank.treebanks import CrossbankError, OptionError, Treebank
from crossbank.treebanks.arrays import Int32Array
from crossbank.treebanks.named_arguments import argument


@dataclass(frozen=True)
class Selected(ItemMetric):
    r"""Accuracy, precision and recall of the constituents with certain labels.

    labels  the labels, or patterns of them: ``SYL``, ``N*``

    Brackets are a set: a constituent with the label and words of the one above it is not counted again.

    When to use it
    --------------
    `selected` scores the constituents with certain labels, and says how many sentences have all of them
    right. Take it where one category matters and the rest of the tree does not: syllables in a word, noun
    phrases for term extraction, clauses.

    Definition
    ----------
    Only constituents whose labels are listed (`labels=NP+PP`, or patterns such as `N*`) are brackets. They
    are a set. A sentence is right if the two sets are the same (`unit_accuracy`). The measures with `range_`
    compare spans without labels.

    Formula
    -------
    With *G* and *C* the chosen constituents, and *n* the number of sentences that have any in gold:

    ```math
    \text{constituent accuracy} = \frac{\lvert G \cap C \rvert}{\lvert G \rvert}
    \qquad \text{unit accuracy} = \frac{\text{sentences with } G = C}{n}
    ```

    Example
    -------
    The parser attaches *with a bell* to the verb; gold attaches it to *the cat*. Of the five noun and
    prepositional phrases of gold the candidate has four.

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
    $ crossbank score gold.mrg parsed.mrg --scheme ptb --metric selected --option labels=NP+PP
    selected|labels:NP+PP|conversions:delete_empty_elements+delete_roots+strip_functions+equate_labels|...|v1.0
      constituent_accuracy     80.00 %  chosen constituents of gold that the candidate has / those of gold
      unit_accuracy             0.00 %  sentences whose chosen constituents are all the same / sentences that have any in gold
      precision               100.00 %  matched chosen constituents / chosen constituents of the candidate
      recall                   80.00 %  matched chosen constituents / chosen constituents of gold
      f1                       88.89 %  harmonic mean of precision and recall
      range_precision         100.00 %  matched chosen constituents / chosen constituents of the candidate, whatever their labels
      range_recall             80.00 %  matched chosen constituents / chosen constituents of gold, whatever their labels
      range_f1                 88.89 %  harmonic mean of precision and recall, whatever their labels
      1 sentence: 1 scored
    ```

    Other programs
    --------------
    With a parameter file that deletes all other labels, EVALB gives the same precision and recall where
    brackets are not repeated.
    """  # noqa: E501 (lines that are printed)

    labels: tuple[str, ...] = ()

    name: ClassVar[str] = "selected"
    item: ClassVar[str] = "bracket"
    position: ClassVar[float] = 50
    version: ClassVar[str] = "1.0"
    papers: ClassVar[tuple[str, ...]] = ("mueller-2002", "beil-etal-2002")
    title: ClassVar[str] = "Selected constituents"
    view: ClassVar[str] = "constituents"
    headline: ClassVar[tuple[str, ...]] = ("unit_accuracy",)
    compared: ClassVar[tuple[str, ...]] = ("unit_accuracy", "constituent_accuracy", "f1")
    measures: ClassVar[tuple[Measure, ...]] = (
        Measure(
            "constituent_accuracy",
            share("matched", "gold", "candidate"),
            "chosen constituents of gold that the candidate has / those of gold",
        ),
        Measure(
            "unit_accuracy",
            share("right", "units"),
            "sentences whose chosen constituents are all the same / sentences that have any in gold",
        ),
        *precision_recall_f1("gold", "candidate", "matched", "chosen constituents"),
        *(
            replace(
                measure, name=f"range_{measure.name}", meaning=f"{measure.meaning}, whatever their labels"
            )
            for measure in precision_recall_f1(
                "gold_ranges", "candidate_ranges", "matched_ranges", "chosen constituents"
            )
        ),
    )

    def counts(self, pair: Pair) -> Counts:
        """Return chosen constituents of both sides, those in common by label and by range, and correct units.

        Raises OptionError if no labels are given, or neither side has one that a pattern matches.
        """
        if not self.labels:
            labels = argument("labels", "NP+PP", of_metric=True)
            raise CrossbankError(f"selected: the labels to count are missing, as in {labels}")
        return super().counts(pair)

    def needs(self, pair: Pair) -> dict[str, CrossbankError | None]:
        """Return the metric's view, and a label for each pattern."""
        sides = (pair.gold, pair.candidate)
        present = sorted({b.vocabulary[c] for b in sides for c in np.unique(b.nodes.label).tolist()})
        needs = super().needs(pair)
        for pattern in self.labels:
            is_met = any(fnmatchcase(label, pattern) for label in present)
            needs[pattern] = None if is_met else OptionError("option labels of selected", pattern, present)
        return needs

    def compare(self, pair: Pair) -> Compared:
        """Return the chosen constituents of both sides."""
        gold, candidate = map(without_duplicates, both_sides(pair, self._chosen))
        return compared_brackets(pair, gold, candidate)

    def columns(self, comparison: Compared) -> dict[str, Column]:
        """Return the sums by sentence, the same whatever the labels, and units."""
        columns, pair = super().columns(comparison), comparison.pair
        ranges = compared_brackets(pair, _ranges(comparison.gold.key), _ranges(comparison.candidate.key))
        columns |= {f"{name}_ranges": column for name, column in ranges.sums().items()}
        same = (columns["matched"] == columns["gold"]) & (columns["matched"] == columns["candidate"])
        has_any = columns["gold"] > 0
        columns["units"] = has_any.astype(np.float64)
        columns["right"] = (pair.scored & has_any & same).astype(np.float64)
        return columns

    def _chosen(self, bank: Treebank, label: Int32Array) -> Int32Array:
        """Label of each node of a treebank as compared, or ``UNCOUNTED`` where it is not chosen."""
        chosen = bank.vocabulary.matching(lambda name: any(fnmatchcase(name, p) for p in self.labels))
        return np.where(chosen[bank.nodes.label], label, UNCOUNTED).astype(np.int32)


def _ranges(side: Brackets) -> Brackets:
    """Return the same brackets without labels, those over the same words once."""
    return without_duplicates(side.with_labels(np.minimum(side.label, 0)))


@dataclass(frozen=True)
class NounChunks(Selected):
    r"""Precision and recall of noun chunks, which a scheme's view ``chunks`` makes of noun phrases.

    Chunks end at the head noun. A label is the case, as far as the chunk's function tells it.

    When to use it
    --------------
    `chunks` gives precision and recall of noun chunks, which end at the head noun. Take it for shallow
    parsers, and where attachment should not count: a chunk has no modifiers after its head. It needs a scheme
    with rules for chunks (`ptb`, `tiger`, `tuebadz`).

    Definition
    ----------
    A noun chunk is the part of a noun phrase from its beginning to its head, or a noun on its own. The
    scheme's view `chunks` makes them of trees, on both sides. The label is the case, as far as the function
    of the phrase tells it. Scores are those of [`selected`](selected.md): with labels, and by range alone.

    Formula
    -------
    With *G* and *C* the chunks:

    ```math
    P = \frac{\lvert G \cap C \rvert}{\lvert C \rvert}
    \qquad R = \frac{\lvert G \cap C \rvert}{\lvert G \rvert}
    \qquad F_1 = \frac{2 P R}{P + R}
    ```

    Example
    -------
    Gold has two chunks, *The old dog* and *her sister*. The candidate splits the first.

    <!-- file: gold.mrg -->
    ```text
    (S (NP (NP (DT The) (JJ old) (NN dog))
           (PP (IN of) (NP (PRP$ her) (NN sister))))
       (VP (VBZ sleeps)))
    ```

    <!-- file: parsed.mrg -->
    ```text
    (S (NP (DT The))
       (NP (NP (JJ old) (NN dog))
           (PP (IN of) (NP (PRP$ her) (NN sister))))
       (VP (VBZ sleeps)))
    ```

    ```console
    $ crossbank score gold.mrg parsed.mrg --scheme ptb --metric chunks
    chunks|labels:NC+NC.*|conversions:delete_empty_elements+noun_chunks|...|v1.0
      precision           33.33 %  matched chosen constituents / chosen constituents of the candidate
      recall              50.00 %  matched chosen constituents / chosen constituents of gold
      f1                  40.00 %  harmonic mean of precision and recall
      range_precision     33.33 %  matched chosen constituents / chosen constituents of the candidate, whatever their labels
      range_recall        50.00 %  matched chosen constituents / chosen constituents of gold, whatever their labels
      range_f1            40.00 %  harmonic mean of precision and recall, whatever their labels
      1 sentence: 1 scored
    ```

    One of three chunks is right, and one of two is found.

    Other programs
    --------------
    None. `conlleval` of CoNLL 2000 scores chunks of all categories, which are cut by other rules, so numbers
    differ.
    """  # noqa: E501 (lines that are printed)

    labels: tuple[str, ...] = (LABEL, f"{LABEL}.*")

    name: ClassVar[str] = "chunks"
    position: ClassVar[float] = 60
    version: ClassVar[str] = "1.0"
    title: ClassVar[str] = "Noun chunks"
    view: ClassVar[str] = "chunks"
    headline: ClassVar[tuple[str, ...]] = ("range_f1", "f1")
    measures: ClassVar[tuple[Measure, ...]] = tuple(
        measure for measure in Selected.measures if not measure.name.endswith("accuracy")
    )

    def needs(self, pair: Pair) -> dict[str, CrossbankError | None]:
        """Return the metric's view, and chunks of gold."""
        gold, needs = pair.gold, Metric.needs(self, pair)
        labels = gold.vocabulary.decode(np.unique(gold.nodes.label))
        if labels:
            is_met = any(label.partition(".")[0] == LABEL for label in labels)
            needs[LABEL] = (
                None
                if is_met
                else CrossbankError(
                    f"{gold.where(0)}: there are no noun chunks: nodes {LABEL} are needed, or a scheme "
                    "that makes them"
                )
            )
        return needs
