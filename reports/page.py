"""The report as one HTML file: no network, no clock, the same bytes for the same results."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from os import PathLike
from pathlib import Path
from typing import Any

from reports import comparison_tables, study_tables, tables
from reports.comparisons import identical
from reports.differences import Mark
from reports.error_tables import CandidateErrors, candidate_errors, error_tables
from reports.explorer import write_explorer
from reports.hot_spots import hot_spot_tables
from reports.interval_chart import interval_chart
from reports.study_results import StudyResults
from reports.tree_pictures import SIGNS
from reports.worst import headline, worst_lists

TEMPLATES = Path(__file__).parent / "templates"

STEPS = ((1.0, "all"), (0.9, "most"), (0.75, "much"), (0.5, "half"))
"""Lower bounds of the classes in which a word's leaf-ancestor score is coloured."""


def page(study: StudyResults, errors: Sequence[CandidateErrors] | None = None) -> str:
    """The report's HTML; ``errors`` where the candidates' errors have been found already."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["svg"] = _markup
    environment.globals |= {"named": tables.named, "shade": shade}
    lists, cards = worst_lists(study)
    return environment.get_template("index.html.j2").render(
        study=study,
        opening=opening(study),
        remarks=remarks(study),
        schemes=study_tables.schemes(study),
        comparison=study_tables.comparison(study),
        charts=charts(study),
        all_scores=study_tables.all_scores(study),
        differences=comparison_tables.differences(study),
        between=comparison_tables.differences_between(study),
        ranks=comparison_tables.ranks(study),
        parts=list(study_tables.by_part(study)),
        hot_spots=list(hot_spot_tables(study)),
        error_tables=list(error_tables(candidate_errors(study) if errors is None else errors)),
        unscored=study_tables.unscored(study),
        problems=study_tables.problems(study),
        conversions=study_tables.conversions(study),
        groups=[(place, list(found)) for place, found in groupby(lists, lambda found: found.place)],
        cards=cards,
        undrawn=sum(not sentence.card for found in lists for sentence in found.sentences),
        signs={str(mark): SIGNS[mark].strip() for mark in Mark if mark is not Mark.SAME},
    )


def write_page(study: StudyResults, path: str | PathLike[str]) -> None:
    """Write the report's HTML to a file, and beside it the page of all sentences with its data."""
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    errors = candidate_errors(study)
    target.write_text(page(study, errors), encoding="utf-8")
    write_explorer(study, target.parent, errors)


def charts(study: StudyResults) -> list[tuple[str, str, str]]:
    """Metric, measure and chart of each metric's measure by which its sentences are ranked."""
    drawn = []
    for metric, measures in study.measures().items():
        measure = headline(measures)
        scores = [s for s in study.scores if (s.metric, s.measure) == (metric, measure.name)]
        drawn.append((tables.named(metric), tables.named(measure.name), interval_chart(scores, measure)))
    return [(metric, measure, svg) for metric, measure, svg in drawn if svg]


def opening(study: StudyResults) -> str:
    """One sentence: what was compared with what."""
    candidates = sum(len(treebank.candidates) for treebank in study.treebanks)
    treebanks = _count(len(study.treebanks), "treebank")
    names = _listing([treebank.name for treebank in study.treebanks])
    if candidates == 0:
        return f"{treebanks} ({names}), described without candidates to score."
    metrics = _listing([tables.named(name) for name in study.measures()])
    return f"{_count(candidates, 'candidate')} in {treebanks} ({names}), scored by {metrics}."


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _listing(names: list[str]) -> str:
    """Names in a row; of many the first and the last."""
    if len(names) > 6:
        names = [*names[:3], "…", names[-1]]
    return ", ".join(names)


def remarks(study: StudyResults) -> list[str]:
    """What a reader must know before believing a number: nothing scored, one sentence, the same twice."""
    said = []
    for treebank, candidate, name, counts in study.counted():
        where = f"{treebank.name}, {candidate.name}, {tables.named(name)}"
        scored, entering = counts.status_counts()["scored"], int(counts.rows.sum())
        if scored == 0:
            consequence = (
                f"its scores are those of {entering:,} empty parses" if entering else "it has no score"
            )
            said.append(f"{where}: none of {len(counts):,} sentences could be scored; {consequence}.")
        elif entering == 1:
            said.append(f"{where}: one sentence enters the score, so there is no interval and no test.")
    for name, one, other in identical(study.scored):
        said.append(f"{name}: {one} and {other} have the same counts in every sentence under every metric.")
    return said


def shade(score: float) -> str:
    """The class in which a word's score is coloured; the number stands beside the colour."""
    return next((name for bound, name in STEPS if score >= bound), "little")


def _markup(text: str) -> Any:
    from markupsafe import Markup

    return Markup(text)
