"""Tables of reports, for pages and LaTeX, and the format of the numbers in them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from urllib.parse import urlencode

from crossbank.metrics.counting.counts import Measure, format_value
from crossbank.metrics.counting.presentation import metric_title


@dataclass(frozen=True)
class Column:
    """A column's heading, and its group's heading if it has one.

    beside  whether it only accompanies scores, and is omitted on paper and on narrow screens
    """

    heading: str
    group: str = ""
    numeric: bool = True
    beside: bool = False

    @classmethod
    def texts(cls, *headings: str) -> list[Column]:
        """Return columns of text with these headings."""
        return [cls(heading, numeric=False) for heading in headings]

    @classmethod
    def numbers(cls, *headings: str, group: str = "") -> list[Column]:
        """Return columns of numbers with these headings."""
        return [cls(heading, group) for heading in headings]

    @classmethod
    def measures(cls, measures: Iterable[tuple[str, Measure]]) -> list[Column]:
        """Return a column for each measure in the group of its metric."""
        return [cls(measure.heading, metric_title(metric)) for metric, measure in measures]


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table.

    text       the text; files for other programs have ``value``, ``low`` and ``high`` instead
    below      small print below the text
    note       number of the note that the cell refers to, from 1; 0 for none
    value      the number at full precision
    low, high  its interval
    link       address relative to the page
    about      what the number is, and of how many sentences
    best       whether it is the best of several cells
    alike      whether it does not differ significantly from the best
    shade      colour, from 1 for the best fifth of a column to 5; 0 for none
    """

    text: str
    below: str = ""
    note: int = 0
    value: float | None = None
    low: float | None = None
    high: float | None = None
    link: str = ""
    about: str = ""
    best: bool = False
    alike: bool = False
    shade: int = 0

    @classmethod
    def count(cls, number: float, link: str = "") -> Cell:
        """Return the cell of a whole number."""
        return cls(f"{int(number):,}", value=float(number), link=link)

    @classmethod
    def per_cent(cls, value: float | None, decimals: int = 1) -> Cell:
        """Return a proportion in per cent; a dash for None."""
        return cls("–") if value is None else cls(f"{100 * value:.{decimals}f}", value=value)

    @classmethod
    def score(
        cls,
        value: float | None,
        measure: Measure,
        low: float | None = None,
        high: float | None = None,
        note: int = 0,
    ) -> Cell:
        """Return a score with its interval below, if they are known."""
        below = (
            ""
            if low is None or high is None
            else f"{format_value(low, measure)} – {format_value(high, measure)}"
        )
        return cls(format_value(value, measure), below, note if value is not None else 0, value, low, high)


@dataclass(frozen=True)
class ReportTable:
    """A table, on the page and on paper.

    key          names it in addresses
    definitions  names and meanings of numbers that the caption does not explain
    notes        the texts to which the numbers at cells refer
    notes_in     key of the table whose rows are the notes on the page; empty if notes are below the table
    among        title of a group of tables; the page displays one of the group at a time, by a menu
    """

    key: str
    title: str
    caption: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]
    notes: Sequence[str] = ()
    definitions: Sequence[tuple[str, str]] = ()
    notes_in: str = ""
    among: str = ""

    def groups(self) -> list[tuple[str, int]]:
        """Return the groups' headings, each with the number of its columns, in order."""
        return [(name, len(list(of))) for name, of in groupby(column.group for column in self.columns)]

    def without(self, columns: Sequence[Column]) -> ReportTable:
        """Return the table without some of its columns."""
        remaining = [index for index, column in enumerate(self.columns) if column not in columns]
        rows = [[row[index] for index in remaining] for row in self.rows]
        return replace(self, columns=[self.columns[index] for index in remaining], rows=rows)

    def without_blank(self, columns: Sequence[Column]) -> ReportTable:
        """Return the table without those among ``columns`` that have only dashes."""
        texts = [{row[index].text for row in self.rows} for index in range(len(self.columns))]
        blank = [column for column, of in zip(self.columns, texts, strict=True) if of <= {"–"}]
        return self.without([column for column in columns if column in blank])


def end_with_stop(title: str) -> str:
    """Return a title with one full stop, also after an abbreviation at its end."""
    return title if title.endswith(".") else f"{title}."


def describe_measure(measure: Measure) -> str:
    """Return the meaning of a measure, with notes that a reader needs."""
    text = measure.meaning if measure.proportion else f"{measure.meaning} (not a proportion)"
    return f"{text}; less is better" if measure.better == "less" else text


def make_cells(*values: object) -> list[Cell]:
    """Return cells of plain values: whole numbers with separated thousands, others with two decimals.

    None is a dash. Cells among them are unchanged.
    """
    return [value if isinstance(value, Cell) else _make_cell(value) for value in values]


def _make_cell(value: object) -> Cell:
    if type(value) is int:
        return Cell(f"{value:,}", value=value)
    if isinstance(value, float):
        return Cell(f"{value:.2f}", value=value)
    return Cell("–" if value is None else str(value))


def list_first_sentences(sentences: Sequence[str], most: int) -> str:
    """Return the first sentences, and dots where there are more."""
    return ", ".join(sentences[:most]) + ", ..." * (len(sentences) > most)


def format_signed(value: float, measure: Measure | None = None) -> str:
    """Return a difference with its sign, in points if the measure is a proportion; zero has no sign."""
    text = format_value(abs(value), measure)
    return text if float(text) == 0 else ("+" if value > 0 else "−") + text


def format_probability(p: float) -> str:
    """Return a probability as text with up to three decimals.

    >>> format_probability(0.0123), format_probability(0.00001), format_probability(1.0)
    ('0.012', '< 0.001', '1')
    """
    if p < 0.001:
        return "< 0.001"
    return f"{p:.3f}".rstrip("0").rstrip(".")


def sentences_link(treebank: str, candidate: str, **parameters: str) -> str:
    """Return the address that shows some of a candidate's sentences: see ``reports.pages.explorer``.

    ``type`` selects a type of error, ``text`` words or an identifier, or several with `` | `` between them.
    """
    return f"sentences.html#{urlencode({'treebank': treebank, 'candidate': candidate, **parameters})}"
