"""The mode ``conllx``: ``eval.pl`` 1.9 of 2006, which scores no punctuation unless told to.

Of another word or tag it says nothing, as the copies that come with parsers; as it was first given out it
stopped there, which the program of the year after took back. Blank lines at the end of one file alone end it.
"""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike

from crossbank.metrics.rivals.eval07.evaluation import Evaluation, Program, evaluate_as, run_as

CONLLX = Program(
    "conllx", ("punctuation", "per_sentence", "quiet"), {"punctuation": "exclude"}, "", forgiving=False
)


def run(
    gold: str | PathLike[str],
    candidate: str | PathLike[str],
    parameters: str | PathLike[str] | None = None,
    *,
    options: Mapping[str, object] | None = None,
    **reading: str | None,
) -> tuple[str, str, int]:
    """What ``eval.pl`` prints, and its exit status; ``punctuation=include`` is ``-p``, the rest as there."""
    return run_as(CONLLX, gold, candidate, parameters, options=options, **reading)


def evaluate(
    gold: str | PathLike[str],
    candidate: str | PathLike[str],
    parameters: str | PathLike[str] | None = None,
    *,
    options: Mapping[str, object] | None = None,
    **reading: str | None,
) -> Evaluation:
    """Score two files; options and errors are those of ``rivals.eval07.evaluate``, but for ``deriv``."""
    return evaluate_as(CONLLX, gold, candidate, parameters, options=options, **reading)
