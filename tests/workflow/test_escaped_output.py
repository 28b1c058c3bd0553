"""Control characters of words never reach a terminal; programs get the bytes that they expect."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossbank.reports.escaped_output import escape_text
from crossbank.reports.texts.colours import use_colours
from crossbank.workflow.commands.cli import main
from tests.workflow.test_colours import CODED

TITLE = "d\x1b]0;owned\x07og"
GOLD = f"(S (NP (D th\x1b[31me) (N {TITLE})) (VP (V b\x9b2Jarks) (X l\u202eeft)))\n"
FORBIDDEN = "\x1b\x07\x9b\u202e"

CALLS = [
    ("view", "{gold}"),
    ("view", "{gold}", "{other}"),
    ("find", "NP", "{gold}"),
    ("find", "NP", "{gold}", "--context", "all"),
    ("errors", "{gold}", "{other}", "--scheme", "ptb"),
    ("info", "{gold}"),
    ("heads", "{gold}", "--scheme", "ptb"),
    ("score", "{gold}", "{other}", "--by", "label"),
    ("score", "{gold}", "{words}"),
    ("score", "{gold}", "{words}", "--unscored", "fail"),
    ("score", "{gold}", "{other}", "--explain"),
    ("compare", "{gold}", "{other}", "{words}"),
    ("info", "{cut}"),
    ("info", "no\x1b[31mthing.mrg"),
    ("find", "N\x1b[31mP (", "{gold}"),
    ("score", "{gold}", "{other}", "--metric", "a\x1b[31mb"),
    ("convert", "{gold}", "{folder}/x.conllu"),
]


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    yield
    use_colours("auto")


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    texts = {
        "gold": GOLD,
        "other": GOLD.replace("VP", "VX"),
        "words": GOLD.replace("th", "The"),
        "cut": GOLD[:30],
    }
    for name, text in texts.items():
        (tmp_path / f"{name}.mrg").write_text(text * 3, encoding="utf-8")
    return {name: str(tmp_path / f"{name}.mrg") for name in texts} | {"folder": str(tmp_path)}


@pytest.mark.parametrize("call", CALLS, ids=" ".join)
@pytest.mark.parametrize("colours", ["never", "always"])
def test_no_control_character_of_a_word_is_printed(
    call: tuple[str, ...], colours: str, files: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    with suppress(SystemExit):
        main([*(word.format(**files) for word in call), "--colour", colours])
    captured = capsys.readouterr()
    printed = captured.out + captured.err
    assert printed
    assert "\x1b[31me" not in printed
    assert set(FORBIDDEN).isdisjoint(CODED.sub("", printed))


def test_json_means_the_same(files: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["find", "NP", files["gold"], "--json"]) == 0
    printed = capsys.readouterr().out
    assert json.loads(printed)[0]["words"] == ["th\x1b[31me", TITLE]
    assert set(FORBIDDEN).isdisjoint(printed)


def test_files_on_standard_output_are_as_they_are(files: dict[str, str]) -> None:
    call = [sys.executable, "-m", "crossbank", "convert", files["gold"], "-", "--to", "bracket"]
    assert subprocess.run(call, capture_output=True, check=True).stdout == (GOLD * 3).encode()


def test_reports_of_modes_are_as_they_are(files: dict[str, str]) -> None:
    """EVALB prints the words in which trees differ."""
    call = [sys.executable, "-m", "crossbank", "score", files["gold"], files["words"], "--mode", "evalb"]
    completed = subprocess.run(call, capture_output=True, check=False)
    assert b"th\x1b[31me" in completed.stdout + completed.stderr


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_characters_that_standard_output_does_not_have(files: dict[str, str], encoding: str) -> None:
    Path(files["gold"]).write_text("(S (NP (N 日)) (VP (V 😀)))\n", encoding="utf-8")
    for further, read in ((["--json"], json.loads), ([], str)):
        call = [sys.executable, "-m", "crossbank", "find", "S", files["gold"], *further]
        environment = {"PYTHONIOENCODING": encoding, "PATH": ""}
        completed = subprocess.run(call, capture_output=True, check=True, env=environment)
        read(completed.stdout.decode(encoding))
        assert b"\\u65e5" in completed.stdout


@given(st.text(st.characters(codec=None, exclude_characters='"\\')))
def test_only_control_characters_are_changed(text: str) -> None:
    written = escape_text(text)
    written.encode()
    assert set(FORBIDDEN).isdisjoint(written)
    assert written == text or not text.isprintable()
    for encoding in ("utf-8", "ascii"):
        lines = escape_text(text, encoding).replace("\n", "\\n").replace("\t", "\\t")
        assert json.loads(f'"{lines}"') == text
