"""Step: the report of a study: page, LaTeX, tables and figures in files, lines for the terminal."""

from __future__ import annotations

import argparse
from functools import cache
from pathlib import Path
from typing import Any

from crossbank.converters.schemes.files import load_scheme
from crossbank.metrics.counting.scoring import scored_pair, scoring_of
from crossbank.metrics.pairing.pair import Pair
from crossbank.reports.charts.files import write_figures
from crossbank.reports.pages.page import write_page
from crossbank.reports.results.provenance import provenance
from crossbank.reports.results.study import GOLD, load
from crossbank.reports.tables.contents import all_figures, all_tables
from crossbank.reports.tables.files import write_files
from crossbank.reports.tables.latex import write_tables
from crossbank.reports.texts.summary import write_summary
from crossbank.treebanks import Treebank
from crossbank.treebanks.formats import read
from crossbank.workflow.steps.step import run
from crossbank.workflow.study import Study, study_of


def step(given: argparse.Namespace, settings: dict[str, Any]) -> None:
    """Read everything under ``given.results``; the settings are what the study file says."""
    results = Path(given.results)
    resolved = results / "study.yaml"
    study = study_of(settings, str(resolved))
    inputs = [path for t in study.treebanks for s in t.sources for path in s.paths]
    found = load(
        results,
        settings,
        pair_of=lambda treebank, candidate, metric: _pair(study, results, treebank, candidate, metric),
        provenance=provenance(
            resolved,
            inputs,
            samples=study.samples,
            seed=study.seed,
            trials=study.trials,
            alpha=study.alpha,
        ),
    )
    write_page(found, given.page)
    write_tables(found, given.latex)
    write_files(all_tables(found), given.tables)
    write_figures(all_figures(found), given.figures)
    write_summary(found, given.summary)


def _pair(study: Study, results: Path, treebank: str, candidate: str, metric: str) -> Pair:
    """Gold and candidate as the metric counted them, without the tokens that it left out."""
    studied, chosen = study.treebank(treebank), study.metric(metric)
    scheme = load_scheme(studied.scheme) if studied.scheme else None
    folder = results / "converted" / treebank
    gold, parsed = (_read(folder / f"{name}.{chosen.view}.parquet") for name in (GOLD, candidate))
    options = {**({"delete": studied.delete} if studied.delete else {}), **chosen.options}
    scoring = scoring_of([chosen.metric], options)
    return scored_pair(scoring.metrics[0], gold, parsed, scoring, scheme)


@cache
def _read(path: Path) -> Treebank:
    return read(path, "parquet")


if __name__ == "__main__":
    run(step, "results", "page", "latex", "tables", "figures", "summary")
