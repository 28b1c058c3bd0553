"""The project's own format: a whole treebank in a Parquet file, one row per sentence.

A column of the sentence table is a column of the file (``id``, ``line`` ...); a column of another
table is a column of lists (``tokens_form``, ``nodes_parent`` ...), so that any Parquet reader can make
use of the file. Strings are plain strings, which Parquet stores as codes of a dictionary; reading
takes over codes and dictionaries and never looks at single tokens. The column ``diagnosis`` has
the numbers of its findings, sentence by sentence. The metadata of the file say what each number counts,
and have the history and the version of this layout.

The format is binary: there is ``load`` and ``dump``, but no ``loads`` and ``dumps``.
"""

from __future__ import annotations

import json
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from crossbank.treebanks.arrays import Int32Array, Int64Array, offsets_of
from crossbank.treebanks.builder import TABLES
from crossbank.treebanks.diagnosis import Finding
from crossbank.treebanks.errors import FormatError, OutputError
from crossbank.treebanks.files import open_binary
from crossbank.treebanks.tables import Sentences
from crossbank.treebanks.treebank import Treebank
from crossbank.treebanks.vocabulary import Vocabulary

VERSION = 2
"""The version of the layout; other versions are refused."""

_VERSION_KEY = b"crossbank.version"
_FINDINGS_KEY = b"crossbank.diagnosis"
_HISTORY_KEY = b"crossbank.history"


def load(path: str | PathLike[str], *, encoding: str | None = None, only_sentences: bool = False) -> Treebank:
    """Read a file that ``dump`` has written; the encoding of Parquet's strings is always UTF-8.

    only_sentences  whether to leave out what the sentences consist of: a diagnosis can be read without it

    Raises FormatError if it is not a Parquet file, not one of ours, or of another version.
    """
    import pyarrow
    from pyarrow import parquet

    open_binary(path).close()
    strings = {f"{_name(table, column)}.list.element" for table, column in _columns(strings=True)}
    try:
        of_file = parquet.read_metadata(path)
        metadata = of_file.metadata or {}
        _check_version(metadata, path)
        there = {of_file.schema.column(place).path for place in range(len(of_file.schema))}
        dictionaries = sorted(there & {*Sentences.STRINGS, *strings})
        wanted = [*Sentences.columns(), "diagnosis"] if only_sentences else None
        if of_file.num_row_groups > 1:
            content = parquet.read_table(path, columns=wanted, read_dictionary=dictionaries)
        else:  # the shorter way: a small file takes a third of the time
            with parquet.ParquetFile(path, read_dictionary=dictionaries, metadata=of_file) as file:
                content = file.read(wanted)
    except (pyarrow.ArrowInvalid, OSError) as error:
        raise FormatError(path, "a file that is not whole or not Parquet", "a treebank in Parquet") from error
    expected = [_name(table, column) for table, column in _columns()]
    if only_sentences:
        expected = list(Sentences.columns())
    if missing := [name for name in (*expected, "diagnosis") if name not in content.column_names]:
        raise FormatError(path, f"no column {missing[0]}", f"the columns of version {VERSION}")

    codes: dict[str, int] = {"": 0}
    parts: dict[str, Any] = {}
    for name, table in TABLES.items():
        columns: dict[str, Int32Array] = {}
        offsets = np.arange(len(content) + 1, dtype=np.int64)
        if only_sentences and name != "sentences":
            none = np.zeros(0, np.int32)
            parts[name] = table.of(np.zeros_like(offsets), **dict.fromkeys(table.columns(), none))
            continue
        for column in table.columns():
            read = content.column(_name(name, column))
            if name != "sentences":
                offsets = _offsets(read)
            columns[column] = _values(read, codes if column in table.STRINGS else None)
        parts[name] = table.of(offsets, **columns)
    findings = json.loads(metadata[_FINDINGS_KEY])
    counts = _values(content.column("diagnosis"), None).reshape(len(content), len(findings))
    return Treebank(
        Vocabulary(tuple(codes)),
        diagnosis=tuple(
            Finding(step, event, np.ascontiguousarray(counts[:, i]))
            for i, (step, event) in enumerate(findings)
        ),
        history=tuple(json.loads(metadata[_HISTORY_KEY])),
        **parts,
    )


def dump(bank: Treebank, path: str | PathLike[str]) -> None:
    """Write a whole treebank, compressed with zstd. A missing folder is made."""
    import pyarrow
    from pyarrow import parquet

    vocabulary = pyarrow.array(list(bank.vocabulary), pyarrow.string())
    arrays: dict[str, Any] = {}
    for name, column in _columns():
        table = getattr(bank, name)
        values = getattr(table, column)
        array = _as_strings(values, vocabulary) if column in table.STRINGS else pyarrow.array(values)
        arrays[_name(name, column)] = array if name == "sentences" else _as_lists(table.offsets, array)
    findings = bank.diagnosis
    counts = np.column_stack([finding.counts for finding in findings]) if findings else np.zeros(0, np.int32)
    bounds = np.arange(len(bank) + 1) * len(findings)
    arrays["diagnosis"] = _as_lists(bounds, pyarrow.array(counts.astype(np.int32).ravel()))
    metadata = {
        _VERSION_KEY: str(VERSION),
        _FINDINGS_KEY: json.dumps([[finding.step, finding.event] for finding in findings]),
        _HISTORY_KEY: json.dumps(bank.history),
    }
    target = Path(path)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        content = pyarrow.table(arrays)
        # Without Arrow's own schema the columns are plain strings to every reader.
        with parquet.ParquetWriter(
            target,
            content.schema,
            compression="zstd",
            store_schema=False,
            dictionary_pagesize_limit=1 << 26,
        ) as writer:
            writer.write_table(content)
            writer.add_key_value_metadata(metadata)
    except OSError as error:
        raise OutputError(path, error) from error


def _columns(*, strings: bool = False) -> list[tuple[str, str]]:
    """All columns with their tables, or those of strings."""
    return [
        (name, column)
        for name, table in TABLES.items()
        for column in (table.STRINGS if strings else table.columns())
    ]


def _name(table: str, column: str) -> str:
    return column if table == "sentences" else f"{table}_{column}"


def _check_version(metadata: dict[bytes, bytes], path: str | PathLike[str]) -> None:
    found = metadata.get(_VERSION_KEY)
    if found is None:
        raise FormatError(path, "a Parquet file that holds no treebank", "one written by crossbank")
    if found != str(VERSION).encode():
        raise FormatError(path, f"version {found.decode()} of the layout", f"version {VERSION}")


def _as_strings(codes: Int32Array, vocabulary: Any) -> Any:
    """A column of codes as a dictionary of the strings that occur in it."""
    import pyarrow

    used = np.zeros(len(vocabulary), np.bool_)
    used[codes] = True
    place = (np.cumsum(used) - 1).astype(np.int32)
    return pyarrow.DictionaryArray.from_arrays(
        pyarrow.array(place[codes]), vocabulary.filter(pyarrow.array(used))
    )


def _as_lists(offsets: Int64Array, values: Any) -> Any:
    import pyarrow

    return pyarrow.ListArray.from_arrays(pyarrow.array(offsets.astype(np.int32)), values)


def _offsets(column: Any) -> Int64Array:
    lengths = [chunk.value_lengths().to_numpy(zero_copy_only=False) for chunk in column.chunks]
    return offsets_of(np.concatenate(lengths) if lengths else np.zeros(0, np.int64))


def _values(column: Any, codes: dict[str, int] | None) -> Int32Array:
    """The values of a column laid end to end; strings as ``codes``, to which new ones are added."""
    parts = [np.zeros(0, np.int32)]
    for chunk in column.chunks:
        values = chunk.flatten() if hasattr(chunk, "value_lengths") else chunk
        if codes is None:
            parts.append(values.to_numpy(zero_copy_only=False))
        else:
            known = [codes.setdefault(string, len(codes)) for string in values.dictionary.to_pylist()]
            indices = values.indices.to_numpy(zero_copy_only=False)
            parts.append(np.array(known, np.int32)[indices] if known else np.zeros(0, np.int32))
    return np.concatenate(parts).astype(np.int32, copy=False)
