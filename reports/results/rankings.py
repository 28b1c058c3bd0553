"""Candidates ranked over the treebanks of a study, by the main measure of each metric."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from crossbank.metrics.counting.counts import Measure
from crossbank.metrics.counting.presentation import measure_title
from crossbank.metrics.statistics.agreement_of_measures import Values
from crossbank.metrics.statistics.letter_display import letter_display, spelled
from crossbank.metrics.statistics.ranks_over_treebanks import AverageRanks, average_ranks, ranked
from crossbank.reports.results.study_results import StudyResults

MIN_TREEBANKS, MIN_CANDIDATES = 3, 3
"""With fewer treebanks or candidates there is nothing to rank over treebanks."""


@dataclass(frozen=True, eq=False)
class Ranking:
    """Candidates under one measure, the best average rank first.

    candidates, treebanks  those that have a score, by name; treebanks with the highest mean score first
    values                 the scores, NaN if there is none, shape ``(candidates, treebanks)``
    scored                 the number of treebanks in which each candidate has a score of its own
    compared               the treebanks over which candidates are ranked: every ranked one has a score there,
                           or a missing one counts as 0
    ranks                  the rank in each of these, shape ``(ranked candidates, compared treebanks)``
    test                   the average ranks of the ranked candidates, with their tests
    letters                a letter that two ranked candidates share unless they differ significantly
    unranked               the last candidates: they lack scores in too many treebanks
    """

    metric: str
    measure: Measure
    candidates: tuple[str, ...]
    treebanks: tuple[str, ...]
    values: Values
    scored: tuple[int, ...]
    compared: tuple[str, ...]
    ranks: Values
    test: AverageRanks
    letters: tuple[str, ...]
    unranked: tuple[str, ...]

    @property
    def name(self) -> str:
        """Metric and its main measure as a heading."""
        return measure_title(self.metric, self.measure)

    def mean(self, row: int) -> float | None:
        """Return a ranked candidate's mean score over the compared treebanks; None for another."""
        if row >= len(self.ranks):
            return None
        return float(np.mean([self.values[row, self.treebanks.index(name)] for name in self.compared]))

    def alike(self) -> list[str]:
        """Return the candidates whose average ranks do not differ significantly from the best."""
        return [self.candidates[n] for n in range(1, len(self.letters)) if not self.test.is_significant(0, n)]

    def best_in(self) -> list[int]:
        """Return the number of treebanks in which each candidate has the best score; several may share it."""
        with np.errstate(invalid="ignore"):
            return [int(n) for n in (self.values == self.best()).sum(axis=1)]

    def best(self) -> Values:
        """Return the best score in each treebank, shape ``(treebanks,)``."""
        choose = np.nanmin if self.measure.better == "less" else np.nanmax
        best: Values = choose(self.values, axis=0)
        return best


@lru_cache(maxsize=1)
def rankings_of(study: StudyResults) -> Sequence[Ranking]:
    """Return a ranking for each metric under which enough candidates have scores in enough treebanks."""
    all_rankings = []
    for metric, measure in study.headlines.items():
        scores = {
            (score.candidate, score.treebank): score.value
            for score in study.scores
            if (score.metric, score.measure) == (metric, measure.name) and score.value is not None
        }
        all_rankings.append(_rank_candidates(study, metric, measure, scores))
    return tuple(ranking for ranking in all_rankings if ranking is not None)


def _rank_candidates(
    study: StudyResults, metric: str, measure: Measure, scores: Mapping[tuple[str, str], float]
) -> Ranking | None:
    candidates = list(dict.fromkeys(candidate for candidate, _ in scores))
    treebanks = [t.name for t in study.treebanks if any((c, t.name) in scores for c in candidates)]
    if len(candidates) < MIN_CANDIDATES or len(treebanks) < MIN_TREEBANKS:
        return None
    values = np.array([[scores.get((c, t), np.nan) for t in treebanks] for c in candidates])
    known = ~np.isnan(values)
    if study.missing == "zero" and measure.better == "more":
        values = np.where(known, values, 0.0)
    rows, columns = select_complete(~np.isnan(values))
    if len(rows) < MIN_CANDIDATES or len(columns) < MIN_TREEBANKS:
        return None
    ranks = ranked(values[np.ix_(rows, columns)].T, less_is_better=measure.better == "less").T
    order = np.argsort(ranks.mean(axis=1), kind="stable")
    ranks = ranks[order]
    test = average_ranks(ranks.T, study.alpha)
    indices = range(len(ranks))
    different = {
        (one, other)
        for one in indices
        for other in indices
        if one < other and test.is_significant(one, other)
    }
    sign = 1 if measure.better == "less" else -1
    last = [index for index in range(len(candidates)) if index not in rows]
    down = [*(rows[index] for index in order), *last]
    across = np.argsort(sign * np.nanmean(values, axis=0), kind="stable")
    return Ranking(
        metric,
        measure,
        tuple(candidates[index] for index in down),
        tuple(treebanks[index] for index in across),
        values[np.ix_(down, across)],
        tuple(int(known[index].sum()) for index in down),
        tuple(treebanks[index] for index in columns),
        ranks,
        test,
        tuple(map(spelled, letter_display(len(ranks), different))),
        tuple(candidates[index] for index in last),
    )


def select_complete(
    known: np.ndarray[tuple[int, int], np.dtype[np.bool_]],
) -> tuple[Sequence[int], Sequence[int]]:
    """Return rows and columns without a gap between them: the row or column with most gaps goes first."""
    rows, columns = list(range(known.shape[0])), list(range(known.shape[1]))
    while rows and columns:
        gaps = ~known[np.ix_(rows, columns)]
        if not gaps.any():
            break
        of_rows, of_columns = gaps.mean(axis=1), gaps.mean(axis=0)
        if of_rows.max() >= of_columns.max():
            del rows[int(of_rows.argmax())]
        else:
            del columns[int(of_columns.argmax())]
    return rows, columns
