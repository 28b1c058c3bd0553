"""Manifest of a study's results: the checksums of its files, and the files that differ from it.

Snakemake decides by dates and parameters what is to be made, so that a table that somebody has edited is
current to it. At the end of each run, also of one that fails, ``manifest.json`` is written with the checksum
of each file of the results. ``crossbank study`` removes what differs, and Snakemake makes it again.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from crossbank.treebanks.errors import CrossbankError
from crossbank.treebanks.files import checksum_of

NAME = "manifest.json"

PAGE = "report/index.html"

SUFFIXES = frozenset({".bib", ".csv", ".html", ".json", ".md", ".parquet", ".pdf", ".png", ".svg", ".tex"})
"""The kinds of files that a study makes; a user's notes beside them may be anything."""

COMPARED = 1_000_000
"""Larger files are compared by ``crossbank report --verify`` alone, and not before each run."""


def write_manifest(results: Path) -> None:
    """Write the checksums of all files of the results."""
    if not results.is_dir():
        return
    sums = {path.relative_to(results).as_posix(): checksum_of(path) for path in _files(results)}
    part = results / f".{NAME}.part"
    part.write_text(json.dumps({"sha256": sums}, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    part.replace(results / NAME)


def read_manifest(results: Path) -> dict[str, str]:
    """Return the checksums by path, relative to the results; none where there is no manifest.

    Raises CrossbankError if the manifest is damaged.
    """
    path = results / NAME
    try:
        sums = json.loads(path.read_text(encoding="utf-8"))["sha256"]
        return {str(name): str(sum) for name, sum in sums.items()}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise CrossbankError(f"{path}: the manifest is damaged, expected one that a study wrote") from error


def differing_files(results: Path, largest: int | None = None) -> list[Path]:
    """Return the files that differ from the manifest, or are missing; others beside them may be anything.

    largest  the size in bytes of the largest files that are compared
    """
    sums = {results / name: sum for name, sum in read_manifest(results).items()}
    return sorted(path for path, sum in sums.items() if _differs(path, sum, largest))


def remove_differing_files(results: Path) -> list[Path]:
    """Remove what differs, and the report's page, without which Snakemake makes all of it again."""
    try:
        differing = differing_files(results, COMPARED)
    except CrossbankError:
        differing = [results / NAME]
    for path in differing:
        path.unlink(missing_ok=True)
    if differing:
        (results / PAGE).unlink(missing_ok=True)
    return differing


def _differs(path: Path, sum: str, largest: int | None) -> bool:
    if not path.is_file():
        return True
    return (largest is None or path.stat().st_size <= largest) and checksum_of(path) != sum


def _files(results: Path) -> Iterator[Path]:
    """Yield the files that a study has made, without logs, hidden files and the manifest itself."""
    for path in results.rglob("*"):
        parts = path.relative_to(results).parts
        if parts[0] == "logs" or parts == (NAME,) or any(part.startswith(".") for part in parts):
            continue
        if path.suffix in SUFFIXES and path.is_file():
            yield path
