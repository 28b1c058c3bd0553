"""Provenance of results: versions of programs, the study, checksums of inputs, seeds."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from os import PathLike

from crossbank.reports.study.model import Settings
from crossbank.treebanks.files import checksum, piped

PACKAGES = ("crossbank", "numpy", "pyarrow", "nltk", "conllu", "pydelphin", "snakemake", "vl-convert-python")


def provenance(
    study_file: str | PathLike[str], inputs: Mapping[str, str | PathLike[str]], study: Settings
) -> dict[str, dict[str, str]]:
    """Names and values under the headings Study, Versions and Inputs (with SHA-256 checksums).

    inputs  the files that were read, by the names under which they are listed
    """
    return {
        "Study": {
            **checksums({str(study_file): study_file}),
            "resamples for intervals": str(study.samples),
            "level of intervals": f"{study.level:g}",
            "trials of randomisation": str(study.trials),
            "alpha": f"{study.alpha:g}",
            "seed": str(study.seed),
        },
        "Versions": versions(),
        "Inputs": checksums(inputs),
    }


def versions() -> dict[str, str]:
    """Return the versions of Python and of those installed packages that can change a number."""
    found = {"Python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def checksums(paths: Mapping[str, str | PathLike[str]]) -> dict[str, str]:
    """Return the SHA-256 checksum of each file, by its name."""
    found = {}
    for name, path in paths.items():
        data = piped(path)
        found[name] = f"sha256:{checksum(path) if data is None else sha256(data).hexdigest()}"
    return found
