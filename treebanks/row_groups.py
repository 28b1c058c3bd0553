"""Tables of Arrow in row groups of a fixed size, whose bytes depend on their content alone.

The same treebank gives the same file, whatever the sizes of its shards and the codes of its strings.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

ROWS = 10_000
"""The number of rows of a row group; the last one of a file has fewer."""


def row_groups(tables: Iterable[Any], rows: int | None) -> Iterator[Any]:
    """Yield the rows of all tables in tables of ``rows`` rows; the last is smaller. None: one table."""
    import pyarrow

    pending: list[Any] = []
    pending_rows = 0
    for table in tables:
        first = 0
        while rows is not None and pending_rows + len(table) - first > rows:
            last = first + rows - pending_rows
            yield _combine_chunks(pyarrow.concat_tables([*pending, table.slice(first, last - first)]))
            pending, pending_rows, first = [], 0, last
        pending.append(table.slice(first))
        pending_rows += len(table) - first
    yield _combine_chunks(pyarrow.concat_tables(pending))


def _combine_chunks(table: Any) -> Any:
    """Return a table with one array per column; dictionaries' strings are in order of occurrence."""
    import pyarrow

    columns = [_sort_dictionaries(pyarrow.concat_arrays(column.chunks)) for column in table.columns]
    return pyarrow.table(columns, names=table.column_names)


def _sort_dictionaries(array: Any) -> Any:
    """Return an array whose dictionaries, at any depth, have only used strings, in order of occurrence."""
    import pyarrow

    if isinstance(array, pyarrow.DictionaryArray):
        codes = array.indices.dictionary_encode()
        return pyarrow.DictionaryArray.from_arrays(codes.indices, array.dictionary.take(codes.dictionary))
    if isinstance(array, pyarrow.ListArray):
        rows = array.flatten()
        values = _sort_dictionaries(rows)
        if values is rows:
            return array
        offsets = array.offsets.to_numpy()
        return pyarrow.ListArray.from_arrays(pyarrow.array(offsets - offsets[0]), values)
    if isinstance(array, pyarrow.StructArray):
        return pyarrow.StructArray.from_arrays(
            [_sort_dictionaries(values) for values in array.flatten()], [field.name for field in array.type]
        )
    return array
