"""Tests of what errors cost: one error in two schemes, and the costliest type with every other."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from crossbank.metrics.counting.counts import Counts, Measure, Signature, ratio
from crossbank.metrics.pairing.pair import Status
from crossbank.metrics.statistics.significance import Contrast, Side
from crossbank.reports.results.prices import ALL, Price
from crossbank.reports.results.study_results import StudyResults
from crossbank.reports.results.typed_errors import CandidateErrors, lost_by_sentence, unseen_types

LOSS = Measure("loss", lambda sums: ratio(sums["lost"], sums["rows"]), "loss of a sentence", better="less")
PART = Measure("part", lambda sums: ratio(sums["lost"], sums["whole"]), "part of the loss", better="less")


def counts_of(measure: Measure, **columns: NDArray[np.float64]) -> Counts:
    """Counts of quantities that no metric counts, one row for each sentence."""
    (rows,) = {len(column) for column in columns.values()}
    status = np.full(rows, Status.SCORED, np.int8)
    return Counts(Signature(measure.name, "1.0"), (measure,), range(rows), status, columns)  # type: ignore[arg-type]


def price_contrasts(prices: Sequence[Price]) -> dict[Hashable, Contrast]:
    """Cost of one error in each two schemes that annotate the same sentences, measure by measure."""
    asked: dict[Hashable, Contrast] = {}
    for price in prices:
        if price.type != ALL:
            continue
        sentences = ALL, price.metric, price.treebanks
        sides = [Side(counts_of(LOSS, lost=losses), sentences) for losses in price.losses.T]
        kind = "price", price.metric
        for one, other in combinations(range(len(sides)), 2):
            key = (*kind, price.treebanks[one], price.treebanks[other])
            asked[key] = Contrast(sides[one], sides[other], (LOSS.name,), kind, True)
    return asked


@dataclass(frozen=True, eq=False)
class Costs:
    """Costs of the types of errors in a treebank under a measure, the costliest first.

    of  the type's part of the loss of each sentence, with the whole loss, summed over candidates
    """

    treebank: str
    metric: str
    measure: Measure
    of: Mapping[str, Counts]


def costs(study: StudyResults, found: Sequence[CandidateErrors]) -> Iterator[Costs]:
    """Yield the costs of types of errors for each treebank and metric in which something is lost.

    The errors of constructed candidates do not count: how many of each type there are was chosen.
    """
    for treebank in study.treebanks:
        every = [one for one in found if one.treebank.name == treebank.name]
        own = [one for one in every if not one.candidate.constructed]
        for metric, measure in study.headlines.items():
            parts: dict[str, NDArray[np.float64]] = {}
            unseen = unseen_types(every, metric, measure)
            whole: NDArray[np.float64] | None = None
            for one in own:
                counts = one.candidate.counts.get(metric)
                if counts is None or not measure.proportion or measure.better == "less":
                    continue
                of_types, loss = lost_by_sentence(one, counts, measure, unseen)
                if whole is not None and len(whole) != len(loss):
                    continue
                whole = loss if whole is None else whole + loss
                for type_, part in of_types.items():
                    parts[type_] = parts[type_] + part if type_ in parts else part
            if whole is not None and whole.sum() > 0 and parts:
                order = sorted(parts, key=lambda type_: -parts[type_].sum())
                of = {type_: counts_of(PART, lost=parts[type_], whole=whole) for type_ in order}
                yield Costs(treebank.name, metric, measure, of)


def cost_contrasts(study: StudyResults, found: Sequence[CandidateErrors]) -> dict[Hashable, Contrast]:
    """Return the costliest type of error with every other, for each treebank and metric."""
    asked: dict[Hashable, Contrast] = {}
    for one in costs(study, found):
        most, *others = one.of
        among = [Side(counts, ("cost", one.treebank, one.metric)) for counts in one.of.values()]
        for other, side in zip(others, among[1:], strict=True):
            key = "cost", one.treebank, one.metric, most, other
            asked[key] = Contrast(among[0], side, (PART.name,), "cost", False, among)
    return asked
