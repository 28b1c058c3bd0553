"""Candidates compared with gold without a study file: a call stands for a study."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from os.path import splitext
from pathlib import Path
from typing import Any

from crossbank.metrics.counting.scoring import options_of_each
from crossbank.metrics.statistics.defaults import SAMPLES, SEED, TRIALS
from crossbank.reports.study.model import GOLD
from crossbank.reports.study.patterns import plain
from crossbank.treebanks.errors import OptionError
from crossbank.treebanks.files import STANDARD
from crossbank.treebanks.quantities import quantity
from crossbank.workflow.proposed_patterns import varying


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
    names: Sequence[str] | None = None,
    samples: int = SAMPLES,
    trials: int = TRIALS,
    seed: int = SEED,
) -> dict[str, Any]:
    """Return the content of the study file. Candidates without ``names`` are named after their files.

    Raises OptionError where there are not as many names as candidates, or not as study files allow them, and
    for options that the metrics do not have.
    """
    encoded = {"encoding": encoding} if encoding else {}
    formats = [{"format": f} if f else {} for f in (format, candidate_format or format)]
    if names is None:
        names = distinct(names_of(candidates))
    elif len(names) != len(candidates):
        raise OptionError(
            "--names", ",".join(names), f"{quantity(len(candidates), 'name')}, one for each candidate"
        )
    elif distinct(names) != list(names):
        said = f"different names of ASCII letters, digits, _ and -, and not {GOLD!r}"
        raise OptionError("--names", ",".join(names), said)
    told = " and ".join(names) if len(names) < 4 else quantity(len(names), "candidate")
    return {
        "study": "comparison",
        "title": f"{Path(gold).name}: {told}",
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


def names_of(paths: Sequence[str]) -> list[str]:
    """Return the names of files; where these are alike, the parts in which their paths differ."""
    names = [name_of(path) for path in paths]
    if len(set(paths)) < len(paths) or (len(set(names)) == len(names) and GOLD not in names):
        return names
    parts = varying([splitext(path)[0] for path in paths])[1] if len(paths) > 1 else [""]
    return [
        part.strip("/") or Path(path).resolve().parent.name or name
        for part, path, name in zip(parts, paths, names, strict=True)
    ]


def name_of(path: str) -> str:
    """Return the name of a file without its ending; of all files of a folder, that of the folder."""
    if path == STANDARD:
        return "standard_input"
    name = Path(path.removesuffix(".gz")).stem.replace("*", "")
    return name if re.search(r"\w", name) else Path(path).parent.name or "treebank"


def distinct(names: Sequence[str]) -> list[str]:
    """Names that study files allow; one that is taken, or means gold, gets a number."""
    given: list[str] = []
    for name in names:
        unique, number = plain(name), 1
        while unique in given or unique == GOLD:
            number += 1
            unique = f"{plain(name)}_{number}"
        given.append(unique)
    return given
