"""The report as one HTML file: no network, no clock, the same bytes for the same results."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from itertools import groupby
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

from crossbank.metrics.counting.presentation import metric_title
from crossbank.metrics.counting.scoring import CONTEXT_FREE
from crossbank.reports.findings.finding import listing
from crossbank.reports.findings.findings import by_topic, first_of_topics
from crossbank.reports.pages.explorer import write_explorer
from crossbank.reports.results.comparisons import identical
from crossbank.reports.results.differences import Mark
from crossbank.reports.results.failures import WITHOUT_FILE, WITHOUT_GOLD
from crossbank.reports.results.study import LARGE, LOOKED_AT, VERY_LARGE, StudyResults
from crossbank.reports.sections import scores as score_tables
from crossbank.reports.sections.contents import (
    configurations_of,
    findings_of,
    parts_of,
    score_figures,
    sections,
    tables_of_errors,
)
from crossbank.reports.sections.error_types import errors_of
from crossbank.reports.sections.hot_spots import hot_spot_tables
from crossbank.reports.sections.same_error import cost_chart, prices_of, same_error
from crossbank.reports.sections.worst import worst_lists
from crossbank.reports.tables import table as tables
from crossbank.reports.tables.files import file_name
from crossbank.reports.tables.table import Table
from crossbank.reports.texts.citation import bibliography, method
from crossbank.treebanks.pictures.drawing import SIGNS
from crossbank.treebanks.quantities import quantity

TEMPLATES = Path(__file__).parent / "templates"

REMARKS = 3
"""The number of warnings that stand open at the top."""

LONG = 30
"""Tables with more rows than this, and those that papers do not print, are folded."""

WIDE = 24
"""Tables with more columns than this are folded as well."""

CELLS = 12_000
"""The page shows tables that stand together until they have this number of cells; files have all of them."""

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
    environment.filters |= {"svg": _markup, "sentence": tables.sentence, "file_name": file_name}
    environment.globals |= {"shade": shade, "REMARKS": REMARKS, "LARGE": LARGE, "VERY_LARGE": VERY_LARGE}
    lists, cards = worst_lists(study)
    return environment.get_template("index.html.j2").render(
        study=study,
        opening=opening(study),
        remarks=remarks(study),
        findings=by_topic(findings_of(study)),
        first_findings=first_of_topics(findings_of(study)),
        same_error=same_error(study, prices_of(study)) if prices_of(study) else None,
        cost_of_one_error=[cost_chart(study, prices_of(study))] if prices_of(study) else [],
        schemes=placed([score_tables.schemes(study)]),
        comparison=placed([score_tables.comparison(study)]),
        charts=list(score_figures(study)),
        measures=score_tables.all_scores(study).definitions,
        all_scores=placed([score_tables.all_scores(study)], folded=True),
        sections=[(section, placed(section.tables, section.paper)) for section in sections(study)],
        parts=placed(parts_of(study), folded=True),
        hot_spots=placed([*configurations_of(study), *_hot_spots(study)], folded=True),
        error_tables=placed(tables_of_errors(study)),
        unscored=placed([score_tables.unscored(study)]),
        problems=score_tables.problems(study),
        conversions=placed([score_tables.conversions(study)]),
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


class Placed(NamedTuple):
    """Tables that stand together: each with whether it is folded, and those that are in files only."""

    shown: Sequence[tuple[Table, bool]]
    left_out: Sequence[Table]


def placed(found: Iterable[Table], paper: Container[str] | None = None, *, folded: bool = False) -> Placed:
    """The tables as the page shows them: long ones are folded, and those without room are left to files.

    paper   the keys of the tables that a paper prints, if only these stand open
    folded  whether all tables are folded
    """
    shown: list[tuple[Table, bool]] = []
    left_out: list[Table] = []
    space = CELLS
    for table in found:
        cells = len(table.rows) * len(table.columns)
        if cells > space:
            left_out.append(table)
            continue
        space -= cells
        closed = folded or len(table.rows) > LONG or len(table.columns) > WIDE
        closed = closed or (paper is not None and table.key not in paper)
        shown.append((table, bool(table.rows) and closed))
    return Placed(shown, left_out)


def _hot_spots(study: StudyResults) -> Iterator[Table]:
    """The hot spots of every candidate; none in a large study."""
    return iter(()) if study.large else hot_spot_tables(study)


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
    said = _not_scored(study)
    for treebank, candidate, name, counts in study.counted():
        where = f"{treebank.name}, {candidate.name}, {metric_title(name)}"
        scored, entering = counts.status_counts()["scored"], int(counts.rows.sum())
        if scored == 0:
            consequence = (
                f"its scores are those of {entering:,} empty parses" if entering else "it has no score"
            )
            said.append(
                f"{where}: none of {quantity(len(counts), 'sentence')} could be scored; {consequence}."
            )
        elif entering == 1:
            said.append(f"{where}: one sentence enters the score, so there is no interval and no test.")
    for treebank in study.treebanks:
        for found in treebank.conversions:
            if found.step == CONTEXT_FREE:
                heads = f"{quantity(found.count, 'head')} in {quantity(found.sentences, 'sentence')}"
                said.append(f"{treebank.name}: gold is made context-free, which changes {heads}.")
        for candidate in treebank.candidates:
            said += [f"{treebank.name}, {candidate.name}: {warning}." for warning in candidate.warnings]
        most = max(
            (len(c) for candidate in treebank.candidates for c in candidate.counts.values()), default=0
        )
        if most > LOOKED_AT:
            said.append(
                f"{treebank.name}: error types, configurations and the page of sentences are of the first "
                f"{LOOKED_AT:,} of {quantity(most, 'sentence')}. Scores, intervals and tests are of all."
            )
    counted = {f"{name}.{m.name}" for name, measures in study.measures().items() for m in measures}
    for column in study.columns:
        if study.measures() and column not in counted and column not in score_tables.RATIO_NAMES:
            said.append(f"No table has the column {column}: its metric does not count it with these options.")
    for name, candidates in identical(study.scored):
        who = listing(candidates)
        said.append(f"{name}: {who} have the same counts in every sentence under every metric.")
    return said


def _not_scored(study: StudyResults) -> list[str]:
    """A sentence for all candidates that are not scored for one reason in the same treebanks.

    Those that are not there come last.
    """
    treebanks: dict[tuple[str, str], list[str]] = {}
    absent = (WITHOUT_FILE, WITHOUT_GOLD)
    for treebank, failed in sorted(study.failures, key=lambda listed: listed[1].message in absent):
        treebanks.setdefault((failed.candidate, failed.message), []).append(treebank)
    candidates: dict[tuple[str, str], list[str]] = {}
    for (candidate, message), names in treebanks.items():
        candidates.setdefault((listing(names), message), []).append(candidate)
    return [
        f"{where}, {listing(names)}: not scored. {message}" for (where, message), names in candidates.items()
    ]


def shade(score: float) -> str:
    """The class that colours a word's score; the number is printed as well."""
    return next((name for bound, name in STEPS if score >= bound), "little")


def _markup(text: str) -> Any:
    from markupsafe import Markup

    return Markup(text)
