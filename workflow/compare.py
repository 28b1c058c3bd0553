"""Candidates compared with gold without a study file: the steps of a study, here and now.

The call is made into the study that it stands for, and the same steps run one after the other, so
the report is the one that Snakemake would make.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from crossbank.workflow.plan import Plan
from crossbank.workflow.steps import convert, read, reliability, report, score, summarise
from crossbank.workflow.study import study_of, write_resolved


def study_content(
    gold: str,
    candidates: Sequence[str],
    metrics: Sequence[str],
    options: Mapping[str, object],
    *,
    format: str | None = None,
    candidate_format: str | None = None,
    encoding: str | None = None,
    scheme: str | None = None,
    unscored: str = "empty",
) -> dict[str, Any]:
    """What a study file would say. Candidates are called by their files' names, each its own."""
    encoded = {"encoding": encoding} if encoding else {}
    formats = [{"format": f} if f else {} for f in (format, candidate_format or format)]
    names = distinct([_stem(path) for path in candidates])
    return {
        "study": "comparison",
        "title": f"{Path(gold).name}: {' and '.join(names)}",
        "treebanks": [
            {
                "name": distinct([_stem(gold)])[0],
                **({"scheme": scheme} if scheme else {}),
                "gold": {"path": gold, **formats[0], **encoded},
                "candidates": [
                    {"name": name, "path": path, **formats[1], **encoded}
                    for name, path in zip(names, candidates, strict=True)
                ],
            }
        ],
        "metrics": [{"metric": name, "options": _own(name, options)} for name in metrics],
        "unscored": unscored,
    }


def _stem(path: str) -> str:
    return Path(path.removesuffix(".gz")).stem or "treebank"


def _own(metric: str, options: Mapping[str, object]) -> dict[str, object]:
    """Those of the options that a metric has, or that all have."""
    from dataclasses import fields

    from crossbank.metrics.counting.metric import metric_class
    from crossbank.metrics.counting.scoring import Scoring

    known = {f.name for f in (*fields(metric_class(metric)), *fields(Scoring))}
    return {name: value for name, value in options.items() if name in known}


def distinct(names: Sequence[str]) -> list[str]:
    """Names as study files allow them, a number behind those that are there already or mean gold."""
    given: list[str] = []
    for name in names:
        plain = "".join(c if c.isascii() and (c.isalnum() or c in "_-") else "_" for c in name)
        unique, number = plain, 1
        while unique in given or unique == "gold":
            number += 1
            unique = f"{plain}_{number}"
        given.append(unique)
    return given


def run_here(content: Mapping[str, Any], folder: Path, *, reported: bool = True) -> Plan:
    """Run every step of a study in this process; results are under ``folder``, and no logs.

    The report is left out where nobody asked for it (``reported``).

    Raises CrossbankError where the study or one of its files is wrong.
    """
    plan = Plan(study_of(content, "the call"), folder)
    write_resolved(content, folder / "study.yaml")
    settings = json.loads(plan.reporting())
    for treebank in plan.study.treebanks:
        for source in treebank.sources:
            target = plan.source(treebank.name, source.name)
            given = argparse.Namespace(inputs=source.paths, output=str(target))
            read.step(given, json.loads(plan.reading(treebank.name, source.name)))
    for path in plan.views():
        treebank_name, (source_name, view, _) = path.parent.name, path.name.split(".")
        given = argparse.Namespace(inputs=[str(plan.source(treebank_name, source_name))], output=str(path))
        convert.step(given, json.loads(plan.converting(treebank_name, source_name, view)))
    for path in plan.scores():
        treebank_name, (candidate, metric, _) = path.parent.name, path.name.split(".")
        gold, parsed = (plan.view(treebank_name, name, metric) for name in ("gold", candidate))
        given = argparse.Namespace(gold=str(gold), candidate=str(parsed), output=str(path))
        score.step(given, json.loads(plan.scoring(treebank_name, metric)))
    results = {"results": str(folder)}
    tables = {"summary": str(folder / "summary.csv"), "problems": str(folder / "problems.csv")}
    summarise.step(argparse.Namespace(**results, **tables), settings)
    if reported:
        for path in plan.reliability():
            trees, *others = (str(source) for source in plan.measured(path.stem))
            given = argparse.Namespace(inputs=[trees, *others], output=str(path))
            reliability.step(given, json.loads(plan.measuring(path.stem)))
        place = folder / "report"
        names = {"page": "index.html", "latex": "tables.tex", "summary": "summary.md"}
        parts = {name: str(place / names.get(name, name)) for name in (*names, "tables", "figures")}
        report.step(argparse.Namespace(**results, **parts), settings)
    return plan
