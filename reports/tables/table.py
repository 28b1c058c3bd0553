"""A table as the page and LaTeX both show it, and how numbers and names stand in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from crossbank.metrics.counting.counts import Measure


@dataclass(frozen=True)
class Column:
    """A column's heading, under a group's heading where it has one."""

    heading: str
    group: str = ""
    numeric: bool = True


@dataclass(frozen=True)
class Cell:
    """What stands in a cell, what stands under it in small print, and the note it refers to (from 1).

    ``value`` is the number behind the text at full precision, ``low`` and ``high`` its interval: files
    for other programs have these in the text's place. ``link`` is an address beside the page.
    """

    text: str
    below: str = ""
    note: int = 0
    value: float | None = None
    low: float | None = None
    high: float | None = None
    link: str = ""


@dataclass(frozen=True)
class Table:
    """A table, on the page and on paper.

    key          names it in addresses
    definitions  what each number is, where the caption does not say it: name and meaning
    notes        what the numbers at cells refer to
    empty        is said in its place where it has no rows
    """

    key: str
    title: str
    caption: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]
    notes: Sequence[str] = ()
    definitions: Sequence[tuple[str, str]] = ()
    empty: str = ""

    def groups(self) -> list[tuple[str, int]]:
        """The groups' headings with the number of columns under each, in order."""
        spans: list[tuple[str, int]] = []
        for column in self.columns:
            if spans and spans[-1][0] == column.group:
                spans[-1] = (column.group, spans[-1][1] + 1)
            else:
                spans.append((column.group, 1))
        return spans

    def without_blank(self, columns: Sequence[Column]) -> Table:
        """The table without those of some columns that have nothing but dashes."""
        kept = [
            place
            for place, column in enumerate(self.columns)
            if column not in columns or any(row[place].text != "–" for row in self.rows)
        ]
        rows = [[row[place] for place in kept] for row in self.rows]
        return replace(self, columns=[self.columns[place] for place in kept], rows=rows)


@dataclass
class Notes:
    """Signatures by number, each once."""

    texts: list[str] = field(default_factory=list)

    def number(self, text: str) -> int:
        """The number of a note, from 1."""
        if text not in self.texts:
            self.texts.append(text)
        return self.texts.index(text) + 1


def shown(value: float | None, measure: Measure | None = None) -> str:
    """A score as it is printed: per cent where it is a share; a dash where there is none."""
    if value is None:
        return "–"
    return f"{100 * value:.2f}" if measure is None or measure.share else f"{value:.2f}"


def sentence(title: str) -> str:
    """A title with its full stop, which an abbreviation at its end has already."""
    return title if title.endswith(".") else f"{title}."


def meaning(measure: Measure) -> str:
    """What a measure is, with what a reader must know to read it."""
    notes = (
        ("" if measure.share else " (no share)"),
        ("; less is better" if measure.better == "less" else ""),
    )
    return measure.meaning + "".join(notes)


def texts(*values: object) -> list[Cell]:
    """Cells of plain values; whole numbers with their thousands apart, others with two places."""
    return [
        Cell(f"{value:,}", value=value)
        if type(value) is int
        else Cell(f"{value:.2f}", value=value)
        if isinstance(value, float)
        else Cell(str(value))
        for value in values
    ]


def score_cell(
    value: float | None, measure: Measure, low: float | None = None, high: float | None = None, note: int = 0
) -> Cell:
    """A score with its interval under it, as far as they are known."""
    below = "" if low is None or high is None else f"{shown(low, measure)} – {shown(high, measure)}"
    return Cell(shown(value, measure), below, note if value is not None else 0, value, low, high)


def probability(p: float) -> str:
    """A probability as it is printed.

    >>> probability(0.0123), probability(0.00001), probability(1.0)
    ('0.012', '< 0.001', '1')
    """
    if p < 0.001:
        return "< 0.001"
    return f"{p:.3f}".rstrip("0").rstrip(".")


def sentences_link(treebank: str, candidate: str, **asked: str) -> str:
    """Where a candidate's sentences are shown that have what is asked for: see ``reports.pages.explorer``.

    ``type`` asks for a type of error, ``text`` for words or an identifier.
    """
    from urllib.parse import urlencode

    return f"sentences.html#{urlencode({'treebank': treebank, 'candidate': candidate, **asked})}"
