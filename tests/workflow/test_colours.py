"""Colours on the command line: only where a terminal has them and the user wants them, never alone."""

import io
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from crossbank.reports.texts.colours import add_colour, has_colours, use_colours
from crossbank.workflow.commands.cli import main

CODED = re.compile(r"\x1b\[[0-9;]*m")

GOLD = "(S (NP (DT The) (NN cat)) (VP (VBD saw) (NP (DT a) (NN bird))) (. .))\n"
OTHER = "(S (NP (DT The) (NN cat)) (VX (VBD saw) (NX (DT a)) (NN bird)) (. .))\n"


class Terminal(io.StringIO):
    """A stream that is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def _as_before(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    yield
    use_colours("auto")


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    """Return gold and a candidate that differs in a label and a bracket."""
    for name, text in {"gold.mrg": GOLD, "other.mrg": OTHER}.items():
        (tmp_path / name).write_text(text * 30, encoding="utf-8")
    return str(tmp_path / "gold.mrg"), str(tmp_path / "other.mrg")


def test_terminals_have_colours_and_files_have_none(monkeypatch: pytest.MonkeyPatch) -> None:
    assert add_colour("worse", "bad", Terminal()) == "\x1b[31mworse\x1b[0m"
    assert add_colour("worse", "bad", io.StringIO()) == "worse"
    assert add_colour("", "bad", Terminal()) == ""
    monkeypatch.setenv("NO_COLOR", "1")
    assert not has_colours(Terminal())
    monkeypatch.setenv("NO_COLOR", "")
    assert has_colours(Terminal())
    monkeypatch.setenv("TERM", "dumb")
    assert not has_colours(Terminal())


def test_the_option_overrules_the_terminal_and_the_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    use_colours("always")
    assert has_colours(io.StringIO())
    use_colours("never")
    assert not has_colours(Terminal())


CALLS = [
    ("view", "{gold}", "{other}"),
    ("score", "{gold}", "{other}", "--against", "{gold}"),
    ("scheme", "check", "{scheme}", "{gold}"),
    ("doctor",),
]


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call[0])
@pytest.mark.parametrize("option", ["--colour", "--color"])
def test_colours_add_nothing_to_what_is_said(
    call: tuple[str, ...],
    option: str,
    files: tuple[str, str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    scheme = tmp_path / "own.yaml"
    scheme.write_text("name: own\ntitle: Own\nsources: [me]\n", encoding="utf-8")
    words = [word.format(gold=files[0], other=files[1], scheme=scheme) for word in call]
    printed = {}
    for when in ("never", "auto", "always"):
        code = main([*words, option, when])
        captured = capsys.readouterr()
        printed[when] = (code, captured.out, captured.err)
    assert printed["auto"] == printed["never"]
    code, *written = printed["always"]
    assert any(CODED.search(text) for text in written)
    assert (code, *(CODED.sub("", text) for text in written)) == printed["never"]


def test_what_differs_has_its_sign_and_its_colour(
    files: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["view", *files, "--colour", "always"]) == 0
    drawn = capsys.readouterr().out
    assert "\x1b[33m~VP\x1b[0m" in drawn
    assert "\x1b[33m~VX\x1b[0m" in drawn
    assert "\x1b[31m-NP\x1b[0m" in drawn
    assert "\x1b[32m+NX\x1b[0m" in drawn


def test_a_difference_beyond_chance_is_coloured_by_what_is_better(
    files: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    gold, other = files
    assert main(["score", gold, other, "--against", gold, "--colour", "always"]) == 0
    lines = capsys.readouterr().out.splitlines()
    (f1,) = (line for line in lines if line.strip().startswith("parseval f1"))
    assert re.search(r"\x1b\[31m +-\d+\.\d\d\x1b\[0m", f1)
    assert main(["score", gold, gold, "--against", other, "--colour", "always"]) == 0
    lines = capsys.readouterr().out.splitlines()
    (f1,) = (line for line in lines if line.strip().startswith("parseval f1"))
    assert re.search(r"\x1b\[32m +\+\d+\.\d\d\x1b\[0m", f1)


def test_errors_are_red(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["info", "none.mrg", "--colour", "always"]) == 2
    assert capsys.readouterr().err.startswith("\x1b[1;31mnone.mrg: ")


def test_a_wrong_value_is_answered_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["info", "gold.mrg", "--colour", "red"]) == 2
    messages = capsys.readouterr().err
    assert messages.count("\n") == 1
    assert "'red' is not one of 'auto', 'always', 'never'" in messages
