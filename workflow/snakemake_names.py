"""Names that Snakemake would take for something else: files with variables, and repeating wildcards."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePath

from crossbank.reports.study.model import Study
from crossbank.treebanks.errors import CrossbankError

VARIABLE = re.compile(r"\{\s*\w+[^{}]*\}|<[a-z][a-z0-9_]*>")
"""The parts of paths that Snakemake replaces: wildcards, and variables in paths."""

REPEATED = re.compile(r"(.+?)\1{19,}$")
"""The end of a name by which Snakemake believes that rules go in a circle: the same 20 times."""


def refuse_names(study: Study) -> None:
    """Raise CrossbankError for a name in a study that Snakemake would misunderstand."""
    for path in study.inputs:
        if match := VARIABLE.search(path):
            raise CrossbankError(
                f"{path}: {match[0]} in the name of a file is a variable to Snakemake: rename the file"
            )
    for name in _wildcards(study):
        if match := REPEATED.search(name):
            raise CrossbankError(
                f"{name}: the name ends with {match[1]!r} 20 times or more, which Snakemake takes for "
                "a circle of rules: choose another name"
            )


def _wildcards(study: Study) -> Iterator[str]:
    """Yield the names that are values of wildcards."""
    for treebank in study.treebanks:
        yield treebank.name
        yield from (candidate.name for candidate in treebank.candidates if candidate.making)
    yield from (PurePath(download.path).name for download in study.downloads.values())
