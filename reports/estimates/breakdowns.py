"""Contrasts of candidates by type of error and by label, and of the cost of one error in two treebanks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from crossbank.metrics.analyses.tree_repair import TYPES
from crossbank.metrics.counting.counts import Counts, Measure, Signature, Sums, ratio
from crossbank.metrics.counting.presentation import headline, measures_of_breakdown
from crossbank.metrics.pairing.pair import Status
from crossbank.metrics.statistics.estimates import CandidateRun, Contrast, Family
from crossbank.reports.estimates.candidates import Runs, contrast_runs, find_best_run, scored_population
from crossbank.reports.estimates.questions import ERRORS, LABELS
from crossbank.reports.results.error_costs import ALL as EVERY_TYPE
from crossbank.reports.results.error_costs import ErrorCost
from crossbank.reports.results.study_results import StudyResults
from crossbank.reports.results.typed_errors import CandidateErrors, type_title
from crossbank.treebanks.arrays import BoolArray

MAX_COMPARED = 4
"""Of more candidates of a treebank the best one is compared with each other, and not every two."""

MAX_LABELS = 30
"""The labels that are compared: the most frequent in gold."""

MIN_ITEMS = 20
"""Labels with fewer items in gold are not compared."""

TYPED = "errors"
"""The name of error types among metrics."""

LOSS = Measure("loss", lambda sums: ratio(sums["lost"], sums["rows"]), "loss of a sentence", better="less")


def make_counts(
    name: str, measures: Sequence[Measure], scored: BoolArray, columns: Mapping[str, NDArray[np.float64]]
) -> Counts:
    """Return counts of quantities that no metric counts, one row for each sentence."""
    status = np.where(scored, Status.SCORED, Status.SKIPPED).astype(np.int8)
    sentences = range(len(status))  # numbers serve as identifiers
    return Counts(Signature(name, "1.0"), tuple(measures), sentences, status, columns)  # type: ignore[arg-type]


def select_pairs(study: StudyResults, runs: Runs, treebank: str) -> list[tuple[str, str]]:
    """Return the pairs of a treebank's candidates that are compared by type and label."""
    for metric, measure in study.headlines.items():
        of_metric = runs.get(treebank, {}).get(metric, {})
        if len(of_metric) > MAX_COMPARED:
            best = find_best_run(of_metric.values(), measure).candidate
            return [(best, name) for name in of_metric if name != best]
        if len(of_metric) > 1:
            return list(combinations(of_metric, 2))
    return []


def type_measure(type_: str) -> Measure:
    """Return the number of errors of a type in 100 sentences."""

    def score(sums: Sums) -> NDArray[np.float64]:
        return 100 * ratio(sums[type_], sums["rows"])

    title = f"{type_title(type_)} errors"
    return Measure(type_, score, f"{title} in 100 sentences", False, "less", title)


def build_error_families(
    study: StudyResults, runs: Runs, errors: Sequence[CandidateErrors], population: str
) -> Iterator[Family]:
    """Yield a family for each treebank: its candidates by each type of error, over what is scored in both."""
    by_name = {(one.treebank.name, one.candidate.name): one for one in errors}
    for treebank in study.treebanks:
        contrasts: list[Contrast] = []
        for names in select_pairs(study, runs, treebank.name):
            both = [by_name[key] for name in names if (key := (treebank.name, name)) in by_name]
            if len(both) < 2 or len(both[0].total) != len(both[1].total):
                continue
            scored = mask_parsed(both[0]) & mask_parsed(both[1])
            types = [type_ for type_ in TYPES if any(type_ in one.per_sentence for one in both)]
            draws = next(of[names[0]].draws for of in runs[treebank.name].values() if names[0] in of)
            first, second = (_make_typed_run(one, types, scored, draws) for one in both)
            parsed = scored_population(population)
            contrasts += [contrast_runs(TYPED, type_measure(type_), first, second, parsed) for type_ in types]
        if contrasts:
            yield Family(ERRORS, f"types of errors in {treebank.name}", contrasts)


def mask_parsed(one: CandidateErrors) -> BoolArray:
    """Return a mask of the sentences that a candidate parsed and whose errors are known."""
    scored: BoolArray = np.logical_and.reduce(
        [c.status == Status.SCORED for c in one.candidate.counts.values()]
    )
    if one.looked_at is not None:
        scored = scored & (np.arange(len(scored)) < one.looked_at)
    return scored


def _make_typed_run(
    one: CandidateErrors, types: Sequence[str], scored: BoolArray, draws: str
) -> CandidateRun:
    columns = {type_: one.per_sentence.get(type_, np.zeros(len(scored))) for type_ in types}
    counts = make_counts(TYPED, [type_measure(type_) for type_ in types], scored, columns)
    return CandidateRun(one.treebank.name, one.candidate.name, counts, draws)


def build_cost_families(prices: Sequence[ErrorCost]) -> Iterator[Family]:
    """Yield a family for the cost of one error in every two treebanks that annotate the same sentences."""
    contrasts: list[Contrast] = []
    for price in prices:
        if price.type != EVERY_TYPE:
            continue
        draws = f"{price.metric}: one error in {', '.join(price.treebanks)}"
        everything = np.ones(len(price.losses), np.bool_)
        made = [
            CandidateRun(name, "", make_counts(LOSS.name, [LOSS], everything, {"lost": losses}), draws)
            for name, losses in zip(price.treebanks, price.losses.T, strict=True)
        ]
        for one, other in combinations(made, 2):
            contrasts.append(contrast_runs(price.metric, LOSS, one, other, "one error each"))
    if contrasts:
        yield Family(ERRORS, "one error in two treebanks", contrasts)


def build_label_families(study: StudyResults, runs: Runs, population: str) -> Iterator[Family]:
    """Yield a family for each treebank, metric and breakdown: its candidates by label."""
    for treebank in study.treebanks:
        pairs = select_pairs(study, runs, treebank.name)
        for metric, of_metric in runs.get(treebank.name, {}).items() if pairs else ():
            names = dict.fromkeys(
                breakdown for run in of_metric.values() for breakdown in run.counts.breakdowns
            )
            for breakdown in names:
                contrasts = list(_contrast_labels(metric, breakdown, of_metric, pairs, population))
                if contrasts:
                    yield Family(LABELS, f"{breakdown} of {metric} in {treebank.name}", contrasts)


def _contrast_labels(
    metric: str,
    breakdown: str,
    runs: Mapping[str, CandidateRun],
    pairs: Sequence[tuple[str, str]],
    population: str,
) -> Iterator[Contrast]:
    tabulated = {
        name: made for name, run in runs.items() if (made := make_label_run(run, breakdown)) is not None
    }
    for one, other in pairs:
        if one in tabulated and other in tabulated and tabulated[one].draws == tabulated[other].draws:
            first, second = tabulated[one], tabulated[other]
            known = {measure.name for measure in second.counts.measures}
            for measure in first.counts.measures:
                if measure.name in known:
                    whole = contrast_runs(metric, measure, first, second, population)
                    yield replace(whole, key=measure.name)


def make_label_run(run: CandidateRun, breakdown: str, size: str = "gold") -> CandidateRun | None:
    """Return a run whose measures are the main measure of each frequent label; None if there are none.

    size  the column of the breakdown with the number of gold's items
    """
    counts = run.counts
    if breakdown not in counts.breakdowns:
        return None
    table = counts.breakdowns[breakdown]()
    measures = [measure for measure in measures_of_breakdown(counts, breakdown) if measure.proportion]
    if not measures or table.whole or size not in table.columns:
        return None
    main = headline(counts, measures)
    totals = table.sums(counts.rows)[size]
    frequent = [
        key for key in np.argsort(-totals, kind="stable")[:MAX_LABELS].tolist() if totals[key] >= MIN_ITEMS
    ]
    columns: dict[str, NDArray[np.float64]] = {}
    made = []
    for key in frequent:
        rows, label = table.key == key, table.keys[key]
        for name, column in table.columns.items():
            columns[f"{label} {name}"] = np.bincount(table.sentence[rows], column[rows], len(counts)).astype(
                np.float64
            )
        made.append(
            Measure(
                label,
                partial(_score_label, main.score, label, list(table.columns)),
                f"{main.heading} of {label}",
                main.proportion,
                main.better,
                f"{label} {main.heading}",
            )
        )
    if not made:
        return None
    return CandidateRun(
        run.treebank,
        run.candidate,
        Counts(counts.signature, tuple(made), counts.sentences, counts.status, columns, {}, counts.policy),
        run.draws,
    )


def _score_label(
    score: Callable[[Sums], NDArray[np.float64]], label: str, columns: Sequence[str], sums: Sums
) -> NDArray[np.float64]:
    return score({"rows": sums["rows"], **{name: sums[f"{label} {name}"] for name in columns}})


def write_error_counts(errors: Sequence[CandidateErrors], path: Path) -> None:
    """Write treebank, candidate, sentence (its index), whether it enters, and the errors of each type."""
    import pyarrow as pa
    from pyarrow import parquet

    types = list(dict.fromkeys(type_ for one in errors for type_ in one.per_sentence))
    tables = []
    for one in errors:
        size = len(one.total)
        columns = {
            "treebank": pa.array([one.treebank.name] * size, pa.string()),
            "candidate": pa.array([one.candidate.name] * size, pa.string()),
            "sentence": pa.array(np.arange(size), pa.int64()),
            "parsed": pa.array(mask_parsed(one), pa.bool_()),
        }
        for type_ in types:
            columns[f"count.{type_}"] = pa.array(one.per_sentence.get(type_, np.zeros(size)), pa.float64())
        tables.append(pa.table(columns))
    empty = {"treebank": pa.string(), "candidate": pa.string(), "sentence": pa.int64(), "parsed": pa.bool_()}
    table = pa.concat_tables(tables) if tables else pa.table({n: pa.array([], t) for n, t in empty.items()})
    parquet.write_table(table, path, compression="zstd")
