"""The reference of the command line, from the parsers of the commands themselves."""

from __future__ import annotations

import argparse
import os
from unittest.mock import patch

from markdown_tables import table

from crossbank.workflow.cli import parser
from crossbank.workflow.commands import COMMANDS


def commands() -> str:
    """Every command with its usage, its arguments and its options."""
    return "\n".join(map(_command, COMMANDS))


def _command(name: str) -> str:
    found = _parser(name)
    with patch.dict(os.environ, COLUMNS="96"):
        usage = found.format_usage().removeprefix("usage: ")
    parts = [f"## crossbank {name}\n", _sentence(COMMANDS[name]), f"```text\n{usage.rstrip()}\n```\n"]
    rows = [[_written(action), _meaning(found, action)] for action in found._actions if _is_shown(action)]
    if rows:
        parts.append(table(["argument", "meaning"], rows))
    if found.epilog:
        parts.append(f"```text\n{found.epilog.strip()}\n```\n")
    return "\n".join(parts)


def _parser(name: str) -> argparse.ArgumentParser:
    """The parser of one command."""
    (choices,) = (a.choices for a in parser(name)._actions if isinstance(a, argparse._SubParsersAction))
    found: argparse.ArgumentParser = choices[name]
    return found


def _is_shown(action: argparse.Action) -> bool:
    return action.help != argparse.SUPPRESS and not isinstance(action, argparse._HelpAction)


def _written(action: argparse.Action) -> str:
    """The argument as it is typed: its name, or its flags and the name of the value."""
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


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}.\n"
