"""Report as one HTML file: no network, no clock, the same bytes for the same results."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import NamedTuple

from crossbank.metrics.counting.presentation import metric_title
from crossbank.metrics.counting.scoring import CONTEXT_FREE
from crossbank.reports.charts.chart import Figure, VegaChart
from crossbank.reports.charts.rendering import render_for_page
from crossbank.reports.estimates.candidates import find_identical_candidates
from crossbank.reports.estimates.curves import system_name
from crossbank.reports.estimates.statements import Statement, select_first_of_each_type, statements_of
from crossbank.reports.pages.explorer import write_explorer
from crossbank.reports.pages.page_templates import load_templates
from crossbank.reports.results.study_results import MAX_EXAMINED_SENTENCES, MAX_SMALL_STUDY, StudyResults
from crossbank.reports.results.summary import WITHOUT_FILE, WITHOUT_GOLD
from crossbank.reports.results.typed_errors import errors_of
from crossbank.reports.sections.scores import BESIDE
from crossbank.reports.sections.section import Section, section_classes, sections_of
from crossbank.reports.study.model import VERY_LARGE
from crossbank.reports.tables import table as tables
from crossbank.reports.tables.table import ReportTable
from crossbank.reports.tables.table_files import file_name
from crossbank.treebanks.quantities import cut_listing, listing, quantity

MAX_FIRST_STATEMENTS = 4
"""The number of statements at the top of the page."""

MAX_STATEMENTS_OF_TYPE = 8
"""Maximal number of statements of one type on the page; tables.tex has all of them."""

MAX_OPEN_WARNINGS = 3
"""The number of warnings that are open at the top."""

MAX_OPEN_ROWS = 30
"""Tables with more rows than this are folded, or scroll."""

MAX_OPEN_COLUMNS = 16
"""Tables with more columns than this are folded as well, or their headings are rotated."""

MAX_OPEN_MULTIPLES = 24
"""More small multiples than this are folded."""

MAX_CELLS = 1_200
"""Maximal number of cells of a section's tables on the page; further tables are in files only."""

SHADE_CLASSES = ((1.0, "all"), (0.9, "most"), (0.75, "much"), (0.5, "half"))
"""Thresholds of the classes by which a word's leaf-ancestor score is coloured."""


def render_page(study: StudyResults, own_pages: Mapping[str, str] | None = None) -> str:
    """Return the report's HTML, or that of one candidate.

    own_pages  file of the page of each candidate that has one, for links
    """
    from markupsafe import Markup

    environment = load_templates()

    def draw(chart: VegaChart) -> Markup:
        return Markup(render_for_page(chart))

    environment.filters |= {
        "svg": Markup,
        "draw": draw,
        "sentence": tables.end_with_stop,
        "file_name": file_name,
    }
    limits = ("MAX_OPEN_WARNINGS", "MAX_STATEMENTS_OF_TYPE", "MAX_OPEN_ROWS", "MAX_OPEN_COLUMNS")
    environment.globals |= {"shade_class": shade_class, **{name: globals()[name] for name in limits}}
    sections: Sequence[Section] = sections_of(study)
    statements: Sequence[Statement] = ()
    boards: Sequence[ReportTable] = ()
    if study.is_single_candidate:
        sections = [section for section in sections if section.on_candidate_page]
    else:
        statements = statements_of(study)
        if study.pages == "all":
            sections = [section for section in sections if section.on_candidate_page != "alone"]
        boards = [section.tables[0] for section in sections if section.table_on_first_screen]
    first = first_screen_figures(study)
    if any(section.figure_on_first_screen == "alone" and section.figures for section in sections):
        boards = ()
    return environment.get_template("index.html.j2").render(
        study=study,
        opening=describe_study(study),
        left_out=describe_omissions(study),
        remarks=list_warnings(study),
        statements=group_by_type(statements),
        first_statements=select_first_of_each_type(statements)[:MAX_FIRST_STATEMENTS],
        boards=boards,
        first_figures=first,
        pages=own_pages or {},
        candidate=study.scores[0].candidate if study.is_single_candidate and study.scores else "",
        sections=[(section, *arrange_blocks(section, first)) for section in sections],
    )


def write_page(study: StudyResults, path: str | PathLike[str]) -> None:
    """Write the report's HTML to a file, beside it the page of all sentences, and candidates' own pages."""
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    files = {name: f"candidate-{file_name(name)}.html" for name in study.own_pages}
    target.write_text(render_page(study, files), encoding="utf-8")
    write_explorer(study, target.parent, errors_of(study))
    for name, file in files.items():
        (target.parent / file).write_text(render_page(study.of_candidate(name), files), encoding="utf-8")


class PageBlock(NamedTuple):
    """A block of a section: figures side by side, a table, or a group of tables with a menu.

    title   the line that is visible if the block is folded
    among   the title of small multiples, or of the tables to choose from
    """

    figures: Sequence[Figure]
    tables: Sequence[ReportTable]
    folded: bool
    title: str
    among: str = ""

    def join(self, other: PageBlock) -> PageBlock | None:
        """Return one block with the contents of both, or None if they must stay apart."""
        if self.folded != other.folded or self.among != other.among:
            return None
        if self.tables and other.tables and self.among:
            tables = [*self.tables, *other.tables]
            return self._replace(tables=tables, title=f"{self.among} ({len(tables):,} tables)")
        if self.figures and other.figures and not self.folded:
            return self._replace(figures=[*self.figures, *other.figures])
        return None

    def fold_if_many(self) -> PageBlock:
        """Return the block, folded if it has more than ``MAX_OPEN_MULTIPLES`` small multiples."""
        many = self.among and len(self.figures) > MAX_OPEN_MULTIPLES
        return self._replace(folded=True, title=f"{self.among} ({len(self.figures):,})") if many else self


def arrange_blocks(
    section: Section, above: Sequence[Figure] = ()
) -> tuple[Sequence[PageBlock], Sequence[ReportTable]]:
    """Return the blocks of a section on the page, and the tables that are only in files.

    above  the figures that are on the first screen
    """
    blocks: list[PageBlock] = []
    only_in_files: list[ReportTable] = []
    remaining_cells = MAX_CELLS
    for part in (part for part in section.content if part not in above):
        if isinstance(part, Figure):
            if not part.on_page:
                continue
            block = PageBlock([part], (), not part.open, part.title, part.among)
        else:
            cells = len(part.rows) * len(part.columns)
            if cells > remaining_cells:
                only_in_files.append(part)
                continue
            remaining_cells -= cells
            short = len(part.rows) <= MAX_OPEN_ROWS and len(part.columns) <= MAX_OPEN_COLUMNS
            folded = not (section.is_open(part) or (short and section.is_printed(part)))
            block = PageBlock((), [part], folded, f"{part.title} ({len(part.rows):,})", part.among)
        together = blocks[-1].join(block) if blocks else None
        blocks[-1 if together else len(blocks) :] = [together or block]
    return [block.fold_if_many() for block in blocks], only_in_files


def first_screen_figures(study: StudyResults) -> list[Figure]:
    """Return the figures of the first screen; none where it has the matrix of candidates and treebanks."""
    all_sections = sections_of(study)
    if any(section.key == "over-treebanks" for section in all_sections):
        return []
    alone = [section for section in all_sections if section.figure_on_first_screen == "alone"]
    figures = [section.first_screen_figure() for section in alone]
    if not any(figures):
        figures = [section.first_screen_figure() for section in all_sections]
    return [figure for figure in figures if figure is not None]


def describe_omissions(study: StudyResults) -> str:
    """Return a sentence on what the report of many candidates omits; empty if it omits nothing."""
    if not study.is_large:
        return ""
    if study.pages == "all":
        sentences = "Each candidate has a page of its own, to which its name leads."
    else:
        names = [section.omitted_if_large for section in section_classes() if section.omitted_if_large]
        sentences = f"With this many candidates, per-candidate sections are omitted: {listing(names)}."
        sentences += (
            f" A study of up to {MAX_SMALL_STUDY} candidates has these, and “report: {{pages: all}}” makes "
            "a page for each candidate."
        )
    if study.is_very_large:
        names = [
            *(
                section.omitted_if_very_large
                for section in section_classes()
                if section.omitted_if_very_large
            ),
            "the page of all sentences",
        ]
        sentences += f" So are {listing(names)}; a study of up to {VERY_LARGE} candidates has them."
    return sentences


def group_by_type(statements: Sequence[Statement]) -> dict[str, list[Statement]]:
    """Return the statements of each kind."""
    by_type: dict[str, list[Statement]] = {}
    for statement in statements:
        by_type.setdefault(statement.type, []).append(statement)
    return by_type


def describe_study(study: StudyResults) -> str:
    """Return a sentence that says what was compared."""
    candidates = sum(len(treebank.candidates) for treebank in study.treebanks)
    treebanks = quantity(len(study.treebanks), "treebank")
    names = _list_first_names([treebank.name for treebank in study.treebanks])
    if candidates == 0:
        return f"{treebanks} ({names}), described without candidates to score."
    metrics = _list_first_names([metric_title(name) for name in study.measures()])
    if study.is_single_candidate:
        return f"In {treebanks} ({names}), scored by {metrics}."
    systems = len(
        {system_name(candidate) for treebank in study.treebanks for candidate in treebank.candidates}
    )
    runs = len({(t.name, system_name(c)) for t in study.treebanks for c in t.candidates})
    several = f", {candidates:,} runs in all" if candidates > runs else ""
    return f"{quantity(systems, 'system')} on {treebanks} ({names}){several}, scored by {metrics}."


def _list_first_names(names: list[str]) -> str:
    """Return a list of names; if there are many, the first ones and the last."""
    if len(names) > 6:
        names = [*names[:3], "…", names[-1]]
    return ", ".join(names)


def list_warnings(study: StudyResults) -> list[str]:
    """Return warnings: candidates without a score, scores of one sentence, the same candidate twice.

    A warning about a candidate in several treebanks is one line, and so is the same warning about several
    candidates.
    """
    lines = _list_failures(study)
    facts: dict[tuple[str, str, str], list[tuple[str, str]]] = {}

    def note(treebank: str, candidate: str, what: str, fact: str) -> None:
        facts.setdefault((candidate, what, re.sub(r"\d[\d,.]*", "N", fact)), []).append((treebank, fact))

    for treebank, candidate, name, counts in study.counted():
        scored, entering = counts.status_counts()["scored"], int(counts.rows.sum())
        what = f", {metric_title(name)}: "
        if scored == 0:
            consequence = (
                f"its scores are those of {entering:,} empty parses" if entering else "it has no score"
            )
            common_text = f"none of {quantity(len(counts), 'sentence')} could be scored; {consequence}"
            note(treebank.name, candidate.name, what, common_text)
        elif entering == 1:
            one = "one sentence enters the score, so there is no interval and no test"
            note(treebank.name, candidate.name, what, one)
    for treebank in study.treebanks:
        for conversion in treebank.conversions:
            if conversion.step == CONTEXT_FREE:
                heads, size = quantity(conversion.count, "head"), quantity(conversion.sentences, "sentence")
                note(treebank.name, "", ": ", f"gold is made context-free, which changes {heads} in {size}")
        for candidate in treebank.candidates:
            for warning in select_distinct_warnings(candidate.warnings):
                note(treebank.name, candidate.name, ": ", warning)
        sizes = (len(counts) for candidate in treebank.candidates for counts in candidate.counts.values())
        most = max(sizes, default=0)
        if most > MAX_EXAMINED_SENTENCES:
            first = f"of the first {MAX_EXAMINED_SENTENCES:,} of {quantity(most, 'sentence')}"
            omitted = "error types, configurations and the page of sentences"
            note(treebank.name, "", ": ", f"{omitted} are {first}, scores, intervals and tests of all")
    for name, candidates in find_identical_candidates(study.scored):
        fact = "have the same counts in every sentence under every metric"
        note(name, "", f": {listing(candidates)} ", fact)
    # One line for all candidates with the same warning in the same treebanks, with the numbers of the first.
    groups: dict[tuple[str, str, tuple[str, ...]], dict[str, list[tuple[str, str]]]] = {}
    for (name, what, fact), occurrences in facts.items():
        where = tuple(dict.fromkeys(treebank for treebank, _ in occurrences))
        groups.setdefault((what, fact, where), {})[name] = occurrences
    for (what, _, where), by_name in groups.items():
        name, occurrences = next(iter(by_name.items()))
        first, fact = occurrences[0]
        subjects = [cut_listing(where), cut_listing(list(by_name))]
        if len(where) * len(by_name) > 1 and len({fact for of in by_name.values() for _, fact in of}) > 1:
            numbers = [first] * (len(where) > 1) + [name] * (len(by_name) > 1)
            fact += f"; the numbers are those of {', '.join(numbers)}"
        lines.append(f"{', '.join(filter(None, subjects))}{what}{fact}.")
    counted = {f"{name}.{m.name}" for name, measures in study.measures().items() for m in measures}
    for column in study.columns:
        if study.measures() and column not in counted and column not in BESIDE:
            lines.append(
                f"No table has the column {column}: its metric does not count it with these options."
            )
    return lines


def select_distinct_warnings(warnings: Sequence[str]) -> list[str]:
    """Return the first of each group of warnings that differ only in numbers and quoted words."""
    by_type: dict[str, str] = {}
    for warning in warnings:
        by_type.setdefault(re.sub(r"""'[^']*'|"[^"]*"|\d[\d,.]*""", "N", warning), warning)
    return list(by_type.values())


def _list_failures(study: StudyResults) -> list[str]:
    """Return a sentence for each group of candidates that have no score for the same reason.

    Candidates without a file come last.
    """
    treebanks: dict[tuple[str, str], list[str]] = {}
    absent = (WITHOUT_FILE, WITHOUT_GOLD)
    for treebank, failed in sorted(study.failures, key=lambda listed: listed[1].message in absent):
        treebanks.setdefault((failed.candidate, failed.message), []).append(treebank)
    candidates: dict[tuple[tuple[str, ...], str], list[str]] = {}
    for (candidate, message), names in treebanks.items():
        candidates.setdefault((tuple(names), message), []).append(candidate)
    return [
        f"{cut_listing(where)}, {listing(names)}: not scored. {message}"
        for (where, message), names in candidates.items()
    ]


def shade_class(score: float) -> str:
    """Return the class that colours a word's score; the number is printed as well."""
    return next((name for threshold, name in SHADE_CLASSES if score >= threshold), "little")
