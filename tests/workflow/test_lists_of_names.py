"""Lists of names on the command line: with commas between them, or an option for each."""

from typing import Any

import pytest

from crossbank.workflow.commands import COMMANDS
from crossbank.workflow.commands.cli import COMMAND_LINE, main


def parsed(command: str, *words: str) -> dict[str, Any]:
    """Return the values of a command's parameters."""
    context = COMMAND_LINE.make_context("crossbank", [command])
    actual = COMMAND_LINE.get_command(context, command)
    assert actual is not None
    return actual.make_context(command, list(words), context).params


@pytest.mark.parametrize(
    "call",
    [
        "--metric parseval,leaf_ancestor gold test",
        "--metric parseval --metric leaf_ancestor gold test",
        "gold --metric parseval,leaf_ancestor test",
        "gold test --metric=parseval --metric=leaf_ancestor",
        "gold --metric parseval --json test --metric leaf_ancestor",
    ],
)
def test_metrics_are_named_in_two_ways_anywhere_in_the_line(call: str) -> None:
    values = parsed("score", *call.split())
    assert values["metric"] == ["parseval", "leaf_ancestor"]
    assert (values["gold"], values["candidate"]) == ("gold", "test")


def test_a_word_after_a_name_is_a_file_whatever_it_is_called() -> None:
    values = parsed("score", "--metric", "parseval", "leaf_ancestor", "test")
    assert values["metric"] == ["parseval"]
    assert (values["gold"], values["candidate"]) == ("leaf_ancestor", "test")


def test_an_option_of_several_files_is_repeated() -> None:
    call = "--transform raise_crossing --transform dependencies:rules=foth a b --against g --against h"
    values = parsed("reliability", *call.split())
    assert [*values["transform"]] == ["raise_crossing", "dependencies:rules=foth"]
    assert ([*values["files"]], [*values["against"]]) == (["a", "b"], ["g", "h"])


def test_commas_belong_to_the_options_of_a_transformation() -> None:
    steps = ["delete_nodes:labels=$,,keep=no", "flatten"]
    words = [word for step in steps for word in ("--transform", step)]
    assert [*parsed("convert", "a", "b", *words)["transform"]] == steps


def test_options_of_metrics_are_one_mapping(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--option", "labels=no", "--option", "parseval.root=no", "--option", "labels=no"]
    assert parsed("score", "a", "b", *options)["option"] == {"labels": "no", "parseval.root": "no"}
    for wrong in ("labels", "=no", "labels=yes"):
        assert main(["score", "a", "b", *options, "--option", wrong]) == 2
        message = capsys.readouterr().err
        assert message.count("\n") == 1
        assert "--option" in message


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, "--help"]) == 0
    assert capsys.readouterr().out.startswith(f"Usage: crossbank {command}")
