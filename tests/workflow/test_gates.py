"""Scores as gates, and a candidate against another: exit codes, messages, the JSON and its schema."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
import yaml

from crossbank.reports.tables.console import VERSION
from crossbank.workflow.commands.cli import main

ROOT = Path(__file__).resolve().parents[2]
GOLD, ALPHA, BETA = (str(ROOT / "examples" / f"tiger.{n}") for n in ("export", "alpha.mrg", "beta.mrg"))
SCHEMA = json.loads((ROOT / "docs" / "scores.schema.json").read_text(encoding="utf-8"))
TIGER = ["--scheme", "tiger"]


def answered(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(["score", GOLD, *arguments])
    printed = capsys.readouterr()
    return code, printed.out, printed.err


@pytest.mark.parametrize(
    ("bound", "code", "message"),
    [
        ("parseval.f1=0.85", 0, ""),
        ("parseval.f1=0.9", 1, "parseval.f1: found 0.872727, expected at least 0.9 (--fail-under)\n"),
        ("parseval.f1=85%", 0, ""),
        ("parseval.f1=90%", 1, "parseval.f1: found 0.872727, expected at least 0.9 (--fail-under)\n"),
        # A point in a thousand is a difference: 48 of 54 and 55 brackets.
        ("parseval.f1=0.8728", 1, "parseval.f1: found 0.872727, expected at least 0.8728 (--fail-under)\n"),
        ("parseval.f1=0.8727272727273", 0, ""),
        ("parseval.crossing=0.5", 0, ""),
        ("parseval.crossing_per_sentence=1.5", 0, ""),
        (
            "parseval.crossing=0",
            1,
            "parseval.crossing: found 0.00805153, expected at most 0 (--fail-under)\n",
        ),
    ],
)
def test_a_score_below_its_bound(
    capsys: pytest.CaptureFixture[str], bound: str, code: int, message: str
) -> None:
    actual, printed, complained = answered(capsys, ALPHA, *TIGER, "--fail-under", bound)
    assert (actual, complained) == (code, message)
    assert "f1" in printed


@pytest.mark.parametrize(
    ("bound", "message"),
    [
        ("f1=0.9", "METRIC.MEASURE=NUMBER"),
        ("parseval.f1", "METRIC.MEASURE=NUMBER"),
        ("parseval.f1=good", "METRIC.MEASURE=NUMBER"),
        ("parseval.f2=0.9", "measure of parseval: found 'f2', expected one of precision"),
        ("parseval.f1=nan", "METRIC.MEASURE=NUMBER"),
        ("parseval.f1=inf", "METRIC.MEASURE=NUMBER"),
        ("parseval.f1=90", "--fail-under parseval.f1: found 90, expected 0 to 1, or 90%"),
        ("parseval.f1=-0.1", "--fail-under parseval.f1: found -0.1, expected 0 to 1, or 90%"),
        ("parseval.f1=900%", "--fail-under parseval.f1: found 900%, expected 0 to 1, or 90%"),
        ("parseval.crossing_per_sentence=4%", "found 4%, expected a number: this is not a proportion"),
        ("leaf_ancestor.mean=0.9", "metric: found 'leaf_ancestor', expected parseval"),
    ],
)
def test_a_bound_that_cannot_be_checked(capsys: pytest.CaptureFixture[str], bound: str, message: str) -> None:
    code, printed, complained = answered(capsys, ALPHA, *TIGER, "--fail-under", bound)
    assert (code, printed) == (2, "")
    assert message in complained
    assert complained.count("\n") == 1


def test_a_baseline(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "scores.json"
    code, printed, _ = answered(capsys, BETA, *TIGER, "--metric", "parseval,leaf_ancestor", "--json")
    assert code == 0
    path.write_text(printed, encoding="utf-8")
    call = [*TIGER, "--metric", "parseval,leaf_ancestor", "--baseline", str(path)]
    assert answered(capsys, BETA, *call)[::2] == (0, "")
    code, _, complained = answered(capsys, ALPHA, *call)
    assert code == 1
    assert "leaf_ancestor.mean: found" in complained
    assert f"(--baseline {path})" in complained


def test_a_baseline_of_other_conventions_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "scores.json"
    path.write_text(answered(capsys, BETA, *TIGER, "--json")[1], encoding="utf-8")
    code, _, complained = answered(capsys, BETA, *TIGER, "--option", "labels=no", "--baseline", str(path))
    assert code == 2
    assert "found parseval scored with labels:no, expected labels:yes, as in the baseline" in complained


def gold_and(tmp_path: Path, gold: str, candidate: str) -> list[str]:
    """Return two files of trees, as arguments of ``score``."""
    paths = [tmp_path / "gold.mrg", tmp_path / "candidate.mrg"]
    for path, content in zip(paths, (gold, candidate), strict=True):
        path.write_text(content, encoding="utf-8")
    return [str(path) for path in paths]


RIGHT, WRONG = "(S (NP (D a) (N b)) (V c))\n", "(X (D a) (Y (N b) (V c)))\n"


def test_a_score_of_zero_is_a_baseline(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Less crossing than in the baseline is better; more than its 0 is not, and 0 is no missing score."""
    path = tmp_path / "scores.json"
    assert main(["score", *gold_and(tmp_path, RIGHT, RIGHT), "--json"]) == 0
    path.write_text(capsys.readouterr().out, encoding="utf-8")
    (zero,) = [s for s in json.loads(path.read_text())["scores"] if s["measure"] == "crossing"]
    assert zero["value"] == 0
    assert main(["score", *gold_and(tmp_path, RIGHT, WRONG), "--baseline", str(path)]) == 1
    assert "parseval.crossing: found 0.5, expected at most 0 (--baseline" in capsys.readouterr().err


def test_a_gate_over_no_sentence_fails(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    files = gold_and(tmp_path, RIGHT, "(())\n")
    call = ["score", *files, "--unscored", "skip", "--fail-under"]
    for bound in ("parseval.f1=0", "parseval.crossing=1"):
        assert main([*call, bound]) == 1
        name = bound.partition("=")[0]
        assert capsys.readouterr().err == f"{name}: no sentence enters the score (--fail-under)\n"


def test_an_unscored_sentence_of_the_other_candidate_fails_as_one_of_the_first(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    other = tmp_path / "other.mrg"
    other.write_text("(())\n")
    call = ["score", *gold_and(tmp_path, RIGHT, WRONG), "--against", str(other), "--unscored", "fail"]
    assert main(call) == 1
    assert "sentence 1 cannot be scored" in capsys.readouterr().err


def test_unscored_sentences_do_not_change_the_conventions(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """A baseline without unscored sentences holds for a candidate with one, which is worse."""
    path = tmp_path / "scores.json"
    assert main(["score", *gold_and(tmp_path, 2 * RIGHT, 2 * RIGHT), "--json"]) == 0
    path.write_text(capsys.readouterr().out, encoding="utf-8")
    call = ["score", *gold_and(tmp_path, 2 * RIGHT, f"{RIGHT}(())\n"), "--baseline", str(path)]
    assert main(call) == 1
    printed = capsys.readouterr()
    assert "unscored:empty:1" in printed.out
    assert "parseval.f1: found 0.666667, expected at least 1 (--baseline" in printed.err
    assert main([*call, "--unscored", "skip"]) == 2
    assert "found parseval scored with unscored:skip, expected unscored:empty" in capsys.readouterr().err


@pytest.mark.parametrize("content", [None, "", "[]", '{"scores": []}', '{"scores": [1]}', '{"scores": 7}'])
def test_what_is_no_baseline(capsys: pytest.CaptureFixture[str], tmp_path: Path, content: str | None) -> None:
    path = tmp_path / "scores.json"
    if content is not None:
        path.write_text(content, encoding="utf-8")
    code, _, complained = answered(capsys, BETA, *TIGER, "--baseline", str(path))
    assert code == 2
    assert f"--baseline {path}: " in complained
    assert complained.count("\n") == 1


def test_a_mode_is_a_gate_too(capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["score", ALPHA, BETA, "--mode", "evalb", "--fail-under", "evalb.f1=0.999"])
    printed = capsys.readouterr()
    assert code == 1
    assert "-- All --" in printed.out
    assert "evalb.f1: found" in printed.err


def test_a_candidate_against_another(capsys: pytest.CaptureFixture[str]) -> None:
    metrics = ["--metric", "parseval,leaf_ancestor"]
    code, printed, _ = answered(capsys, ALPHA, *TIGER, *metrics, "--against", BETA, "--json")
    assert code == 0
    content = json.loads(printed)
    of_all = (d for d in content["against"]["differences"] if d["population"] == "all")
    differences = {(d["metric"], d["measure"]): d for d in of_all}
    scores = [
        {(s["metric"], s["measure"]): s["value"] for s in actual["scores"]}
        for actual in (content, json.loads(answered(capsys, BETA, *TIGER, *metrics, "--json")[1]))
    ]
    for key, value in scores[0].items():
        assert differences[key]["difference"] == pytest.approx(value - scores[1][key])
    f1 = differences["parseval", "f1"]
    assert f1["low"] < f1["difference"] < f1["high"] < 0
    assert f1["p"] < 0.01
    text = answered(capsys, ALPHA, *TIGER, "--against", BETA)[1]
    assert f"minus {BETA}:" in text
    assert "-7.80" in text


def test_a_candidate_against_itself(capsys: pytest.CaptureFixture[str]) -> None:
    printed = answered(capsys, ALPHA, *TIGER, "--against", ALPHA, "--json")[1]
    for actual in json.loads(printed)["against"]["differences"]:
        assert (actual["difference"], actual["p"]) == (0, 1)


@pytest.mark.parametrize(
    "further",
    [
        [],
        ["--against", BETA],
        ["--by", "label"],
        ["--metric", "parseval,leaf_ancestor,dependencies", "--by", "pos,label"],
        ["--unscored", "skip"],
    ],
)
def test_the_schema_describes_what_is_printed(capsys: pytest.CaptureFixture[str], further: list[str]) -> None:
    printed = json.loads(answered(capsys, ALPHA, *TIGER, *further, "--json")[1])
    jsonschema.validate(printed, SCHEMA)
    assert printed["version"] == VERSION == SCHEMA["properties"]["version"]["const"]


def test_the_steps_for_github_actions_are_yaml_with_commands_that_are_known() -> None:
    text = (ROOT / "docs" / "coming_from.md").read_text(encoding="utf-8")
    *_, last = yaml.safe_load(text.partition("```yaml\n")[2].partition("```")[0])
    words = last["run"].split()
    assert words[:2] == ["crossbank", "score"]
    assert main(["score", *words[2:], "--help"]) == 0


@pytest.mark.parametrize("option", [["--find", "NP"], ["--mine"], ["--against", BETA]])
def test_what_modes_do_not_take(capsys: pytest.CaptureFixture[str], option: list[str]) -> None:
    code = main(["score", ALPHA, BETA, "--mode", "evalb", *option])
    assert code == 2
    assert f"{option[0]} does not work with --mode" in capsys.readouterr().err
