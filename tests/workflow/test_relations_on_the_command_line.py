"""Lists of grammatical relations through the command: scores, the breakdown, conversion, errors."""

import json
from pathlib import Path

import pytest

from crossbank.workflow.commands.cli import main

GOLD = "1\n(ncsubj die proprietor _)\n(cmod when become die)\n2\n(dobj drop it _)\n3\n(det man the)\n"
CANDIDATE = "1\n(subj die proprietor _)\n(cmod when become die)\n2\n(iobj drop it)\n"


@pytest.fixture
def lists(tmp_path: Path) -> tuple[str, str]:
    gold, candidate = tmp_path / "gold.grs", tmp_path / "candidate.grs"
    gold.write_text(GOLD)
    candidate.write_text(CANDIDATE)
    return str(gold), str(candidate)


def test_score_as_json(lists: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", *lists, "--format", "relations", "--metric", "relations", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    scores = {score["measure"]: score["value"] for score in document["scores"]}
    assert (scores["precision"], scores["recall"]) == (pytest.approx(1 / 3), 1 / 4)
    assert scores["relation_blind_f1"] == pytest.approx(2 * 3 / 7)
    assert scores["macro_f1"] == 1 / 4
    assert scores["subsumption_recall"] == pytest.approx((1 + 4 / 5) / 4)
    assert document["sentences"] == {"total": 3, "scored": 2, "no parse": 1}
    assert document["by_relation"]["cmod"] == {
        "gold": 1, "candidate": 1, "matched": 1, "subsumed": 1, "precision": 1, "recall": 1, "f1": 1,
    }  # fmt: skip
    assert document["by_relation"]["subj"]["precision"] == 0


def test_unscored_sentences(lists: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", *lists, "--metric", "relations", "--unscored", "fail"]) == 1
    assert "sentence 3 cannot be scored: no parse" in capsys.readouterr().err


def test_convert_to_parquet_and_back(lists: tuple[str, str], tmp_path: Path) -> None:
    there, back = str(tmp_path / "gold.parquet"), str(tmp_path / "back.grs")
    assert main(["convert", lists[0], there]) == 0
    assert main(["convert", there, back]) == 0
    assert Path(back).read_text().replace("\n\n", "\n") == GOLD.replace("it _)", "it)")


def test_a_relation_that_does_not_read(lists: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    Path(lists[1]).write_text("1\n(ncsubj die\n")
    assert main(["score", *lists, "--metric", "relations"]) == 2
    error = capsys.readouterr().err
    assert error.endswith(
        "candidate.grs:2: found '(ncsubj die', expected a relation such as (ncsubj die proprietor _)\n"
    )
