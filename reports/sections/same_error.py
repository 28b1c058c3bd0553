"""The cost of the same error under each scheme and measure.

Rehbein, Ines and Josef van Genabith (2007): Treebank Annotation Schemes and Parser Evaluation for
German, section 5. An error of one kind should cost the same under every annotation scheme. So the
sentences are compared in which a candidate makes one single error, of the same type in every scheme.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from crossbank.metrics.analyses.error_types import TYPES
from crossbank.metrics.counting.counts import Measure, Status
from crossbank.metrics.counting.presentation import metric_title
from crossbank.reports.charts.intervals import Row, row_chart
from crossbank.reports.results.study import StudyResults
from crossbank.reports.sections.error_types import CandidateErrors, errors_of, lost, type_title
from crossbank.reports.sections.section import Figure
from crossbank.reports.tables.table import Cell, Column, Table, shown

ALL = "all"


@dataclass(frozen=True)
class Price:
    """The cost of one error under one measure in each of some treebanks.

    type     the type of error, or ``all`` of them
    losses   shape ``(sentences, treebanks)``: 1 minus the score of each sentence with one such error
    """

    type: str
    metric: str
    measure: Measure
    treebanks: tuple[str, ...]
    losses: NDArray[np.float64]

    def mean(self) -> NDArray[np.float64]:
        """The mean loss in each treebank, shape ``(treebanks,)``."""
        found: NDArray[np.float64] = self.losses.mean(axis=0)
        return found

    def intervals(self, samples: int, seed: int) -> NDArray[np.float64]:
        """The 95 % intervals of the means by resampling sentences, shape ``(2, treebanks)``."""
        found: NDArray[np.float64] = np.quantile(self._resampled(samples, seed), [0.025, 0.975], axis=0)
        return found

    def _resampled(self, samples: int, seed: int) -> NDArray[np.float64]:
        random = np.random.default_rng(seed)
        rows = len(self.losses)
        drawn = random.multinomial(rows, np.full(rows, 1 / rows), size=max(samples, 1))
        means: NDArray[np.float64] = drawn @ self.losses / rows
        return means


@lru_cache(maxsize=1)
def prices_of(study: StudyResults) -> tuple[Price, ...]:
    """The price of one error under each scheme and measure; computed once for all forms of a report."""
    return tuple(prices(study, errors_of(study)))


def prices(study: StudyResults, found: Sequence[CandidateErrors]) -> list[Price]:
    """The price of one error, by type, for treebanks that annotate the same sentences.

    Sentences of all candidates that the treebanks share are taken together. A sentence counts where the
    candidate makes one single error in every treebank and it has the same type. Empty where fewer than two
    treebanks have the same sentences and a candidate in common.
    """
    digests = {t.name: t.sentences.digest if t.sentences else "" for t in study.treebanks}
    result: list[Price] = []
    for digest in dict.fromkeys(digests.values()):
        same = [one for one in found if digests[one.treebank.name] == digest]
        if digest and same:
            result += _of_the_same(study, same)
    return result


def _of_the_same(study: StudyResults, same: Sequence[CandidateErrors]) -> list[Price]:
    order = [treebank.name for treebank in study.treebanks]
    names = tuple(sorted({one.treebank.name for one in same}, key=order.index))
    candidates = list(dict.fromkeys(one.candidate.name for one in same))
    by_place = {(one.treebank.name, one.candidate.name): one for one in same}
    shared = [c for c in candidates if all((name, c) in by_place for name in names)]
    if len(names) < 2 or not shared:
        return []
    result = []
    for metric, measure in study.headlines().items():
        if measure.better == "less" or not measure.proportion:
            continue
        rows: dict[str, list[NDArray[np.float64]]] = {}
        for candidate in shared:
            sides = [by_place[name, candidate] for name in names]
            if not all(metric in side.candidate.counts for side in sides):
                continue
            counts = [side.candidate.counts[metric] for side in sides]
            scored = np.logical_and.reduce([c.status == Status.SCORED for c in counts])
            losses = np.stack([lost(c, measure) for c in counts], axis=1)
            for type_ in TYPES:
                alone = scored & np.logical_and.reduce([side.single(type_) for side in sides])
                if alone.any():
                    rows.setdefault(type_, []).append(losses[alone])
        found = {type_: np.concatenate(rows[type_]) for type_ in TYPES if type_ in rows}
        if found:
            found[ALL] = np.concatenate(list(found.values()))
        result += [Price(type_, metric, measure, names, losses) for type_, losses in found.items()]
    return result


def cost_chart(study: StudyResults, found: Sequence[Price]) -> Figure:
    """The mean loss by one error of any type, a row for each measure and scheme, with intervals."""
    rows = []
    for price in found:
        if price.type != ALL:
            continue
        low, high = 100 * price.intervals(study.samples, study.seed)
        for place, (name, value) in enumerate(zip(price.treebanks, 100 * price.mean(), strict=True)):
            title = f"{metric_title(price.metric)} {price.measure.heading} · {name}"
            rows.append(Row(title, value, f"{value:.2f}", float(low[place]), float(high[place])))
    return Figure(
        "same-error",
        "The cost of one error",
        "A dot is the mean loss of a sentence with one error, the same in each scheme; the line through it "
        "is its 95 % interval.",
        row_chart(rows, "The cost of one error under each measure and scheme", "points lost by one error"),
    )


def same_error(study: StudyResults, found: Sequence[Price]) -> Table:
    """The mean loss by one error of each type, scheme by scheme and measure by measure, with intervals."""
    columns = {(p.metric, p.measure.name, name): p.measure for p in found for name in p.treebanks}
    cells: dict[str, dict[tuple[str, str, str], Cell]] = {}
    numbers: dict[str, int] = {}
    for price in found:
        low, high = price.intervals(study.samples, study.seed)
        numbers[price.type] = max(numbers.get(price.type, 0), len(price.losses))
        for place, name in enumerate(price.treebanks):
            value = float(price.mean()[place])
            interval = (
                f"{shown(float(low[place]))} – {shown(float(high[place]))}" if len(price.losses) > 1 else ""
            )
            cells.setdefault(price.type, {})[price.metric, price.measure.name, name] = Cell(
                shown(value), interval, value=value, low=float(low[place]), high=float(high[place])
            )
    return Table(
        "same-error",
        "The same error under each scheme and measure",
        "100 minus the score of a sentence in which a candidate makes one single error, of the same type in "
        "each scheme: the mean over sentences and candidates, with its 95 % interval.",
        [
            Column("Type of error", numeric=False),
            Column("Sentences"),
            *(
                Column(name, f"{metric_title(metric)} {measure.heading}")
                for (metric, _, name), measure in columns.items()
            ),
        ],
        [
            [
                Cell(type_title(type_)),
                Cell(f"{numbers[type_]:,}", value=float(numbers[type_])),
                *(row.get(column, Cell("–")) for column in columns),
            ]
            for type_, row in sorted(cells.items(), key=lambda item: [*TYPES, ALL].index(item[0]))
        ],
        empty="No two treebanks have the same sentences with the same errors of the same candidate.",
    )
