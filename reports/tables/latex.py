"""The report's tables for papers: LaTeX with booktabs."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from pathlib import Path

from crossbank.reports.results.study import StudyResults
from crossbank.reports.sections.contents import findings_of, paper_tables
from crossbank.reports.tables.table import Cell, Table, sentence

PREAMBLE = "% Tables of the study {name}; needs \\usepackage{{booktabs}} and \\usepackage{{graphicx}}.\n"

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
    "≠": r"$\neq$",
    "−": r"$-$",
    **{letter: f"\\{letter}" for letter in "&%$#_{}"},
}


def escape(text: str) -> str:
    """A text with LaTeX's special characters escaped."""
    return "".join(SPECIAL.get(letter, letter) for letter in text)


def latex_tables(study: StudyResults) -> str:
    """The tables that a paper prints, each as a ``table`` environment."""
    found = [escape(finding.text) for finding in findings_of(study)]
    prose = "\n".join(["% Findings, to be quoted:", *found, "", ""]) if found else ""
    tables = "\n".join(latex(table) for table in paper_tables(study))
    return PREAMBLE.format(name=escape(study.name)) + prose + tables


def write_tables(study: StudyResults, path: str | PathLike[str]) -> None:
    """Write ``tables.tex``; its folder is made where it is missing."""
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(latex_tables(study), encoding="utf-8")


def latex(table: Table) -> str:
    """One table as a ``table`` environment."""
    caption = f"{sentence(table.title)} {table.caption}"
    if table.definitions:
        caption += " " + "; ".join(f"{name}: {meaning}" for name, meaning in table.definitions) + "."
    columns = "".join("r" if column.numeric else "l" for column in table.columns)
    lines = [
        r"\begin{table}",
        r"  \centering",
        f"  \\caption{{{escape(caption)}}}",
        f"  \\label{{tab:{table.key}}}",
        r"  \resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%",
        f"  \\begin{{tabular}}{{{columns}}}",
        r"    \toprule",
        *_groups(table),
        f"    {' & '.join(escape(column.heading) for column in table.columns)} \\\\",
        r"    \midrule",
        *(line for row in table.rows for line in _row(row)),
        r"    \bottomrule",
        r"  \end{tabular}}",
    ]
    for number, note in enumerate(table.notes, 1):
        broken = escape(note).replace(r"\textbar{}", r"\textbar\allowbreak{}")
        lines.append(f"  \\par\\smallskip\\footnotesize\\raggedright$^{{{number}}}$~\\texttt{{{broken}}}")
    return "\n".join([*lines, r"\end{table}", ""])


def _groups(table: Table) -> list[str]:
    """The headings of the groups with a rule under each; nothing without groups."""
    groups = table.groups()
    if not any(name for name, _ in groups):
        return []
    cells, rules, column = [], [], 1
    for name, width in groups:
        cells.append(f"\\multicolumn{{{width}}}{{c}}{{{escape(name)}}}")
        if name:
            rules.append(f"\\cmidrule(lr){{{column}-{column + width - 1}}}")
        column += width
    return [f"    {' & '.join(cells)} \\\\", f"    {' '.join(rules)}"]


def _row(row: Sequence[Cell]) -> list[str]:
    """A row, and a second one in small print if any cell has something below."""
    cells = [escape(cell.text) + (f"$^{{{cell.note}}}$" if cell.note else "") for cell in row]
    lines = [f"    {' & '.join(cells)} \\\\"]
    if any(cell.below for cell in row):
        below = [f"{{\\scriptsize {escape(cell.below)}}}" if cell.below else "" for cell in row]
        lines.append(f"    {' & '.join(below)} \\\\")
    return lines
