"""Tables of configurations that go with errors, on the embedded corpora and on the command line."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import parse_qs

import pytest

from crossbank.reports.results.study_results import StudyResults
from crossbank.reports.sections.configurations import MAX_LINKED_SENTENCES, build_configuration_tables
from crossbank.workflow.commands.cli import main
from crossbank.workflow.steps.here import run_here, study_content

ROOT = Path(__file__).resolve().parents[2]
FILES = [str(ROOT / "examples" / f"tiger.{name}") for name in ("export", "alpha.mrg")]
MULTI_WORD = "S <1 (NP < (__ $. __))"


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> StudyResults:
    folder = tmp_path_factory.mktemp("configurations")
    content = study_content(
        FILES[0], FILES[1:], ["parseval", "leaf_ancestor", "dependencies"], {"labels": "no"}, scheme="tiger"
    )
    content["treebanks"][0]["hot_spots"] = [MULTI_WORD, "CVP"]
    return run_here({**content, "bootstrap": {"samples": 0}}, folder)


def test_each_pattern_has_a_row_with_the_loss_under_every_measure(results: StudyResults) -> None:
    table, _ = build_configuration_tables(results)
    assert [row[0].text for row in table.rows] == [MULTI_WORD, "CVP"]
    assert [group for group, _ in table.groups()] == ["", "Parseval", "Leaf-ancestor", "Dependencies", ""]
    clause = table.rows[0]
    brackets, tokens, arcs = (int(clause[index].text) for index in (1, 5, 9))
    assert 0 < brackets < tokens
    assert arcs <= tokens
    assert all(0 <= float(clause[index].value or 0) <= 1 for index in (2, 6, 10))


def test_what_is_mined_is_significant_and_one_click_away(results: StudyResults) -> None:
    _, table = build_configuration_tables(results)
    assert table.rows
    for row in table.rows:
        assert min(float(row[index].value or 1) for index in (4, 8, 12) if row[index].text != "–") <= 0.05
        chosen = parse_qs(row[-1].link.partition("#")[2])["text"][0].split(" | ")
        assert len(chosen) == min(int(row[-1].text.replace(",", "")), MAX_LINKED_SENTENCES)
        assert all(1 <= int(sentence) <= 120 for sentence in chosen)


def test_treebanks_without_constituents_have_none(tmp_path: Path) -> None:
    arcs = tmp_path / "arcs.conllu"
    arcs.write_text("1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n\n", encoding="utf-8")
    content = study_content(str(arcs), [str(arcs)], ["dependencies"], {})
    content["treebanks"][0]["hot_spots"] = ["NP"]
    completed = run_here({**content, "bootstrap": {"samples": 0}}, tmp_path / "results")
    assert not list(build_configuration_tables(completed))


def test_the_command_line_prints_them(capsys: pytest.CaptureFixture[str]) -> None:
    call = ["score", *FILES, "--scheme", "tiger", "--metric", "parseval,leaf_ancestor"]
    assert main([*call, "--find", MULTI_WORD, "--mine"]) == 0
    printed = capsys.readouterr().out
    assert f"| {MULTI_WORD} " in printed
    assert "configurations that go with errors" in printed
    assert main([*call, "--json", "--mine"]) == 2
    assert "--mine does not work with --json" in capsys.readouterr().err
    assert main([*call, "--find", "NP < ("]) == 2
    assert "NP < (" in capsys.readouterr().err


def test_metrics_that_do_not_say_what_is_lost_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", *FILES, "--scheme", "tiger", "--metric", "tree_distance", "--mine"]) == 0
    assert "No configurations: none of tree_distance gives" in capsys.readouterr().out
