"""A table of results that can be converted to a table of Arrow, pandas or polars."""

from __future__ import annotations

from collections.abc import Callable, ItemsView, Iterator, Mapping, Sequence
from functools import cached_property
from html import escape
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from crossbank.treebanks.arrays import BoolArray
from crossbank.treebanks.errors import CrossbankError, OptionError
from crossbank.treebanks.quantities import quantity

MAX_DISPLAYED_ROWS = 10
"""The number of rows that terminals and notebooks show."""


class MissingLibraryError(CrossbankError, ImportError):
    """The library of a requested table is not installed."""


class ResultTable:
    """Columns of the same length by name.

    columns  arrays or lists
    known    for some columns a mask of the rows that have a value, shape ``(rows,)``
    """

    def __init__(
        self,
        columns: Mapping[str, Sequence[Any] | NDArray[Any]],
        known: Mapping[str, BoolArray] | None = None,
    ) -> None:
        self._columns = dict(columns)
        self._known = dict(known or {})

    @property
    def columns(self) -> list[str]:
        """The columns' names."""
        return list(self._columns)

    def __len__(self) -> int:
        return len(next(iter(self._columns.values()), ()))

    def __getitem__(self, column: str) -> list[Any]:
        """Return the values of a column; None for a missing one. Raises OptionError for an unknown column."""
        if column not in self._columns:
            raise OptionError("column", column, self.columns)
        return self._values(column, len(self))

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.rows())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ResultTable):
            return NotImplemented
        return self.columns == other.columns and self.rows() == other.rows()

    __hash__ = None  # type: ignore[assignment]

    def rows(self, limit: int | None = None) -> list[dict[str, Any]]:
        """Return each row by the columns' names; with ``limit`` only the first rows."""
        stop = len(self) if limit is None else min(limit, len(self))
        cells = [self._values(name, stop) for name in self._columns]
        return [dict(zip(self._columns, row, strict=True)) for row in zip(*cells, strict=True)]

    def renamed(self, names: Mapping[str, str]) -> ResultTable:
        """Return the table with other names of some columns."""
        columns = {names.get(name, name): column for name, column in self._columns.items()}
        return ResultTable(columns, {names.get(name, name): mask for name, mask in self._known.items()})

    def preceded_by(self, **values: str) -> ResultTable:
        """Return the table after further columns, each of which has one value in all rows."""
        more = {name: [value] * len(self) for name, value in values.items()}
        return ResultTable({**more, **self._columns}, self._known)

    def to_arrow(self) -> Any:
        """Return the table as a ``pyarrow.Table``; a missing value is null."""
        arrow = _import_library("pyarrow", "to_arrow")
        masks = {name: ~known for name, known in self._known.items()}
        return arrow.table(
            {name: arrow.array(column, mask=masks.get(name)) for name, column in self._columns.items()}
        )

    def to_pandas(self) -> Any:
        """Return a ``pandas.DataFrame``. Raises MissingLibraryError if pandas is not installed."""
        return _import_library("pandas").DataFrame({name: self[name] for name in self._columns})

    def to_polars(self) -> Any:
        """Return a ``polars.DataFrame``. Raises MissingLibraryError if polars is not installed."""
        return _import_library("polars").DataFrame({name: self[name] for name in self._columns})

    def __dataframe__(self, nan_as_null: bool = False, allow_copy: bool = True) -> Any:
        """Return the table for other libraries of data frames, by the protocol of consortium-data-apis."""
        return self.to_arrow().__dataframe__(nan_as_null, allow_copy)

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """Return the table for other libraries of data frames, by Arrow's protocol."""
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def __repr__(self) -> str:
        return "\n".join([self.text(MAX_DISPLAYED_ROWS), *self._rest()])

    def text(self, limit: int | None = None) -> str:
        """Return rows as lines of aligned columns under the columns' names; with ``limit`` only the first."""
        head = [list(map(_text, row.values())) for row in self.rows(limit)]
        widths = [max(map(len, column)) for column in zip(self.columns, *head, strict=True)]
        lines = [
            "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True))
            for row in (self.columns, *head)
        ]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        heading = "".join(f"<th>{escape(name)}</th>" for name in self._columns)
        body = "".join(
            f"<tr>{''.join(f'<td>{escape(_text(cell))}</td>' for cell in row.values())}</tr>"
            for row in self.rows(MAX_DISPLAYED_ROWS)
        )
        rest = "".join(f"<p>{line}</p>" for line in self._rest())
        return f"<table><thead><tr>{heading}</tr></thead><tbody>{body}</tbody></table>{rest}"

    def _rest(self) -> list[str]:
        return [f"... {quantity(len(self), 'row')} in all"] if len(self) > MAX_DISPLAYED_ROWS else []

    def _values(self, column: str, stop: int) -> list[Any]:
        values = self._columns[column][:stop]
        listed: list[Any] = values.tolist() if isinstance(values, np.ndarray) else list(values)
        if column not in self._known:
            return listed
        return [
            value if known else None for value, known in zip(listed, self._known[column][:stop], strict=True)
        ]


def _text(value: object) -> str:
    if value is None:
        return "–"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


class ItemTable(ResultTable):
    """Table ``result.items``, which is also the method ``items`` that every mapping has."""

    def __init__(
        self, make_columns: Callable[[], Mapping[str, Sequence[Any]]], scores: Mapping[str, float]
    ) -> None:
        self._made, self._of = make_columns, scores
        self._known = {}

    @cached_property
    def _columns(self) -> Mapping[str, Sequence[Any]]:  # type: ignore[override]
        return self._made()

    def __call__(self) -> ItemsView[str, float]:
        """Return the measures' names and scores, for ``for name, score in result.items()``."""
        return ItemsView(self._of)


def _import_library(library: str, method: str = "") -> Any:
    """Return an imported library. Raises MissingLibraryError if it is not installed."""
    try:
        return import_module(library)
    except ImportError as error:
        raise MissingLibraryError(
            f"{method or f'to_{library}'}: {library} is not installed: pip install {library}"
        ) from error
