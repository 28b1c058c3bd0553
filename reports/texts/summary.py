"""A short summary in Markdown, for the terminal at the end of a run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path

from crossbank.metrics.counting.presentation import metric_title
from crossbank.reports.findings.family import family
from crossbank.reports.findings.finding import Finding
from crossbank.reports.pages.page import opening, remarks
from crossbank.reports.results.comparisons import Rank, ranks
from crossbank.reports.results.rankings import rankings
from crossbank.reports.results.study import CandidateResults, StudyResults, TreebankResults
from crossbank.reports.sections.contents import findings_of
from crossbank.reports.sections.over_treebanks import ranking_table
from crossbank.reports.sections.scores import RATIOS, ratios_beside
from crossbank.reports.tables.markdown import markdown
from crossbank.reports.tables.table import Cell, Column, Table, score_cell, text_columns, texts

ROWS = 40
"""Longer tables are cut after this number of rows."""

LINES = 24
"""Longer lists are cut after this number of lines."""

SEVERAL = 3
"""With so many candidates of a treebank they stand in the order of their scores, with letters."""


def summary(study: StudyResults) -> str:
    """The summary: what was compared, warnings, each metric's main score, and the findings."""
    blocks = [f"# {study.title or study.name}", opening(study)]
    if found := remarks(study):
        blocks.append("\n".join(f"- {remark}" for remark in _begun(found)))
    if ranked := rankings(study):
        table = ranking_table(study, ranked)
        cut = f" The first {ROWS} of {len(table.rows)}; all are in the report."
        cut = cut if len(table.rows) > ROWS else ""
        shown = replace(table, rows=table.rows[:ROWS], caption=table.caption + cut)
        blocks.append(markdown(shown).rstrip())
    elif any(treebank.candidates for treebank in study.treebanks):
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
    """One measure of each metric with its interval, and gold's nodes per word.

    Several candidates of a treebank stand in the order of the first metric, the best first, with letters: two
    share one exactly if they do not differ significantly.
    """
    columns = list(study.headlines().items())
    letters = _letters(study)
    scores = {(s.treebank, s.candidate, s.metric, s.measure): s for s in study.scores}
    rows = []
    for treebank in study.treebanks:
        for candidate in _in_order(study, treebank):
            row = texts(treebank.name, candidate.name, ratios_beside(treebank)[-1])
            for metric, measure in columns:
                score = scores.get((treebank.name, candidate.name, metric, measure.name))
                cell = Cell("–")
                if score is not None:
                    cell = score_cell(score.value, measure, score.low, score.high)
                told = letters.get((treebank.name, metric), {}).get(candidate.name)
                row.append(replace(cell, text=f"{cell.text} {told.letters}") if told else cell)
            rows.append(row)
    cut = f" The first {ROWS} of {len(rows)}; all are in the report." if len(rows) > ROWS else ""
    shared = ""
    if letters:
        shared = f" Candidates that share a letter do not differ significantly (at {study.alpha:g})."
    return Table(
        "headlines",
        "Scores",
        f"With 95 % intervals.{shared}{cut}",
        [
            *text_columns("Treebank", "Candidate"),
            RATIOS[-1],
            *(Column(measure.heading, metric_title(metric)) for metric, measure in columns),
        ],
        rows[:ROWS],
        empty="Nothing was scored.",
    ).without_blank(RATIOS)


def _letters(study: StudyResults) -> dict[tuple[str, str], dict[str, Rank]]:
    """The letters of candidates by treebank and metric, where a treebank has several candidates."""
    if not study.every_pair:
        return {}
    scored = {name: of for name, of in study.tested.items() if len(of) >= SEVERAL}
    main = {metric: measure.name for metric, measure in study.headlines().items()}
    found = ranks(scored, family(study).comparisons, study.alpha) if scored else {}
    return {(name, metric): of for (name, metric, measure), of in found.items() if main[metric] == measure}


def _in_order(study: StudyResults, treebank: TreebankResults) -> Sequence[CandidateResults]:
    """A treebank's candidates; several of them by the first metric, the best first."""
    if len(treebank.candidates) < SEVERAL:
        return treebank.candidates
    metric, measure = next(iter(study.headlines().items()))
    known = [c for c in treebank.candidates if metric in c.counts and c.counts[metric].rows.any()]
    known.sort(key=lambda c: c.counts[metric].value(measure.name), reverse=measure.better == "more")
    return [*known, *(c for c in treebank.candidates if c not in known)]


def _begun(lines: Sequence[str]) -> list[str]:
    more = [f"{len(lines) - LINES} more are in the report"] if len(lines) > LINES else []
    return [*lines[:LINES], *more]
