"""Findings about sentences and candidates that were not scored."""

from __future__ import annotations

from collections.abc import Iterator

from crossbank.metrics.pairing.status import Status
from crossbank.reports.findings.finding import Finding, listing
from crossbank.reports.results.study import StudyResults
from crossbank.treebanks.quantities import quantity


def unscored_sentences(study: StudyResults) -> Iterator[Finding]:
    """The number of sentences without a score by treebank and candidate, with the reasons."""
    for treebank in study.treebanks:
        said: dict[str, str] = {}
        for candidate in treebank.candidates:
            for counts in candidate.counts.values():
                numbers = {status: int((counts.status == status).sum()) for status in Status}
                reasons = listing(
                    [f"{number:,} {status}" for status, number in numbers.items() if number and status]
                )
                if reasons and candidate.name not in said:
                    said[candidate.name] = f"{candidate.name}: {reasons} of {len(counts):,}"
        if said:
            listed = "; ".join(list(said.values())[:6])
            more = f"; and {quantity(len(said) - 6, 'more candidate')}" if len(said) > 6 else ""
            yield Finding(f"Some sentences of {treebank.name} have no score ({listed}{more}).", "unscored")
