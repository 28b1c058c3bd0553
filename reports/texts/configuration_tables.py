"""Configurations that go with errors, as text: the report's tables for one candidate."""

from __future__ import annotations

from collections.abc import Sequence

from crossbank.metrics.counting.counts import Counts
from crossbank.metrics.counting.metric import Metric
from crossbank.metrics.pairing.pair import Pair
from crossbank.reports.results.study_results import CandidateResults, StudyResults, TreebankResults
from crossbank.reports.sections.configurations import configuration_tables
from crossbank.reports.tables.markdown import markdown


def configurations(
    gold: str,
    candidate: str,
    metrics: Sequence[Metric],
    scored: Sequence[tuple[Counts, Pair]],
    patterns: Sequence[str],
    *,
    mine: bool,
) -> str:
    """Return the constituents that patterns find, and with ``mine`` the configurations that lose most.

    A sentence takes the place of the tables where no metric gives the losses of tokens or constituents, or
    gold has no constituents.
    """
    names = [metric.name for metric in metrics]
    counts = dict(zip(names, (counts for counts, _ in scored), strict=True))
    pairs = dict(zip(names, (pair for _, pair in scored), strict=True))
    treebank = TreebankResults(gold, candidates=[CandidateResults(candidate, counts)], hot_spots=patterns)
    study = StudyResults(
        gold,
        [treebank],
        metrics=dict(zip(names, metrics, strict=True)),
        pair_of=lambda treebank, candidate, metric: pairs[metric],
    )
    tables = list(configuration_tables(study, mine=mine))
    said = (
        f"No configurations: none of {', '.join(names)} gives the losses of gold’s constituents or "
        "their tokens."
    )
    return "\n".join(map(markdown, tables)) if tables else said
