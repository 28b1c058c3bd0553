"""The candidates with the best average ranks over treebanks."""

from __future__ import annotations

from collections.abc import Iterator

from crossbank.reports.findings.finding import Finding, cut_listing, p_value
from crossbank.reports.results.rankings import Ranking, rankings, rankings_of_parsed
from crossbank.reports.results.study import StudyResults


def best_over_treebanks(study: StudyResults) -> Iterator[Finding]:
    """The best average rank under each metric, and the candidates that do not differ significantly from it.

    Where candidates left other sentences unparsed, the same for the sentences that all of them parsed.
    """
    of_parsed = rankings_of_parsed(study)
    for ranking in rankings(study):
        said = f"Under {ranking.name} {_said(study, ranking)}."
        parsed = of_parsed.get(ranking.metric)
        if parsed is not None:
            if _conclusion(study, parsed) == _conclusion(study, ranking):
                said += " The same holds for the sentences that all candidates parsed."
            else:
                said += " For the sentences that all candidates parsed the conclusion turns: "
                said += f"{_said(study, parsed)}."
        yield Finding(said, "ranking")


def _conclusion(study: StudyResults, ranking: Ranking) -> object:
    return ranking.test.p <= study.alpha and {ranking.candidates[0], *ranking.alike()}


def _said(study: StudyResults, ranking: Ranking) -> str:
    test, first = ranking.test, ranking.candidates[0]
    ranks = f"over {len(ranking.compared):,} treebanks"
    figures = f"F = {test.f:,.2f}, {p_value(test.p)}"
    best = f"{float(test.averages.min()):.2f} of {len(ranking.ranks):,}"
    if test.p > study.alpha:
        return (
            f"the average ranks of the {len(ranking.ranks):,} candidates {ranks} do not differ significantly "
            f"(Friedman, {figures}); {first} comes first ({best})"
        )
    alike = ranking.alike()
    apart = len(ranking.ranks) - 1 - len(alike)
    tests = f"{figures}, critical difference {test.critical:.2f}"
    if not alike:
        return (
            f"{first} has the best average rank {ranks} ({best}) and differs significantly from each of the "
            f"{apart:,} other candidates ({tests})"
        )
    return (
        f"{cut_listing([first, *alike])} have the best average ranks {ranks} ({first} {best}) and do not "
        f"differ significantly{f' from {first}' if len(alike) > 1 else ''}; {first} differs from {apart:,} "
        f"of {len(ranking.ranks) - 1:,} others ({tests})"
    )
