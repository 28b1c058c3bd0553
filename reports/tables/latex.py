"""A table in LaTeX, with booktabs and siunitx."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from crossbank.reports.tables.table import Cell, Column, ReportTable, end_with_stop

MAX_COLUMN_WIDTH, MAX_PAGE_WIDTH = 79.0, 164.0
"""The widths that a table may take of a column of 84 mm and of a page of 174: letters are not all alike."""

LETTER_WIDTH, SMALL_LETTER_WIDTH, GAP_WIDTH = 1.5, 1.2, 2.0
"""The widths of a letter of ``\\footnotesize`` and ``\\scriptsize``, and of the space between columns; mm."""

SETUP = r"\footnotesize\setlength{\tabcolsep}{1mm}\sisetup{detect-weight}"
"""The size and the width between columns of all tables; in bold is the best score."""

MAX_LINE_LETTERS = 28
"""The number of letters in a line of a text column at most."""

MAX_HEADING_LETTERS = 8
"""The number of letters in a line of a heading above numbers, unless a word is longer."""

MAX_FLOAT_LINES = 40
"""The number of lines from which on a table is one that breaks over pages (``longtable``)."""

NUMBER = re.compile(r"([+−-]?)([0-9][0-9,]*|(?=[.]))(?:[.]([0-9]+))?([*†‡]+| [a-zA-Z'–]+)?")
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


def escape_latex(text: str) -> str:
    """Return a text with LaTeX's special characters escaped."""
    return "".join(SPECIAL.get(letter, letter) for letter in text)


def format_latex(table: ReportTable) -> str:
    """Return a table in LaTeX: ``table``, ``table*`` where it is wider than a column, or ``longtable``.

    Where it is wider than a page it loses what is beside its scores. If it still is, it is cut into parts
    that each begin with its columns of text: they are below each other under one caption, or, where it is
    long, have one number.
    """
    caption = f"{end_with_stop(table.title)} {table.caption}"
    if table.definitions:
        caption += " " + "; ".join(f"{name}: {meaning}" for name, meaning in table.definitions) + "."
    heading, notes = f"\\caption{{{escape_latex(caption)}}}\\label{{tab:{table.key}}}", _format_notes(table)
    parts = _split_table(table)
    if not is_long(table):
        return "\n".join([*_format_float(parts, heading, notes), ""])
    continued = f"\\caption[]{{{escape_latex(end_with_stop(table.title))} Continued.}}"
    written = _format_longtable(parts[0], heading, [] if len(parts) > 1 else notes)
    for number, part in enumerate(parts[1:], 2):
        written += [r"\addtocounter{table}{-1}"]
        written += _format_longtable(part, continued, notes if number == len(parts) else [])
    return "\n".join([*written, ""])


def is_long(table: ReportTable) -> bool:
    """Return whether a table breaks over pages."""
    lines = sum(1 + any(cell.below for cell in row) for row in table.rows)
    return lines * len(_split_table(table)) > MAX_FLOAT_LINES


def _split_table(table: ReportTable) -> list[ReportTable]:
    """Return the table alone, or where it is wider than a page, parts of it that are not."""
    if _compute_width(table) > MAX_PAGE_WIDTH:
        table = table.without([column for column in table.columns if column.beside])
    stub = next((index for index, column in enumerate(table.columns) if column.numeric), len(table.columns))
    widths = [_Column(table, index).width for index in range(len(table.columns))]
    if sum(widths) <= MAX_PAGE_WIDTH or stub in (0, len(widths)):
        return [table]
    parts, begin = [], stub
    while begin < len(widths):
        end, width = begin, sum(widths[:stub])
        while end < len(widths) and (end == begin or width + widths[end] <= MAX_PAGE_WIDTH):
            width += widths[end]
            end += 1
        chosen = [*range(stub), *range(begin, end)]
        rows = [[row[index] for index in chosen] for row in table.rows]
        parts.append(replace(table, columns=[table.columns[index] for index in chosen], rows=rows))
        begin = end
    return parts


def _compute_width(table: ReportTable) -> float:
    return sum(_Column(table, index).width for index in range(len(table.columns)))


class _Column:
    """A column as LaTeX sets it: of numbers at their decimal points, of text in one line or in several."""

    def __init__(self, table: ReportTable, index: int) -> None:
        column, cells = table.columns[index], [row[index] for row in table.rows]
        texts = [cell.text + "x" * bool(cell.note) for cell in cells]
        numbers = [match for cell in cells if (match := NUMBER.fullmatch(cell.text))]
        self.numeric = column.numeric
        self.aligned = column.numeric and 2 * len(numbers) > len(cells)
        self.longest = max(map(len, [*texts, "" if column.group else column.heading]), default=1)
        below = max((len(_tighten(cell.below)) for cell in cells), default=0)
        heading = max(map(len, _split_heading(column)))
        self.wraps = not column.numeric and self.longest > MAX_LINE_LETTERS
        letters = max(
            min(self.longest, MAX_LINE_LETTERS) if not column.numeric else max(map(len, texts)), heading
        )
        self.width = max(letters * LETTER_WIDTH, below * SMALL_LETTER_WIDTH) + GAP_WIDTH
        whole = max((len(match[2].replace(",", "")) for match in numbers), default=1)
        decimals = max((len(match[3] or "") for match in numbers), default=0)
        signs = {match[1] for match in numbers}
        after = max((match[4] or "" for match in numbers), key=len, default="")
        note = max((cell.note for cell in cells), default=0)
        plus = "retain-explicit-plus," * ("+" in signs)
        self.format = f"{plus}table-format={'-' * any(signs)}{whole}.{decimals}"
        if after or note:
            self.format += f",table-space-text-post={{{_format_suffix(after, note)}}}"

    def __str__(self) -> str:
        if self.aligned:
            return f"S[{self.format}]"
        if self.wraps:
            return f">{{\\raggedright\\arraybackslash}}p{{{MAX_LINE_LETTERS * LETTER_WIDTH:.0f}mm}}"
        return "r" if self.numeric else "l"

    def cell(self, cell: Cell) -> str:
        """Return a cell: a number bare in a column of numbers, in which texts are in braces."""
        match = NUMBER.fullmatch(cell.text) if self.aligned else None
        if match is not None:
            number = cell.text[: match.end(3) if match[3] else match.end(2)]
            number = number.replace("−", "-").replace(",", "") + _format_suffix(match[4] or "", cell.note)
            return rf"\bfseries {number}" if cell.best else number
        text = _allow_breaks(cell.text) if self.wraps else escape_latex(cell.text)
        text += f"\\textsuperscript{{{cell.note}}}" if cell.note else ""
        return f"{{{text}}}" if self.aligned and text else text

    def below(self, text: str) -> str:
        """Return the small print of a cell."""
        return f"{{\\scriptsize {escape_latex(_tighten(text))}}}" if text else ""


def _tighten(text: str) -> str:
    """Return an interval as papers print it, without spaces around the dash."""
    return text.replace(" – ", "–")


def _format_suffix(text: str, note: int) -> str:
    superscript = f"\\textsuperscript{{{escape_latex(text.strip())}}}" if text.strip() else ""
    return superscript + (f"\\textsuperscript{{{note}}}" if note else "")


def _allow_breaks(text: str) -> str:
    """Return a text that may be broken after signs, and inside long words."""
    parts = re.findall(r"\w{1,14}|\W", text)
    return r"\allowbreak{}".join(map(escape_latex, parts)).replace(r" \allowbreak{}", " ")


def _format_float(parts: Sequence[ReportTable], heading: str, notes: Sequence[str]) -> list[str]:
    environment = "table" if max(map(_compute_width, parts)) <= MAX_COLUMN_WIDTH else "table*"
    tabulars = [
        ["  \\par\\medskip"] * bool(number) + _format_tabular(part) for number, part in enumerate(parts)
    ]
    return [
        f"\\begin{{{environment}}}[!tbp]",
        rf"  \centering{SETUP}\setlength{{\belowcaptionskip}}{{1ex}}",
        f"  {heading}",
        *(line for tabular in tabulars for line in tabular),
        *notes,
        f"\\end{{{environment}}}",
    ]


def _format_tabular(table: ReportTable) -> list[str]:
    columns = [_Column(table, index) for index in range(len(table.columns))]
    return [
        f"  \\begin{{tabular}}{{{''.join(map(str, columns))}}}",
        r"    \toprule",
        *_format_head(table, columns),
        r"    \midrule",
        *(line for row in table.rows for line in _format_row(row, columns)),
        r"    \bottomrule",
        r"  \end{tabular}",
    ]


def _format_longtable(table: ReportTable, heading: str, notes: Sequence[str]) -> list[str]:
    columns = [_Column(table, index) for index in range(len(table.columns))]
    head = [r"    \toprule", *_format_head(table, columns), r"    \midrule"]
    return [
        rf"{{{SETUP}\setlength{{\LTcapwidth}}{{\linewidth}}",
        f"  \\begin{{longtable}}{{{''.join(map(str, columns))}}}",
        f"    {heading}\\\\",
        *head,
        r"    \endfirsthead",
        *head,
        r"    \endhead",
        r"    \bottomrule",
        r"    \endfoot",
        *(line for row in table.rows for line in _format_row(row, columns)),
        r"  \end{longtable}",
        *notes,
        r"\par}",
    ]


def _format_notes(table: ReportTable) -> list[str]:
    lines = []
    for number, note in enumerate(table.notes, 1):
        broken = re.sub(r"(\\textbar|[+])({})?", r"\1\\allowbreak{}", escape_latex(note))
        definition = f"\\textsuperscript{{{number}}}~\\texttt{{{broken}}}"
        lines.append(f"  \\par\\smallskip{{\\scriptsize\\raggedright {definition}\\par}}")
    return lines


def _format_head(table: ReportTable, columns: Sequence[_Column]) -> list[str]:
    """Return the headings of groups with a rule under each, where there are groups, and those of columns."""
    headings = []
    for column, own in zip(table.columns, columns, strict=True):
        lines = [escape_latex(line) for line in _split_heading(column)]
        heading = "\\\\".join(lines)
        heading = heading if len(lines) == 1 else f"\\shortstack[r]{{{heading}}}"
        headings.append(f"{{{heading}}}" if own.aligned else heading)
    line = f"    {' & '.join(headings)} \\\\"
    groups = table.groups()
    if not any(name for name, _ in groups):
        return [line]
    cells, rules, begin = [], [], 1
    for name, width in groups:
        cells.append(f"\\multicolumn{{{width}}}{{c}}{{{escape_latex(name)}}}")
        if name:
            rules.append(f"\\cmidrule(lr){{{begin}-{begin + width - 1}}}")
        begin += width
    return [f"    {' & '.join(cells)} \\\\", f"    {' '.join(rules)}", line]


def _split_heading(column: Column) -> list[str]:
    """Return the lines of a heading: that of numbers has its words below each other where it is long."""
    if not column.numeric or len(column.heading) <= MAX_HEADING_LETTERS:
        return [column.heading]
    lines = [""]
    for word in re.findall(r"[^ /]+/?", column.heading):
        if len(lines[-1]) + len(word) > MAX_HEADING_LETTERS and lines[-1]:
            lines.append("")
        lines[-1] += word if lines[-1].endswith("/") else f" {word}" * bool(lines[-1]) or word
    return lines


def _format_row(row: Sequence[Cell], columns: Sequence[_Column]) -> list[str]:
    """Return a row, and a second one in small print if any cell has something below."""
    cells = [column.cell(cell) for cell, column in zip(row, columns, strict=True)]
    lines = [f"    {' & '.join(cells)} \\\\"]
    if any(cell.below for cell in row):
        lines[0] += "*"  # no page begins with the small print of a row
        below = [column.below(cell.below) for cell, column in zip(row, columns, strict=True)]
        lines.append(f"    {' & '.join(below)} \\\\")
    return lines
