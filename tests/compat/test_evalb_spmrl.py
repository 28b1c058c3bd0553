"""SPMRL scorer's report: each of its differences from EVALB on a line by hand.

Its own program is asked too where the variable EVALB_SPMRL, or PATH, names one.
"""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crossbank.treebanks.errors import MissingFileError, OptionError
from tests.compat.modes import Mode
from tests.errors import raises

evaluate, run = Mode("evalb_spmrl").evaluate, Mode("evalb_spmrl").run

PROGRAM = os.environ.get("EVALB_SPMRL") or shutil.which("evalb_spmrl")

PARAMETERS = """\
MAX_ERROR 10
CUTOFF_LEN 40
LABELED 1
DELETE_LABEL TOP
DELETE_LABEL -NONE-
"""

SWITCHES = {"count_unparsed": "-X", "filenames": "-V", "compact": "-L", "first": "-K"}


class Files:
    """Gold, candidate and parameters in a folder, and what the mode says of them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.gold, self.candidate, self.parameters = (folder / name for name in ("gold", "test", "x.prm"))

    def run(
        self, gold: str, candidate: str, parameters: str = PARAMETERS, **options: str
    ) -> tuple[str, str, int]:
        for path, text in ((self.gold, gold), (self.candidate, candidate), (self.parameters, parameters)):
            path.write_text(text)
        completed = run(self.gold, self.candidate, self.parameters, options=options)
        if PROGRAM:
            switches = [SWITCHES[name] for name in options]
            if "first" in options:
                switches.append(options["first"])
            arguments = [PROGRAM, *switches, "-p", self.parameters, self.gold, self.candidate]
            done = subprocess.run(arguments, capture_output=True, text=True, check=False, cwd=self.folder)
            assert completed == (done.stdout, done.stderr, done.returncode)
        return completed

    def rows(self, gold: str, candidate: str, parameters: str = PARAMETERS, **options: str) -> list[str]:
        report, _, _ = self.run(gold + "\n", candidate + "\n", parameters, **options)
        table = report.split("=" * 76 + "\n")[1]
        return [re.sub(" +", " ", line.strip()) for line in table.splitlines()]


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(tmp_path)


#          ID Len Stat Recall Precision Matched Gold Test Crossing Words Tags Accuracy
ZEROS = "0.00 0.00 0 0 0 0 0 0 0.00"


def test_words_are_never_deleted(files: Files) -> None:
    """EVALB would leave the comma out and find the same NP; here it is part of the span."""
    gold, candidate = "(S (NP (N a)) (, ,) (V b))", "(S (NP (N a) (, ,)) (V b))"
    assert files.rows(gold, candidate, PARAMETERS + "DELETE_LABEL ,\n") == [
        "1 3 0 50.00 50.00 1 2 2 0 3 3 100.00"
    ]


def test_labels_and_tags_end_before_hyphen_equals_sign_and_number_sign(files: Files) -> None:
    assert files.rows("(NP#case=nom (N#x a))", "(NP-SBJ (N=2 a))") == [
        "1 1 0 100.00 100.00 1 1 1 0 1 1 100.00"
    ]


def test_escaped_brackets_are_one_tag(files: Files) -> None:
    assert files.rows("(X (-LRB- a))", "(X (-RRB- a))") == ["1 1 0 100.00 100.00 1 1 1 0 1 1 100.00"]


def test_a_deleted_label_that_begins_with_a_hyphen_is_the_empty_one(files: Files) -> None:
    """``DELETE_LABEL -NONE-`` deletes the root without a label, which EVALB counts."""
    assert files.rows("( (S (N a)))", "( (S (N a)))") == ["1 1 0 100.00 100.00 1 1 1 0 1 1 100.00"]
    assert files.rows("( (S (N a)))", "( (S (N a)))", "LABELED 1\n") == [
        "1 1 0 100.00 100.00 2 2 2 0 1 1 100.00"
    ]


def test_other_lengths_count_as_valid_and_complete(files: Files) -> None:
    report, complaints, code = files.run("(S (N a) (N b))\n", "(S (N a))\n")
    assert "1    2    0    0.00   0.00     0      0    0      0      0     0     0.00" in report
    assert complaints == "1 : Length unmatch (2|1)\n"
    assert code == 0
    assert "Number of Error sentence  =      0" in report
    assert "Complete match            = 100.00" in report
    assert "Bracketing FMeasure       =   -nan" in report


def test_gold_of_one_word_is_scored_in_spite_of_its_length_and_counted_twice(files: Files) -> None:
    assert files.rows("(S (N a))", "(S (N a) (N b))") == [
        f"1 1 0 {ZEROS}",
        "1 1 0 0.00 0.00 0 1 1 0 1 1 100.00",
    ]
    report, complaints, _ = files.run("(S (N a))\n", "(S (N b) (N b))\n")
    assert complaints == "1 : Words unmatch (a|b)\n"
    assert "Number of sentence        =      2" in report
    assert "Number of Error sentence  =      1" in report


def test_other_words_are_an_error(files: Files) -> None:
    assert files.rows("(S (N a) (N b))", "(S (N a) (N c))") == [f"1 2 1 {ZEROS}"]


@pytest.mark.parametrize("candidate", ["", "(())"])
def test_without_a_parse_the_sentence_is_skipped(files: Files, candidate: str) -> None:
    gold = "(S (N a))\n(S (N a))"
    assert files.rows(gold, f"{candidate}\n(S (N a))")[0] == f"1 1 2 {ZEROS}"


def test_unparsed_sentences_count_too_much(files: Files) -> None:
    """Three brackets, one of them TOP, and two DELETE_LABELs: 3 + 3 * 2 - 1, where 2 would be right."""
    gold = "(TOP (S (NP (N a)) (V b)))\n(TOP (S (N a)))"
    first, second = files.rows(gold, "(())\n(TOP (S (N a)))", count_unparsed="yes")
    assert first == "1 2 3 0.00 0.00 0 8 0 0 2 0 0.00"
    assert second == "2 1 0 100.00 100.00 1 1 1 0 1 1 100.00"
    report, _, _ = files.run(gold + "\n", "(())\n(TOP (S (N a)))\n", count_unparsed="yes")
    assert "Number of Skip  sentence  =      0" in report
    assert "Bracketing Recall         =  11.11" in report
    assert "Bracketing Precision      = 100.00" in report
    assert "Tagging accuracy          =  33.33" in report


def test_the_compact_view_exchanges_precision_and_recall(files: Files) -> None:
    report, _, _ = files.run("(S (NP (N a)) (V b))\n", "(S (N a) (V b))\n", compact="all")
    last = report.splitlines()[-1]
    assert last == (
        "F1:  66.67 %\tPrec:  50.00 %\tRec: 100.00 %\tPOS: 100.00 %\tEX:   0.00 %\t"
        f"Unparsed:      0\tSent:      1\tfile: {files.candidate}"
    )
    assert "Summary" not in report


def test_the_compact_view_of_short_sentences(tmp_path: Path) -> None:
    (tmp_path / "gold").write_text("(S (N a))\n(S (NP (N a)) (V b))\n")
    (tmp_path / "test").write_text("(S (N a))\n(S (N a) (V b))\n")
    both = tmp_path / "gold", tmp_path / "test"
    report, complaints, _ = run(*both, options={"compact": "short", "cutoff_len": "1"})
    assert report.splitlines()[-1].startswith("F1: 100.00 %\tPrec: 100.00 %\tRec: 100.00 %")
    assert complaints == "cutoff 1\n"


def test_only_the_first_sentences(files: Files) -> None:
    gold = "(S (N a))\n(S (N b))\n(S (N c))"
    assert len(files.rows(gold, gold, first="2")) == 2
    _, complaints, _ = files.run(gold + "\n", gold + "\n(S (N d))\n", first="2")
    assert complaints == ""


def test_the_files_are_named_above_the_summary(files: Files) -> None:
    report, _, _ = files.run("(S (N a))\n", "(S (N a))\n", filenames="yes")
    assert f"=== Summary: {files.gold}\tvs\t{files.candidate} ===" in report


def test_it_gives_up_after_the_line_that_it_printed(files: Files) -> None:
    """A line of another length has been printed when the error ends the run, one of other words has not."""
    parameters = PARAMETERS.replace("MAX_ERROR 10", "MAX_ERROR 0")
    lengths = "(S (N a) (N b))\n" * 3
    report, complaints, code = files.run(lengths, "(S (N a))\n" * 3, parameters)
    assert (len(report.splitlines()), complaints.count("\n"), code) == (3 + 2, 2, 1)
    report, complaints, code = files.run(lengths, "(S (N a) (N c))\n" * 3, parameters)
    assert (len(report.splitlines()), complaints.count("\n"), code) == (3 + 1, 2, 1)


def test_wrong_options_are_refused(files: Files) -> None:
    files.run("(S (N a))\n", "(S (N a))\n")
    for name, value in (("disconly", "yes"), ("count_unparsed", "maybe"), ("first", "-1"), ("first", "two")):
        with raises(OptionError, name):
            run(files.gold, files.candidate, options={name: value})


def test_a_missing_file_is_an_error(files: Files) -> None:
    with raises(MissingFileError, file="gold"):
        run(files.gold, files.candidate)


def test_counts_are_those_of_the_rows(files: Files) -> None:
    """Lengths that differ count as valid; without a parse nothing counts, or gold's brackets do."""
    gold = "(S (NP (N a)) (V b))\n(S (N a) (N b))\n(S (N a))\n"
    candidate = "(S (N a) (V b))\n(S (N a))\n(())\n"
    for switches, recall in (({}, 1 / 2), ({"count_unparsed": "yes"}, 1 / 5)):
        files.run(gold, candidate, **switches)
        counts = evaluate(files.gold, files.candidate, files.parameters, options=switches).counts()
        assert counts.value("recall") == recall
        assert counts.value("precision") == 1
        assert counts.full_signature.metric == "evalb_spmrl"
    assert counts.status_counts() == {"total": 3, "scored": 3}


# Against the program


@st.composite
def trees(draw: st.DrawFn, words: list[str]) -> str:
    """Return a tree over words, with labels and tags that the program treats oddly."""
    labels = st.sampled_from(["S", "NP", "NP-SBJ", "", "TOP", "-NONE-", "X#f"])
    tags = st.sampled_from(["N", "V-x", "-LRB-", "-RRB-", ",", "``", "POS"])
    parts = [f"({draw(tags)} {word})" for word in words]
    while len(parts) > 1 or draw(st.booleans()):
        first = draw(st.integers(0, len(parts) - 1))
        last = draw(st.integers(first + 1, len(parts)))
        parts[first:last] = [f"({draw(labels)} {' '.join(parts[first:last])})"]
    return parts[0] if parts[0].count("(") > 1 else f"(TOP {parts[0]})"


@pytest.mark.skipif(not PROGRAM, reason="no program of that name: EVALB_SPMRL or PATH may say where it is")
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_the_program(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    files = Files(tmp_path_factory.mktemp("spmrl"))
    words = st.sampled_from(["a", "b", "'", '"'])
    gold, candidate = [], []
    for _ in range(data.draw(st.integers(1, 6))):
        sentence = data.draw(st.lists(words, min_size=1, max_size=5))
        other = data.draw(st.one_of(st.just(sentence), st.just([]), st.lists(words, min_size=1, max_size=5)))
        gold.append(data.draw(trees(sentence)))
        candidate.append(data.draw(trees(other)) if other else "(())")
    deleted = data.draw(st.lists(st.sampled_from(["TOP", "-NONE-", ",", "``", "NP", "NP"])))
    parameters = "LABELED 1\n" + "".join(f"DELETE_LABEL {label}\n" for label in deleted)
    parameters += data.draw(st.sampled_from(["", "EQ_LABEL N V\n", "QUOTE_LABEL ``\nQUOTE_LABEL POS\n"]))
    options = data.draw(st.sampled_from([{}, {"count_unparsed": "yes"}, {"compact": "all"}]))
    files.run(*("\n".join(side) + "\n" for side in (gold, candidate)), parameters, **options)
