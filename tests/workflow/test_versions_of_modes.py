"""Modes name the version of the program that they equal, and print nothing more where output is piped."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import jsonschema
import pytest

from crossbank.metrics.modes.modes_by_name import MODES
from crossbank.workflow.commands.cli import main

ROOT = Path(__file__).resolve().parents[2]
ALPHA, BETA = (str(ROOT / "examples" / f"tiger.{name}.mrg") for name in ("alpha", "beta"))
SCHEMA = json.loads((ROOT / "docs" / "scores.schema.json").read_text(encoding="utf-8"))
CALL = ["score", ALPHA, BETA, "--mode", "evalb"]


@pytest.mark.parametrize("mode", MODES)
def test_every_mode_names_a_version(mode: str) -> None:
    assert any(character.isdigit() for character in MODES[mode].program)


def test_lists_and_help_name_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "modes"]) == 0
    assert "EVALB of 2006 and later (the summary of 1997 has no F-measure)" in capsys.readouterr().out
    assert main(["help", "evalb"]) == 0
    assert "EVALB of 2006 and later" in " ".join(capsys.readouterr().out.split())


def test_the_program_says_it_to_people_alone(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(CALL) == 0
    piped = capsys.readouterr()
    assert piped.err == "65 : Length unmatch (0|26)\n"  # EVALB's own
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert main(CALL) == 0
    seen = capsys.readouterr()
    assert seen.out == piped.out
    message = "--mode evalb: as EVALB of 2006 and later (the summary of 1997 has no F-measure)\n"
    assert seen.err == message + piped.err


def test_an_unknown_mode_is_answered_on_a_terminal_too(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert main(["score", ALPHA, BETA, "--mode", "bleu"]) == 2
    assert "mode: found 'bleu', expected one of evalb" in capsys.readouterr().err


def test_our_own_output_names_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*CALL, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    jsonschema.validate(document, SCHEMA)
    assert document["mode"] == {"name": "evalb", "program": "EVALB of 2006 and later"}
    assert main([*CALL, "--by", "length"]) == 0
    assert capsys.readouterr().out.startswith("as EVALB of 2006 and later (")


def test_explain_names_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", ALPHA, BETA, "--explain"]) == 0
    line = "as others count (EVALB of 2006 and later, EVALB_SPMRL of 2013, discodop eval 0.6):"
    assert line in capsys.readouterr().out.splitlines()
    assert main(["score", ALPHA, BETA, "--explain", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["programs"][0] == "EVALB of 2006 and later"
