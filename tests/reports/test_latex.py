"""Tables for papers: what is written compiles, fits, and prints nothing that was not asked for."""

from __future__ import annotations

import re
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from crossbank.metrics.statistics.letter_display import spelled
from crossbank.reports import pages
from crossbank.reports.pages.paper import command_name, render_latex_tables, render_paper
from crossbank.reports.tables.latex import format_latex
from crossbank.reports.tables.table import Cell, Column, ReportTable
from tests.programs import require_program, skip_without
from tests.reports.test_over_treebanks import study_of
from tests.reports.toy import candidate_bank, gold_bank, results

ODD = (
    '<script>alert("1")</script>',
    'it\'s "quoted" & 50 % of_a #1 $x^2$ ~ {b} \\cmd `',
    "Müller-Lüdenscheidt æøå ß",
    "x" * 200,
    "a_b-" * 50,
)
OTHER_SCRIPTS = ("שלום עולם", "مرحبا", "Ελληνικά")


LETTERS = [spelled([place]) for place in range(0, 130, 13)]


def odd(names: tuple[str, ...], times: int = 1, key: str = "odd") -> ReportTable:
    """Return a table of names, with numbers of every form."""
    rows = [
        [
            Cell(name),
            Cell(f"{1000 * index:,}.{index}5*", "1 – 2", 1, best=not index),
            Cell(f"{index + 1} {LETTERS[index % 10]}", "87.50"),
            Cell("−0.50" if index else "–"),
        ]
        for index, name in enumerate(names * times)
    ]
    columns = [
        Column("Name", numeric=False),
        Column("F1 of words & signs", "<script>"),
        Column("Rank"),
        Column("No"),
    ]
    return ReportTable(key, "Odd names", f"As they are: {names[0]}.", columns, rows, ["a|b_c%|" + "d+" * 80])


def compiled(program: str, folder: Path, *tables: ReportTable) -> tuple[str, str]:
    """Return the log of a paper with tables beside a study's, and the text of its pages."""
    require_program(program)
    require_program("pdftotext")
    for style in (
        "siunitx.sty",
        "lmodern.sty",
        "luaotfload.sty" if program == "lualatex" else "booktabs.sty",
    ):
        if not subprocess.run(["kpsewhich", style], capture_output=True, check=False).stdout:
            skip_without(f"LaTeX's {style}")
    study = results({"parser": candidate_bank(), "same": gold_bank()})
    commands = "".join(
        f"\\newcommand{{\\{command_name(one.key)}}}{{%\n{format_latex(one)}}}\n" for one in tables
    )
    (folder / "tables.tex").write_text(render_latex_tables(study) + commands, encoding="utf-8")
    called = "\\clearpage\\onecolumn\n" + "\n".join(f"\\{command_name(one.key)}" for one in tables)
    text = render_paper(study).replace(r"\nocite", f"{called}\n\\nocite")
    (folder / "paper.tex").write_text(text, encoding="utf-8")
    call = [program, "-interaction=nonstopmode", "-halt-on-error", "paper"]
    done = subprocess.run(call, cwd=folder, capture_output=True, check=False)
    log = (folder / "paper.log").read_text(encoding="utf-8", errors="replace")
    assert done.returncode == 0, log[-2000:]
    pages = subprocess.run(
        ["pdftotext", "-layout", "paper.pdf", "-"], cwd=folder, capture_output=True, check=True
    )
    return log, pages.stdout.decode()


def test_the_paper_compiles_and_nothing_is_too_wide(tmp_path: Path) -> None:
    log, text = compiled("pdflatex", tmp_path, odd(ODD), odd(ODD, 20, "odd_2"))
    assert not re.findall(r"Overfull \\hbox \((?:[1-9]\d|[6-9])[\d.]*pt", log)
    for displayed in (
        "<script>alert(",
        "{b} \\cmd",
        "Müller-Lüdenscheidt æøå ß",
        "1,000.15",
        "−0.50",
    ):
        assert displayed in text
    assert text.count("x" * 14) >= 21 * 200 // 14 // 3
    pages = text.split("\f")
    assert sum("F1 of" in page for page in pages) >= 3  # the head of a long table is on each of its pages


def test_other_scripts_are_printed(tmp_path: Path) -> None:
    if not subprocess.run(["fc-list", "DejaVu Sans"], capture_output=True, check=False).stdout:
        skip_without("the font DejaVu Sans")
    log, text = compiled("lualatex", tmp_path, odd((*ODD, *OTHER_SCRIPTS)))
    assert "Missing character" not in log
    assert "Ελληνικά" in text


def test_input_alone_prints_nothing() -> None:
    text = render_latex_tables(results({"parser": candidate_bank(), "same": gold_bank()}))
    depth = 0
    for line in text.splitlines():
        if depth == 0 and line and not line.startswith("%"):
            assert line.startswith(r"\newcommand{\crossbank")
        depth += len(re.findall(r"(?<!\\)\{", line)) - len(re.findall(r"(?<!\\)\}", line))
    assert depth == 0
    assert r"\newcommand{\crossbankScores}" in text
    assert "resizebox" not in text


def test_commands_are_of_letters() -> None:
    assert command_name("tests_tiger-2") == "crossbankTestsTigerTwo"
    assert command_name("comparison") == "crossbankScores"


@pytest.mark.parametrize(
    ("columns", "kind", "parts"), [(2, ["table"], 1), (7, ["table*"], 1), (20, ["table*"], 3)]
)
def test_a_table_is_as_wide_as_a_column_or_a_page_or_is_cut(
    columns: int, kind: list[str], parts: int
) -> None:
    row = [Cell("a parser"), *[Cell("87.50", "85.00 – 90.00")] * columns]
    headings = [Column("Candidate", numeric=False), *(Column(f"F{index}") for index in range(columns))]
    written = format_latex(ReportTable("scores", "Scores", "", headings, [row]))
    assert re.findall(r"\\begin\{(table\*?)\}", written) == kind
    assert written.count("a parser") == written.count(r"\toprule") == parts
    assert re.findall(r"\{(F\d+)\}", written) == [f"F{index}" for index in range(columns)]


def test_parts_of_a_long_table_have_one_number_and_say_that_they_go_on() -> None:
    row = [Cell("a parser"), *[Cell("87.50", "85.00 – 90.00")] * 20]
    headings = [Column("Candidate", numeric=False), *(Column(f"F{index}") for index in range(20))]
    written = format_latex(ReportTable("scores", "Scores", "", headings, [row] * 30))
    assert written.count(r"\begin{longtable}") == 3
    assert written.count(r"\addtocounter{table}{-1}") == written.count("Scores. Continued.") == 2
    assert "{85.00--90.00}" in written.replace(r"\scriptsize ", "")


def test_what_stands_beside_scores_is_left_out_where_there_is_no_room() -> None:
    headings = [
        Column("Candidate", numeric=False),
        *(Column(heading, beside=True) for heading in ("Words/sent.", "Nodes/word")),
        *(Column(f"F{index}") for index in range(9)),
    ]
    row = [Cell("parser"), Cell("10.15"), Cell("0.53"), *[Cell("87.50", "85.00 – 90.00")] * 9]
    whole = format_latex(ReportTable("scores", "Scores", "", headings[:8], [row[:8]]))
    narrow = format_latex(ReportTable("scores", "Scores", "", headings, [row]))
    assert r"{\shortstack[r]{Nodes/\\word}}" in whole
    assert "Nodes" not in narrow
    assert narrow.count(r"\toprule") == 1


def test_a_paper_of_many_candidates_has_the_matrix_and_leaves_long_tables_to_their_files(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pages.paper, "MAX_PAPER_ROWS", 20)
    study = study_of(15)
    written = render_paper(study)
    assert "\n\\crossbankMatrixBrackets\n" in written
    assert "% \\crossbankScores  % 30 rows, also in tables/comparison.csv" in written
    assert r"\bfseries 90.00" in render_latex_tables(study)


def test_numbers_are_aligned_and_texts_among_them_in_braces() -> None:
    table = odd(ODD)
    written = format_latex(replace(table, rows=table.rows[1:]))
    assert r"S[table-format=4.2,table-space-text-post={\textsuperscript{*}\textsuperscript{1}}]" in written
    assert r"1000.15\textsuperscript{*}\textsuperscript{1} & 2\textsuperscript{n} & -0.50 \\" in written
    assert "{--}" in format_latex(table)
    rows = [[Cell("a"), Cell("+1.91*")], [Cell("b"), Cell("−12.50")], [Cell("c"), Cell("0.00")]]
    written = format_latex(
        ReportTable("tests", "Tests", "", [Column("Name", numeric=False), Column("Difference")], rows)
    )
    assert r"S[retain-explicit-plus,table-format=-2.2,table-space-text-post={\textsuperscript{*}}]" in written
    assert r"a & +1.91\textsuperscript{*} \\" in written
