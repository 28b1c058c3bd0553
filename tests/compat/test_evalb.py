"""EVALB's report, byte for byte: its published reports, and each of its conventions on a line by hand.

EVALB's own program is asked too where the variable EVALB, or PATH, names one.
"""

import gzip
import os
import re
import shutil
import subprocess
import tracemalloc
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crossbank.compat.evalb import evalb_scoring, lines
from crossbank.compat.evalb.evalb_scoring import scored_chunks
from crossbank.compat.evalb.lines import LineFile, LineReader
from crossbank.compat.evalb.loops.line_reading import UNCLOSED
from crossbank.compat.evalb.loops.row_writing import written_rows
from crossbank.compat.evalb.parameters import load_parameters
from crossbank.metrics.pairing.pair import Status
from crossbank.metrics.statistics.bootstrap import intervals
from crossbank.treebanks.errors import CrossbankError, FormatError, OptionError
from crossbank.treebanks.scanners.interning import StringTable
from crossbank.workflow.commands.cli import main
from tests.compat.modes import Mode
from tests.errors import raises

evaluate, run = Mode("evalb").evaluate, Mode("evalb").run

SAMPLE = """\
DEBUG 0
MAX_ERROR 10
CUTOFF_LEN 40
LABELED 1
DELETE_LABEL TOP
DELETE_LABEL -NONE-
DELETE_LABEL ,
DELETE_LABEL :
DELETE_LABEL ``
DELETE_LABEL ''
DELETE_LABEL_FOR_LENGTH -NONE-
EQ_LABEL T TT
EQ_WORD  This this
"""
"""The settings of ``sample/sample.prm`` as EVALB comes with it."""


class Files:
    """Gold, candidate and parameters in a folder, and what EVALB says of them."""

    def __init__(self, folder: Path) -> None:
        self.gold, self.candidate, self.parameters = folder / "gold", folder / "test", folder / "x.prm"

    def write(self, gold: str, candidate: str, parameters: str = "") -> "Files":
        self.gold.write_text(gold)
        self.candidate.write_text(candidate)
        self.parameters.write_text(parameters or "LABELED 1\n")
        return self

    def run(self, **options: object) -> tuple[str, str, int]:
        return run(self.gold, self.candidate, self.parameters, options=options)

    def by_evalb(self) -> tuple[str, str, int]:
        done = subprocess.run(
            [str(EVALB), "-p", self.parameters, self.gold, self.candidate],
            capture_output=True,
            text=True,
            check=False,
        )
        return done.stdout, done.stderr, done.returncode


EVALB = os.environ.get("EVALB") or shutil.which("evalb")


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(tmp_path)


def rows(files: Files, gold: str, candidate: str, parameters: str = "") -> list[str]:
    """Return the lines for the sentences, in the columns that EVALB's head names."""
    report, complaints, code = files.write(gold, candidate, parameters).run()
    if EVALB:
        assert (report, complaints, code) == files.by_evalb()
    return [line.strip() for line in report.split("=" * 76 + "\n")[1].splitlines()]


def row(files: Files, gold: str, candidate: str, parameters: str = "") -> str:
    (line,) = rows(files, gold + "\n", candidate + "\n", parameters)
    return re.sub(" +", " ", line)


#          ID Len Stat Recall Precision Matched Gold Test Crossing Words Tags Accuracy
PERFECT = "1 2 0 100.00 100.00 1 1 1 0 2 2 100.00"


# What EVALB printed


@pytest.fixture(scope="session")
def far(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Return farPaHC's gold, on one line a tree, and the outputs of the parser e1."""
    folder = tmp_path_factory.mktemp("far")
    parser = shared_data / "farpahc" / "parsers" / "e1"
    if not parser.is_dir():
        pytest.skip("FarPaHC's parser output is not in ../shared/data")
    (folder / "sample.prm").write_text(SAMPLE)
    for fold in range(10):
        text = (parser / "corpus" / f"far_split{fold}testing.psd").read_text()
        trees = re.split(r"\n\s*\n", text.strip().replace("(TOP (", "( ("))
        (folder / f"spread{fold}").write_text("\n\n".join(trees) + "\n")
        (folder / f"gold{fold}").write_text("".join(re.sub(r"\s+", " ", tree) + "\n" for tree in trees))
    return folder, parser


@pytest.mark.parametrize("fold", range(6))
@pytest.mark.parametrize("layout", ["gold", "spread"])
def test_published_reports(far: tuple[Path, Path], fold: int, layout: str) -> None:
    """The report to the twelfth error, from gold on one line a tree and from gold as it was."""
    folder, parser = far
    output = parser / "output" / f"far_split{fold}machineparsed.psd"
    report, complaints, code = run(folder / f"{layout}{fold}", output, folder / "sample.prm")
    assert report == (parser / "eval" / f"far{fold}eval.txt").read_text()
    assert complaints.count("\n") == 12
    assert code == 1


def test_beyond_the_twelfth_error(far: tuple[Path, Path]) -> None:
    folder, parser = far
    output = parser / "output" / "far_split0machineparsed.psd"
    early, _, _ = run(folder / "gold0", output, folder / "sample.prm")
    report, complaints, code = run(
        folder / "gold0", output, folder / "sample.prm", options={"max_error": "none"}
    )
    assert report.startswith(early)
    assert code == 0
    errors = complaints.count("\n")
    assert errors > 12
    assert f"Number of Error sentence  = {errors:6d}" in report


def test_the_sample_that_comes_with_evalb() -> None:
    """Its report is of 1997: without F, words counted in errors too, another total of crossings."""
    sample = Path(__file__).parents[1] / "data" / "evalb"
    report, _, code = run(sample / "sample.gld", sample / "sample.tst", sample / "sample.prm")
    assert code == 0
    actual = [line for line in report.splitlines() if "FMeasure" not in line]
    expected = (sample / "sample.rsl").read_text().splitlines()
    assert len(actual) == len(expected) == 56
    for mine, published in zip(actual, expected, strict=True):
        if mine.startswith(" " * 16):
            assert mine.split()[:5] == published.split()[:5] == ["87.76", "90.53", "86", "98", "95"]
            assert mine.split()[6:] == published.split()[6:] == ["108", "106", "98.15"]
        elif mine[13:14] in ("1", "2"):
            assert mine[:60] == published[:60]
        else:
            assert mine == published


@pytest.mark.parametrize("version", ["new", "old"])
def test_the_example_of_the_repaired_bug(shared_data: Path, files: Files, version: str) -> None:
    """With QUOTE_LABEL and without; the published lines lack their indent, the totals the crossings."""
    bug = shared_data / "evalb-sample" / "bug"
    files.parameters.write_text(SAMPLE)
    parameters = bug.parent / "new.prm" if version == "new" else files.parameters
    report, complaints, _ = run(bug / "bug.gld", bug / "bug.tst", parameters)
    published = (bug / f"bug.rsl-{version}").read_text()
    unmatched = re.findall(r"^\d+ : Length unmatch .*\n", published, re.MULTILINE)
    assert complaints == "".join(unmatched)
    expected = [line for line in published.splitlines() if f"{line}\n" not in unmatched and line]
    actual = [line for line in report.splitlines() if line]
    assert len(actual) == len(expected)
    for mine, reference in zip(actual, expected, strict=True):
        if mine.startswith(" " * 16):
            assert mine.split()[:5] == reference.split()[:5]
            assert (mine.split()[5], reference.split()[5]) == ("36", "0")  # the sum of the column is 36
        else:
            assert mine.strip().replace("-nan", " nan") == reference.strip()


# Its conventions, one by one


def test_a_root_without_a_label_is_a_bracket(files: Files) -> None:
    assert row(files, "( (S (A a) (B b)))", "( (S (A a) (B b)))") == "1 2 0 100.00 100.00 2 2 2 0 2 2 100.00"
    assert row(files, "( (S (A a) (B b)))", "(S (A a) (B b))") == "1 2 0 50.00 100.00 1 2 1 0 2 2 100.00"


def test_top_counts_unless_it_is_deleted(files: Files) -> None:
    both = "(TOP (S (A a) (B b)))", "(S (A a) (B b))"
    assert row(files, *both) == "1 2 0 50.00 100.00 1 2 1 0 2 2 100.00"
    assert row(files, *both, "DELETE_LABEL TOP\n") == PERFECT


def test_a_word_may_be_empty_and_a_bracket_too(files: Files) -> None:
    assert row(files, "(S (A a) (X ))", "(S (A a) (X ))") == PERFECT
    assert row(files, "(S (A a) (B b) (X))", "(S (A a) (B b))") == PERFECT


def test_preterminals_are_no_brackets(files: Files) -> None:
    assert row(files, "(A a) (B b)", "(A a) (B b)") == "1 2 0 0.00 0.00 0 0 0 0 2 2 100.00"


def test_deleted_words_leave_the_spans(files: Files) -> None:
    gold, candidate = "(S (A a) (. .) (NP (B b) (. .)))", "(S (A a) (NP (. .) (B b)) (. .))"
    assert row(files, gold, candidate, "DELETE_LABEL .\n") == "1 4 0 100.00 100.00 2 2 2 0 2 2 100.00"
    assert row(files, gold, candidate) == "1 4 0 50.00 50.00 1 2 2 1 4 4 100.00"


def test_words_are_deleted_by_the_whole_tag(files: Files) -> None:
    """Neither cut at a hyphen nor taken for its equal: both words stay."""
    parameters = "DELETE_LABEL X\nEQ_LABEL X Y\n"
    assert row(files, "(S (X-1 a) (Y b))", "(S (X-1 a) (Y b))", parameters) == PERFECT


def test_the_length_has_a_list_of_its_own(files: Files) -> None:
    parameters = "DELETE_LABEL ,\nDELETE_LABEL_FOR_LENGTH -NONE-\n"
    tree = "(S (A a) (, ,) (-NONE- *))"
    assert row(files, tree, tree, parameters) == "1 2 0 100.00 100.00 1 1 1 0 2 2 100.00"


def test_brackets_over_nothing_vanish(files: Files) -> None:
    gold = "(S (A a) (B b) (NP (NP (-NONE- *T*-1))))"
    assert (
        row(files, gold, "(S (A a) (B b))", "DELETE_LABEL -NONE-\n")
        == "1 3 0 100.00 100.00 1 1 1 0 2 2 100.00"
    )


def test_labels_are_cut_at_the_first_hyphen_or_equals_sign(files: Files) -> None:
    assert row(files, "(S-SBJ=2 (A a) (B b))", "(S=1-X (A a) (B b))") == PERFECT
    # at the first character too: what is left is the empty label, and no name deletes it
    tree, parameters = "(-NONE- (S (A a) (B b)))", "DELETE_LABEL -NONE-\nDELETE_LABEL S-SBJ\n"
    assert row(files, tree, tree, parameters) == "1 2 0 100.00 100.00 2 2 2 0 2 2 100.00"


def test_a_deleted_label_takes_its_equals_with_it(files: Files) -> None:
    parameters = "DELETE_LABEL X\nEQ_LABEL Y X\n"
    assert row(files, "(S (Y (A a) (B b)))", "(S (A a) (B b))", parameters) == PERFECT


def test_equal_labels_do_not_chain_and_the_first_is_taken(files: Files) -> None:
    parameters = "EQ_LABEL A B\nEQ_LABEL B C\n"
    candidate = "(A (C (X x) (Y y)))"
    assert row(files, "(B (A (X x) (Y y)))", candidate, parameters) == "1 2 0 50.00 50.00 1 2 2 0 2 2 100.00"
    assert (
        row(files, "(A (B (X x) (Y y)))", candidate, parameters) == "1 2 0 100.00 100.00 2 2 2 0 2 2 100.00"
    )
    assert row(files, "(A (C (X x) (Y y)))", "(C (A (X x) (Y y)))", parameters).startswith("1 2 0 100.00")


def test_repeated_brackets_match_as_often_as_both_have_them(files: Files) -> None:
    once, thrice = "(X (A a) (B b))", "(X (X (X (A a) (B b))))"
    assert row(files, once, thrice) == "1 2 0 100.00 33.33 1 1 3 0 2 2 100.00"
    assert row(files, thrice, once) == "1 2 0 33.33 100.00 1 3 1 0 2 2 100.00"


def test_a_bracket_crosses_once(files: Files) -> None:
    gold = "(S (X (A a) (B b)) (Y (C c) (D d)))"
    candidate = "(S (A a) (Z (B b) (C c)) (D d))"
    assert row(files, gold, candidate) == "1 4 0 33.33 50.00 1 3 2 1 4 4 100.00"
    # labels do not matter, brackets that are deleted do not count on either side
    assert row(files, gold, candidate, "DELETE_LABEL Z\n").split()[8] == "0"
    assert row(files, gold, candidate, "DELETE_LABEL X\nDELETE_LABEL Y\n").split()[8] == "0"


def test_without_labels(files: Files) -> None:
    assert row(files, "(S (A a) (B b))", "(T (A a) (B b))", "LABELED 0\n") == PERFECT
    assert row(files, "(S (A a) (B b))", "(T (A a) (B b))") == "1 2 0 0.00 0.00 0 1 1 0 2 2 100.00"


def test_tags_are_compared_uncut_and_with_their_equals(files: Files) -> None:
    gold, candidate = "(S (RB a) (ADVP b))", "(S (PRT a) (PRT b))"
    assert row(files, gold, candidate, "EQ_LABEL ADVP PRT\n") == "1 2 0 100.00 100.00 1 1 1 0 2 1 50.00"
    assert row(files, "(S (A-1 a) (B b))", "(S (A a) (B b))") == "1 2 0 100.00 100.00 1 1 1 0 2 1 50.00"


def test_other_words_are_an_error(files: Files) -> None:
    gold = "(S (A a) (B b))"
    assert row(files, gold, "(S (A a) (B B))") == "1 2 1 0.00 0.00 0 0 0 0 0 0 0.00"
    assert files.run()[1] == "1 : Words unmatch (b|B)\n"
    assert row(files, gold, "(S (A a))") == "1 2 1 0.00 0.00 0 0 0 0 0 0 0.00"
    assert files.run()[1] == "1 : Length unmatch (2|1)\n"
    assert row(files, gold, "(S (A a) (B B))", "EQ_WORD B b\n") == PERFECT


@pytest.mark.parametrize("candidate", ["", "(())", "(S)", "(S (. .))"])
def test_a_candidate_without_words_is_skipped(files: Files, candidate: str) -> None:
    end = "\n(S (A a))\n"
    table_rows = rows(files, "(S (A a))" + end, candidate + end, "DELETE_LABEL .\n")
    assert re.sub(" +", " ", table_rows[0]) == "1 1 2 0.00 0.00 0 0 0 0 0 0 0.00"
    assert files.run()[1] == ""


def test_a_blank_in_brackets_is_an_empty_word(files: Files) -> None:
    assert row(files, "(S (A a))", "( )") == "1 1 1 0.00 0.00 0 0 0 0 0 0 0.00"
    assert files.run()[1] == "1 : Words unmatch (a|)\n"


def test_gold_without_words_is_an_error_unless_both_are(files: Files) -> None:
    table_rows = rows(files, "\n\n(S (A a))\n", "(S (A a))\n\n(S (A a))\n")
    assert [line.split()[2] for line in table_rows] == ["1", "2", "0"]
    assert files.run()[1] == "1 : Length unmatch (0|1)\n"


# Lines that are no trees


def test_an_unclosed_bracket_is_an_error_and_counts_in_its_line(files: Files) -> None:
    gold = "(S (X (A a) (B b)))"
    assert row(files, gold, "(S (X (A a) (B b))") == "1 2 1 50.00 50.00 1 2 2 0 2 2 100.00"
    assert files.run()[1] == "1 : Bracketing is unbalanced (too many open bracket)\n"
    assert "Bracketing Recall         =   0.00" in files.run()[0]
    assert row(files, gold + ")", gold) == "1 2 1 100.00 100.00 2 2 2 0 2 2 100.00"
    assert files.run()[1] == "1 : Bracketing is unbalanced (too many open bracket)\n"
    assert row(files, gold, gold + "))") == "1 2 1 100.00 100.00 2 2 2 0 2 2 100.00"
    assert files.run()[1].splitlines() == [
        "1 : Bracketing unbalance (too many close bracket)",
        "1 : Bracketing is unbalanced (too many open bracket)",
    ]


def test_a_bracket_that_closes_nothing_closes_the_first_again(files: Files) -> None:
    twice = "(X (A a)) (Y (B b))"
    assert row(files, twice, "(X (A a) (B b))") == "1 2 0 0.00 0.00 0 2 1 0 2 2 100.00"
    assert row(files, twice + ")", "(X (A a) (B b))") == "1 2 1 50.00 100.00 1 2 1 0 2 2 100.00"


@pytest.mark.parametrize(
    ("line", "first"),
    [
        ("(S (A a)) b", "Reading sentence"),
        ("(S (A a b))", "More than two elements in a bracket"),
        ("(S (A a(B b)))", "Reading sentence"),
    ],
)
def test_text_outside_of_brackets_ends_evalb(files: Files, line: str, first: str) -> None:
    good = "(S (A a))\n"
    assert len(rows(files, good * 3, good + line + "\n" + good)) == 1
    report, complaints, code = files.run()
    assert complaints.splitlines() == [f"2 : {first}", *["2 : Reading sentence"] * 11]
    assert code == 1
    assert "Summary" not in report
    report, complaints, code = files.run(max_error="none")
    assert complaints.splitlines() == list(dict.fromkeys([f"2 : {first}", "2 : Reading sentence"]))
    assert "Number of Valid sentence  =      2" in report
    assert code == 0


def test_unequal_numbers_of_lines(files: Files) -> None:
    good = "(S (A a))\n"
    assert len(rows(files, good * 3, good)) == 1
    assert files.run()[1] == "2 : Number of lines unmatch (too many lines in gold file)\n"
    assert len(rows(files, good, good * 3)) == 1
    assert files.run()[1] == "2 : Number of lines unmatch (too many lines in test file)\n"
    assert files.run()[2] == 0


@pytest.mark.parametrize(("max_error", "lines"), [(10, 13), (0, 3), (-1, 2), (-7, 2), (20, 20)])
def test_it_ends_at_the_error_after_the_error_after_max_error(
    files: Files, max_error: int, lines: int
) -> None:
    good, bad = "(S (A a))\n", "(S (A b))\n"
    table_rows = rows(files, good * 20, good + bad * 19, f"MAX_ERROR {max_error}\n")
    ends = lines < 20
    assert len(table_rows) == lines - ends
    report, complaints, code = files.run()
    assert complaints.count("\n") == (lines - 1)
    assert ("Summary" in report, code) == (not ends, int(ends))


# Quotation marks

QUOTES = "DELETE_LABEL ``\nQUOTE_LABEL ``\nQUOTE_LABEL NN\n"


def test_a_quotation_mark_under_another_tag_is_put_back(files: Files) -> None:
    gold = "(S (NP (`` ') (A a)) (B b))"
    candidate = "(S (NP (NN ') (A a)) (B b))"
    assert row(files, gold, candidate, QUOTES) == "1 3 0 100.00 100.00 2 2 2 0 3 2 66.67"
    assert row(files, candidate, gold, QUOTES) == "1 3 0 100.00 100.00 2 2 2 0 3 2 66.67"


def test_only_quotation_marks_and_only_where_the_lengths_differ(files: Files) -> None:
    gold = "(S (`` x) (A a))"
    assert row(files, gold, "(S (NN x) (A a))", QUOTES) == "1 2 1 0.00 0.00 0 0 0 0 0 0 0.00"
    gold, candidate = "(S (`` ') (NN ') (A a))", "(S (NN ') (`` ') (A a))"
    assert row(files, gold, candidate, QUOTES) == "1 3 0 100.00 100.00 1 1 1 0 2 2 100.00"


# The summary


def test_the_summary(files: Files) -> None:
    gold = "(S (X (A a) (B b)) (C c))\n(S (A a) (X (B b) (C c)))\n(S (A a))\n(S (A a))\n"
    candidate = "(S (X (A a) (B b)) (C c))\n(S (X (A a) (B b)) (D c))\n\n(S (A b))\n"
    report, _, code = files.write(gold, candidate, "CUTOFF_LEN 2\n").run()
    if EVALB:
        assert report == files.by_evalb()[0]
    assert code == 0
    assert (
        report
        == """\
  Sent.                        Matched  Bracket   Cross        Correct Tag
 ID  Len.  Stat. Recal  Prec.  Bracket gold test Bracket Words  Tags Accracy
============================================================================
   1    3    0  100.00 100.00     2      2    2      0      3     3   100.00
   2    3    0   50.00  50.00     1      2    2      1      3     2    66.67
   3    1    2    0.00   0.00     0      0    0      0      0     0     0.00
   4    1    1    0.00   0.00     0      0    0      0      0     0     0.00
============================================================================
                 75.00  75.00      3     4     4      1      6     5    83.33
=== Summary ===

-- All --
Number of sentence        =      4
Number of Error sentence  =      1
Number of Skip  sentence  =      1
Number of Valid sentence  =      2
Bracketing Recall         =  75.00
Bracketing Precision      =  75.00
Bracketing FMeasure       =  75.00
Complete match            =  50.00
Average crossing          =   0.50
No crossing               =  50.00
2 or less crossing        = 100.00
Tagging accuracy          =  83.33

-- len<=2 --
Number of sentence        =      2
Number of Error sentence  =      1
Number of Skip  sentence  =      1
Number of Valid sentence  =      0
Bracketing Recall         =   0.00
Bracketing Precision      =   0.00
Bracketing FMeasure       =   -nan
Complete match            =   0.00
Average crossing          =   0.00
No crossing               =   0.00
2 or less crossing        =   0.00
Tagging accuracy          =   0.00
"""
    )
    assert "-- len<=9 --\nNumber of sentence        =      4" in files.run(cutoff_len="9")[0]


def test_sentences_without_brackets_are_complete(files: Files) -> None:
    rows(files, "(A a)\n", "(B a)\n")
    report = files.run()[0]
    assert "\n      1     0     0.00\n=== Summary" in report
    assert "Complete match            = 100.00" in report


# Files


def test_trees_over_several_lines_are_put_on_one(files: Files) -> None:
    spread = "(S (X (A a)\n      (B b))\n   (C c))\n\n(S (A a))\n"
    flat = "(S (X (A a) (B b)) (C c))\n(S (A a))\n"
    report, complaints, _ = files.write(spread, flat).run()
    assert complaints == ""
    assert report == files.write(flat, flat).run()[0]


def test_an_unbalanced_tree_over_several_lines_is_refused(files: Files) -> None:
    files.write("(S (A a))\n(S (X (A a)\n      (B b)\n      (B b)\n   (C c))\n", "(S (A a))\n")
    with raises(FormatError, line=2, actual="an unbalanced tree over several lines"):
        files.run()
    # The first such tree is named, whatever is wrong with later ones.
    first = "(S (X (A a)\n      (B b)\n      (B b)))\n(S (X (A a)\n   (B b))))\n"
    files.write(f"{first}(S (A a b)\n   (C c))\n", "(S (A a))\n")
    with raises(FormatError, line=5, actual="an unbalanced tree over several lines"):
        files.run()


def test_bytes_are_compared_whatever_the_encoding(files: Files) -> None:
    files.write("(S (A a))\n", "(S (A a))\n")
    for path in files.gold, files.candidate:
        path.write_bytes("(S (Ä über) (B x))\r\n".encode("latin-1"))
    assert files.run()[0].splitlines()[3].split()[2:5] == ["0", "100.00", "100.00"]
    files.gold.write_text("(S (Ä über) (B x))\n", encoding="utf-8")
    assert files.run()[1] == "1 : Words unmatch (über|\udcfcber)\n"


@settings(deadline=None, max_examples=300)
@given(text=st.text(alphabet="() \nab-", min_size=1, max_size=40).filter(str.strip))
def test_any_lines_are_read(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    path = tmp_path_factory.mktemp("lines") / "gold"
    path.write_text(text)
    try:
        sentences = LineFile(path).sentences()
    except FormatError:
        assert "\n " in text
        return
    count = 0
    while sentences.fill():
        chunk = sentences.take(len(sentences))
        lines = LineReader("-=").read(chunk, StringTable(chunk.text, 0))
        assert len(lines.word) + len(lines.label) <= text.count("(")
        for offsets, column in ((lines.word_offsets, lines.word), (lines.bracket_offsets, lines.label)):
            assert offsets[-1] == len(column)
            assert len(offsets) == len(lines.flaw) + 1
        assert (lines.end[lines.end != UNCLOSED] >= lines.start[lines.end != UNCLOSED]).all()
        count += len(lines.flaw)
    if "\n " not in text:
        assert count == len(text.removesuffix("\n").split("\n"))


def test_a_byte_order_mark_and_gzip_are_seen_through(files: Files) -> None:
    plain = files.write("(S (A a))\n", "(S (A a))\n").run()
    files.gold.write_bytes(b"\xef\xbb\xbf(S (A a))\n")
    files.candidate.write_bytes(gzip.compress(b"(S (A a))\n"))
    assert files.run() == plain
    files.gold.write_bytes(b"\0\1(S")
    with raises(FormatError, actual="binary data", expected="text"):
        files.run()


def test_other_formats_are_put_into_brackets(files: Files) -> None:
    exported = files.gold.with_suffix(".export")
    exported.write_text(
        "#BOS 1\na\t\tA\t--\t--\t500\nb\t\tB\t--\t--\t501\n"
        "#500\t\tNP\t--\t--\t501\n#501\t\tS\t--\t--\t0\n#EOS 1\n"
    )
    expected = files.write("(S (NP (A a)) (B b))\n", "(S (A a) (B b))\n").run()
    assert run(exported, files.candidate, files.parameters, candidate_format="bracket") == expected
    assert run(exported, files.candidate, files.parameters) == expected


@pytest.mark.parametrize(
    ("line", "fields"),
    [
        ("DELETE_LABLE X", {"line": 3, "names": ("DELETE_LABLE",)}),
        (" DELETE_LABEL X", {"line": 3, "actual": "the key ''"}),
        ("DELETE_LABEL", {"line": 3, "names": ("DELETE_LABEL",)}),
        ("EQ_LABEL A", {"line": 3, "names": ("EQ_LABEL",)}),
        ("EQ_WORD a b c", {"line": 3, "names": ("EQ_WORD",)}),
        ("LABELED yes", {"line": 3, "names": ("LABELED",)}),
    ],
)
def test_a_wrong_parameter_file_is_refused(files: Files, line: str, fields: dict[str, object]) -> None:
    files.write("(S (A a))\n", "(S (A a))\n", f"# comment\n\n{line}\n")
    with raises(FormatError, **fields):
        files.run()


def test_wrong_options_are_refused(files: Files) -> None:
    files.write("(S (A a))\n", "(S (A a))\n")
    with raises(OptionError, "max_error", "cutoff_len", kind="option of evalb", value="labels"):
        files.run(labels="no")
    with raises(OptionError, kind="option max_error", value="many", allowed="a whole number"):
        files.run(max_error="many")


def test_an_empty_parameter_file(files: Files) -> None:
    files.write("(S (A a))\n", "(S (A a))\n", "\n")
    with raises(FormatError, file="x.prm", actual="an empty parameter file", expected="at least one setting"):
        files.run()


def test_where_evalb_ends_at_once_the_mode_says_so(files: Files, capsys: pytest.CaptureFixture[str]) -> None:
    """``crossbank help evalb`` names what EVALB ends at, or has an empty report of."""
    report = files.write("(S (A a))\n", "(S (A a))\n").run()[0]
    files.write("\ufeff(S (A a))\n", "(S (A a))\n")
    assert (files.run()[0], EVALB and files.by_evalb()[2]) == (report, EVALB and 1)
    with raises(FormatError, actual="an empty file", expected="at least one sentence"):
        files.write("\n\n", "\n\n").run()
    assert main(["help", "evalb"]) == 0
    output = capsys.readouterr().out
    assert all(
        message in output
        for message in ("byte order mark", "An empty line is", "goes on over indented lines")
    )


def test_trees_over_several_lines_are_named(files: Files) -> None:
    files.write("(S\n  (A a))\n", "(S (A a))\n")
    notes = evaluate(files.gold, files.candidate).notes
    assert notes.startswith(f"{files.gold}: trees go over several lines, 1 line joined to")
    assert notes.count("\n") == 1


def test_dumps_are_left_out_and_that_is_said(files: Files) -> None:
    files.write("(S (A a))\n", "(S (A a))\n", "DEBUG 1\n")
    notes = evaluate(files.gold, files.candidate, files.parameters).notes
    assert notes.endswith("x.prm: DEBUG 1: the dump of each sentence is left out\n")


# The same as counts


def test_counts(files: Files) -> None:
    gold = "(S (X (A a) (B b)))\n" * 4 + "\n"
    files.write(gold, "(S (X (A a) (B b)))\n\n(S (A a))\n(S (A a) (B b)\n(S (A a))\n", SAMPLE)
    evaluation = evaluate(files.gold, files.candidate, files.parameters)
    counts = evaluation.counts()
    expected = [Status.SCORED, Status.NO_PARSE, Status.WORDS_DIFFER, Status.NO_PARSE, Status.NO_GOLD]
    assert counts.status.tolist() == expected
    assert counts.columns["gold"].tolist() == [2, 2, 2, 2, 0]
    assert counts.columns["matched"].tolist() == [2, 0, 0, 0, 0]
    values = counts.values()
    assert (values["recall"], values["f1"], values["exact"], values["tagging"]) == (1, 1, 1, 1)
    assert counts.under("empty").values()["recall"] == 2 / 8
    assert re.fullmatch(
        r"evalb\|parameters:x\.prm:[0-9a-f]{8}\|unscored:skip:3\|v1\.0", str(counts.full_signature)
    )
    assert intervals(counts, samples=20, seed=1)["f1"].low == 1


def test_counts_say_where_evalb_ended(files: Files) -> None:
    files.write("(S (A a))\n" * 3, "(S (A b))\n" * 3, "MAX_ERROR 0\n")
    counts = evaluate(files.gold, files.candidate, files.parameters).counts()
    assert len(counts) == 1
    assert "|ended_at_line:2|" in str(counts.full_signature)


# Against a plain reference, and against the program

LABELS = st.sampled_from(["S", "NP", "VP-X", "NP=2", "-NONE-", "ADVP", ""])
TAGS = st.sampled_from(["A", "B", ".", "-NONE-", "ADVP", "PRT"])
RULES = "DELETE_LABEL S\nDELETE_LABEL .\nDELETE_LABEL -NONE-\nCUTOFF_LEN 3\nMAX_ERROR 99\n"


@st.composite
def bracketings(draw: st.DrawFn, words: list[str]) -> str:
    """A line of brackets over some words; a bracket may be put around any of them, or around nothing."""
    opening = [""] * (len(words) + 1)
    closing = [""] * (len(words) + 1)
    spans = draw(st.lists(st.tuples(st.integers(0, len(words)), st.integers(0, len(words))), max_size=6))
    nested: list[tuple[int, int]] = [(0, len(words))]
    for one, other in spans:
        start, end = min(one, other), max(one, other)
        if all(
            e <= start or end <= s or (s <= start and end <= e) or (start <= s and e <= end)
            for s, e in nested
        ):
            nested.append((start, end))
    for start, end in sorted(nested, key=lambda span: (span[0], -span[1])):
        label = draw(LABELS)
        if start == end:
            closing[start] += f"({label})"
        else:
            opening[start] += f"({label} "
            closing[end] = ")" + closing[end]
    text = ""
    for index, word in enumerate(words):
        text += closing[index] + opening[index] + f"({draw(TAGS)} {word})"
    return text + closing[-1]


@st.composite
def pairs(draw: st.DrawFn) -> list[tuple[str, str]]:
    """Return the lines of gold and candidate, mostly over the same words."""
    actual = []
    for _ in range(draw(st.integers(1, 6))):
        words = draw(st.lists(st.sampled_from(["a", "b", "'"]), min_size=1, max_size=6))
        other = words if draw(st.integers(0, 4)) else [*words, "c"]
        actual.append((draw(bracketings(words)), draw(bracketings(other))))
    return actual


def plain(line: str, deleted: set[str]) -> tuple[list[tuple[str, str]], list[tuple[str, int, int]]]:
    """Return the words with their tags, and brackets with their spans, read with a list as the stack."""
    words: list[tuple[str, str]] = []
    brackets: list[tuple[str, int, int]] = []
    stack: list[tuple[str, int]] = []
    for tag, word, label, close in re.findall(r"\(([^\s()]*) ([^\s()]+)\)|\(([^\s()]*)|(\))", line):
        if word:
            if tag not in deleted:
                words.append((tag, word))
        elif close:
            label, start = stack.pop()
            label = re.sub("[-=].*", "", label)
            if start < len(words) and label not in deleted:
                brackets.append((label, start, len(words)))
        else:
            stack.append((label, len(words)))
    return words, brackets


@settings(deadline=None, max_examples=150)
@given(actual=pairs())
def test_a_plain_reference(tmp_path_factory: pytest.TempPathFactory, actual: list[tuple[str, str]]) -> None:
    files = Files(tmp_path_factory.mktemp("pair"))
    files.write(
        *("".join(f"{line}\n" for line in side) for side in zip(*actual, strict=True)), parameters=RULES
    )
    deleted = {"S", ".", "-NONE-"}
    sides = (LineFile(path).sentences() for path in (files.gold, files.candidate))
    (chunk,) = scored_chunks(*sides, load_parameters(files.parameters, {}))
    result = chunk.rows
    for number, (gold, candidate) in enumerate(actual):
        (gold_words, gold_brackets), (words, brackets) = plain(gold, deleted), plain(candidate, deleted)
        assert result.gold_brackets[number] == len(gold_brackets)
        if [word for _, word in gold_words] != [word for _, word in words] or not words:
            assert result.status[number] == (1 if words else 2)
            continue
        crossing = [
            (start, end)
            for _, start, end in brackets
            if any(s < start < e < end or start < s < end < e for _, s, e in gold_brackets)
        ]
        expected = {
            "status": 0,
            "gold": len(gold_brackets),
            "candidate": len(brackets),
            "matched": sum((Counter(gold_brackets) & Counter(brackets)).values()),
            "crossing": len(crossing),
            "words": len(words),
            "tags": int(np.sum([one == other for one, other in zip(gold_words, words, strict=True)])),
        }
        assert {name: int(getattr(result, name)[number]) for name in expected} == expected


@settings(deadline=None, max_examples=100)
@given(
    actual=pairs(),
    block=st.integers(1, 60),
    broken=st.integers(0, 200),
    layout=st.sampled_from(["", "more gold", "more lines", "several lines"]),
    spmrl=st.booleans(),
)
def test_any_blocks_give_the_same_report(
    tmp_path_factory: pytest.TempPathFactory,
    actual: list[tuple[str, str]],
    block: int,
    broken: int,
    layout: str,
    spmrl: bool,
) -> None:
    """Whichever byte a block ends at, and in chunks of one line: report, messages and counts."""
    files = Files(tmp_path_factory.mktemp("blocks"))
    gold, candidate = ("".join(f"{line}\n" for line in side) for side in zip(*actual, strict=True))
    candidate = candidate[:broken] + candidate[broken + 1 :]
    gold += "(S (A a))\n\n" * (layout == "more gold")
    candidate += "\n (S (A a))" * (layout == "more lines")
    if layout == "several lines":
        gold = gold.replace("(", "\n  (").replace("\n\n  (", "\n(").removeprefix("\n  ")
    files.write(gold, candidate, RULES.replace("99", "3"))
    mode = Mode("evalb_spmrl" if spmrl else "evalb")

    def results() -> tuple[object, ...]:
        try:
            report = mode.evaluate(files.gold, files.candidate, files.parameters)
        except CrossbankError as error:
            return (str(error),)
        counts = report.counts()
        columns = {name: column.tolist() for name, column in counts.columns.items()}
        return report.printed(), report.notes, counts.sentences, counts.status.tolist(), columns

    expected = results()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lines, "BLOCK", block)
        patch.setattr(evalb_scoring, "MAX_STRINGS", 12)
        assert results() == expected


def test_memory_does_not_grow_with_the_files(files: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "BLOCK", 4096)
    peaks = []
    for sentences in (1_000, 10_000):
        files.write(
            "(S (NP (D the) (N cat)) (V sat))\n" * sentences, "(S (NP (D the)) (N cat) (V sat))\n" * sentences
        )
        tracemalloc.start()
        report = evaluate(files.gold, files.candidate, files.parameters, by_sentence=False)
        written = sum(output.report().count("\n") for output in report.outputs)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert written > sentences
    assert peaks[1] < 1.2 * peaks[0]


@pytest.mark.skipif(EVALB is None, reason="EVALB's program is not here (set EVALB to its path)")
@settings(deadline=None, max_examples=150)
@given(
    actual=pairs(),
    cut=st.integers(0, 40),
    more=st.sampled_from(["", "LABELED 0\n", "EQ_LABEL NP ADVP\nEQ_LABEL NP S\n"]),
)
def test_the_program(
    tmp_path_factory: pytest.TempPathFactory, actual: list[tuple[str, str]], cut: int, more: str
) -> None:
    """On trees, and on lines that lack a closing bracket.

    The last one is never taken: after an open label at the end of a line EVALB reads on in what the
    line before has left in its buffer.
    """
    files = Files(tmp_path_factory.mktemp("pair"))
    gold, candidate = ("".join(f"{line}\n" for line in side) for side in zip(*actual, strict=True))
    first = candidate.index("\n")
    bracket = candidate.rfind(")", 0, min(cut, first - 1))
    candidate = candidate[:bracket] + candidate[bracket + 1 :] if bracket >= 0 else candidate
    files.write(gold, candidate, RULES + more)
    assert files.run() == files.by_evalb()


def test_rows_are_written_as_c_prints_them() -> None:
    """All quotients of numbers up to 480, many of them between two hundredths, and numbers of ten digits."""
    row = "%4d  %3d    %d  %6.2f %6.2f   %3d    %3d  %3d    %3d   %4d  %4d   %6.2f\n"
    part, whole = (each.ravel() for each in np.mgrid[0:481, 0:481].astype(np.int32))
    part, whole = np.append(part, [2**31 - 1, 2**31 - 1, 0]), np.append(whole, [2**31 - 1, 1, 2**31 - 1])
    number = np.arange(1, len(part) + 1)
    columns = np.array(
        [number, number % 3, part, part, whole, part + 1, part % 7, whole, part], np.int32
    ).clip(0)
    expected = []
    for line, status, length, matched, gold, candidate, crossing, words, tags in columns.T.tolist():
        shares = [100.0 * a / max(b, 1) for a, b in ((matched, gold), (matched, candidate), (tags, words))]
        counts = matched, gold, candidate, crossing, words, tags
        expected.append(row % (line, length, status, *shares[:2], *counts, shares[2]))
    assert written_rows(columns).decode().splitlines(keepends=True) == expected
