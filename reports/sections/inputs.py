"""Files and versions that a study's results depend on."""

from __future__ import annotations

import platform
from collections.abc import Iterable, Mapping
from importlib.metadata import PackageNotFoundError, version
from os import PathLike

from crossbank.reports.sections.section import Section
from crossbank.reports.study.model import Settings
from crossbank.reports.tables.table import Column, ReportTable, make_cells
from crossbank.treebanks.files import checksum
from crossbank.treebanks.quantities import quantity

PACKAGES = ("crossbank", "numpy", "pyarrow", "nltk", "conllu", "pydelphin", "snakemake", "vl-convert-python")


def collect_provenance(
    study_file: str | PathLike[str], inputs: Mapping[str, str | PathLike[str]], study: Settings
) -> dict[str, dict[str, str]]:
    """Return names and values under the headings Study, Versions and Inputs (SHA-256 checksums).

    inputs  the files that were read, by the names under which they are listed
    """
    return {
        "Study": {
            **compute_checksums({str(study_file): study_file}),
            "resamples for intervals": str(study.samples),
            "level of intervals": f"{study.level:g}",
            "trials of randomisation": str(study.trials),
            "alpha": f"{study.alpha:g}",
            "seed": str(study.seed),
        },
        "Versions": collect_versions(),
        "Inputs": compute_checksums(inputs),
    }


def collect_versions() -> dict[str, str]:
    """Return the versions of Python and of those installed packages that can change a number."""
    versions_of_packages = {"Python": platform.python_version()}
    for package in PACKAGES:
        try:
            versions_of_packages[package] = version(package)
        except PackageNotFoundError:
            continue
    return versions_of_packages


def compute_checksums(paths: Mapping[str, str | PathLike[str]]) -> dict[str, str]:
    """Return the SHA-256 checksum of each file, by its name."""
    return {name: f"sha256:{checksum(path)}" for name, path in paths.items()}


class ProvenanceSection(Section):
    """Names and values, a table for each heading; the list of files is folded, and not printed."""

    key, heading = "provenance", "Provenance"
    position = 200
    open_tables = ("study", "versions")

    def introduction(self) -> Iterable[str]:
        """Yield where the checksums of files are, for readers of a printed report."""
        if files := self.study.provenance.get("Inputs"):
            number = quantity(len(files), "file")
            yield f"The names and SHA-256 checksums of {number} are in tables/inputs.csv."

    def build_content(self) -> Iterable[ReportTable]:
        """Yield a table for each heading."""
        for title, values in self.study.provenance.items():
            rows = [make_cells(*row) for row in values.items()]
            yield ReportTable(title.lower(), title, "", Column.texts("Name", "Value"), rows)
