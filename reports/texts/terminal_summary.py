"""A short summary in Markdown, for the terminal at the end of a run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from crossbank.reports.estimates.statements import Statement, statements_of
from crossbank.reports.pages.page import opening, remarks
from crossbank.reports.results.study_results import StudyResults
from crossbank.reports.sections.contents import sections
from crossbank.reports.tables.markdown import markdown

ROWS = 40
"""Longer tables are cut after this number of rows."""

LINES = 24
"""Longer lists are cut after this number of lines."""


def summary(study: StudyResults) -> str:
    """Return the summary: what was compared, warnings, each metric's main score, and the main results."""
    blocks = [f"# {study.title or study.name}", opening(study)]
    if page_remarks := remarks(study):
        blocks.append("\n".join(f"- {remark}" for remark in _begun(page_remarks)))
    for section in sections(study):
        if table := section.terminal():
            cut = f" The first {ROWS} of {len(table.rows)}; all are in the report."
            caption = table.caption + (cut if len(table.rows) > ROWS else "")
            first_rows = replace(table, rows=table.rows[:ROWS], caption=caption)
            blocks.append(markdown(first_rows).rstrip())
    if lines := statement_lines(statements_of(study)):
        blocks.append(lines)
    return "\n\n".join(blocks) + "\n"


def statement_lines(statements: Iterable[Statement]) -> str:
    """Return statements as a list; the empty string without any."""
    lines = [f"- {line}" for line in _begun([statement.text for statement in statements])]
    return "\n".join(["Main results:\n", *lines]) if lines else ""


def _begun(lines: Sequence[str]) -> list[str]:
    more = [f"{len(lines) - LINES} more are in the report"] if len(lines) > LINES else []
    return [*lines[:LINES], *more]
