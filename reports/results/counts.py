"""Counts in files: one Parquet table per candidate and metric, and tables for users' own statistics.

A score table has one row for each sentence: its identifier and status; for an unscored sentence its place in
the file and the reason; one column for each count; and one list column for each kind of parts (``label``: a
list of kind and counts). The file's metadata hold what is true of all sentences: the signature, and the rule
for unscored sentences.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from crossbank.metrics.counting.counts import Column, Counts, Measure, Parts, Status, means_of
from crossbank.metrics.counting.metric import metric_class, reference_of
from crossbank.metrics.counting.signature import Signature
from crossbank.metrics.pairing.pair import Pair, Problem
from crossbank.reports.results.result_table import ResultTable
from crossbank.treebanks.arrays import BoolArray, offsets_of
from crossbank.treebanks.errors import CrossbankError, FormatError

METADATA = b"crossbank.counts"
COUNT, PARTS = "count.", "parts."


def write_counts(
    counts: Counts, path: str | PathLike[str], pair: Pair | None = None, warnings: Sequence[str] = ()
) -> None:
    """Write counts as Parquet; with the pair that was counted, also the reasons of unscored sentences.

    ``warnings`` are the faults of the comparison that were noticed.
    """
    import pyarrow as pa
    from pyarrow import parquet

    where: list[str | None] = [None] * len(counts)
    detail: list[str | None] = [None] * len(counts)
    if pair is not None:
        for sentence, problem in zip(np.flatnonzero(~pair.scored).tolist(), pair.problems(), strict=True):
            where[sentence], detail[sentence] = problem.where, problem.detail
    parts = {name: made() for name, made in counts.parts.items()}
    columns = {
        "sentence": pa.array(list(counts.sentences), pa.string()),
        "status": pa.array(counts.status, pa.int8()),
        "where": pa.array(where, pa.string()),
        "detail": pa.array(detail, pa.string()),
        **{COUNT + name: pa.array(column) for name, column in counts.columns.items()},
        **{PARTS + name: _lists(table, len(counts)) for name, table in parts.items()},
    }
    metadata = {
        "metric": counts.signature.metric,
        "class": reference_of(counts.signature.metric),
        "version": counts.signature.version,
        "choices": counts.signature.choices,
        "measures": {measure.name: measure.title for measure in counts.measures},
        "policy": counts.policy,
        "notes": dict(counts.notes),
        "warnings": list(warnings),
        "parts": {
            n: {"keys": table.keys, "columns": list(table.columns), "ordered": table.ordered}
            for n, table in parts.items()
        },
    }
    table = pa.table(columns).replace_schema_metadata({METADATA: json.dumps(metadata, ensure_ascii=False)})
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    parquet.write_table(table, target, compression="zstd")


def read_counts(path: str | PathLike[str]) -> Counts:
    """The counts in a file; their parts are ordered by sentence.

    Raises FormatError if the file is no score table or was written by another version of the metric.
    """
    return _counts(path, *_read(path))


def read_scored(path: str | PathLike[str]) -> tuple[Counts, list[Problem], list[str]]:
    """The counts in a file, its unscored sentences and the faults that were noticed: see the functions below.

    Raises FormatError as ``read_counts`` does.
    """
    table, metadata = _read(path)
    return _counts(path, table, metadata), _problems(table), list(metadata["warnings"])


def _counts(path: str | PathLike[str], table: Any, metadata: Mapping[str, Any]) -> Counts:
    signature = Signature(
        metadata["metric"], metadata["version"], tuple((n, v) for n, v in metadata["choices"])
    )
    return Counts(
        signature,
        _measures(path, metadata["class"], signature, metadata["measures"]),
        tuple(table["sentence"].to_pylist()),
        table["status"].to_numpy().astype(np.int8),
        {n.removeprefix(COUNT): _floats(table[n]) for n in table.column_names if n.startswith(COUNT)},
        {name: partial(_parts, kind, table[PARTS + name]) for name, kind in metadata["parts"].items()},
        metadata["policy"],
        metadata["notes"],
    )


def read_problems(path: str | PathLike[str]) -> list[Problem]:
    """The unscored sentences of a score table, each with the reason."""
    return _problems(_read(path)[0])


def _problems(table: Any) -> list[Problem]:
    if not table["status"].to_numpy().any():
        return []
    columns = [table[name].to_pylist() for name in ("sentence", "status", "where", "detail")]
    return [
        Problem(sentence, where or "", Status(status), detail or str(Status(status)))
        for sentence, status, where, detail in zip(*columns, strict=True)
        if status != Status.SCORED
    ]


def per_sentence(
    scored: Sequence[Counts], files: Sequence[str] = (), lengths: Sequence[int] = ()
) -> ResultTable:
    """Sentence, status, counts and the value of every measure, sentence by sentence.

    files    where there are several, the first column names them
    lengths  the number of sentences of each file

    With several metrics the name of each column begins with its metric's name: ``parseval.f1``. If a count
    has the name of a measure, the measure is called ``crossing_score``. A sentence that enters no score has
    counts and no scores. Raises CrossbankError if the metrics did not see the same sentences.
    """
    sentences = list(scored[0].sentences)
    if any(list(counts.sentences) != sentences for counts in scored[1:]):
        raise CrossbankError("--per-sentence: found metrics over different sentences, expected the same")
    statuses = np.array([str(status) for status in Status], np.object_)
    columns: dict[str, Any] = {"sentence": sentences}
    if len(files) > 1:
        columns = {"file": np.repeat(np.array(files, np.object_), lengths), **columns}
    known: dict[str, BoolArray] = {}
    for counts in scored:
        prefix = f"{counts.signature.metric}." if len(scored) > 1 else ""
        columns[f"{prefix}status"] = statuses[counts.status]
        for name, column in counts.columns.items():
            whole = bool((column == np.floor(column)).all())
            columns[prefix + name] = column.astype(np.int64) if whole else column
        for measure in counts.measures:
            name = prefix + measure.name + ("_score" if measure.name in counts.columns else "")
            columns[name] = counts.by_sentence(measure.name)
            known[name] = counts.rows
    return ResultTable(columns, known)


def write_per_sentence(
    scored: Sequence[Counts],
    path: str | PathLike[str],
    files: Sequence[str] = (),
    lengths: Sequence[int] = (),
) -> None:
    """Write ``per_sentence`` as CSV, or as Parquet if the file's name ends in ``.parquet``.

    Raises CrossbankError for another suffix, and the errors of ``per_sentence``.
    """
    from pyarrow import csv, parquet

    target = Path(path)
    if target.suffix not in (".csv", ".parquet"):
        raise CrossbankError(f"--per-sentence: found {target.name!r}, expected a name in .csv or .parquet")
    table = per_sentence(scored, files, lengths).to_arrow()
    target.parent.mkdir(parents=True, exist_ok=True)
    if target.suffix == ".csv":
        with target.open("wb") as stream:
            stream.write((",".join(table.column_names) + "\n").encode())
            csv.write_csv(table, stream, csv.WriteOptions(include_header=False, quoting_style="needed"))
    else:
        parquet.write_table(table, target, compression="zstd")


def _read(path: str | PathLike[str]) -> tuple[Any, dict[str, Any]]:
    import pyarrow as pa
    from pyarrow import parquet

    try:
        with parquet.ParquetFile(path) as file:
            table = file.read()
    except FileNotFoundError as error:
        raise CrossbankError(f"{path}: found no file, expected a score table") from error
    except pa.ArrowInvalid as error:
        raise FormatError(path, "a file that is not Parquet", "a score table") from error
    metadata = (table.schema.metadata or {}).get(METADATA)
    if metadata is None:
        raise FormatError(path, "a Parquet file of another kind", "a score table")
    return table, json.loads(metadata)


def _measures(
    path: str | PathLike[str], metric: str, signature: Signature, titles: Mapping[str, str]
) -> tuple[Measure, ...]:
    """The measures of a metric that were counted, under the titles that they had then."""
    found = metric_class(metric)
    if found.version != signature.version:
        raise FormatError(path, f"counts of {found.name} v{signature.version}", f"v{found.version}")
    macro = ("average", "macro") in signature.choices
    measures = {m.name: m for m in (means_of(found.measures) if macro else found.measures)}
    return tuple(replace(measures[name], title=title) for name, title in titles.items())


def _lists(parts: Parts, sentences: int) -> Any:
    """Parts as one list of structs per sentence."""
    import pyarrow as pa

    order = np.argsort(parts.sentence, kind="stable")
    offsets = offsets_of(np.bincount(parts.sentence, minlength=sentences)).astype(np.int32)
    kinds = pa.DictionaryArray.from_arrays(
        parts.key[order].astype(np.int32), pa.array(parts.keys, pa.string())
    )
    columns = [pa.array(column[order]) for column in parts.columns.values()]
    rows = pa.StructArray.from_arrays([kinds, *columns], ["kind", *parts.columns])
    return pa.ListArray.from_arrays(pa.array(offsets), rows)


def _parts(kind: Mapping[str, Any], column: Any) -> Parts:
    lists = column.combine_chunks()
    rows, offsets = lists.flatten(), lists.offsets.to_numpy()
    place = {key: place for place, key in enumerate(kind["keys"])}
    kinds = rows.field("kind").dictionary_encode()
    key = np.array([place[string] for string in kinds.dictionary.to_pylist()], np.int32)
    return Parts(
        tuple(kind["keys"]),
        np.repeat(np.arange(len(lists), dtype=np.int32), np.diff(offsets)),
        key[kinds.indices.to_numpy(zero_copy_only=False)] if len(rows) else np.zeros(0, np.int32),
        {name: _floats(rows.field(name)) for name in kind["columns"]},
        kind["ordered"],
    )


def _floats(column: Any) -> Column:
    values: Column = np.array(column.to_numpy(zero_copy_only=False), np.float64)
    return values
