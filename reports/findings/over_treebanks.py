"""The candidates with the best average ranks over treebanks."""

from __future__ import annotations

from collections.abc import Iterator

from crossbank.reports.findings.finding import Finding, listing
from crossbank.reports.results.rankings import rankings
from crossbank.reports.results.study import StudyResults
from crossbank.reports.sections.over_treebanks import name_of
from crossbank.reports.tables.table import probability


def best_over_treebanks(study: StudyResults) -> Iterator[Finding]:
    """The best average rank under each metric, and the candidates that are not told apart from it."""
    for ranking in rankings(study):
        test = ranking.test
        said = (
            f"Under {name_of(ranking)} {ranking.candidates[0]} has the best average rank over "
            f"{len(ranking.compared):,} treebanks ({float(test.averages.min()):.2f} of "
            f"{len(ranking.ranks):,})"
        )
        p = probability(test.p)
        figures = f"F = {test.f:,.2f}, p {p if p.startswith('<') else f'= {p}'}"
        if test.p > study.alpha:
            said += f"; but chance explains the differences of the ranks (Friedman, {figures})"
        else:
            alike = [
                name
                for name, letters in zip(ranking.candidates[1:], ranking.letters[1:], strict=False)
                if set(letters) & set(ranking.letters[0])
            ]
            apart = len(ranking.ranks) - 1 - len(alike)
            said += f" and is told apart from {apart:,} of {len(ranking.ranks) - 1:,} others ({figures}, "
            said += f"critical difference {test.critical:.2f})"
            if alike:
                more = f" and {len(alike) - 4:,} more" if len(alike) > 5 else ""
                names = ", ".join(alike[:4]) + more if more else listing(alike)
                said += f", not from {names}"
        yield Finding("treebanks", f"{said}.", "ranking")
