"""A short summary in Markdown, for the terminal at the end of a run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from os import PathLike
from pathlib import Path

from crossbank.metrics.counting.presentation import metric_title
from crossbank.reports.pages.page import opening, remarks
from crossbank.reports.results import comparisons
from crossbank.reports.results.study import StudyResults
from crossbank.reports.tables.markdown import markdown
from crossbank.reports.tables.study import RATIOS, ratios_beside
from crossbank.reports.tables.table import Cell, Column, Table, score_cell, texts

ROWS = 24
"""Of longer tables and lists the beginning is printed."""


def summary(study: StudyResults) -> str:
    """What was compared, each metric's headline score, who is above whom, what a reader must know."""
    blocks = [f"# {study.title or study.name}", opening(study)]
    if found := remarks(study):
        blocks.append("\n".join(f"- {remark}" for remark in _begun(found)))
    if any(treebank.candidates for treebank in study.treebanks):
        blocks.append(markdown(headlines(study)).rstrip())
    if said := differing(study):
        blocks.append(said)
    return "\n\n".join(blocks) + "\n"


def differing(study: StudyResults) -> str:
    """Which candidates differ significantly, a line for each treebank and metric, if there are several."""
    lines = [f"- {line}" for line in _begun(list(orders(study)))]
    heading = f"Significant differences (> at {study.alpha:g} after Holm, = not told apart):\n"
    return "\n".join([heading, *lines]) if lines else ""


def write_summary(study: StudyResults, path: str | PathLike[str]) -> None:
    """Write the summary; its folder is made where it is missing."""
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
            *(Column(heading, numeric=False) for heading in ("Treebank", "Candidate")),
            RATIOS[-1],
            *(Column(measure.heading, metric_title(metric)) for metric, measure in columns),
        ],
        rows[:ROWS],
        empty="Nothing was scored.",
    ).without_blank(RATIOS)


def orders(study: StudyResults) -> Iterator[str]:
    """For each treebank and metric its candidates by rank: ``news, Parseval F1: large > small = tiny``."""
    ranked = comparisons.ranks(study.scored, study.comparisons, study.alpha)
    for treebank in study.treebanks:
        for metric, measure in study.headlines().items():
            ranks = ranked.get((treebank.name, metric, measure.name), {})
            groups: dict[int, list[str]] = {}
            for name, rank in sorted(ranks.items(), key=lambda found: found[1]):
                groups.setdefault(rank, []).append(name)
            if len(ranks) > 1:
                order = " > ".join(" = ".join(names) for names in groups.values())
                yield f"{treebank.name}, {metric_title(metric)} {measure.heading}: {order}"


def _begun(lines: Sequence[str]) -> list[str]:
    more = [f"{len(lines) - ROWS} more are in the report"] if len(lines) > ROWS else []
    return [*lines[:ROWS], *more]
