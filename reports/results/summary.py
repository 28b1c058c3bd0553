"""summary.csv and problems.csv: every score with its interval, every sentence without one."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import dataclass, fields
from os import PathLike
from pathlib import Path

from crossbank.metrics.counting.counts import Counts
from crossbank.metrics.pairing.pair import UnscoredSentence
from crossbank.metrics.statistics.bootstrap import intervals
from crossbank.reports.study.model import Settings
from crossbank.reports.tables.table_files import format_csv, unescape_formula
from crossbank.treebanks.errors import FormatError

WITHOUT_FILE = "The pattern finds no file."
WITHOUT_GOLD = "There is no gold."


@dataclass(frozen=True)
class Failure:
    """A candidate without scores, and why."""

    candidate: str
    message: str


@dataclass(frozen=True)
class Score:
    """One row of ``summary.csv``.

    value      the score at full precision, proportions between 0 and 1; None if no sentence enters
    low, high  the limits of its interval; None if fewer than two sentences enter
    n          the sentences that enter
    """

    study: str
    treebank: str
    candidate: str
    metric: str
    measure: str
    value: float | None
    low: float | None
    high: float | None
    n: int
    signature: str


SUMMARY_COLUMNS = tuple(field.name for field in fields(Score))
PROBLEM_COLUMNS = ("treebank", "candidate", "sentence", "where", "status", "detail")


def compute_scores(
    counts: Counts, study: Settings, treebank: str, candidate: str, metric: str
) -> list[Score]:
    """Return all measures of one metric's counts, with percentile intervals from seeded resamples."""
    n = int(counts.rows.sum())
    samples = study.samples if n > 1 else 0
    limits = intervals(counts, level=study.level, samples=samples, seed=study.seed)
    rows = []
    for measure in counts.measures:
        interval = limits[measure.name]
        low, high = (interval.low, interval.high) if samples else (None, None)
        value, names = interval.value if n else None, (study.name, treebank, candidate, metric, measure.name)
        rows.append(Score(*names, value, low, high, n, str(counts.full_signature)))
    return rows


def write_summary(scores: Iterable[Score], path: str | PathLike[str]) -> None:
    """Write ``summary.csv``; a missing value is an empty field."""
    _write(path, SUMMARY_COLUMNS, ([getattr(score, name) for name in SUMMARY_COLUMNS] for score in scores))


def read_summary(path: str | PathLike[str]) -> list[Score]:
    """Return the scores of a ``summary.csv``. Raises FormatError if it has other columns."""
    with open(path, newline="", encoding="utf-8") as stream:
        reader = csv.DictReader(stream)
        if tuple(reader.fieldnames or ()) != SUMMARY_COLUMNS:
            raise FormatError(
                path, f"the columns {','.join(reader.fieldnames or ())}", ",".join(SUMMARY_COLUMNS), line=1
            )
        scores = []
        for row in reader:
            value, low, high = (float(row[name]) if row[name] else None for name in ("value", "low", "high"))
            study, treebank, candidate, metric, measure = (
                unescape_formula(row[name]) for name in SUMMARY_COLUMNS[:5]
            )
            names = study, treebank, candidate, metric, measure
            scores.append(Score(*names, value, low, high, int(row["n"]), row["signature"]))
        return scores


def write_problems(
    problems: Iterable[tuple[str, str, UnscoredSentence]],
    path: str | PathLike[str],
    failures: Iterable[tuple[str, Failure]] = (),
) -> None:
    """Write ``problems.csv``: the candidates without scores, then the sentences without a score."""
    rows = [[treebank, failed.candidate, "", "", "failed", failed.message] for treebank, failed in failures]
    rows += [
        [treebank, candidate, problem.sentence, problem.where, str(problem.status), problem.detail]
        for treebank, candidate, problem in problems
    ]
    _write(path, PROBLEM_COLUMNS, rows)


def _write(path: str | PathLike[str], header: Iterable[str], rows: Iterable[Iterable[object]]) -> None:
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(format_csv([header, *rows]), "utf-8", newline="")
