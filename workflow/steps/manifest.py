"""Manifest of a study's results: the checksums of what was made, and the files that differ from it.

Snakemake decides by dates and parameters what is to be made, so that a table that somebody has edited is
current to it. The report's job writes ``manifest.json`` with the checksum of each of its files when it is
done; other products have records of their own beside them (``workflow.steps.product``). ``crossbank study``
removes what differs, and Snakemake makes it again.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from crossbank.treebanks.errors import CrossbankError
from crossbank.treebanks.files import checksum_of
from crossbank.workflow.steps.product import RECORDS, is_whole

NAME = "manifest.json"

TABLES = ("summary.csv", "problems.csv")
REPORT = "report"
PAGE = f"{REPORT}/index.html"

COMPARED = 1_000_000
"""Products with more bytes are compared where a job reads them."""


def write_manifest(results: Path) -> None:
    """Write the checksums of the tables and of all files of the report."""
    found = {path.relative_to(results).as_posix(): checksum_of(path) for path in _reported(results)}
    part = results / f".{NAME}.part"
    part.write_text(json.dumps({"sha256": found}, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    part.replace(results / NAME)


def read_manifest(results: Path) -> dict[str, str]:
    """Return the checksums by path, relative to the results; none where no report has been made.

    Raises CrossbankError where the manifest is damaged.
    """
    path = results / NAME
    try:
        found = json.loads(path.read_text(encoding="utf-8"))["sha256"]
        return {str(name): str(sum) for name, sum in found.items()}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise CrossbankError(f"{path}: found a damaged manifest, expected one that a study wrote") from error


def differing_files(results: Path) -> list[Path]:
    """Return the files that differ from what was made, or are missing; files beside them may be anything."""
    made = {results / name: sum for name, sum in read_manifest(results).items()}
    changed = (path for path, sum in made.items() if not path.is_file() or checksum_of(path) != sum)
    return sorted({*changed, *_damaged_products(results)})


def remove_differing_files(results: Path) -> list[Path]:
    """Remove what differs, and the report's page, without which Snakemake makes all of it again."""
    try:
        differing = differing_files(results)
    except CrossbankError:
        differing = [results / NAME]
    for path in differing:
        path.unlink(missing_ok=True)
    if differing:
        (results / PAGE).unlink(missing_ok=True)
    return differing


def _reported(results: Path) -> Iterator[Path]:
    yield from (results / name for name in TABLES if (results / name).is_file())
    yield from (path for path in (results / REPORT).rglob("*") if path.is_file())


def _damaged_products(results: Path) -> Iterator[Path]:
    """Yield the products of other jobs whose content is not what was written."""
    for record in results.rglob(f"{RECORDS}/*.json"):
        path = record.parent.parent / record.name.removesuffix(".json")
        if path.is_file() and path.stat().st_size <= COMPARED and not is_whole(path, checksum_of):
            yield path
