"""A short summary in Markdown, for the terminal at the end of a run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from os import PathLike
from pathlib import Path

from crossbank.metrics.counting.presentation import metric_title
from crossbank.reports.findings.finding import Finding
from crossbank.reports.pages.page import opening, remarks
from crossbank.reports.results.study import StudyResults
from crossbank.reports.sections.contents import findings_of
from crossbank.reports.sections.scores import RATIOS, ratios_beside
from crossbank.reports.tables.markdown import markdown
from crossbank.reports.tables.table import Cell, Column, Table, score_cell, text_columns, texts

ROWS = 24
"""Longer tables and lists are cut after this number of rows."""


def summary(study: StudyResults) -> str:
    """The summary: what was compared, warnings, each metric's main score, and the findings."""
    blocks = [f"# {study.title or study.name}", opening(study)]
    if found := remarks(study):
        blocks.append("\n".join(f"- {remark}" for remark in _begun(found)))
    if any(treebank.candidates for treebank in study.treebanks):
        blocks.append(markdown(headlines(study)).rstrip())
    if said := findings_said(findings_of(study)):
        blocks.append(said)
    return "\n\n".join(blocks) + "\n"


def findings_said(found: Iterable[Finding]) -> str:
    """Findings as a list, if there are some."""
    lines = [f"- {line}" for line in _begun([finding.text for finding in found])]
    return "\n".join(["Findings:\n", *lines]) if lines else ""


def write_summary(study: StudyResults, path: str | PathLike[str]) -> None:
    """Write the summary; a missing folder is made."""
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(summary(study), encoding="utf-8")


def headlines(study: StudyResults) -> Table:
    """One measure of each metric with its interval, and gold's nodes per word."""
    columns = list(study.headlines().items())
    scores = {(s.treebank, s.candidate, s.metric, s.measure): s for s in study.scores}
    rows = []
    for treebank in study.treebanks:
        for candidate in treebank.candidates:
            row = texts(treebank.name, candidate.name, ratios_beside(treebank)[-1])
            for metric, measure in columns:
                score = scores.get((treebank.name, candidate.name, metric, measure.name))
                row.append(
                    Cell("–") if score is None else score_cell(score.value, measure, score.low, score.high)
                )
            rows.append(row)
    cut = f" The first {ROWS} of {len(rows)}; all are in the report." if len(rows) > ROWS else ""
    return Table(
        "headlines",
        "Scores",
        f"With 95 % intervals.{cut}",
        [
            *text_columns("Treebank", "Candidate"),
            RATIOS[-1],
            *(Column(measure.heading, metric_title(metric)) for metric, measure in columns),
        ],
        rows[:ROWS],
        empty="Nothing was scored.",
    ).without_blank(RATIOS)


def _begun(lines: Sequence[str]) -> list[str]:
    more = [f"{len(lines) - ROWS} more are in the report"] if len(lines) > ROWS else []
    return [*lines[:ROWS], *more]
