"""Parquet files of several sources, such as the candidates of a batch, one after the other.

Each row group belongs to one source. The column ``candidate`` names it; a source that could not be made has
one row, with the reason in the column ``failure``. The metadata of the file list the sources with the
numbers of their row groups, and with what is true of all rows of a source.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from os import PathLike, fspath
from types import TracebackType
from typing import Any, Self

from crossbank.treebanks.errors import FormatError, MissingFileError

KEY = b"crossbank.sources"

CANDIDATE, FAILURE = "candidate", "failure"
"""Names of the columns that such a file has besides those of its rows."""


@dataclass(frozen=True)
class StoredSource:
    """One source of a file.

    groups   numbers of its row groups
    failure  why it could not be made; None for a source that was made
    about    what is true of all its rows
    """

    name: str
    groups: range
    failure: str | None
    about: Mapping[str, Any]


def stored_sources(path: str | PathLike[str]) -> Mapping[str, StoredSource]:
    """Return the sources of a file by name; none for a Parquet file that does not list any.

    Raises FormatError if it is not a Parquet file.
    """
    import pyarrow

    try:
        return _footer(path)[1]
    except (pyarrow.ArrowException, ValueError, TypeError) as error:
        raise FormatError(path, "a file that is incomplete or not Parquet", "a file of a study") from error


def source_in(path: str | PathLike[str], name: str | None = None) -> StoredSource:
    """Return a source by its name, or the only one of a file. Raises FormatError if there is none."""
    sources = stored_sources(path)
    if name is None and len(sources) == 1:
        return next(iter(sources.values()))
    if name is None or name not in sources:
        expected = f"{name!r}" if name is not None else "a file of one treebank"
        raise FormatError(path, f"the sources {', '.join(sources) or 'of no name'}", expected)
    return sources[name]


def footer(path: str | PathLike[str]) -> Any:
    """Return the metadata of a Parquet file as Arrow has them; they are read once for several sources.

    Raises CrossbankError if there is no such file, and Arrow's errors.
    """
    return _footer(path)[0]


def _footer(path: str | PathLike[str]) -> tuple[Any, Mapping[str, StoredSource]]:
    try:
        status = os.stat(path)
    except FileNotFoundError as error:
        raise MissingFileError(path) from error
    return _read_footer(fspath(path), status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=128)
def _read_footer(path: str, changed: int, size: int) -> tuple[Any, Mapping[str, StoredSource]]:
    """Return the metadata of a file in the state that date and size stand for."""
    from pyarrow import parquet

    metadata = parquet.read_metadata(path)
    listed = json.loads((metadata.metadata or {}).get(KEY, b"[]"))
    sources = (
        StoredSource(name, range(first, last), failure, about) for name, first, last, failure, about in listed
    )
    return metadata, {source.name: source for source in sources}


class SourceWriter:
    """Writes sources to a file, one after the other.

    schema   of their rows
    options  of Arrow's Parquet writer
    """

    def __init__(
        self,
        path: str | PathLike[str],
        schema: Any,
        metadata: Mapping[bytes, str] | None = None,
        **options: Any,
    ) -> None:
        import pyarrow
        from pyarrow import parquet

        self._own = schema
        strings = [pyarrow.field(name, pyarrow.string()) for name in (CANDIDATE, FAILURE)]
        self._schema = pyarrow.schema([*strings, *schema])
        self._metadata = dict(metadata or {})
        self._writer = parquet.ParquetWriter(path, self._schema, compression="zstd", **options)
        self._sources: list[tuple[str, int, int, str | None, Mapping[str, Any]]] = []
        self._written = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, error_type: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error_type is None:
            listed = json.dumps(self._sources, ensure_ascii=False)
            self._writer.add_key_value_metadata({**self._metadata, KEY: listed})
        self._writer.close()

    def write_rows(self, name: str, rows: Any, failure: str | None = None) -> None:
        """Write one row group of a source."""
        import pyarrow

        repeated = (
            pyarrow.repeat(pyarrow.scalar(value, pyarrow.string()), len(rows)) for value in (name, failure)
        )
        table = pyarrow.Table.from_arrays([*repeated, *rows.columns], schema=self._schema)
        self._writer.write_table(table, row_group_size=max(len(table), 1))
        self._written += 1

    def finish_source(self, name: str, about: Mapping[str, Any], failure: str | None = None) -> None:
        """List the rows that were written since the last source as those of this one."""
        first = self._sources[-1][2] if self._sources else 0
        self._sources.append((name, first, self._written, failure, about))

    def write_failure(self, name: str, message: str) -> None:
        """Write why a source could not be made."""
        import pyarrow

        nothing = [pyarrow.nulls(1, field.type) for field in self._own]
        self.write_rows(name, pyarrow.Table.from_arrays(nothing, schema=self._own), message)
        self.finish_source(name, {}, message)
