"""Comparing and looking at trees without a study file."""

from pathlib import Path

import pytest

from crossbank.treebanks.errors import MissingAnnotationError, OptionError
from crossbank.workflow.commands.cli import main
from crossbank.workflow.proposed_patterns import distinct
from tests.errors import raises, run_failing

ROOT = Path(__file__).resolve().parents[2]
GOLD = str(ROOT / "examples" / "tiger.export")
ALPHA, BETA = (str(ROOT / "examples" / f"tiger.{name}.mrg") for name in ("alpha", "beta"))


def test_the_report_is_that_of_a_study(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call = ["compare", GOLD, ALPHA, BETA, "--scheme", "tiger", "--metric", "parseval", "--report"]
    assert main([*call, str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    assert "| tiger_alpha |" in printed.replace("  ", "")
    assert "[1] parseval|labels:yes|" in printed
    assert "In tiger tiger_beta is better than tiger_alpha under Parseval F1: +7.80 points" in printed
    assert (tmp_path / "report/figures/scores-parseval.pdf").is_file()
    assert (tmp_path / "report/tables/differences.csv").is_file()
    page = (tmp_path / "report" / "index.html").read_text(encoding="utf-8")
    assert "tiger_beta" in page
    summary = (tmp_path / "summary.csv").read_text(encoding="utf-8")
    assert summary.count("\n") > 8


def test_local_dependencies_are_shown_with_trees_and_errors(tmp_path: Path) -> None:
    call = ["compare", GOLD, ALPHA, "--scheme", "tiger", "--metric", "local_dependencies", "--report"]
    assert main([*call, str(tmp_path)]) == 0
    report = tmp_path / "report"
    assert "attachment" in (report / "tables/error-types.csv").read_text(encoding="utf-8")
    relations = (report / "tables/tiger-local_dependencies-relation.csv").read_text(encoding="utf-8")
    assert '"<S, TAG, NP, left>"' in relations
    assert '"constituents":' in (report / "data/gold-0-0.js").read_text(encoding="utf-8")


def test_candidates_have_names_of_their_own() -> None:
    assert distinct(["a", "a", "gold", "ü b"]) == ["a", "a_2", "gold_2", "__b"]


def test_a_tree(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["view", GOLD, "--sentence", "2"]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("sentence 2: Gestern hat Anna")
    assert "PPOSAT" in printed


def test_a_sentence_without_a_parse(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.mrg").write_text("(S (N a))\n(())\n", encoding="utf-8")
    assert main(["view", str(tmp_path / "a.mrg"), "--sentence", "2"]) == 0
    assert capsys.readouterr().out == "sentence 2: \nno parse\n"


def test_a_pair_with_what_differs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold, candidate = tmp_path / "gold.mrg", tmp_path / "candidate.mrg"
    gold.write_text("(S (NP (NE Anna)) (VP (VVFIN liest) (NP (NN Bücher))))", encoding="utf-8")
    candidate.write_text("(S (PP (NN Anna)) (VVFIN liest) (X (NN Bücher)) )", encoding="utf-8")
    assert main(["view", str(gold), str(candidate)]) == 0
    printed = capsys.readouterr().out
    assert "~NP" in printed
    assert "~PP" in printed
    assert "-VP" in printed
    assert "~NE" in printed
    assert "3 of gold's nodes not found, 2 of the candidate's not in gold, 1 tag differs (-" in printed


def test_dependencies_are_not_drawn(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / f"{name}.conllu").write_text("1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n\n", encoding="utf-8")
    with raises(MissingAnnotationError, "--metric", annotation="trees"):
        run_failing(["view", *(str(tmp_path / f"{name}.conllu") for name in "ab")])


def test_sentences_that_are_not_there() -> None:
    with raises(OptionError, "'x9'", "120", kind="--sentence", value="x9"):
        run_failing(["view", GOLD, "--sentence", "x9"])
