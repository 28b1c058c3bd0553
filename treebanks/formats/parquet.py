"""The project's own format: a whole treebank in a Parquet file, one row per sentence.

A large treebank is written in row groups of 10,000 sentences, so that it can be read shard by shard as well
as whole. Treebanks of the same content are files of the same bytes, whatever the shards in which they come.

A column of the sentence table is a column of the file (``id``, ``line`` ...); a column of another
table is a column of lists (``tokens_form``, ``nodes_parent`` ...), so that any Parquet reader can make
use of the file. Strings are plain strings, which Parquet stores as codes of a dictionary; reading
takes over codes and dictionaries and never looks at single tokens. The column ``diagnosis`` has
the numbers of its findings, sentence by sentence; a finding that a sentence's list does not reach is zero
there. The metadata of the file say what each number counts, and have the history and the version of this
layout.

A study stores several treebanks in one file (``stored_sources``): ``source`` names the one to read. Some of
them may only name the user's file, which is read where it lies: to a reader here it is one shard.

The format is binary: there is ``load`` and ``dump``, but no ``loads`` and ``dumps``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from itertools import chain
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from crossbank.treebanks.arrays import Int32Array, Int64Array, offsets_of
from crossbank.treebanks.chunks import FACTS, Facts
from crossbank.treebanks.diagnosis import Diagnosis, Finding
from crossbank.treebanks.errors import CrossbankError, FormatError, OutputError
from crossbank.treebanks.files import open_binary, piped, unencodable
from crossbank.treebanks.formats.format import Format
from crossbank.treebanks.formats.in_place import IN_PLACE, read_original
from crossbank.treebanks.ranges import WORTH_A_THREAD
from crossbank.treebanks.row_groups import ROWS, row_groups
from crossbank.treebanks.shards import UnlikeShardsError, analyses_of, cut
from crossbank.treebanks.stored_sources import SourceWriter, footer, source_in, stored_sources
from crossbank.treebanks.tables import TABLES, Sentences
from crossbank.treebanks.treebank import Treebank
from crossbank.treebanks.validation import unsound
from crossbank.treebanks.vocabulary import Vocabulary

FORMAT = Format(
    position=240,
    suffixes=(".parquet",),
    nbest=True,
    holds={
        "constituents",
        "functions",
        "secondary edges",
        "dependencies",
        "further heads",
        "relations",
        "tags",
        "further tags",
        "lemmas",
        "morphology",
        "features of nodes",
        "multiword tokens",
        "empty nodes",
        "identifiers",
        "comments",
    },
    undivided="columns of all sentences are packed together, so that damage is never that of one sentence",
)

VERSION = 2
"""The version of the layout; other versions are refused."""

DAMAGE_ERRORS = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError)
"""The errors of Arrow and NumPy for columns of wrong types or lengths."""

_VERSION_KEY = b"crossbank.version"
_FINDINGS_KEY = b"crossbank.diagnosis"
_HISTORY_KEY = b"crossbank.history"

WRITING: Mapping[str, Any] = {"store_schema": False, "dictionary_pagesize_limit": 1 << 26}
"""Options of Arrow's writer: without Arrow's own schema the columns are plain strings to every reader."""


@dataclass(frozen=True)
class _Stored:
    """A treebank in an open file.

    groups    numbers of its row groups
    sizes     number of rows of each of them
    findings  step and event of each finding of its diagnosis
    """

    file: Any
    groups: Sequence[int]
    findings: Sequence[tuple[str, str]]
    history: Sequence[str]

    @property
    def sizes(self) -> list[int]:
        return [self.file.metadata.row_group(group).num_rows for group in self.groups]


def load(
    path: str | PathLike[str],
    *,
    encoding: str | None = None,
    only_sentences: bool = False,
    source: str | None = None,
) -> Treebank:
    """Read a file that ``dump`` has written; the encoding of Parquet's strings is always UTF-8.

    only_sentences  whether to omit what the sentences consist of: a diagnosis can be read without it
    source          the one to read where a file has several, here and below

    Raises FormatError if it is not a Parquet file, not one of Crossbank's, or of another version.
    """
    if (in_place := _in_place(path, source)) is not None:
        return in_place
    with _opened(path, source) as stored:
        columns = [*Sentences.columns(), "diagnosis"] if only_sentences else None
        return _treebank(stored, range(len(stored.groups)), path, columns)


def load_shards(
    path: str | PathLike[str], size: int | None = None, source: str | None = None
) -> Iterator[Treebank]:
    """Read a file in shards of ``size`` sentences, the last one smaller, or in row groups, as written.

    Several analyses of a sentence stay together, as in ``cut``. Raises the errors of ``load``.
    """
    if (in_place := _in_place(path, source)) is not None:
        yield in_place
        return
    with _opened(path, source) as stored:
        rows = stored.sizes
        together: list[list[int]] = [[]]
        for group in range(len(rows)):
            if together[-1] and (size is None or sum(rows[index] for index in together[-1]) >= size):
                together.append([])
            together[-1].append(group)
        read = (_treebank(stored, groups, path) for groups in together)
        yield from read if size is None else cut(read, size)


def load_sentences(
    path: str | PathLike[str], sentences: Sequence[int], source: str | None = None
) -> Treebank:
    """Read some sentences, in the order given, from the shards that hold them. Raises the errors of ``load``.

    A sentence with several analyses is several rows, which are counted here.
    """
    rows = np.asarray(sentences, np.int64)
    if (in_place := _in_place(path, source)) is not None:
        return in_place.select(rows)
    with _opened(path, source) as stored:
        bounds = offsets_of(np.array(stored.sizes, np.int64))
        shard = np.searchsorted(bounds, rows, side="right") - 1
        parts = []
        for number in np.unique(shard).tolist():
            bank = _treebank(stored, [number], path)
            parts.append(bank.select(rows[shard == number] - bounds[number]))
    if not parts:
        return next(load_shards(path, source=source)).select(rows)
    order = np.argsort(np.argsort(shard, kind="stable"), kind="stable")
    return Treebank.concatenate(parts).select(order)


def shard_sizes(path: str | PathLike[str], size: int | None = None, source: str | None = None) -> list[int]:
    """Return the number of rows of each shard that ``load_shards`` reads. Raises the errors of ``load``."""
    if (in_place := _in_place(path, source)) is not None:
        return [len(in_place)]
    with _opened(path, source) as stored:
        rows = stored.sizes
        if size is None:
            return rows
        total = sum(rows)
        if _values(stored.file.read_row_groups(stored.groups, ["analysis"]).column(0), None).any():
            return [total]  # several analyses of a sentence stay together
        return [min(size, total - first) for first in range(0, total, size)] or [0]


def _in_place(path: str | PathLike[str], source: str | None) -> Treebank | None:
    """Return the treebank of a source that names the user's file; None for one that is in the file itself."""
    if source is None:
        return None
    named = source_in(path, source).about.get(IN_PLACE)
    return None if named is None else read_original(named, path)


@contextmanager
def _opened(path: str | PathLike[str], source: str | None) -> Iterator[_Stored]:
    import pyarrow
    from pyarrow import parquet

    open_binary(path).close()
    data = piped(path)
    opened = path if data is None else pyarrow.BufferReader(data)
    strings = [
        _name(table, column) if table == "sentences" else f"{_name(table, column)}.list.element"
        for table, column in _columns(strings=True)
    ]
    try:
        metadata = parquet.read_metadata(opened) if data is not None else footer(path)
        version = (metadata.metadata or {}).get(_VERSION_KEY)
        if version is None:
            raise FormatError(path, "a Parquet file that holds no treebank", "one written by crossbank")
        if version != str(VERSION).encode():
            raise FormatError(path, f"version {version.decode()} of the layout", f"version {VERSION}")
        names = set(metadata.schema.to_arrow_schema().names)
        expected = [_name(table, column) for table, column in _columns()]
        if missing := [name for name in (*expected, "diagnosis") if name not in names]:
            raise FormatError(path, f"no column {missing[0]}", f"the columns of version {VERSION}")
        with parquet.ParquetFile(opened, metadata=metadata, read_dictionary=strings) as file:
            if source is not None or (data is None and stored_sources(path)):
                chosen = source_in(path, source)
                about = chosen.about
                yield _Stored(
                    file, chosen.groups, [tuple(one) for one in about["findings"]], about["history"]
                )
            else:
                findings, history = (
                    json.loads(metadata.metadata[key]) for key in (_FINDINGS_KEY, _HISTORY_KEY)
                )
                yield _Stored(file, range(file.num_row_groups), findings, history)
    except (pyarrow.ArrowException, OSError, *DAMAGE_ERRORS) as error:
        actual = "a file that is incomplete or not Parquet"
        raise FormatError(path, actual, "a treebank in Parquet") from error


def _filled(stored: _Stored, shards: Sequence[int]) -> list[str]:
    """Return columns of sentences, of tokens, and of the other tables that have rows in some of the shards.

    The last column of a table tells, which is read quickly. The statistics in the file would tell too, but
    Arrow ends the process where they are damaged.
    """
    columns_of = {name: _name(name, table.columns()[-1]) for name, table in TABLES.items()}
    whole = ("sentences", "tokens")
    read = [
        _rows(stored, shard, [columns_of[name] for name in columns_of if name not in whole])
        for shard in shards
    ]

    def has_rows(column: str) -> bool:
        return any(len(chunk.flatten()) for group in read for chunk in group.column(column).chunks)

    tables = [name for name in TABLES if name in whole or has_rows(columns_of[name])]
    names = [_name(table, column) for table, column in _columns() if table in tables]
    return [*names, "diagnosis"]


def _rows(stored: _Stored, shard: int, columns: Sequence[str]) -> Any:
    """Return the rows of a shard. Threads that read columns of a few sentences cost more than they save."""
    group = stored.groups[shard]
    threads = stored.file.metadata.row_group(group).num_rows >= WORTH_A_THREAD
    return stored.file.read_row_group(group, columns, use_threads=threads)


def _treebank(
    stored: _Stored, shards: Sequence[int], path: str | PathLike[str], requested: list[str] | None = None
) -> Treebank:
    """Return the treebank of some shards, with those tables alone of which columns are requested."""
    import pyarrow

    columns_read = requested or _filled(stored, shards)
    rows = [_rows(stored, shard, columns_read) for shard in shards]
    content = pyarrow.concat_tables(rows) if rows else stored.file.read_row_groups([], columns_read)
    vocabulary, codes = _strings(content)
    parts: dict[str, Any] = {}
    for name, table in TABLES.items():
        columns: dict[str, Int32Array] = {}
        offsets = np.arange(len(content) + 1, dtype=np.int64)
        if _name(name, table.columns()[0]) not in content.column_names:
            none = np.zeros(0, np.int32)
            parts[name] = table.of(np.zeros_like(offsets), **dict.fromkeys(table.columns(), none))
            continue
        for column in table.columns():
            read = content.column(_name(name, column))
            if name != "sentences":
                own = _offsets(read)
                if columns and not np.array_equal(own, offsets):
                    raise ValueError(f"{name} have another number of {column} than of other columns")
                offsets = own
            columns[column] = _values(read, codes if column in table.STRINGS else None)
        parts[name] = table.of(offsets, **columns)
    bank = Treebank.of_tables(
        vocabulary,
        diagnosis=_diagnosis(stored.findings, content.column("diagnosis")),
        history=tuple(stored.history),
        **parts,
    )
    # Codes come out of Arrow's dictionaries, by indices that NumPy has checked.
    if problem := unsound(bank, strings=False):
        raise FormatError(path, problem.message, "consistent tables")
    return bank


def dump(bank: Treebank, path: str | PathLike[str]) -> None:
    """Write a whole treebank, compressed with zstd. A missing folder is made."""
    dump_shards([bank], path)


def dump_shards(shards: Iterable[Treebank], path: str | PathLike[str]) -> None:
    """Write the shards of a treebank, at least one, as they come. A missing folder is made.

    Raises UnlikeShardsError if they do not hold the same analyses, or have other
    transformations after them: what is done with a treebank depends on both.
    """
    from pyarrow import parquet

    target = Path(path)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with ExitStack() as closing:
            writer: Any = None

            def write(group: Any) -> None:
                nonlocal writer
                if writer is None:
                    writer = parquet.ParquetWriter(target, group.schema, compression="zstd", **WRITING)
                    closing.enter_context(writer)
                writer.write_table(group, row_group_size=max(len(group), 1))

            about = _write_shards(shards, path, write)
            metadata = {
                _VERSION_KEY: str(VERSION),
                _FINDINGS_KEY: json.dumps(about["findings"]),
                _HISTORY_KEY: json.dumps(about["history"]),
            }
            writer.add_key_value_metadata(metadata)
    except OSError as error:
        raise OutputError(path, error) from error
    except UnicodeEncodeError as error:
        raise unencodable(path, error) from error


def dump_sources(
    sources: Iterable[tuple[str, Iterable[Treebank] | Mapping[str, Any] | CrossbankError]],
    path: str | PathLike[str],
    about: Mapping[str, Mapping[str, Any]] | None = None,
) -> None:
    """Write several treebanks to one file, each in shards as they come. A missing folder is made.

    A source is the shards of a treebank, or names the user's file (``in_place``), or is the error because
    of which it could not be made. ``about`` has what else is true of a source, when it is written. Raises
    the errors of ``dump_shards``.
    """
    target = Path(path)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.unlink(missing_ok=True)  # a view may be another name of it
        with SourceWriter(target, _schema(), {_VERSION_KEY: str(VERSION)}, **WRITING) as writer:
            for name, content in sources:
                if isinstance(content, CrossbankError):
                    writer.write_failure(name, str(content))
                    continue
                if isinstance(content, Mapping):
                    own: dict[str, Any] = {IN_PLACE: dict(content)}
                else:
                    own = _write_shards(content, path, partial(writer.write_rows, name))
                writer.finish_source(name, own | dict((about or {}).get(name, {})))
    except OSError as error:
        raise OutputError(path, error) from error
    except UnicodeEncodeError as error:
        raise unencodable(path, error) from error


def _write_shards(
    shards: Iterable[Treebank], path: str | PathLike[str], write: Callable[[Any], None]
) -> dict[str, Any]:
    """Write the row groups of a treebank, and return its findings, its history and its facts."""
    findings: list[tuple[str, str]] = []
    numbers: dict[tuple[str, str], int] = {}
    rest = iter(shards)
    first = next(rest)
    history, analyses = first.history, analyses_of(first)

    def contents() -> Iterator[Any]:
        for shard in chain([first], rest):
            if (shard.history, analyses_of(shard)) != (history, analyses):
                raise UnlikeShardsError(f"{path}: its shards have different analyses")
            yield _content(shard, findings)

    for content in row_groups(contents(), None if first.has_several_analyses else ROWS):
        write(_renumbered(content, findings, numbers))
    return {"findings": list(numbers), "history": history, FACTS: asdict(Facts.of(first))}


def _schema() -> Any:
    """Return the schema of every treebank."""
    import pyarrow

    def field(table: str, column: str, *, is_string: bool) -> Any:
        values = pyarrow.dictionary(pyarrow.int32(), pyarrow.string()) if is_string else pyarrow.int32()
        return pyarrow.field(_name(table, column), values if table == "sentences" else pyarrow.list_(values))

    strings = set(_columns(strings=True))
    fields = [field(*column, is_string=column in strings) for column in _columns()]
    return pyarrow.schema([*fields, pyarrow.field("diagnosis", pyarrow.list_(pyarrow.int32()))])


def _content(bank: Treebank, findings: list[tuple[str, str]]) -> Any:
    """Return the columns of a treebank; findings that are new are added to ``findings``."""
    import pyarrow

    vocabulary = pyarrow.array(list(bank.vocabulary), pyarrow.string())
    arrays: dict[str, Any] = {}
    for name, column in _columns():
        table = getattr(bank, name)
        values = pyarrow.array(getattr(table, column))
        if column in table.STRINGS:
            values = pyarrow.DictionaryArray.from_arrays(values, vocabulary)
        arrays[_name(name, column)] = values if name == "sentences" else _as_lists(table.offsets, values)
    names = [(finding.step, finding.event) for finding in bank.diagnosis]
    findings.extend(name for name in dict.fromkeys(names) if name not in findings)
    counts = np.zeros((len(bank), len(findings)), np.int32)
    for event, finding in zip(names, bank.diagnosis, strict=True):
        counts[:, findings.index(event)] += finding.counts
    bounds = np.arange(len(bank) + 1) * len(findings)
    arrays["diagnosis"] = _as_lists(bounds, pyarrow.array(counts.ravel()))
    return pyarrow.table(arrays)


def _renumbered(content: Any, names: Sequence[tuple[str, str]], numbers: dict[tuple[str, str], int]) -> Any:
    """Return a row group whose findings have numbers in the order in which sentences have them.

    The number of a finding then does not depend on the shards in which it was found. Those that are new are
    added to ``numbers``.
    """
    import pyarrow

    numbered = [
        (np.flatnonzero(finding.counts), (finding.step, finding.event), finding.counts)
        for finding in _diagnosis(names, content.column("diagnosis"))
    ]
    numbered = [finding for finding in numbered if len(finding[0])]
    for _, name, _ in sorted(numbered, key=lambda finding: (finding[0][0], finding[1])):
        numbers.setdefault(name, len(numbers))
    counts = np.zeros((len(content), len(numbers)), np.int32)
    for _, name, of_sentences in numbered:
        counts[:, numbers[name]] = of_sentences
    reach = np.where(counts != 0, np.arange(1, len(numbers) + 1), 0).max(axis=1, initial=0)
    reached = counts[np.arange(len(numbers)) < reach[:, None]]
    column = _as_lists(offsets_of(reach), pyarrow.array(reached))
    return content.set_column(content.column_names.index("diagnosis"), "diagnosis", column)


def _diagnosis(names: Sequence[tuple[str, str]], column: Any) -> Diagnosis:
    lengths = np.diff(_offsets(column))
    row = np.repeat(np.arange(len(lengths)), lengths)
    index = np.arange(len(row)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    counts = np.zeros((len(names), len(lengths)), np.int32)
    counts[index, row] = _values(column, None)
    return tuple(
        Finding(step, event, counts_of_event)
        for (step, event), counts_of_event in zip(names, counts, strict=True)
    )


def _columns(*, strings: bool = False) -> list[tuple[str, str]]:
    """Return all columns with their tables, or those of strings."""
    return [
        (name, column)
        for name, table in TABLES.items()
        for column in (table.STRINGS if strings else table.columns())
    ]


def _name(table: str, column: str) -> str:
    return column if table == "sentences" else f"{table}_{column}"


def _as_lists(offsets: Int64Array, values: Any) -> Any:
    import pyarrow

    return pyarrow.ListArray.from_arrays(pyarrow.array(offsets.astype(np.int32)), values)


def _offsets(column: Any) -> Int64Array:
    lengths = [chunk.value_lengths().to_numpy(zero_copy_only=False) for chunk in column.chunks]
    return offsets_of(np.concatenate(lengths) if lengths else np.zeros(0, np.int64))


def _strings(content: Any) -> tuple[Vocabulary, Iterator[Int32Array]]:
    """Return the strings of some rows, and the codes of each chunk's own strings, column by column."""
    import pyarrow

    chunks = [
        chunk.values if hasattr(chunk, "value_lengths") else chunk
        for name, column in _columns(strings=True)
        if _name(name, column) in content.column_names
        for chunk in content.column(_name(name, column)).chunks
    ]
    own = [pyarrow.array([""]), *(chunk.dictionary for chunk in chunks)]
    known = pyarrow.concat_arrays(own).dictionary_encode()
    bounds = np.cumsum([len(strings) for strings in own])
    parts = np.split(known.indices.to_numpy(), bounds[:-1])
    return Vocabulary(known.dictionary.to_pylist()), iter(parts[1:])


def _values(column: Any, codes: Iterator[Int32Array] | None) -> Int32Array:
    """Return the values of a column laid end to end; strings as codes, which are taken from ``codes``."""
    parts = [np.zeros(0, np.int32)]
    for chunk in column.chunks:
        values = chunk.flatten() if hasattr(chunk, "value_lengths") else chunk
        if codes is None:
            if values.type != "int32" or values.null_count:
                raise TypeError(f"a column of {values.type}, not of int32")
            parts.append(values.to_numpy(zero_copy_only=False))
        else:
            known = next(codes)
            indices = values.indices.to_numpy(zero_copy_only=False)
            parts.append(known[indices] if len(known) else np.zeros(0, np.int32))
    return np.concatenate(parts).astype(np.int32, copy=False)
