"""Verify a finished report: what its statements say is what the counts of its study say.

Every statement is compared with its row of ``estimates.parquet``, and the families of these rows are
recomputed from the Parquet counts. The scores of ``summary.csv`` are recomputed as well.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping
from math import isclose, nan
from pathlib import Path
from typing import Any

from crossbank.treebanks.errors import CrossbankError
from crossbank.workflow.verification.page_statements import PageStatement, statements_on
from crossbank.workflow.verification.recomputed_estimates import (
    RecomputedSettings,
    StudyCounts,
    recompute_family,
)

SWAPPED = (("candidate", "other"), ("treebank", "other_treebank"))
TURNED = {**dict(SWAPPED), **{other: one for one, other in SWAPPED}}
"""The columns that are exchanged where a statement has the second candidate first."""

NAMES = (*TURNED, "metric", "measure", "population", "key", "family", "question")
FLOATS = ("value", "low", "high", "level", "p", "p_corrected", "detectable")
SIGNIFICANT = ("systems", "better", "treebanks", "curve", "change", "errors")
"""The kinds of statements whose rows are significant."""

Row = Mapping[str, Any]


def study_folder(path: Path) -> Path:
    """Return the folder of results of a page, of a folder, or of a study file.

    Raises CrossbankError if there is no finished report.
    """
    if path.suffix in (".yaml", ".yml") and path.name != "study.yaml":
        from crossbank.treebanks.yaml_files import load_yaml

        content: Any = load_yaml(path)
        path = Path("results") / str(content["study"])
    if path.suffix == ".html":
        path = path.parent.parent
    folder = path if path.is_dir() else path.parent
    if not (folder / "report" / "estimates.parquet").is_file():
        raise CrossbankError(f"{path}: no finished report (expected report/estimates.parquet in {folder})")
    return folder


def verify(folder: Path, page: Path | None = None) -> tuple[int, int, list[str]]:
    """Return the numbers of statements and of scores that were recomputed, and what is wrong."""
    from pyarrow import parquet

    table = parquet.read_table(folder / "report" / "estimates.parquet")
    settings = RecomputedSettings(**json.loads(table.schema.metadata[b"crossbank.tests"]))
    rows: list[Row] = table.to_pylist()
    counts = StudyCounts(folder, settings)
    wrong: list[str] = []
    statements = statements_on(page or folder / "report" / "index.html")
    families: dict[str, dict[int, Row]] = {}
    for statement in statements:
        written = statement.attributes.get("row", "")
        number = int(written) if written.isdecimal() else -1
        if not 0 <= number < len(rows):
            wrong.append(f"{statement.text}: there is no row {written!r}")
            continue
        family = str(rows[number]["family"])
        if family not in families:
            members = [index for index, row in enumerate(rows) if row["family"] == family]
            recomputed = recompute_family(counts, [rows[index] for index in members])
            families[family] = {
                index: {**rows[index], "level": 1 - settings.alpha, **of}
                for index, of in zip(members, recomputed, strict=True)
            }
            wrong += [
                f"estimates.parquet, row {index}: {column} is {rows[index][column]}, recomputed {row[column]}"
                for index, row in families[family].items()
                for column in (*FLOATS, "n", "needed", "significant")
                if not _same(rows[index][column], row[column])
            ]
        wrong += [f"{statement.text}: {what}" for what in faults_of(statement, families[family][number])]
    scores, faults = _verify_scores(folder, counts)
    return len(statements), scores, wrong + faults


def faults_of(statement: PageStatement, row: Row) -> Iterator[str]:
    """Yield what is wrong in a statement on a recomputed row."""
    attributes = statement.attributes
    names = [attributes.get("treebank"), attributes.get("candidate")]
    own = row if names == [row["treebank"], row["candidate"]] else _turned(row)
    for name in NAMES:
        if attributes.get(name) != str(own[name]):
            yield f"data-{name.replace('_', '-')} is {attributes.get(name)!r}, the row has {own[name]!r}"
    for name in (*FLOATS, "n", "needed"):
        written = attributes.get(name, "")
        if not _same(_number(written), own[name]):
            yield f"data-{name.replace('_', '-')} is {written}, recomputed {own[name]}"
    parts = statement.parts()
    if parts is None:
        yield f"the sentence is not one of the kind {statement.type}"
        return
    expected = _printed(own)
    for name, text in parts.items():
        if text != expected[name]:
            yield f"the sentence has the {name.replace('_', ' ')} {text!r}, recomputed {expected[name]!r}"
    if "population" not in parts and own["population"] != "all":
        yield f"the sentence does not name the sentences, the row has {own['population']!r}"
    if own["significant"] != (statement.type in SIGNIFICANT):
        yield f"the difference is {'' if own['significant'] else 'not '}significant"
    if statement.type in SIGNIFICANT and statement.type != "change" and not _is_first_better(own):
        yield f"{own['candidate']} does not have the better score"


def _turned(row: Row) -> dict[str, Any]:
    numbers = {
        "value": -row["value"],
        "low": None if row["high"] is None else -row["high"],
        "high": None if row["low"] is None else -row["low"],
    }
    return {**row, **{name: row[other] for name, other in TURNED.items()}, **numbers}


def _is_first_better(row: Row) -> bool:
    return bool(row["value"] > 0) if _measure(row)[1] == "more" else bool(row["value"] < 0)


def _measure(row: Row) -> tuple[str, str, bool]:
    """Return the text of a row's measure, whether more is better, and whether it is a proportion."""
    return str(row["title"]), str(row["better"]), bool(row["proportion"])


def _printed(row: Row) -> dict[str, str]:
    """Return the cells of a row as sentences print them."""
    text, _, proportion = _measure(row)
    scale = 100 if proportion else 1

    def number(value: float | None) -> str:
        return f"{abs(scale * (value or 0.0)):.2f}"

    def signed(value: float | None) -> str:
        sign = "+" if (value or 0.0) > 0 else "−"
        return number(value) if float(number(value)) == 0 else sign + number(value)

    p = row["p_corrected"]
    rounded = f"{p:.3f}".rstrip("0").rstrip(".")
    return {
        **{name: str(row[name]) for name in (*TURNED, "key", "population")},
        "measure": text,
        **{name: signed(row[name]) for name in ("value", "low", "high")},
        "size": number(row["value"]),
        "detectable": number(row["detectable"]),
        "floor": number(row["floor"]),
        "needed": f"{row['needed'] or 0:,}",
        "level": f"{100 * row['level']:g}",
        "p_corrected": "< 0.001" if p < 0.001 else f"= {rounded}",
        "n": f"{row['n']:,}",
    }


def _number(text: str) -> float | None:
    """Return a number as written; None for an empty text, and NaN for text that is not a number."""
    if not text:
        return None
    try:
        return float(text)
    except ValueError:
        return nan


def _same(one: float | None, other: float | None) -> bool:
    if one is None or other is None:
        return one is other
    return isclose(one, other, rel_tol=1e-6, abs_tol=1e-9)


def _verify_scores(folder: Path, counts: StudyCounts) -> tuple[int, list[str]]:
    """Return how many scores of ``summary.csv`` were recomputed, and those that are wrong."""
    wrong = []
    with (folder / "summary.csv").open(newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    for row in rows:
        names = [row[name].removeprefix("'") for name in ("treebank", "candidate", "metric", "measure")]
        of = counts.of(*names[:3])
        n = int(of.enters.sum())
        value = of.value(names[3]) if n else None
        if not _same(_number(row["value"]), value) or row["n"] != str(n):
            wrong.append(
                f"summary.csv, {' '.join(names)}: {row['value']} of {row['n']} sentences, recomputed "
                f"{value} of {n}"
            )
    return len(rows), wrong
