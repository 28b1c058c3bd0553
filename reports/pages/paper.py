"""A study's tables for papers, commands of LaTeX that print one each, and a paper that has them all."""

from __future__ import annotations

import re

from crossbank.reports.estimates.statements import statements_of
from crossbank.reports.pages.page_templates import TEMPLATES
from crossbank.reports.results.study_results import StudyResults
from crossbank.reports.sections.section import paper_tables
from crossbank.reports.tables.latex import MAX_FLOAT_LINES, escape_latex, format_latex, is_long
from crossbank.reports.tables.table_files import file_name

PREAMBLE = r"""% Tables of the study {name}. \input{{tables}} prints nothing; each command prints a table:
{commands}
% They need \usepackage{{booktabs,siunitx,longtable,array}}; paper.tex is an example. A table wider than a column
% of 84 mm takes the page (table*); one of more than {long} lines breaks over pages (longtable) and wants \onecolumn.
"""  # noqa: E501 - the lines of a file

MAX_PAPER_ROWS = 100
"""A paper leaves tables with more rows than this to their files."""

COMMAND_NAMES = {"comparison": "scores"}
"""The names of tables in commands, where these are other than in addresses."""


def render_latex_tables(study: StudyResults) -> str:
    """Return a command for each table that a paper prints, and ``\\crossbankStatements``."""
    tables = [table for table in paper_tables(study) if table.rows]
    commands = {command_name(table.key): table for table in tables}
    statements = [escape_latex(statement.text) for statement in statements_of(study)]
    width = max((len(name) for name in commands), default=0)
    listed = [f"%   \\{name:<{width}}  {_join_lines(table.title)}" for name, table in commands.items()]
    listed.append(f"%   \\{'crossbankStatements':<{width}}  the main results, in sentences")
    written = [
        PREAMBLE.format(name=_join_lines(study.name), commands="\n".join(listed), long=MAX_FLOAT_LINES),
        _define_command("crossbankStatements", "\n\n".join(statements)),
        *(_define_command(name, format_latex(table)) for name, table in commands.items()),
    ]
    return "\n".join(written)


def command_name(key: str) -> str:
    """Return the name of a table's command, of letters alone: ``tests_tiger`` is ``crossbankTestsTiger``."""
    words = re.findall(r"[A-Za-z]+|[0-9]", COMMAND_NAMES.get(key, key))
    digits = ("Zero", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine")
    return "crossbank" + "".join(
        digits[int(word)] if word.isdigit() else word[0].upper() + word[1:] for word in words
    )


def render_paper(study: StudyResults) -> str:
    """Return a minimal paper with the statements and the tables, long ones in an appendix."""
    called = {True: ["\\onecolumn"], False: []}
    for table in (table for table in paper_tables(study) if table.rows):
        line = f"\\{command_name(table.key)}"
        if len(table.rows) > MAX_PAPER_ROWS:
            line = f"% {line}  % {len(table.rows):,} rows, also in tables/{file_name(table.key)}.csv"
        called[is_long(table)].append(line)
    template = (TEMPLATES / "paper.tex").read_text(encoding="utf-8")
    for mark, text in (
        ("TITLE", escape_latex(study.title)),
        ("TABLES", "\n".join(called[False])),
        ("APPENDIX", "\n".join(called[True]) if len(called[True]) > 1 else ""),
    ):
        template = template.replace(f"%{mark}%", text)
    return template


def _join_lines(text: str) -> str:
    return " ".join(text.split())


def _define_command(name: str, text: str) -> str:
    return f"\\newcommand{{\\{name}}}{{%\n{text.rstrip()}\n}}\n"
