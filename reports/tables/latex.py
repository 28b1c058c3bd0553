"""A table in LaTeX, with booktabs and siunitx."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from crossbank.reports.tables.table import Cell, Column, Table, sentence

COLUMN, PAGE = 79.0, 164.0
"""The widths that a table may take of a column of 84 mm and of a page of 174: letters are not all alike."""

LETTER, SMALL, GAP = 1.5, 1.2, 2.0
"""The widths of a letter of ``\\footnotesize`` and ``\\scriptsize``, and of the space between columns; mm."""

LONGEST = 28
"""The number of letters in a line of a text column at most."""

WIDEST = 8
"""The number of letters in a line of a heading above numbers, unless a word is longer."""

LONG = 40
"""The number of lines from which on a table is one that breaks over pages (``longtable``)."""

NUMBER = re.compile(r"([−-]?)([0-9][0-9,]*|(?=[.]))(?:[.]([0-9]+))?([*†‡]+| [a-z]+)?")
"""A number with what comes after it: stars, or the letters of groups."""

SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "|": r"\textbar{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "–": "--",
    "“": "``",
    "”": "''",
    '"': r"\textquotedbl{}",
    "`": r"\textasciigrave{}",
    "≠": r"$\neq$",
    "−": r"$-$",
    **{letter: f"\\{letter}" for letter in "&%$#_{}"},
}


def escape(text: str) -> str:
    """A text with LaTeX's special characters escaped."""
    return "".join(SPECIAL.get(letter, letter) for letter in text)


def latex(table: Table) -> str:
    """One table in LaTeX: a ``table``, a ``table*`` where it is wider than a column, or a ``longtable``.

    A table that is wider than a page is cut into several, each with the columns of text at its beginning.
    """
    caption = f"{sentence(table.title)} {table.caption}"
    if table.definitions:
        caption += " " + "; ".join(f"{name}: {meaning}" for name, meaning in table.definitions) + "."
    parts = list(_cut(table))
    written = []
    for number, part in enumerate(parts):
        said = caption if number == 0 else f"{sentence(table.title)} Continued."
        label = f"\\label{{tab:{table.key}}}" if number == 0 else ""
        notes = _notes(table) if number == len(parts) - 1 else []
        heading = f"\\caption{{{escape(said)}}}{label}"
        written += _longtable(part, heading, notes) if is_long(part) else _float(part, heading, notes)
    return "\n".join([*written, ""])


def is_long(table: Table) -> bool:
    """True if a table breaks over pages."""
    return sum(1 + any(cell.below for cell in row) for row in table.rows) > LONG


def _cut(table: Table) -> Iterator[Table]:
    """Yield the table, or where it is wider than a page, parts of it that are not."""
    stub = next((place for place, column in enumerate(table.columns) if column.numeric), len(table.columns))
    widths = [_Column(table, place).width for place in range(len(table.columns))]
    if sum(widths) <= PAGE or stub in (0, len(widths)):
        yield table
        return
    begin = stub
    while begin < len(widths):
        end, width = begin, sum(widths[:stub])
        while end < len(widths) and (end == begin or width + widths[end] <= PAGE):
            width += widths[end]
            end += 1
        kept = [*range(stub), *range(begin, end)]
        rows = [[row[place] for place in kept] for row in table.rows]
        yield replace(table, columns=[table.columns[place] for place in kept], rows=rows)
        begin = end


class _Column:
    """A column as LaTeX sets it: of numbers at their decimal points, of text in one line or in several."""

    def __init__(self, table: Table, place: int) -> None:
        column, cells = table.columns[place], [row[place] for row in table.rows]
        texts = [cell.text + "x" * bool(cell.note) for cell in cells]
        found = [match for cell in cells if (match := NUMBER.fullmatch(cell.text))]
        self.numeric = column.numeric
        self.aligned = column.numeric and 2 * len(found) > len(cells)
        self.longest = max(map(len, [*texts, "" if column.group else column.heading]), default=1)
        below = max((len(cell.below) for cell in cells), default=0)
        heading = max(map(len, _lines(column)))
        self.wraps = not column.numeric and self.longest > LONGEST
        letters = max(min(self.longest, LONGEST) if not column.numeric else max(map(len, texts)), heading)
        self.width = max(letters * LETTER, below * SMALL) + GAP
        whole = max((len(match[2].replace(",", "")) for match in found), default=1)
        decimals = max((len(match[3] or "") for match in found), default=0)
        sign = "-" * any(match[1] for match in found)
        behind = max((match[4] or "" for match in found), key=len, default="")
        note = max((cell.note for cell in cells), default=0)
        self.format = f"table-format={sign}{whole}.{decimals}"
        if behind or note:
            self.format += f",table-space-text-post={{{_behind(behind, note)}}}"

    def __str__(self) -> str:
        if self.aligned:
            return f"S[{self.format}]"
        if self.wraps:
            return f">{{\\raggedright\\arraybackslash}}p{{{LONGEST * LETTER:.0f}mm}}"
        return "r" if self.numeric else "l"

    def cell(self, cell: Cell) -> str:
        """A cell: a number bare in a column of numbers, in which texts are in braces."""
        match = NUMBER.fullmatch(cell.text) if self.aligned else None
        if match is not None:
            number = cell.text[: match.end(3) if match[3] else match.end(2)]
            return number.replace("−", "-").replace(",", "") + _behind(match[4] or "", cell.note)
        text = _breakable(cell.text) if self.wraps else escape(cell.text)
        text += f"\\textsuperscript{{{cell.note}}}" if cell.note else ""
        return f"{{{text}}}" if self.aligned and text else text

    def below(self, text: str) -> str:
        """Return the small print of a cell."""
        return f"{{\\scriptsize {escape(text)}}}" if text else ""


def _behind(text: str, note: int) -> str:
    shown = f"\\textsuperscript{{{escape(text.strip())}}}" if text.strip() else ""
    return shown + (f"\\textsuperscript{{{note}}}" if note else "")


def _breakable(text: str) -> str:
    """A text that may be broken after signs, and inside long words."""
    pieces = re.findall(r"\w{1,14}|\W", text)
    return r"\allowbreak{}".join(map(escape, pieces)).replace(r" \allowbreak{}", " ")


def _float(table: Table, heading: str, notes: Sequence[str]) -> list[str]:
    columns = [_Column(table, place) for place in range(len(table.columns))]
    kind = "table" if sum(column.width for column in columns) <= COLUMN else "table*"
    return [
        f"\\begin{{{kind}}}[!tbp]",
        r"  \centering\footnotesize\setlength{\tabcolsep}{1mm}\setlength{\belowcaptionskip}{1ex}",
        f"  {heading}",
        f"  \\begin{{tabular}}{{{''.join(map(str, columns))}}}",
        r"    \toprule",
        *_head(table, columns),
        r"    \midrule",
        *(line for row in table.rows for line in _row(row, columns)),
        r"    \bottomrule",
        r"  \end{tabular}",
        *notes,
        f"\\end{{{kind}}}",
    ]


def _longtable(table: Table, heading: str, notes: Sequence[str]) -> list[str]:
    columns = [_Column(table, place) for place in range(len(table.columns))]
    head = [r"    \toprule", *_head(table, columns), r"    \midrule"]
    return [
        r"{\footnotesize\setlength{\tabcolsep}{1mm}\setlength{\LTcapwidth}{\linewidth}",
        f"  \\begin{{longtable}}{{{''.join(map(str, columns))}}}",
        f"    {heading}\\\\",
        *head,
        r"    \endfirsthead",
        *head,
        r"    \endhead",
        r"    \bottomrule",
        r"    \endfoot",
        *(line for row in table.rows for line in _row(row, columns)),
        r"  \end{longtable}",
        *notes,
        r"\par}",
    ]


def _notes(table: Table) -> list[str]:
    lines = []
    for number, note in enumerate(table.notes, 1):
        broken = re.sub(r"(\\textbar|[+])({})?", r"\1\\allowbreak{}", escape(note))
        said = f"\\textsuperscript{{{number}}}~\\texttt{{{broken}}}"
        lines.append(f"  \\par\\smallskip{{\\scriptsize\\raggedright {said}\\par}}")
    return lines


def _head(table: Table, columns: Sequence[_Column]) -> list[str]:
    """Return the headings of groups with a rule under each, where there are groups, and those of columns."""
    headings = []
    for column, own in zip(table.columns, columns, strict=True):
        lines = [escape(line) for line in _lines(column)]
        heading = "\\\\".join(lines)
        heading = heading if len(lines) == 1 else f"\\shortstack[r]{{{heading}}}"
        headings.append(f"{{{heading}}}" if own.aligned else heading)
    line = f"    {' & '.join(headings)} \\\\"
    groups = table.groups()
    if not any(name for name, _ in groups):
        return [line]
    cells, rules, begin = [], [], 1
    for name, width in groups:
        cells.append(f"\\multicolumn{{{width}}}{{c}}{{{escape(name)}}}")
        if name:
            rules.append(f"\\cmidrule(lr){{{begin}-{begin + width - 1}}}")
        begin += width
    return [f"    {' & '.join(cells)} \\\\", f"    {' '.join(rules)}", line]


def _lines(column: Column) -> list[str]:
    """Return the lines of a heading: that of numbers has its words below each other where it is long."""
    if not column.numeric or len(column.heading) <= WIDEST:
        return [column.heading]
    lines = [""]
    for word in re.findall(r"[^ /]+/?", column.heading):
        if len(lines[-1]) + len(word) > WIDEST and lines[-1]:
            lines.append("")
        lines[-1] += word if lines[-1].endswith("/") else f" {word}" * bool(lines[-1]) or word
    return lines


def _row(row: Sequence[Cell], columns: Sequence[_Column]) -> list[str]:
    """A row, and a second one in small print if any cell has something below."""
    cells = [column.cell(cell) for cell, column in zip(row, columns, strict=True)]
    lines = [f"    {' & '.join(cells)} \\\\"]
    if any(cell.below for cell in row):
        below = [column.below(cell.below) for cell, column in zip(row, columns, strict=True)]
        lines.append(f"    {' & '.join(below)} \\\\")
    return lines
