"""The mode ``conllx``: ``eval.pl`` 1.9 of 2006, which scores no punctuation unless told to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from os import PathLike

from metrics.eval07.evaluation import Evaluation
from metrics.eval07.evaluation import evaluate as evaluate_as_2007


def run(
    gold: str | PathLike[str],
    candidate: str | PathLike[str],
    parameters: str | PathLike[str] | None = None,
    *,
    options: Mapping[str, object] | None = None,
    **reading: str | None,
) -> tuple[str, str, int]:
    """What ``eval.pl`` prints, nothing on stderr, and the exit status 0; arguments as for ``evaluate``."""
    return evaluate(gold, candidate, parameters, options=options, **reading).report(), "", 0


def evaluate(
    gold: str | PathLike[str],
    candidate: str | PathLike[str],
    parameters: str | PathLike[str] | None = None,
    *,
    options: Mapping[str, object] | None = None,
    **reading: str | None,
) -> Evaluation:
    """Score two files; options and errors are those of ``metrics.eval07.evaluate``."""
    chosen = {"punctuation": "exclude", **(options or {})}
    return replace(evaluate_as_2007(gold, candidate, parameters, options=chosen, **reading), name="conllx")
