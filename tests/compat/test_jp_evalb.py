"""Mode ``jp_evalb``: the report of jp-evalb, on its three cases and on small files.

The cases are not in this repository: they are read from the folder that ``JP_EVALB`` names, a checkout of
jungyeul/alignment-based-PARSEVAL with its program, and from beside the other shared data.
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import crossbank
from crossbank.compat.jp_evalb import evaluate
from crossbank.compat.jp_evalb.cleaned_trees import read_jp_tree
from crossbank.compat.jp_evalb.jp_alignment import JpAlignmentError, align_jp_sentences, align_jp_words
from crossbank.compat.jp_evalb.jp_parameters import COLLINS, JpParameters
from crossbank.compat.jp_evalb.loops.letter_edits import is_within_edits
from crossbank.metrics.modes.protocol import Call
from crossbank.treebanks import CrossbankError
from tests.conftest import SHARED_DATA

CASES = Path(os.environ.get("JP_EVALB", SHARED_DATA / "jp-evalb"))

with_cases = pytest.mark.skipif(
    not CASES.is_dir(),
    reason=f"{CASES}: no checkout of jungyeul/alignment-based-PARSEVAL (JP_EVALB names another)",
)


def report(folder: Path, gold: str, candidate: str, **options: str) -> str:
    for name, text in (("gold.mrg", gold), ("parsed.mrg", candidate)):
        (folder / name).write_text(text, encoding="utf-8")
    return evaluate(Call(folder / "gold.mrg", folder / "parsed.mrg", options=options)).printed()[0]


def row(text: str) -> list[str]:
    return text.splitlines()[3].split()


def test_sentences_and_words_are_aligned(tmp_path: Path) -> None:
    gold = "(TOP (S (NP (D the) (N dog)) (V can) (R not)))\n(TOP (S (V run)))\n(TOP (S (V end)))\n"
    parsed = "(TOP (X (S (NP (D the) (N dog)) (V cannot)) (S (V run))))\n(TOP (S (V end)))\n"
    printed = report(tmp_path, gold, parsed)
    # The system's sentence has the words of both; gold has S, NP and S, the system X, S, NP and S.
    assert row(printed) == ["1", "5", "0", "100.00", "75.00", "3", "3", "4", "0", "5", "3", "60.00"]
    assert "Bracketing FMeasure       =  88.89\n" in printed


def test_a_bracket_that_stands_twice_is_matched_once(tmp_path: Path) -> None:
    tree = "(TOP (S (X (X (A a) (B b)))))\n"
    assert row(report(tmp_path, tree, tree))[5:8] == ["2", "3", "3"]


def test_labels_are_deleted_and_equal_with_evalb(tmp_path: Path) -> None:
    gold = "(TOP (S (ADVP (A a) (B b)) (, ,)))\n"
    parsed = "(TOP (S (PRT (A a) (B b)) (, ,)))\n"
    assert row(report(tmp_path, gold, parsed))[5:8] == ["1", "2", "2"]
    assert row(report(tmp_path, gold, parsed, evalb="yes")) == [
        "1",
        "3",
        "0",
        "100.00",
        "100.00",
        "2",
        "2",
        "2",
        "0",
        "2",
        "2",
        "100.00",
    ]


def test_an_error_has_zeros(tmp_path: Path) -> None:
    gold, parsed = "(TOP (S (A a) (B b) (. .)))\n", "(TOP (S (A a) (B b) (X .)))\n"
    assert row(report(tmp_path, gold, parsed, evalb="yes"))[2:] == [
        "1",
        "0.00",
        "0.00",
        "0",
        "0",
        "0",
        "0",
        "0",
        "0",
        "0.00",
    ]


def test_the_string_of_the_default_parameters_is_its_letters() -> None:
    tree = read_jp_tree("(TOP (S (-NONE- *) (N n) (. .)))", COLLINS, "x", 1)
    assert (tree.leaves, tree.deleted) == (["n"], 2)


@pytest.mark.parametrize(
    ("gold", "parsed"),
    [
        ("(S (A a))\n\n", "(S (A a))\n"),
        ("(S (A a)\n", "(S (A a))\n"),
        ("(S (A a)) (S (B b))\n", "(S (A a))\n"),
        ("(S a b)\n", "(S (A a))\n"),
        ("(S (A a))\n", "(S (A a)))\n"),
        ("(S (A aaaaaaaaaaaaaaaaaaaaaaaa))\n", "(S (A aaaaaaaaaaaaaaaaaaaaaaab))\n"),
        ("(S (A a))\n(S (B b))\n", "(S (A a))\n"),
    ],
)
def test_what_ends_the_program_is_refused_in_one_line(tmp_path: Path, gold: str, parsed: str) -> None:
    with pytest.raises(CrossbankError) as refused:
        report(tmp_path, gold, parsed)
    assert "\n" not in str(refused.value)


def test_options_are_those_of_the_program(tmp_path: Path) -> None:
    with pytest.raises(CrossbankError):
        report(tmp_path, "(S (A a))\n", "(S (A a))\n", labels="no")


def test_the_result_has_the_numbers_of_the_report(tmp_path: Path) -> None:
    (tmp_path / "g.mrg").write_text("(TOP (S (NP (A a) (B b)) (C c)))\n")
    (tmp_path / "p.mrg").write_text("(TOP (S (A a) (VP (B b) (C c))))\n")
    result = crossbank.score(tmp_path / "g.mrg", tmp_path / "p.mrg", mode="jp_evalb")
    assert (result["precision"], result["recall"], result["crossing"]) == (0.5, 0.5, 0.5)
    assert "Bracketing Recall         =  50.00\n" in str(result.report)


def levenshtein(one: str, other: str) -> int:
    edits = list(range(len(other) + 1))
    for row, letter in enumerate(one, 1):
        diagonal, edits[0] = edits[0], row
        for column, own in enumerate(other, 1):
            diagonal, edits[column] = (
                edits[column],
                min(diagonal + (letter != own), edits[column] + 1, edits[column - 1] + 1),
            )
    return edits[-1]


@given(st.text("ab", max_size=9), st.text("abc", max_size=9), st.integers(0, 9))
def test_edits_are_counted_up_to_a_limit(one: str, other: str, most: int) -> None:
    letters = (np.array([ord(letter) for letter in text], np.int32) for text in (one, other))
    assert is_within_edits(*letters, most) == (levenshtein(one, other) <= most)


@given(
    st.lists(st.sampled_from(["a", "b", "ab", "bc"]), max_size=7),
    st.lists(st.sampled_from(["a", "b", "ab"]), max_size=7),
)
def test_every_word_has_a_group(system: list[str], gold: list[str]) -> None:
    try:
        one, other, groups = align_jp_words(system, gold)
    except JpAlignmentError:
        return
    assert (len(one), len(other)) == (len(system), len(gold))
    assert sorted(one) == one
    assert sorted(set(other)) == list(range(groups))


def test_sentences_without_end_are_refused() -> None:
    with pytest.raises(JpAlignmentError):
        align_jp_sentences([], [])


@with_cases
@pytest.mark.parametrize(
    ("files", "parameters", "f1"),
    [
        (("case1_ptb23_dir/23.gold", "case1_ptb23_dir/23.sys_berkeley_top"), True, "90.05"),
        (("case2_bug_dir/bug.gld", "case2_bug_dir/bug.tst"), False, "59.66"),
        (("case3_korean_dir/BGAA0001.test.gold", "case3_korean_dir/BGAA0001.test.sys"), False, "74.00"),
    ],
)
def test_the_three_cases(files: tuple[str, str], parameters: bool, f1: str) -> None:
    """Their figures are those that the program prints; some files in its repository are older."""
    call = Call(
        *(CASES / file for file in files),
        parameters=CASES / "case1_ptb23_dir/COLLINS.prm" if parameters else None,
        options={"evalb": "yes"} if parameters else {},
    )
    printed = evaluate(call).printed()[0]
    assert f"Bracketing FMeasure       =  {f1}\n" in printed.partition("-- len")[0]
    if f1 == "74.00":
        assert "Bracketing Recall         =  72.91\nBracketing Precision      =  75.12\n" in printed
        assert "  72.91  75.12   " in printed


def test_no_parameters_delete_nothing() -> None:
    tree = read_jp_tree("( (S (-NONE- *) (. .)))", JpParameters(), "x", 1)
    assert (tree.leaves, tree.tags) == (["*", "."], [("-NONE-", "*"), (".", ".")])
