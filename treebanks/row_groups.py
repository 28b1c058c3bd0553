"""Tables of Arrow in row groups of a fixed size, whose bytes depend on their content alone.

A treebank may come in shards of any size, with strings in any order of codes. The files that are written of
it are the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

ROWS = 10_000
"""The number of rows of a row group; the last one of a file has fewer."""


def row_groups(tables: Iterable[Any], rows: int | None) -> Iterator[Any]:
    """Yield concatenated tables in tables of ``rows`` rows, the last one smaller; None: one of all rows."""
    import pyarrow

    held: list[Any] = []
    number = 0
    for table in tables:
        first = 0
        while rows is not None and number + len(table) - first > rows:
            last = first + rows - number
            yield _as_one(pyarrow.concat_tables([*held, table.slice(first, last - first)]))
            held, number, first = [], 0, last
        held.append(table.slice(first))
        number += len(table) - first
    yield _as_one(pyarrow.concat_tables(held))


def _as_one(table: Any) -> Any:
    """Return a table with one array per column; dictionaries' strings are in order of occurrence."""
    import pyarrow

    columns = [_in_order(pyarrow.concat_arrays(column.chunks)) for column in table.columns]
    return pyarrow.table(columns, names=table.column_names)


def _in_order(array: Any) -> Any:
    """Return an array whose dictionaries, at any depth, have only used strings, in order of occurrence."""
    import pyarrow

    if isinstance(array, pyarrow.DictionaryArray):
        codes = array.indices.dictionary_encode()
        return pyarrow.DictionaryArray.from_arrays(codes.indices, array.dictionary.take(codes.dictionary))
    if isinstance(array, pyarrow.ListArray):
        rows = array.flatten()
        values = _in_order(rows)
        if values is rows:
            return array
        offsets = array.offsets.to_numpy()
        return pyarrow.ListArray.from_arrays(pyarrow.array(offsets - offsets[0]), values)
    if isinstance(array, pyarrow.StructArray):
        return pyarrow.StructArray.from_arrays(
            [_in_order(values) for values in array.flatten()], [field.name for field in array.type]
        )
    return array
