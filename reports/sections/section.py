"""A report's sections: tables and figures under one heading, for the page, for papers and for files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from crossbank.reports.tables.table import Table


@dataclass(frozen=True)
class Figure:
    """A chart with its caption.

    key      its name in addresses and files
    svg      the chart as an ``<svg>`` element
    on_page  whether the page shows it; if not, it is only in the folder of figures
    open     whether it stands open on the page; if not, it is folded
    """

    key: str
    title: str
    caption: str
    svg: str
    on_page: bool = True
    open: bool = True


@dataclass(frozen=True)
class Section:
    """A heading with sentences under it, then figures and tables.

    said   the sentences under the heading
    paper  the keys of the tables that a paper prints
    """

    key: str
    heading: str
    said: Sequence[str] = ()
    figures: Sequence[Figure] = ()
    tables: Sequence[Table] = ()
    paper: Sequence[str] = ()
