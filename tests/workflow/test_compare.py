"""Command compare: tests beside intervals, JSON and its schema, names and seeds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from crossbank.reports.texts.compared import JSON_VERSION
from crossbank.workflow.commands.cli import main
from crossbank.workflow.steps.here import study_content

ROOT = Path(__file__).resolve().parents[2]
GOLD, ALPHA, BETA = (str(ROOT / "examples" / f"tiger.{n}") for n in ("export", "alpha.mrg", "beta.mrg"))
SCHEMA = json.loads((ROOT / "docs" / "comparison.schema.json").read_text(encoding="utf-8"))
CALL = ["compare", GOLD, ALPHA, BETA, "--scheme", "tiger"]


def printed(capsys: pytest.CaptureFixture[str], *further: str) -> str:
    assert main([*CALL, *further]) == 0
    return capsys.readouterr().out


def values(capsys: pytest.CaptureFixture[str], *further: str) -> dict[str, Any]:
    actual: dict[str, Any] = json.loads(printed(capsys, *further, "--json"))
    return actual


def test_what_is_wrong_with_gold_and_candidates_is_said_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*CALL, "--format", "nowhere"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_the_schema_describes_the_json(capsys: pytest.CaptureFixture[str]) -> None:
    computed = values(capsys, "--metric", "parseval,leaf_ancestor")
    jsonschema.validate(computed, SCHEMA)
    assert computed["version"] == JSON_VERSION == SCHEMA["properties"]["version"]["const"]
    assert computed["gold"] == GOLD
    assert [(one["name"], one["file"]) for one in computed["candidates"]] == [
        ("tiger_alpha", ALPHA),
        ("tiger_beta", BETA),
    ]
    assert computed["candidates"][0]["sentences"] == {"total": 120, "scored": 119, "no parse": 1}
    f1 = next(one for one in computed["differences"] if (one["measure"], one["population"]) == ("f1", "all"))
    scores = [
        next(score["value"] for score in one["scores"] if score["measure"] == "f1")
        for one in computed["candidates"]
    ]
    assert f1["difference"] == pytest.approx(scores[0] - scores[1])
    assert (f1["n"], f1["different"]) == (120, True)
    assert f1["p"] == f1["corrected"] == pytest.approx(1 / 10_001)
    assert f1["high"] < 0
    for one in computed["differences"]:
        assert one["different"] == (one["corrected"] <= 0.05) == (one["low"] > 0 or one["high"] < 0)


def test_the_differences_are_those_of_score_against(capsys: pytest.CaptureFixture[str]) -> None:
    computed = {(one["measure"], one["population"]): one for one in values(capsys)["differences"]}
    assert main(["score", GOLD, ALPHA, "--scheme", "tiger", "--against", BETA, "--json"]) == 0
    reference = json.loads(capsys.readouterr().out)["against"]["differences"]
    for one in reference:
        same = computed[one["measure"], one["population"]]
        assert {name: same[name] for name in one} == one


def test_the_table_has_test_trials_and_sentences(capsys: pytest.CaptureFixture[str]) -> None:
    text = printed(capsys, "--names", "a,b", "--trials", "500", "--samples", "200", "--seed", "7")
    assert "the same 500 draws of sentences (seed 7)" in text
    assert "(200 resamples, seed 7)" in text
    row = next(line for line in text.splitlines() if "Parseval F1 " in line and "a − b" in line)
    cells = [cell.strip() for cell in row.strip("|").split("|")]
    assert cells[:4] == ["a − b", "Parseval F1", "all", "−7.80*"]
    assert cells[5:] == ["0.002", "0.002", "120"]
    assert "- In tiger b is better than a under Parseval F1: +7.80 points" in text


def test_a_seed_gives_the_same_numbers_again(capsys: pytest.CaptureFixture[str]) -> None:
    actual = [values(capsys, "--seed", seed, "--trials", "50") for seed in ("3", "3", "4")]
    assert actual[0] == actual[1]
    lows = [{one["low"] for one in of["differences"]} for of in actual]
    assert lows[0] != lows[2]
    assert actual[0]["settings"]["seed"] == 3


def test_the_same_candidate_twice_is_said_on_the_terminal_and_in_json(
    capsys: pytest.CaptureFixture[str],
) -> None:
    message = "tiger: a and b have the same counts in every sentence under every metric."
    call = ["compare", GOLD, ALPHA, ALPHA, "--scheme", "tiger", "--names", "a,b"]
    assert main(call) == 0
    assert capsys.readouterr().out.startswith(f"- {message}\n\n")
    assert main([*call, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["warnings"] == [message]


def test_one_candidate_has_no_differences(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", GOLD, ALPHA, "--scheme", "tiger", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    jsonschema.validate(document, SCHEMA)
    assert document["differences"] == []
    assert main(["compare", GOLD, ALPHA, "--scheme", "tiger"]) == 0
    assert "Differences" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("further", "message"),
    [
        (["--names", "a"], "--names: found 'a', expected 2 names, one for each candidate\n"),
        (
            ["--names", "a,a"],
            "--names: found 'a,a', expected different names of ASCII letters, digits, _ and -",
        ),
        (["--names", "a,gold"], "and not 'gold'\n"),
        (["--names", "a,b/c"], "expected different names of ASCII letters, digits, _ and -"),
    ],
)
def test_wrong_names(capsys: pytest.CaptureFixture[str], further: list[str], message: str) -> None:
    assert main([*CALL, *further]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert message in captured.err
    assert captured.err.count("\n") == 1


@pytest.mark.parametrize("option", ["--trials", "--seed", "--samples"])
@pytest.mark.parametrize("value", ["-1", "many", "0.5"])
def test_wrong_numbers(capsys: pytest.CaptureFixture[str], option: str, value: str) -> None:
    assert main([*CALL, option, value]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert f"'{option}'" in error


def test_no_trials_are_refused_and_no_resamples_leave_the_interval_out(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main([*CALL, "--trials", "0"]) == 2
    assert "'--trials': 0 is not in the range x>=1" in capsys.readouterr().err
    computed = values(capsys, "--samples", "0")
    assert {score["low"] for one in computed["candidates"] for score in one["scores"]} == {None}
    assert all(one["p"] <= 0.05 for one in computed["differences"] if one["measure"] == "f1")


def test_names_are_what_tells_files_apart(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, file in {"gold/1.export": GOLD, "e1/out/1.mrg": ALPHA, "ei0/out/1.mrg": BETA}.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True)
        path.write_bytes(Path(file).read_bytes())
    few = ["--scheme", "tiger", "--trials", "10", "--samples", "10"]
    assert main(["compare", "gold/*.export", "e1/out/1.mrg", "ei0/out/1.mrg", *few]) == 0
    rows = [
        line.split("|")[1:3] for line in capsys.readouterr().out.splitlines() if line.startswith("| gold")
    ]
    assert [[cell.strip() for cell in row] for row in rows] == [["gold", "e1"], ["gold", "ei0"]]
    # A shell puts gold among the candidates.
    assert main(["compare", "gold/1.export", "e1/out/1.mrg", "gold/1.export", *few]) == 0
    captured = capsys.readouterr()
    assert captured.err == "gold/1.export: this file is gold, and is not compared as a candidate\n"
    assert captured.out.count("\n| 1 ") == 1
    assert main(["agreement", "e1/out/1.mrg", "ei0/out/1.mrg", "--scheme", "tiger"]) == 0
    assert "2 annotators: e1, ei0\n" in capsys.readouterr().out


def test_numbers_of_sentences_are_told_of_all_files(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    for name in ("1.mrg", "2.mrg", "3.mrg"):
        (tmp_path / name).write_bytes(Path(ALPHA).read_bytes())
    assert main(["compare", f"{tmp_path}/*.mrg", ALPHA]) == 2
    message = f"{ALPHA} has 120 sentences, {tmp_path}/1.mrg (and 2 more files) has 360"
    assert capsys.readouterr().err == f"{message} (--words align aligns them by their text)\n"


@pytest.mark.parametrize(("number", "title"), [(2, "gold.mrg: c0 and c1"), (5, "gold.mrg: 5 candidates")])
def test_a_title_names_few_candidates_and_counts_many(number: int, title: str) -> None:
    candidates = [f"c{index}.mrg" for index in range(number)]
    assert study_content("gold.mrg", candidates, ["parseval"], {})["title"] == title
