"""Parse selection: how good the chosen analysis is among those that the parser found.

Crouch, Kaplan, King and Riezler (2002): A Comparison of Evaluation Metrics for a Broad-Coverage Stochastic
Parser, section 4: upper bound (the best analysis), lower bound (a random one), the chosen one, and error
reduction = (chosen - lower) / (upper - lower). Exact match of parse selection, with its random baseline:
Oepen, Stephan, et al. (2002): LinGO Redwoods, section 3, and Toutanova et al. (2002).

Analyses are no items (``counting.items``): each is scored by another metric, which may have some.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from crossbank.metrics.counting.choice import best_rows, by_weights, main_measure, weights
from crossbank.metrics.counting.counts import Column, Counts, Measure, Sums, per_sentence, ratio, share
from crossbank.metrics.counting.metric import Item, Metric, metric
from crossbank.metrics.pairing.pair import Pair, Status
from crossbank.metrics.parseval import Parseval
from crossbank.treebanks import OptionError, Treebank
from crossbank.treebanks.arrays import BoolArray, Int64Array
from crossbank.treebanks.readings import analysis_offsets

BOUNDS = {
    "chosen": "of the chosen analyses",
    "expected": "expected by the probabilities of the analyses",
    "lower": "expected of analyses taken at random",
    "upper": "of the best analyses",
}
"""The scores of a list, and what they mean."""

CUTOFFS = (1, 2, 5, 10, 20, 50)
"""For how many of the first analyses it is said whether one of them is right."""


def error_reduction(lower: ArrayLike, chosen: ArrayLike, upper: ArrayLike) -> NDArray[np.float64]:
    """Return the proportion of the possible gain over a random choice that is gained; 0 if none is possible.

    >>> round(100 * float(error_reduction(75.0, 78.7, 84.7)))
    38
    """
    return ratio(np.asarray(chosen) - np.asarray(lower), np.asarray(upper) - np.asarray(lower))


def _measures(measure: Measure) -> tuple[Measure, ...]:
    """Return the measures of a list whose analyses are compared by a measure of another metric."""

    def bound(name: str) -> Measure:
        def score(sums: Sums) -> NDArray[np.float64]:
            own = {
                column.removeprefix(f"{name} "): sums[column] for column in sums if column.startswith(name)
            }
            return measure.score({"rows": sums["rows"], **own})

        return Measure(name, score, f"{measure.name} {BOUNDS[name]}", measure.proportion, measure.better)

    bounds = {name: bound(name) for name in BOUNDS}
    return (
        *bounds.values(),
        Measure(
            "error_reduction",
            lambda sums: error_reduction(
                *(bounds[name].score(sums) for name in ("lower", "chosen", "upper"))
            ),
            "(chosen - lower) / (upper - lower); 1 by construction where gold is the chosen analyses",
            proportion=False,
        ),
        per_sentence("exact_match", "sentences whose chosen analysis is exactly gold's", "right"),
        Measure(
            "exact_match_baseline",
            share("right at random", "rows"),
            "the same, expected of analyses taken at random",
        ),
        *(
            per_sentence(
                f"coverage_at_{cutoff}",
                f"sentences of whose first {cutoff} analyses one is exactly gold's",
                f"right in {cutoff}",
            )
            for cutoff in CUTOFFS
        ),
        per_sentence("coverage", "sentences of whose analyses one is exactly gold's", "right in all"),
        Measure(
            "best_rank",
            share("rank", "rows"),
            "mean rank of the best analysis, from 1",
            proportion=False,
            better="less",
        ),
        per_sentence("analyses", "analyses", proportion=False),
    )


@dataclass(frozen=True)
class Selection(Metric):
    r"""Bounds of parse selection, error reduction, exact match, rank of the best analysis, coverage.

    of       the metric by which analyses are compared, under its default options
    measure  its measure; ``auto``: F1 where there is one, else its first one

    An analysis is exactly gold's where the metric says so (``exact``), else where its score is 1.

    When to use it
    --------------
    `selection` says how good the chosen analysis is among those that the parser found. Take it for parsers
    with lists of analyses. It separates two faults: the right analysis is not in the list (a fault of the
    grammar), or it is there and not chosen (a fault of the model).

    Definition
    ----------
    Each analysis is scored by another metric (`of`, Parseval by default). The upper bound takes the best
    analysis of each sentence, the lower bound the mean of all of them, which a random choice is expected to
    have. Error reduction is what the choice gains of what could be gained. Coverage says in how many
    sentences one of the first *k* analyses is exactly gold's.

    Formula
    -------
    With *s* the score of the chosen analyses, *l* the lower and *u* the upper bound:

    ```math
    \text{error reduction} = \frac{s - l}{u - l}
    ```

    Example
    -------
    The list has gold's analysis as the second. The first, which is chosen, has the wrong attachment. So
    the choice is worse than a random one.

    <!-- file: gold.mrg -->
    ```text
    (S (NP (DT The) (NN dog))
       (VP (VBZ chases)
           (NP (NP (DT the) (NN cat))
               (PP (IN with) (NP (DT a) (NN bell)))))
       (. .))
    ```

    <!-- file: parsed.nbest -->
    ```text
    2 1
    -10.5
    (S1 (S (NP (DT The) (NN dog)) (VP (VBZ chases) (NP (DT the) (NN cat)) (PP (IN with) (NP (DT a) (NN bell)))) (. .)))
    -11.2
    (S1 (S (NP (DT The) (NN dog)) (VP (VBZ chases) (NP (NP (DT the) (NN cat)) (PP (IN with) (NP (DT a) (NN bell))))) (. .)))
    ```

    ```console
    $ crossbank score gold.mrg parsed.nbest --scheme ptb --metric selection
    selection|of:parseval|conversions:delete_empty_elements+delete_roots+strip_functions+equate_labels|...|v1.0
      chosen                   92.31 %  f1 of the chosen analyses
      expected                 94.99 %  f1 expected by the probabilities of the analyses
      lower                    96.30 %  f1 expected of analyses taken at random
      upper                   100.00 %  f1 of the best analyses
      error_reduction          -1.08    (chosen - lower) / (upper - lower); 1 by construction where gold is the chosen analyses
      exact_match               0.00 %  sentences whose chosen analysis is exactly gold's / sentences
      exact_match_baseline     50.00 %  the same, expected of analyses taken at random
      coverage_at_1             0.00 %  sentences of whose first 1 analyses one is exactly gold's / sentences
      coverage_at_2           100.00 %  sentences of whose first 2 analyses one is exactly gold's / sentences
      coverage_at_5           100.00 %  sentences of whose first 5 analyses one is exactly gold's / sentences
      coverage_at_10          100.00 %  sentences of whose first 10 analyses one is exactly gold's / sentences
      coverage_at_20          100.00 %  sentences of whose first 20 analyses one is exactly gold's / sentences
      coverage_at_50          100.00 %  sentences of whose first 50 analyses one is exactly gold's / sentences
      coverage                100.00 %  sentences of whose analyses one is exactly gold's / sentences
      best_rank                 2.00    mean rank of the best analysis, from 1
      analyses                  2.00    analyses / sentences
      1 sentence: 1 scored
    ```

    Other programs
    --------------
    None. Crouch et al. (2002), section 4, have the bounds; Oepen et al. (2002) and Toutanova et al. (2002)
    the exact match with its random baseline. `--best chosen|oracle|random|expected` scores these analyses
    under any metric.
    """  # noqa: E501 (lines that are printed)

    of: str = "parseval"
    measure: str = "auto"

    name: ClassVar[str] = "selection"
    compares_words: ClassVar[bool] = False
    position: ClassVar[float] = 240
    version: ClassVar[str] = "1.0"
    papers: ClassVar[tuple[str, ...]] = ("crouch-etal-2002", "oepen-etal-2002")
    title: ClassVar[str] = "Parse selection"
    view: ClassVar[str] = "constituents"
    all_analyses: ClassVar[bool] = True
    measures: ClassVar[tuple[Measure, ...]] = _measures(Parseval.measures[2])

    def __post_init__(self) -> None:
        # The view is that of the metric that compares the analyses.
        object.__setattr__(self, "view", self._inner.view)

    @property
    def _inner(self) -> Metric:
        return metric(self.of)

    def pair(  # type: ignore[override]
        self, gold: Treebank, candidate: Treebank, *, delete: BoolArray | None = None, align: bool = False
    ) -> Pair:
        """Pair gold's sentence with each analysis, as the metric that compares them does."""
        return self._inner.pair(gold, candidate, delete=delete, align=align)

    @property
    def leaves_out_tokens(self) -> bool:
        """Return whether the metric that compares the analyses can leave tokens out."""
        return self._inner.leaves_out_tokens

    def counts(self, pair: Pair) -> Counts:
        """Count the chosen, the best, a random and an expected analysis of each sentence, and rank them."""
        counts = self._inner.counts(pair)
        measure = self._measure(counts)
        offsets = analysis_offsets(pair.candidate)
        sizes = np.diff(offsets)
        best = best_rows(counts, measure, offsets)
        oracle = np.zeros(len(counts), np.float64)
        oracle[best] = 1.0
        taken: dict[str, Column] = {
            "chosen": weights(counts, pair, "chosen"),
            "expected": weights(counts, pair, "expected"),
            "lower": weights(counts, pair, "random"),
            "upper": oracle,
        }
        columns: dict[str, Column] = {}
        for name, weight in taken.items():
            of_sentences = by_weights(counts, weight, pair)
            columns |= {f"{name} {column}": values for column, values in of_sentences.columns.items()}
        right = _right(counts, measure)
        rank = (pair.candidate.sentences.analysis + 1).astype(np.float64)
        columns |= {
            "right": _by_sentence(right * taken["chosen"], offsets),
            "right at random": _by_sentence(right * taken["lower"], offsets),
            "right in all": _by_sentence(right, offsets, anyone=True),
            "rank": rank[best],
            "analyses": sizes.astype(np.float64),
            **{
                f"right in {cutoff}": _by_sentence(right * (rank <= cutoff), offsets, anyone=True)
                for cutoff in CUTOFFS
            },
        }
        chosen = by_weights(counts, taken["chosen"], pair)
        signature = self.signature(pair).with_choice("measure", measure.name)
        return Counts(signature, _measures(measure), chosen.sentences, chosen.status, columns)

    def items(self, pair: Pair, sentence: int) -> list[Item]:
        """Return the counts of one analysis by the metric that compares the analyses."""
        return self._inner.items(pair, sentence)

    def _measure(self, counts: Counts) -> Measure:
        if self.measure == "auto":
            return main_measure(counts)
        names = [measure.name for measure in counts.measures]
        if self.measure not in names:
            raise OptionError("option measure of selection", self.measure, names)
        return counts.measure(self.measure)


def _right(counts: Counts, measure: Measure) -> Column:
    """Return the analyses that are exactly gold's: 1 or 0, shape ``(rows,)``."""
    if "exact" in counts.columns:
        return counts.columns["exact"]
    score = counts.by_sentence(measure.name)
    return np.asarray((counts.status == Status.SCORED) & (score == 1), np.float64)


def _by_sentence(values: Column, offsets: Int64Array, *, anyone: bool = False) -> Column:
    """Return the sum over the analyses of each sentence; ``anyone``: whether one of them is 1."""
    added: Column = np.add.reduceat(values, offsets[:-1])
    return (added > 0).astype(np.float64) if anyone else added
