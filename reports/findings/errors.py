"""Findings about the type of error that costs most under each measure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from crossbank.metrics.counting.presentation import metric_title
from crossbank.reports.findings.finding import Finding
from crossbank.reports.results.study import StudyResults
from crossbank.reports.sections.error_types import CandidateErrors, lost_by_type, type_title


def costliest_errors(study: StudyResults, found: Sequence[CandidateErrors]) -> Iterator[Finding]:
    """The type of error that causes most of the candidates' loss, for each treebank and metric."""
    for treebank in study.treebanks:
        own = [one for one in found if one.treebank.name == treebank.name]
        for metric, measure in study.headlines().items():
            lost: dict[str, float] = {}
            whole = 0.0
            for one in own:
                if metric in one.candidate.counts and measure.proportion and measure.better == "more":
                    parts, total = lost_by_type(one, one.candidate.counts[metric], measure)
                    whole += total
                    for type_, part in parts.items():
                        lost[type_] = lost.get(type_, 0.0) + part
            if not lost or whole <= 0:
                continue
            most = max(lost, key=lambda type_: lost[type_])
            if lost[most] > 0:
                yield Finding(
                    "errors",
                    f"In {treebank.name} errors of the type {type_title(most)} cost most under "
                    f"{metric_title(metric)} {measure.heading}: {100 * lost[most] / whole:.1f} % of the "
                    "candidates' loss.",
                    "loss",
                )
