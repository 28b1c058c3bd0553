"""A study whose steps run one after the other in this process, so that its report is Snakemake's."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from crossbank.reports.results.study_results import StudyResults
from crossbank.reports.study.model import GOLD
from crossbank.reports.study.reading import study_of, write_resolved
from crossbank.workflow.plan import Plan
from crossbank.workflow.steps import convert, reliability, report, score


def run_here(content: Mapping[str, Any], folder: Path, *, reported: bool = True) -> StudyResults:
    """Return the results of a study whose steps run in this process and write to ``folder``, without logs.

    reported  whether to measure reliability and write the report

    Raises CrossbankError where the study or one of its files is wrong.
    """
    plan = Plan(study_of(content, "", here=True), folder)
    write_resolved(content, folder / "study.yaml")
    for path in (*plan.as_read(), *plan.scores()):
        path.parent.mkdir(parents=True, exist_ok=True)
    for treebank in plan.study.treebanks:
        for source in treebank.sources:
            as_read = plan.source(treebank.name, source.name)
            paths = [Path(path) for path in source.paths]
            convert.read(paths, as_read, plan.reading(treebank.name, source.name))
            for view in plan.views_of(treebank.name, source.name):
                target = plan.converted(treebank.name, source.name, view)
                target.parent.mkdir(parents=True, exist_ok=True)
                convert.convert(as_read, target, plan.converting(treebank.name, source.name, view))
        for candidate in treebank.candidates:
            for metric in plan.study.metrics_of(treebank.name):
                gold, parsed = (plan.view(treebank.name, s, metric.name) for s in (GOLD, candidate.name))
                target = plan.score(treebank.name, candidate.name, metric.name)
                score.score(gold, parsed, target, plan.scoring(treebank.name, candidate.name, metric.name))
    for path in plan.reliability() if reported else ():
        path.parent.mkdir(parents=True, exist_ok=True)
        trees, *independent = plan.measured(path.stem)
        reliability.measure(trees, independent[0] if independent else None, path, plan.measuring(path.stem))
    found = report.summarise(plan.study, folder)
    if reported:
        report.report(found, folder / "report")
    return found
