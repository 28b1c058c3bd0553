"""Contrasts of candidates: every pair of a treebank, and one candidate in every two treebanks.

If two candidates have different sentences without a score, the best candidate and each other one are also
compared over the sentences that are scored in both, since a difference may be due to coverage alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from itertools import combinations
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from crossbank.metrics.counting.counts import FAILED, Counts, Measure
from crossbank.metrics.counting.presentation import headline, shared
from crossbank.metrics.pairing.pair import Status
from crossbank.metrics.statistics.estimates import (
    ALL,
    SCORED,
    CandidateRun,
    Contrast,
    Estimate,
    Family,
    estimates,
)
from crossbank.reports.estimates.questions import CANDIDATES, TREEBANKS

if TYPE_CHECKING:
    from crossbank.reports.results.study_results import Scored

Runs: TypeAlias = Mapping[str, Mapping[str, Mapping[str, CandidateRun]]]
"""Runs by treebank, metric and candidate."""


def collect_runs(scored: Scored, are_alike: Callable[[str, str], bool] | None = None) -> Runs:
    """Return the runs of all candidates that have a score, with the names by which their sentences are drawn.

    are_alike  returns whether two treebanks have the same sentences
    """
    first_of: dict[str, Counts] = {}
    bases: dict[str, str] = {}
    runs: dict[str, dict[str, dict[str, CandidateRun]]] = {}
    for treebank, candidates in scored.items():
        like = next((name for name in runs if are_alike is not None and are_alike(name, treebank)), treebank)
        base = bases[treebank] = bases.get(like, f"sentences {len(runs) + 1}")
        own: Counts | None = None
        runs[treebank] = {}
        for candidate, by_metric in candidates.items():
            for metric, counts in by_metric.items():
                if not counts.rows.any():
                    continue
                own = own or counts
                draws = base
                if len(first_of.setdefault(base, counts)) != len(counts) or not have_same_sentences(
                    own, counts
                ):
                    draws = f"{base} of {candidate} in {treebank}"
                runs[treebank].setdefault(metric, {})[candidate] = CandidateRun(
                    treebank, candidate, counts, draws
                )
    return runs


def have_same_sentences(one: Counts, other: Counts) -> bool:
    """Return whether two candidates were scored on the same sentences, by number and identifiers."""
    if len(one) != len(other):
        return False
    return one.sentences == other.sentences or list(one.sentences) == list(other.sentences)


def compare_candidates(scored: Scored, *, trials: int, seed: int, alpha: float) -> list[Estimate]:
    """Return the differences of every pair of candidates of each treebank under every measure."""
    return estimates(build_candidate_families(collect_runs(scored)), trials=trials, seed=seed, alpha=alpha)


def build_candidate_families(
    runs: Runs, headlines: Mapping[str, Measure] | None = None, population: str = ALL
) -> Iterator[Family]:
    """Yield a family for each treebank: every pair of its candidates under every measure.

    headlines  the measure to test for each metric; None for all measures
    """
    for treebank, by_metric in runs.items():
        contrasts: list[Contrast] = []
        for metric, of_metric in by_metric.items():
            for one, other in combinations(of_metric.values(), 2):
                measures = shared([one.counts, other.counts]) if headlines is None else (headlines[metric],)
                contrasts += [contrast_runs(metric, measure, one, other, population) for measure in measures]
            if len(of_metric) > 1:
                main = (
                    headline(every[0], shared(every))
                    if headlines is None and (every := [run.counts for run in of_metric.values()])
                    else (headlines or {})[metric]
                )
                contrasts += _contrast_with_best(metric, main, list(of_metric.values()), population)
        if contrasts:
            yield Family(CANDIDATES, f"candidates of {treebank}", contrasts)


def build_treebank_families(runs: Runs, population: str = ALL) -> Iterator[Family]:
    """Yield a family for each candidate in several treebanks: every two of them under every measure.

    Candidates with different names are compared where each is the only one of its treebank.
    """
    by_name: dict[str, list[Contrast]] = {}
    for one, other in combinations(runs, 2):
        names = [dict.fromkeys(name for of in runs[t].values() for name in of) for t in (one, other)]
        pairs = [(name, name) for name in names[0] if name in names[1]]
        if not pairs and len(names[0]) == len(names[1]) == 1:
            pairs = list(zip(*names, strict=True))
        for name, opposite in pairs:
            for metric in runs[one]:
                first, second = runs[one][metric].get(name), runs[other].get(metric, {}).get(opposite)
                if first is None or second is None:
                    continue
                measures = shared([first.counts, second.counts])
                made = [contrast_runs(metric, measure, first, second, population) for measure in measures]
                main = headline(first.counts, measures)
                by_name.setdefault(name, []).extend(made)
                by_name[name] += _contrast_over_common(metric, main, first, second, population)
    for name, contrasts in by_name.items():
        yield Family(TREEBANKS, f"treebanks of {name}", contrasts)


def contrast_runs(
    metric: str, measure: Measure, one: CandidateRun, other: CandidateRun, population: str = ALL
) -> Contrast:
    """Return the contrast of one run minus another."""
    names = one.treebank, one.candidate, other.treebank, other.candidate
    return Contrast(metric, measure, ((1.0, one), (-1.0, other)), *names, population)


def scored_population(population: str) -> str:
    """Return the name of the sentences of a population that are scored in both."""
    return SCORED if population == ALL else f"{population}, {SCORED}"


def find_best_run(runs: Iterable[CandidateRun], measure: Measure) -> CandidateRun:
    """Return the run with the best score, of equal ones the first."""
    choose = max if measure.better == "more" else min
    return choose(runs, key=lambda run: run.counts.value(measure.name))


def restrict_to_common(one: CandidateRun, other: CandidateRun) -> tuple[CandidateRun, CandidateRun] | None:
    """Return two runs over the sentences that are scored in both, or, for different sentences, in each.

    None if the sentences without a score are the same, or no sentence remains.
    """
    parsed = [run.counts.status == Status.SCORED for run in (one, other)]
    if one.draws == other.draws:
        if (parsed[0] == parsed[1]).all():
            return None
        parsed = [parsed[0] & parsed[1]] * 2
    elif not any(np.isin(run.counts.status, FAILED).any() for run in (one, other)):
        return None
    first, second = (restrict_run(run, rows) for run, rows in zip((one, other), parsed, strict=True))
    return first, second


def restrict_run(run: CandidateRun, rows: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> CandidateRun:
    """Return a run in which all other sentences are skipped."""
    counts = run.counts
    status = np.where(rows, counts.status, Status.SKIPPED).astype(np.int8)
    return replace(run, counts=replace(counts, status=status, breakdowns={}))


def _contrast_with_best(
    metric: str, measure: Measure, runs: Sequence[CandidateRun], population: str
) -> Iterator[Contrast]:
    best = find_best_run(runs, measure)
    for run in runs:
        if run is not best:
            first, second = (best, run) if runs.index(best) < runs.index(run) else (run, best)
            yield from _contrast_over_common(metric, measure, first, second, population)


def _contrast_over_common(
    metric: str, measure: Measure, one: CandidateRun, other: CandidateRun, population: str
) -> Iterator[Contrast]:
    parsed = restrict_to_common(one, other)
    if parsed is not None and all(run.n for run in parsed):
        yield contrast_runs(metric, measure, *parsed, scored_population(population))


def find_identical_candidates(scored: Scored) -> Iterator[tuple[str, list[str]]]:
    """Yield the candidates that have the same counts under every metric, with their treebank."""
    for treebank, candidates in scored.items():
        # Only candidates with the same sums, which are few, are compared sentence by sentence.
        for named in _group_alike(candidates, candidates, _describe_sums):
            yield from ((treebank, names) for names in _group_alike(named, candidates, _digest_counts))


def _group_alike(
    names: Iterable[str], scored: Mapping[str, Mapping[str, Counts]], describe: Callable[[Counts], bytes]
) -> list[list[str]]:
    """Return each group of two or more candidates with the same description under every metric."""
    alike: dict[tuple[tuple[str, bytes], ...], list[str]] = {}
    for name in names:
        content = tuple((metric, describe(counts)) for metric, counts in scored[name].items())
        alike.setdefault(content, []).append(name)
    return [same for content, same in alike.items() if content and len(same) > 1]


def _describe_sums(counts: Counts) -> bytes:
    """Return the sums of all columns, which are equal if the counts of all sentences are equal."""
    sums = counts.sums()
    return (np.array([sums[name] for name in sorted(sums)]) + 0.0).tobytes()


def _digest_counts(counts: Counts) -> bytes:
    """Return a digest of the counts of all sentences."""
    digest = sha256(counts.status.tobytes())
    for name in sorted(counts.columns):
        column = np.asarray(counts.columns[name], np.float64) + 0.0  # without negative zeros
        digest.update(column.tobytes())
    return digest.digest()
