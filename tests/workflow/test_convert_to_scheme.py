"""Conversions from one scheme to another, or to a view, by ``convert --scheme A --to-scheme B``."""

from pathlib import Path

import pytest

from crossbank.converters.conversions import conversions_from
from crossbank.converters.scheme_files import load_scheme
from crossbank.converters.transformations import parse
from crossbank.workflow.commands.cli import main

TIGER = str(Path(__file__).resolve().parents[2] / "examples" / "tiger.export")

CONSTITUENTS = load_scheme("tiger").views["constituents"]


def converted(folder: Path, target: str, *options: str) -> bytes:
    path = folder / target
    assert main(["convert", TIGER, str(path), "--scheme", "tiger", *options]) == 0
    return path.read_bytes()


@pytest.mark.parametrize(
    ("target", "to_scheme", "same"),
    [
        ("ud.conllu", "ud", ["--ud", "basic"]),
        ("heads.conllu", "dependencies", ["--ud", "no"]),
        (
            "trees.mrg",
            "constituents",
            [w for step in CONSTITUENTS for w in ("--transform", str(parse(step)))],
        ),
    ],
)
def test_a_scheme_or_a_view_is_reached_by_its_transformations(
    target: str, to_scheme: str, same: list[str], tmp_path: Path
) -> None:
    expected = converted(tmp_path, f"same_{target}", *same)
    assert converted(tmp_path, target, "--to-scheme", to_scheme) == expected


def test_every_view_of_a_scheme_is_a_target() -> None:
    tiger = load_scheme("tiger")
    assert set(conversions_from(tiger)) == {"ud", *tiger.views}
    assert "ud" not in conversions_from(load_scheme("rasp"))


@pytest.mark.parametrize(
    ("options", "parts"),
    [
        (["--scheme", "tiger", "--to-scheme", "tuebadz"], ["from tiger to tuebadz", "ud, ", "dependencies"]),
        (["--scheme", "ud", "--to-scheme", "parseval1991"], ["is made of", "ptb", "tiger"]),
        (["--to-scheme", "ud"], ["--scheme NAME"]),
        (["--scheme", "tiger", "--to-scheme", "ud", "--ud", "no"], ["--to-scheme does not work with --ud"]),
    ],
)
def test_a_conversion_that_there_is_not_is_answered_in_one_line(
    options: list[str], parts: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["convert", TIGER, str(tmp_path / "out.mrg"), *options]) == 2
    message = capsys.readouterr().err
    assert message.count("\n") == 1
    assert all(part in message for part in parts), message
    assert not (tmp_path / "out.mrg").exists()
