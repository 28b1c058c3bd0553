"""The candidates with the best average ranks over treebanks."""

from __future__ import annotations

from collections.abc import Iterator

from crossbank.reports.findings.finding import Finding, cut_listing, p_value
from crossbank.reports.results.rankings import rankings
from crossbank.reports.results.study import StudyResults
from crossbank.reports.sections.over_treebanks import name_of


def best_over_treebanks(study: StudyResults) -> Iterator[Finding]:
    """The best average rank under each metric, and the candidates that are not told apart from it."""
    for ranking in rankings(study):
        test = ranking.test
        first, ranks = ranking.candidates[0], f"over {len(ranking.compared):,} treebanks"
        figures = f"F = {test.f:,.2f}, {p_value(test.p)}"
        best = f"{float(test.averages.min()):.2f} of {len(ranking.ranks):,}"
        if test.p > study.alpha:
            yield Finding(
                "treebanks",
                f"Under {name_of(ranking)} the average ranks of the {len(ranking.ranks):,} candidates "
                f"{ranks} do not differ significantly (Friedman, {figures}); {first} comes first ({best}).",
                "ranking",
            )
            continue
        alike = [
            name
            for name, letters in zip(ranking.candidates[1:], ranking.letters[1:], strict=False)
            if set(letters) & set(ranking.letters[0])
        ]
        apart = len(ranking.ranks) - 1 - len(alike)
        tests = f"{figures}, critical difference {test.critical:.2f}"
        if not alike:
            said = (
                f"Under {name_of(ranking)} {first} has the best average rank {ranks} ({best}) and differs "
                f"significantly from each of the {apart:,} other candidates ({tests})"
            )
        else:
            said = (
                f"Under {name_of(ranking)} {cut_listing([first, *alike])} have the best average ranks "
                f"{ranks} ({first} {best}) and do not differ significantly"
                f"{f' from {first}' if len(alike) > 1 else ''}; {first} differs from {apart:,} of "
                f"{len(ranking.ranks) - 1:,} others ({tests})"
            )
        yield Finding("treebanks", f"{said}.", "ranking")
