"""Lists of names on the command line: which words are names and which are files."""

from pathlib import Path

import pytest

from crossbank.workflow.commands import COMMANDS
from crossbank.workflow.commands.cli import main, parser

SCORE = [
    ("--metric parseval,leaf_ancestor gold test", ["parseval", "leaf_ancestor"]),
    ("--metric parseval --metric leaf_ancestor gold test", ["parseval", "leaf_ancestor"]),
    ("--metric parseval leaf_ancestor gold test", ["parseval", "leaf_ancestor"]),
    ("gold test --metric parseval leaf_ancestor", ["parseval", "leaf_ancestor"]),
    ("gold --metric parseval leaf_ancestor test", ["parseval", "leaf_ancestor"]),
    ("--metric parseval leaf_ancestor gold --json test", ["parseval", "leaf_ancestor"]),
    ("--metric parseval --json gold test", ["parseval"]),
    ("--metric=parseval gold test", ["parseval"]),
    ("--metric parseval leaf_ancestor gold test --by label", ["parseval", "leaf_ancestor"]),
    ("--metric parseval --by label pos gold test", ["parseval"]),
    ("--metric parseval unknown gold test", ["parseval", "unknown"]),
]


@pytest.mark.parametrize(("call", "metrics"), SCORE)
def test_the_last_words_of_score_are_its_files(
    call: str, metrics: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Files may be called like metrics: the parser does not look at what lies in the folder."""
    for name in ("parseval", "leaf_ancestor", "label"):
        (tmp_path / name).touch()
    monkeypatch.chdir(tmp_path)
    given = parser("score").parse_args(["score", *call.split()])
    assert (given.metric, given.gold, given.candidate) == (metrics, "gold", "test")
    if "--by" in call:
        assert given.by == call.partition("--by ")[2].removesuffix(" gold test").split()


def test_any_number_of_files_follows_the_last_known_name() -> None:
    call = "compare --metric parseval leaf_ancestor gold a b"
    given = parser("compare").parse_args(call.split())
    assert (given.metric, given.gold, given.candidates) == (["parseval", "leaf_ancestor"], "gold", ["a", "b"])
    call = "reliability --transform raise_crossing dependencies:rules=foth a.export b.export --against g h"
    given = parser("reliability").parse_args(call.split())
    assert given.transform == ["raise_crossing", "dependencies:rules=foth"]
    assert (given.files, given.against) == (["a.export", "b.export"], ["g", "h"])


def test_commas_belong_to_the_options_of_a_transformation() -> None:
    steps = ["delete_nodes:labels=$,,keep=no", "flatten"]
    given = parser("convert").parse_args(["convert", "a", "b", "--transform", *steps])
    assert given.transform == steps


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main([command, "--help"])
    assert stopped.value.code == 0
    assert f"usage: crossbank {command}" in capsys.readouterr().out
