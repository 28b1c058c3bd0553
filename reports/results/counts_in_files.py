"""Counts in files: a Parquet table of some candidates under a metric, and tables for users' own statistics.

A score table has one row for each sentence of a candidate: identifier and status; for an unscored sentence
its position in the file and the reason; one column for each count; and one list column for each breakdown
(``label``: a list of keys and counts). The metadata hold what is true of all sentences of a candidate: the
signature, and the rule for unscored sentences (``stored_sources``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from os import PathLike
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

import numpy as np

from crossbank.metrics.counting.counts import Breakdown, Column, Counts, Measure, Signature, means_of
from crossbank.metrics.counting.metric import metric_class, reference_of
from crossbank.metrics.pairing.pair import Status, UnscoredSentence
from crossbank.reports.results.result_table import ResultTable
from crossbank.treebanks.arrays import BoolArray, Int32Array, offsets_of
from crossbank.treebanks.errors import CrossbankError, FormatError
from crossbank.treebanks.identifiers import Identifiers
from crossbank.treebanks.ranges import WORTH_A_THREAD
from crossbank.treebanks.row_groups import ROWS, row_groups
from crossbank.treebanks.stored_sources import SourceWriter, StoredSource, footer, source_in

COUNT_PREFIX, BREAKDOWN_PREFIX = "count.", "breakdown."

KEY = "breakdown_key"
"""The field of a breakdown's key. (The name ``key`` is taken by a count of ``conformance``.)"""


class CandidateCounts:
    """Counts of a candidate that are added chunk by chunk.

    path  temporary file of the complete row groups, written if there are more sentences than in one row group
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.about: dict[str, Any] = {}
        self._writer: Any = None
        self._rest: list[Any] = []
        self._breakdowns: dict[str, dict[str, Any]] = {}
        self._order: dict[str, dict[str, float]] = {}

    @classmethod
    def whole(
        cls, counts: Counts, unscored: Sequence[UnscoredSentence] = (), warnings: Sequence[str] = ()
    ) -> CandidateCounts:
        """Return the counts of a candidate, all of which are in memory."""
        table = cls(Path())
        table._rest = [table._add(counts, unscored)]
        table.finish(counts, warnings)
        return table

    def add(self, counts: Counts, unscored: Sequence[UnscoredSentence]) -> None:
        """Add a chunk, and write the row groups that are complete.

        unscored  the sentences without a score, in order, with their positions and reasons; or none of them
        """
        *complete, rest = row_groups([*self._rest, self._add(counts, unscored)], ROWS)
        self._rest = [rest]
        for content in complete:
            self._write(content)

    def finish(self, counts: Counts, warnings: Sequence[str]) -> None:
        """Store the metadata of all sentences; ``counts`` may be sums, ``warnings`` are the diagnostics."""
        about = _describe_counts(counts)
        about["breakdowns"] = {
            name: {**described, "keys": sorted(order, key=lambda key: (order[key], key))}
            for (name, described), order in zip(self._breakdowns.items(), self._order.values(), strict=True)
        }
        self.about = about | {"notes": dict(sorted(counts.notes.items())), "warnings": list(warnings)}
        if self._writer is not None:
            self._writer.close()

    @property
    def schema(self) -> Any:
        """The Arrow schema of the candidate's rows."""
        return self._rest[0].schema

    def row_groups(self) -> Iterator[Any]:
        """Yield the row groups of the finished table."""
        from pyarrow import parquet

        if self._writer is not None:
            with parquet.ParquetFile(self.path) as file:
                yield from (file.read_row_group(group) for group in range(file.num_row_groups))
        yield from row_groups(self._rest, ROWS)

    def remove(self) -> None:
        """Remove the file of row groups."""
        if self._writer is not None:
            self._writer.close()
            self._writer = None
            self.path.unlink(missing_ok=True)

    def _add(self, counts: Counts, unscored: Sequence[UnscoredSentence]) -> Any:
        """Return the rows of a chunk, and store columns and keys of its breakdowns."""
        breakdowns = {name: made() for name, made in counts.breakdowns.items()}
        for name, table in breakdowns.items():
            self._breakdowns[name] = {"columns": list(table.columns), "ordered": table.ordered}
            self._order.setdefault(name, {}).update(_rank_keys(table))
        return _build_columns(counts, unscored, breakdowns)

    def _write(self, content: Any) -> None:
        from pyarrow import parquet

        if self._writer is None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._writer = parquet.ParquetWriter(self.path, content.schema, compression="zstd")
        self._writer.write_table(content, row_group_size=max(len(content), 1))


class CountsByChunk:
    """Counts of a candidate whose chunks come in any order, from several threads.

    Until a sentence has the optional annotation of a metric, counts of the metric without it are stored too.
    """

    def __init__(self, path: Path) -> None:
        self._full = CandidateCounts(path.with_name(f".{path.name}.full"))
        self._reduced: CandidateCounts | None = CandidateCounts(path.with_name(f".{path.name}.reduced"))
        self._waiting: dict[int, tuple[Counts, Counts | None, Sequence[UnscoredSentence]]] = {}
        self._next = 0
        self._lock = Lock()

    def add(
        self, first: int, counts: Counts, reduced: Counts | None, unscored: Sequence[UnscoredSentence]
    ) -> None:
        """Add a chunk once those before it are added; ``first`` is the index of its first sentence."""
        with self._lock:
            self._waiting[first] = (counts, reduced, unscored)
            while self._next in self._waiting:
                counts, reduced, unscored = self._waiting.pop(self._next)
                self._next += len(counts)
                self._full.add(counts, unscored)
                if self._reduced is not None and reduced is not None:
                    self._reduced.add(reduced, unscored)
                elif self._reduced is not None:
                    self._reduced.remove()
                    self._reduced = None

    def finish(self, counts: Counts, warnings: Sequence[str], *, is_reduced: bool) -> CandidateCounts:
        """Return all counts, as written.

        counts      counts of all sentences, which may be sums
        is_reduced  whether no sentence has the optional annotation, so that counts without it are used
        """
        if is_reduced and self._reduced is not None:
            self._full, self._reduced = self._reduced, self._full
        self._full.finish(counts, warnings)
        if self._reduced is not None:
            self._reduced.remove()
        return self._full

    def remove(self) -> None:
        """Remove the files of row groups."""
        for table in (self._full, self._reduced):
            if table is not None:
                table.remove()


def write_counts(
    candidates: Mapping[str, CandidateCounts | CrossbankError], path: str | PathLike[str]
) -> None:
    """Write the counts of candidates under one metric; the error of a candidate without counts."""
    import pyarrow as pa

    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    tables = [counts for counts in candidates.values() if isinstance(counts, CandidateCounts)]
    # Candidates may have different counts and breakdowns.
    schema = pa.unify_schemas([_schema(), *(table.schema for table in tables)], promote_options="permissive")
    with SourceWriter(target, schema) as writer:
        for name, counts in candidates.items():
            if isinstance(counts, CrossbankError):
                writer.write_failure(name, str(counts))
                continue
            for group in counts.row_groups():
                writer.write_rows(name, _complete_columns(group, schema))
            writer.finish_source(name, counts.about)
            counts.remove()


def _schema() -> Any:
    """Return the columns that every score table has."""
    import pyarrow as pa

    texts = [(name, pa.string()) for name in ("where", "detail")]
    return pa.schema([("sentence", pa.string()), ("status", pa.int8()), *texts])


def _complete_columns(rows: Any, schema: Any) -> Any:
    """Return rows with all columns of a schema; absent columns are empty."""
    import pyarrow as pa

    known = set(rows.column_names)
    columns = [
        rows[field.name].cast(field.type) if field.name in known else pa.nulls(len(rows), field.type)
        for field in schema
    ]
    return pa.Table.from_arrays(columns, schema=schema)


class ScoredCandidate(NamedTuple):
    """Counts of a candidate in a file, its unscored sentences and the diagnostics of the comparison."""

    counts: Counts
    unscored: Sequence[UnscoredSentence]
    warnings: Sequence[str]


def _describe_counts(counts: Counts) -> dict[str, Any]:
    """Return the metadata besides breakdowns, notes and warnings."""
    return {
        "metric": counts.signature.metric,
        "class": reference_of(counts.signature.metric),
        "version": counts.signature.version,
        "choices": counts.signature.choices,
        "measures": {measure.name: measure.title for measure in counts.measures},
        "policy": counts.policy,
        "columns": list(counts.columns),
    }


def _rank_keys(breakdown: Breakdown) -> dict[str, float]:
    """Return each key with its rank among all keys: 0 for all if they have no order of their own."""
    keys = breakdown.keys
    ranks = breakdown.ranks or (range(len(keys)) if breakdown.ordered else (0,) * len(keys))
    return dict(zip(keys, ranks, strict=True))


def _build_columns(
    counts: Counts, unscored: Sequence[UnscoredSentence], breakdowns: Mapping[str, Breakdown]
) -> Any:
    import pyarrow as pa

    where: list[str | None] = [None] * len(counts)
    detail: list[str | None] = [None] * len(counts)
    if unscored:
        sentences = np.flatnonzero(counts.status != Status.SCORED).tolist()
        for sentence, problem in zip(sentences, unscored, strict=True):
            where[sentence], detail[sentence] = problem.where, problem.detail
    return pa.table(
        {
            "sentence": pa.array(list(counts.sentences), pa.string()),
            "status": pa.array(counts.status, pa.int8()),
            "where": pa.array(where, pa.string()),
            "detail": pa.array(detail, pa.string()),
            **{COUNT_PREFIX + name: pa.array(column) for name, column in counts.columns.items()},
            **{BREAKDOWN_PREFIX + name: _as_lists(table, len(counts)) for name, table in breakdowns.items()},
        }
    )


def read_counts(path: str | PathLike[str], candidate: str | None = None) -> Counts:
    """Return a candidate's counts in a file; their breakdowns are ordered by sentence.

    Breakdowns are read when they are used. The candidate may be omitted if the file has one only. Raises
    FormatError if the file is not a score table or was written by another version of the metric.
    """
    return read_scored(path, candidate).counts


def read_scored(path: str | PathLike[str], candidate: str | None = None) -> ScoredCandidate:
    """Return a candidate's counts in a file, its unscored sentences and the diagnostics of the comparison.

    Raises FormatError as ``read_counts`` does, and CrossbankError for a candidate without counts.
    """
    with _open_score_table(path, candidate) as (file, source):
        if source.failure is not None:
            raise CrossbankError(source.failure)
        columns = ["sentence", "status", *(COUNT_PREFIX + name for name in source.about["columns"])]
        rows = sum(file.metadata.row_group(group).num_rows for group in source.groups)
        table = file.read_row_groups(source.groups, columns, use_threads=rows >= WORTH_A_THREAD)
        counts = _build_counts(path, table, source)
        unscored = list(_read_problems(file, source.groups) if counts.status.any() else ())
        return ScoredCandidate(counts, unscored, list(source.about["warnings"]))


def _build_counts(path: str | PathLike[str], table: Any, source: StoredSource) -> Counts:
    metadata = source.about
    signature = Signature(
        metadata["metric"], metadata["version"], tuple((n, v) for n, v in metadata["choices"])
    )
    columns = {
        n.removeprefix(COUNT_PREFIX): _as_floats(table[n])
        for n in table.column_names
        if n.startswith(COUNT_PREFIX)
    }
    # Equal columns, such as gold's words under every score, share memory: up to 2,000 candidates are loaded.
    distinct_columns: dict[bytes, Column] = {}
    columns = {
        name: distinct_columns.setdefault(column.tobytes(), column) for name, column in columns.items()
    }
    current = metric_class(metadata["class"])
    if current.version != signature.version:
        raise FormatError(path, f"counts of {current.name} v{signature.version}", f"v{current.version}")
    measures = select_counted_measures(current.measures, signature, metadata["measures"])
    sentences = _Identifiers(table["sentence"]), table["status"].to_numpy().astype(np.int8)
    breakdowns = {
        name: partial(_read_breakdown, path, source.name, name, about)
        for name, about in metadata["breakdowns"].items()
    }
    return Counts(signature, measures, *sentences, columns, breakdowns, metadata["policy"], metadata["notes"])


class _Identifiers(Identifiers):
    """Identifiers in a column of a file."""

    def __init__(self, column: Any) -> None:
        self._column = column

    def __len__(self) -> int:
        return len(self._column)

    def __iter__(self) -> Iterator[str]:
        for chunk in self._column.chunks:
            yield from chunk.to_pylist()

    def __eq__(self, other: object) -> bool:
        if isinstance(other, _Identifiers):
            return bool(self._column.equals(other._column))
        return super().__eq__(other)

    __hash__ = None

    def at(self, index: int) -> str:
        return str(self._column[index].as_py())


def _read_problems(file: Any, groups: Sequence[int]) -> Iterator[UnscoredSentence]:
    for shard in groups:
        unscored = np.flatnonzero(file.read_row_group(shard, columns=["status"])["status"].to_numpy())
        if not len(unscored):
            continue
        table = file.read_row_group(shard, columns=["sentence", "status", "where", "detail"]).take(unscored)
        columns = [table[name].to_pylist() for name in ("sentence", "status", "where", "detail")]
        for sentence, status, where, detail in zip(*columns, strict=True):
            yield UnscoredSentence(sentence, where or "", Status(status), detail or str(Status(status)))


def tabulate_sentences(
    scored: Sequence[Counts], files: Sequence[str] = (), lengths: Sequence[int] = ()
) -> ResultTable:
    """Return sentence, status, counts and the value of every measure, sentence by sentence.

    files    where there are several, the first column names them
    lengths  the number of sentences of each file

    With several metrics the name of each column begins with its metric's name: ``parseval.f1``. If a count
    has the name of a measure, the measure is called ``crossing_score``. A sentence without a score has
    counts and no scores. Raises CrossbankError if the metrics did not see the same sentences.
    """
    sentences = list(scored[0].sentences)
    if any(list(counts.sentences) != sentences for counts in scored[1:]):
        raise CrossbankError("counts per sentence: found metrics over different sentences, expected the same")
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


def sentence_table_path(path: str | PathLike[str]) -> Path:
    """Return the path of a file that can be written. Raises CrossbankError for another suffix."""
    target = Path(path)
    if target.suffix not in (".csv", ".parquet"):
        raise CrossbankError(
            f"counts per sentence: found {target.name!r}, expected a name in .csv or .parquet"
        )
    return target


def write_sentence_table(
    scored: Sequence[Counts],
    path: str | PathLike[str],
    files: Sequence[str] = (),
    lengths: Sequence[int] = (),
) -> None:
    """Write ``tabulate_sentences`` as CSV, or as Parquet if the file's name ends in ``.parquet``.

    Raises CrossbankError for another suffix, and the errors of ``tabulate_sentences``.
    """
    from pyarrow import csv, parquet

    from crossbank.reports.tables.table_files import escape_formula

    target = sentence_table_path(path)
    table = tabulate_sentences(scored, files, lengths).to_arrow()
    target.parent.mkdir(parents=True, exist_ok=True)
    if target.suffix == ".csv":
        for index, field in enumerate(table.schema):
            if str(field.type) == "string":
                texts = [escape_formula(text) for text in table.column(index).to_pylist()]
                table = table.set_column(index, field.name, [texts])
        with target.open("wb") as stream:
            stream.write((",".join(table.column_names) + "\n").encode())
            csv.write_csv(table, stream, csv.WriteOptions(include_header=False, quoting_style="needed"))
    else:
        parquet.write_table(table, target, compression="zstd")


@contextmanager
def _open_score_table(path: str | PathLike[str], candidate: str | None) -> Iterator[tuple[Any, StoredSource]]:
    import pyarrow as pa
    from pyarrow import parquet

    try:
        with parquet.ParquetFile(path, metadata=footer(path)) as file:
            if "status" not in file.schema_arrow.names:
                raise FormatError(path, "a Parquet file of another type", "a score table")
            yield file, source_in(path, candidate)
    except pa.ArrowInvalid as error:
        raise FormatError(path, "a file that is not Parquet", "a score table") from error


def select_counted_measures(
    measures: Sequence[Measure], signature: Signature, titles: Mapping[str, str]
) -> tuple[Measure, ...]:
    """Return the measures of a metric that were counted, under the titles that they had then."""
    macro = ("average", "macro") in signature.choices
    named = {measure.name: measure for measure in (means_of(measures) if macro else measures)}
    return tuple(replace(named[name], title=title) for name, title in titles.items())


def _as_lists(breakdown: Breakdown, sentences: int) -> Any:
    """Return a breakdown as one list of structs per sentence, whose keys are in one order in all shards."""
    import pyarrow as pa

    ranks = _rank_keys(breakdown)
    sorted_keys = sorted(
        range(len(breakdown.keys)), key=lambda index: (ranks[breakdown.keys[index]], breakdown.keys[index])
    )
    rank = np.empty(len(sorted_keys), np.int32)
    rank[sorted_keys] = np.arange(len(sorted_keys), dtype=np.int32)
    keys = rank[breakdown.key]
    order = np.lexsort((keys, breakdown.sentence))
    offsets = offsets_of(np.bincount(breakdown.sentence, minlength=sentences)).astype(np.int32)
    named = pa.DictionaryArray.from_arrays(
        keys[order], pa.array([breakdown.keys[index] for index in sorted_keys], pa.string())
    )
    columns = [pa.array(column[order]) for column in breakdown.columns.values()]
    rows = pa.StructArray.from_arrays([named, *columns], [KEY, *breakdown.columns])
    return pa.ListArray.from_arrays(pa.array(offsets), rows)


def _read_breakdown(
    path: str | PathLike[str], candidate: str, name: str, about: Mapping[str, Any]
) -> Breakdown:
    codes = {key: code for code, key in enumerate(about["keys"])}
    sentences = 0
    sentence: list[Int32Array] = [np.zeros(0, np.int32)]
    keys: list[Int32Array] = [np.zeros(0, np.int32)]
    columns: dict[str, list[Column]] = {column: [np.zeros(0)] for column in about["columns"]}
    with _open_score_table(path, candidate) as (file, source):
        for shard in source.groups:
            lists = file.read_row_group(shard, columns=[BREAKDOWN_PREFIX + name]).column(0).combine_chunks()
            rows, offsets = lists.flatten(), lists.offsets.to_numpy()
            names = rows.field(KEY).dictionary_encode()
            key = np.array([codes[string] for string in names.dictionary.to_pylist()], np.int32)
            numbers = np.arange(sentences, sentences + len(lists), dtype=np.int32)
            sentence.append(np.repeat(numbers, np.diff(offsets)))
            keys.append(key[names.indices.to_numpy(zero_copy_only=False)] if len(rows) else keys[0])
            for column, values in columns.items():
                values.append(_as_floats(rows.field(column)))
            sentences += len(lists)
    return Breakdown(
        tuple(about["keys"]),
        np.concatenate(sentence),
        np.concatenate(keys),
        {column: np.concatenate(values) for column, values in columns.items()},
        about["ordered"],
    )


def _as_floats(column: Any) -> Column:
    values: Column = np.array(column.to_numpy(zero_copy_only=False), np.float64)
    return values
