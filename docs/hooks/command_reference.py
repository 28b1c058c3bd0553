"""Reference of the command line, from the parsers of the commands themselves."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from typing import Any
from unittest.mock import patch

from markdown_tables import table

from crossbank.workflow.commands import COMMANDS
from crossbank.workflow.commands.cli import parser


def commands() -> str:
    """Every command with its usage, its arguments and its options."""
    return "\n".join(
        line for name, help in COMMANDS.items() for line in _command("##", _inner(parser(name))[name], help)
    )


def _command(marks: str, found: argparse.ArgumentParser, help: str) -> Iterator[str]:
    """Yield the lines on a command and, below them, those on the commands that it has itself."""
    with patch.dict(os.environ, COLUMNS="96"):
        usage = found.format_usage().removeprefix("usage: ")
    yield f"{marks} {found.prog}\n"
    yield f"{help[0].upper()}{help[1:]}.\n"
    yield f"```text\n{usage.rstrip()}\n```\n"
    rows = [[_written(action), _meaning(found, action)] for action in found._actions if _is_shown(action)]
    if rows:
        yield table(["argument", "meaning"], rows)
    if found.epilog:
        yield f"```text\n{found.epilog.strip()}\n```\n"
    helps = {action.dest: action.help or "" for group in _groups(found) for action in group._choices_actions}
    for name, command in _inner(found).items():
        yield from _command(f"{marks}#", command, helps[name])


def _inner(found: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """Return the commands of a command by name."""
    return {name: command for group in _groups(found) for name, command in group.choices.items()}


def _groups(found: argparse.ArgumentParser) -> list[Any]:
    return [action for action in found._actions if isinstance(action, argparse._SubParsersAction)]


def _is_shown(action: argparse.Action) -> bool:
    hidden = (argparse._HelpAction, argparse._SubParsersAction)
    return action.help != argparse.SUPPRESS and not isinstance(action, hidden)


def _written(action: argparse.Action) -> str:
    """Return the argument as it is typed: its name, or its flags and the name of the value."""
    value = action.metavar or (
        f"{{{','.join(map(str, action.choices))}}}" if action.choices else action.dest.upper()
    )
    if isinstance(value, tuple):
        value = " ".join(value)
    if not action.option_strings:
        return f"`{value}`"
    takes = "" if action.nargs == 0 else f" {value}"
    return ", ".join(f"`{flag}{takes}`" for flag in action.option_strings)


def _meaning(found: argparse.ArgumentParser, action: argparse.Action) -> str:
    text = found._get_formatter()._expand_help(action) if action.help else ""
    return text.replace("*", r"\*").replace("<", "&lt;")
