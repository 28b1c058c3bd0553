"""Candidates compared with gold without a study file: a call stands for a study.

Its steps run one after the other in this process, so that its report is Snakemake's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from crossbank.metrics.counting.scoring import options_of_each
from crossbank.metrics.statistics.defaults import SAMPLES, SEED, TRIALS
from crossbank.reports.results.study_results import StudyResults
from crossbank.reports.study.model import GOLD
from crossbank.reports.study.patterns import plain
from crossbank.reports.study.reading import study_of, write_resolved
from crossbank.treebanks.errors import OptionError
from crossbank.treebanks.quantities import quantity
from crossbank.treebanks.stored_sources import stored_sources
from crossbank.workflow.plan import Plan
from crossbank.workflow.proposed_patterns import distinct, name_of, names_of
from crossbank.workflow.steps import conventions, floor, read, reliability, report, score
from crossbank.workflow.steps.view import convert


def study_content(
    gold: str,
    candidates: Sequence[str],
    metrics: Sequence[str],
    options: Mapping[str, object],
    *,
    format: str | None = None,
    candidate_format: str | None = None,
    encoding: str | None = None,
    damaged: str | None = None,
    scheme: str | None = None,
    unscored: str = "empty",
    names: Sequence[str] | None = None,
    samples: int = SAMPLES,
    trials: int = TRIALS,
    seed: int = SEED,
) -> dict[str, Any]:
    """Return the content of the study file. Candidates without ``names`` are named after their files.

    Raises OptionError if there are not as many names as candidates, or not as study files allow them, and
    for options that the metrics do not have.
    """
    encoded = {"encoding": encoding} if encoding else {}
    encoded |= {"damaged": damaged} if damaged else {}
    formats = [{"format": f} if f else {} for f in (format, candidate_format or format)]
    if names is None:
        names = distinct(names_of(candidates))
    elif len(names) != len(candidates):
        raise OptionError(
            "--names", ",".join(names), f"{quantity(len(candidates), 'name')}, one for each candidate"
        )
    elif distinct(names) != list(names):
        expected = f"different names of ASCII letters, digits, _ and -, and not {GOLD!r}"
        raise OptionError("--names", ",".join(names), expected)
    candidates_text = " and ".join(names) if len(names) < 4 else quantity(len(names), "candidate")
    return {
        "study": "comparison",
        "title": f"{Path(gold).name}: {candidates_text}",
        "treebanks": [
            {
                "name": plain(name_of(gold)),
                **({"scheme": scheme} if scheme else {}),
                "gold": {"path": gold, **formats[0], **encoded},
                "candidates": [
                    {"name": name, "path": path, **formats[1], **encoded}
                    for name, path in zip(names, candidates, strict=True)
                ],
            }
        ],
        "metrics": [
            {"metric": name, "options": own}
            for name, own in zip(metrics, options_of_each(metrics, options), strict=True)
        ],
        "unscored": unscored,
        "bootstrap": {"samples": samples, "seed": seed},
        "tests": {"trials": trials},
    }


def run_here(content: Mapping[str, Any], folder: Path, *, reported: bool = True) -> StudyResults:
    """Return the results of a study whose steps run in this process and write to ``folder``, without logs.

    reported  whether to measure reliability and the floor, and write the report

    Raises CrossbankError if the study or one of its files is wrong.
    """
    plan = Plan(study_of(content, "", here=True), folder)
    write_resolved(content, folder / "study.yaml")
    for treebank in plan.study.treebanks:
        for batch, names in plan.batches(treebank.name).items():
            as_read = plan.source(treebank.name, batch)
            of_sources = {
                source.name: (list(map(Path, source.paths)), plan.reading(treebank.name, source.name))
                for source in plan.sources(treebank.name, batch)
            }
            read.read(of_sources, as_read)
            for view in plan.views_of(treebank.name, batch):
                converting = {name: plan.converting(treebank.name, name, view) for name in names}
                convert([as_read], plan.converted(treebank.name, batch, view), converting)
        for batch in plan.candidate_batches(treebank.name):
            for metric in plan.study.metrics_of(treebank.name):
                gold, candidates = (plan.view(treebank.name, name, metric.name) for name in (GOLD, batch))
                scoring = {
                    name: plan.scoring(treebank.name, name, metric.name)
                    for name in plan.batches(treebank.name)[batch]
                }
                output = plan.score(treebank.name, batch, metric.name)
                score.score(gold, candidates, output, scoring)
    for path in plan.reliability() if reported else ():
        path.parent.mkdir(parents=True, exist_ok=True)
        trees, *independent = plan.measured(path.stem)
        reliability.measure(trees, independent[0] if independent else None, path, plan.measuring(path.stem))
    for path in plan.floor() if reported else ():
        settings = {key: plan.flooring(*key) for key in plan.floor_metrics}
        golds = dict.fromkeys(name for name, _ in settings)
        views = zip(plan.floor_views(), plan.floor_views(candidates=True), strict=True)
        floor.measure(
            dict(zip(golds, plan.floor_sources(), strict=True)),
            dict(zip(settings, views, strict=True)),
            settings,
            path,
            plan.study.shard_sentences,
        )
    for path in plan.conventions() if reported else ():
        by_convention = {key: plan.converting_by_convention(*key) for key in plan.convention_metrics}
        files = {
            (source.parent.name, name): source
            for source in plan.convention_sources()
            for name in stored_sources(source)
        }
        conventions.count_under_conventions(files, by_convention, path, plan.study.shard_sentences)
    results = report.summarise(plan.study, folder)
    if reported:
        report.report(results, folder / "report")
    return results
