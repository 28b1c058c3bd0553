"""Step: every score of the study with its interval, and every sentence without a score."""

from __future__ import annotations

import argparse
from typing import Any

from crossbank.reports.results.study import load
from crossbank.reports.results.summary import write_problems, write_summary
from crossbank.workflow.steps.step import run


def step(given: argparse.Namespace, settings: dict[str, Any]) -> None:
    """Read the counts under ``given.results``; the settings are what the study file says."""
    study = load(given.results, settings, anew=True)
    write_summary(study.scores, given.summary)
    write_problems(
        (
            (treebank.name, candidate.name, problem)
            for treebank in study.treebanks
            for candidate in treebank.candidates
            for problem in candidate.problems
        ),
        given.problems,
    )


if __name__ == "__main__":
    run(step, "results", "summary", "problems")
