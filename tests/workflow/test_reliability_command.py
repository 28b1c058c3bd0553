"""`crossbank reliability`: what it prints, and what it answers to wrong input."""

import json
from pathlib import Path

import pytest

from crossbank.treebanks.formats import write
from crossbank.workflow.commands.cli import main
from tests.converters.banks import bank_of

TREES = (
    "(S (NP:SB 0=das/ART:NK 1=Geld/NN:NK) 2=fehlt/VVFIN:HD)",
    "(S (NP:SB 0=Anna/NE:NK) 1=kommt/VVFIN:HD)",
)
GOLD = """\
1\tdas\t_\t_\t_\t_\t2\tNK\t_\t_
2\tGeld\t_\t_\t_\t_\t3\tSB\t_\t_
3\tfehlt\t_\t_\t_\t_\t0\troot\t_\t_

1\tOtto\t_\t_\t_\t_\t2\tSB\t_\t_
2\tkommt\t_\t_\t_\t_\t0\troot\t_\t_

"""
TIGER = ["--scheme", "tiger"]
STEPS = ["--transform", "raise_crossing", "--transform", "dependencies"]


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    write(bank_of(*TREES), tmp_path / "trees.export")
    (tmp_path / "gold.conllu").write_text(GOLD, encoding="utf-8")
    return str(tmp_path / "trees.export"), str(tmp_path / "gold.conllu")


def test_without_functions(files: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    """All three kinds of argument lists: names after --transform, several files, a pattern."""
    pattern = files[0].replace("trees.export", "*.export")
    assert main(["reliability", files[0], pattern, *TIGER, *STEPS]) == 0
    printed = capsys.readouterr().out
    assert "conversions:raise_crossing+dependencies/strip_functions+" in printed
    assert "4 sentences compared" in printed


def test_against_gold_as_json(files: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reliability", files[0], *TIGER, "--against", files[1], *STEPS, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["against"] == "independent gold"
    assert document["sentences"] == {"compared": 1, "exact": 1, "joined": 0, "left_out": 2}
    assert document["unlabelled"]["f1"] == document["labelled"]["f1"] == 1
    assert document["left_out"][0]["reason"] == "word 1: found 'Anna', expected 'Otto'"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (["{trees}", *TIGER, "--against", "{trees}"], "there are no dependencies to compare with"),
        (["{gold}", *TIGER], "there are no trees"),
        (["no*.mrg", *TIGER], "no*.mrg: no file matches"),
        (["/", *TIGER], "/: this is a folder; name a file"),
        (["{trees}", *TIGER, "--against", "no.conllu"], "no.conllu: no such file"),
        (["{trees}", *TIGER, "--transform", "nonsense"], "'nonsense', expected one of"),
    ],
)
def test_wrong_input_is_answered_in_one_line(
    files: tuple[str, str], call: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["reliability", *(part.format(trees=files[0], gold=files[1]) for part in call)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert message in captured.err


def test_trees_without_functions_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bare.mrg"
    path.write_text("(S (NN Geld) (VVFIN fehlt))\n", encoding="utf-8")
    assert main(["reliability", str(path), *TIGER]) == 2
    assert "bare.mrg: the trees have no functions" in capsys.readouterr().err


def test_a_round_trip_through_a_format(files: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reliability", files[0], "--round-trip", "conllu"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == (
        "2 sentences written as conllu and read again: 0 are the same, 2 differ, 0 cannot be written or read"
    )
    assert ["nodes", "4", "0", "0", "2", "1,", "2"] in [line.split() for line in lines]
    assert main(["reliability", files[1], "--round-trip", "conllu", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["sentences"] == {"total": 2, "same": 2, "refused": 0}


def test_a_round_trip_through_dependencies(
    files: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["reliability", files[0], *TIGER, "--round-trip", "dependencies"]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["all", "3", "3", "100.00", "3"] in lines
    assert main(["reliability", files[0], *TIGER, "--round-trip", "dependencies", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["overall"]["recovered"] == 3


def test_a_scheme_is_asked_for(files: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    for call in ([], ["--round-trip", "dependencies"]):
        assert main(["reliability", files[0], *call]) == 2
        assert capsys.readouterr().err == "--scheme is missing: name the annotation scheme of the trees\n"
    assert main(["reliability", files[0], "--round-trip", "exportxml"]) == 2
    assert "format to write: found 'exportxml', did you mean" in capsys.readouterr().err
