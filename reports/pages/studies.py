"""Page ``index.html`` of a folder of results: its studies with title, state, main figures and report."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from crossbank.metrics.counting.counts import Measure, format_value
from crossbank.metrics.counting.metric import known_metric
from crossbank.metrics.counting.presentation import measure_title
from crossbank.reports.pages.page_templates import load_templates
from crossbank.reports.results.summary import Score, read_summary
from crossbank.treebanks.yaml_files import load_yaml

REPORT = Path("report") / "index.html"


@dataclass(frozen=True)
class StudyEntry:
    """A study on the page.

    state    ``finished``, ``not finished``, or ``out of date`` where the study was changed, or candidates
             were scored again, after the report
    figures  the lowest and the highest score of each metric's main measure, as printed
    link     the report, relative to the page; empty if there is none
    """

    name: str
    title: str
    state: str
    treebanks: int
    candidates: int
    figures: Sequence[str]
    link: str


def write_index(results: Path, study: str) -> list[StudyEntry]:
    """Write the page of all studies under a folder.

    A study is run once at a time, so its name is that of the temporary file: no other study writes it, and
    the next run of this one overwrites what a killed run has left. Another study that ends meanwhile may
    write an earlier page; the page is written again until it lists the studies as they are.

    Parameters
    ----------
    results
        The folder of all studies' results.
    study
        The study that writes the page.

    Returns
    -------
    The studies of the page, by name.

    """
    part, listed = results / f".index.{study}.part", None
    while (
        entries := [_describe_study(path.parent) for path in sorted(results.glob("*/study.yaml"))]
    ) != listed:
        text = load_templates().get_template("studies.html.j2").render(studies=entries)
        part.write_text(text, encoding="utf-8")
        os.replace(part, results / "index.html")
        listed = entries
    return entries


def _describe_study(folder: Path) -> StudyEntry:
    study, summary, report = folder / "study.yaml", folder / "summary.csv", folder / REPORT
    content: Any = load_yaml(study)
    is_there = summary.is_file() and report.is_file()
    scores = read_summary(summary) if is_there else []
    state = "not finished"
    if is_there:
        newest = min(summary.stat().st_mtime_ns, report.stat().st_mtime_ns)
        changed = max(path.stat().st_mtime_ns for path in (study, *folder.glob("scores/*/*.parquet")))
        state = "out of date" if changed > newest else "finished"
    return StudyEntry(
        folder.name,
        str(content.get("title", folder.name)),
        state,
        len({score.treebank for score in scores}),
        len({(score.treebank, score.candidate) for score in scores}),
        list(_list_figures(scores)),
        f"{folder.name}/{REPORT.as_posix()}" if is_there else "",
    )


def _list_figures(scores: Sequence[Score]) -> Iterable[str]:
    for name in dict.fromkeys(score.metric for score in scores):
        of_metric = [score for score in scores if score.metric == name and score.value is not None]
        if not of_metric:
            continue
        measure = _find_headline(of_metric)
        values = [score.value or 0.0 for score in of_metric if score.measure == measure.name]
        bounds = dict.fromkeys(format_value(value, measure) for value in (min(values), max(values)))
        yield f"{measure_title(name, measure)}: {' to '.join(bounds)}"


def _find_headline(scores: Sequence[Score]) -> Measure:
    """Return the main measure among those that a metric's scores have.

    Code that another study loads is not loaded here: of a metric of its own that is the first measure.
    """
    metric = known_metric(scores[0].signature.partition("|")[0])
    by_name = {measure.name: measure for measure in metric.measures} if metric is not None else {}
    counted = dict.fromkeys(score.measure for score in scores)
    named = [name for name in (metric.headline if metric is not None else ()) if name in counted]
    name = next(iter((*named, *(name for name in counted if name in by_name), *counted)))
    if name in by_name:
        return by_name[name]
    proportion = all(0 <= (score.value or 0) <= 1 for score in scores if score.measure == name)
    return Measure(name, lambda sums: next(iter(sums.values())), "", proportion)
