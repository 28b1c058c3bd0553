"""The report as one HTML file: no network, no clock, the same bytes for the same results."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from os import PathLike
from pathlib import Path
from typing import Any

from crossbank.metrics.counting.presentation import metric_title
from crossbank.metrics.counting.scoring import CONTEXT_FREE
from crossbank.reports.findings.findings import by_topic
from crossbank.reports.pages.explorer import write_explorer
from crossbank.reports.results.comparisons import identical
from crossbank.reports.results.differences import Mark
from crossbank.reports.results.study import StudyResults
from crossbank.reports.sections import scores as score_tables
from crossbank.reports.sections.contents import (
    configurations_of,
    errors_of,
    findings_of,
    prices_of,
    score_figures,
    sections,
    tables_of_errors,
)
from crossbank.reports.sections.hot_spots import hot_spot_tables
from crossbank.reports.sections.parts import by_part
from crossbank.reports.sections.same_error import same_error
from crossbank.reports.sections.worst import worst_lists
from crossbank.reports.tables import table as tables
from crossbank.reports.tables.table import Table
from crossbank.reports.texts.citation import bibliography, method
from crossbank.treebanks.pictures.drawing import SIGNS

TEMPLATES = Path(__file__).parent / "templates"

LONG = 30
"""Tables with more rows than this, and those that papers do not print, are folded."""

CELLS = 12_000
"""The page shows tables of a section until they have this number of cells; files have all of them."""

STEPS = ((1.0, "all"), (0.9, "most"), (0.75, "much"), (0.5, "half"))
"""Lower bounds of the classes in which a word's leaf-ancestor score is coloured."""


def page(study: StudyResults) -> str:
    """The report's HTML."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"svg": _markup, "sentence": tables.sentence}
    environment.globals |= {"shade": shade, "LONG": LONG}
    lists, cards = worst_lists(study)
    return environment.get_template("index.html.j2").render(
        study=study,
        opening=opening(study),
        remarks=remarks(study),
        findings=by_topic(findings_of(study)),
        same_error=same_error(study, prices_of(study)) if prices_of(study) else None,
        schemes=score_tables.schemes(study),
        comparison=score_tables.comparison(study),
        charts=list(score_figures(study)),
        all_scores=score_tables.all_scores(study),
        sections=[(section, *fitting(section.tables)) for section in sections(study)],
        parts=list(by_part(study)),
        hot_spots=[*configurations_of(study), *hot_spot_tables(study)],
        error_tables=tables_of_errors(study),
        unscored=score_tables.unscored(study),
        problems=score_tables.problems(study),
        conversions=score_tables.conversions(study),
        groups=[(place, list(found)) for place, found in groupby(lists, lambda found: found.place)],
        cards=cards,
        method=method(study),
        bibliography=bibliography(study),
        undrawn=sum(not sentence.card for found in lists for sentence in found.sentences),
        signs={str(mark): SIGNS[mark].strip() for mark in Mark if mark is not Mark.SAME},
    )


def write_page(study: StudyResults, path: str | PathLike[str]) -> None:
    """Write the report's HTML to a file, and beside it the page of all sentences with its data."""
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(page(study), encoding="utf-8")
    write_explorer(study, target.parent, errors_of(study))


def fitting(found: Sequence[Table]) -> tuple[list[Table], list[Table]]:
    """The tables that the page has room for, and those that are only in files."""
    shown: list[Table] = []
    left_out: list[Table] = []
    space = CELLS
    for table in found:
        cells = len(table.rows) * len(table.columns)
        (shown if cells <= space else left_out).append(table)
        space -= cells if cells <= space else 0
    return shown, left_out


def opening(study: StudyResults) -> str:
    """A sentence that says what was compared."""
    candidates = sum(len(treebank.candidates) for treebank in study.treebanks)
    treebanks = _count(len(study.treebanks), "treebank")
    names = _listing([treebank.name for treebank in study.treebanks])
    if candidates == 0:
        return f"{treebanks} ({names}), described without candidates to score."
    metrics = _listing([metric_title(name) for name in study.measures()])
    return f"{_count(candidates, 'candidate')} in {treebanks} ({names}), scored by {metrics}."


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _listing(names: list[str]) -> str:
    """A list of names; if there are many, the first ones and the last."""
    if len(names) > 6:
        names = [*names[:3], "…", names[-1]]
    return ", ".join(names)


def remarks(study: StudyResults) -> list[str]:
    """Warnings to the reader: candidates without a score, one sentence alone, the same candidate twice."""
    said = [
        f"{treebank.name}, {failed.candidate}: not scored. {failed.message}"
        for treebank in study.treebanks
        for failed in treebank.failures
    ]
    for treebank, candidate, name, counts in study.counted():
        where = f"{treebank.name}, {candidate.name}, {metric_title(name)}"
        scored, entering = counts.status_counts()["scored"], int(counts.rows.sum())
        if scored == 0:
            consequence = (
                f"its scores are those of {entering:,} empty parses" if entering else "it has no score"
            )
            said.append(f"{where}: none of {len(counts):,} sentences could be scored; {consequence}.")
        elif entering == 1:
            said.append(f"{where}: one sentence enters the score, so there is no interval and no test.")
    for treebank in study.treebanks:
        for found in treebank.conversions:
            if found.step == CONTEXT_FREE:
                heads = f"{found.count:,} heads in {found.sentences:,} sentences"
                said.append(f"{treebank.name}: gold is made context-free, which changes {heads}.")
        for candidate in treebank.candidates:
            said += [f"{treebank.name}, {candidate.name}: {warning}." for warning in candidate.warnings]
    for name, one, other in identical(study.scored):
        said.append(f"{name}: {one} and {other} have the same counts in every sentence under every metric.")
    return said


def shade(score: float) -> str:
    """The class that colours a word's score; the number is printed as well."""
    return next((name for bound, name in STEPS if score >= bound), "little")


def _markup(text: str) -> Any:
    from markupsafe import Markup

    return Markup(text)
