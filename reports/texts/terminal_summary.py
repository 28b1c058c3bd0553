"""A short summary in Markdown, for the terminal at the end of a run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from crossbank.reports.estimates.statements import Statement, statements_of
from crossbank.reports.pages.page import describe_study, list_warnings
from crossbank.reports.results.study_results import StudyResults
from crossbank.reports.sections.section import sections_of
from crossbank.reports.tables.markdown import format_markdown

MAX_ROWS = 40
"""Maximal number of rows of a table."""

MAX_LINES = 24
"""Maximal number of lines of a list."""


def format_summary(study: StudyResults) -> str:
    """Return the summary: what was compared, warnings, each metric's main score, and the main results."""
    blocks = [f"# {study.title or study.name}", describe_study(study)]
    if page_remarks := list_warnings(study):
        blocks.append("\n".join(f"- {remark}" for remark in _cut_lines(page_remarks)))
    for section in sections_of(study):
        if table := section.summary_table():
            cut = f" The first {MAX_ROWS} of {len(table.rows)}; all are in the report."
            caption = table.caption + (cut if len(table.rows) > MAX_ROWS else "")
            first_rows = replace(table, rows=table.rows[:MAX_ROWS], caption=caption)
            blocks.append(format_markdown(first_rows).rstrip())
    if lines := format_statements(statements_of(study)):
        blocks.append(lines)
    return "\n\n".join(blocks) + "\n"


def format_statements(statements: Iterable[Statement]) -> str:
    """Return statements as a list; the empty string without any."""
    lines = [f"- {line}" for line in _cut_lines([statement.text for statement in statements])]
    return "\n".join(["Main results:\n", *lines]) if lines else ""


def _cut_lines(lines: Sequence[str]) -> list[str]:
    more = [f"{len(lines) - MAX_LINES} more are in the report"] if len(lines) > MAX_LINES else []
    return [*lines[:MAX_LINES], *more]
