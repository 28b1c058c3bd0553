"""Reference of the command line, from the commands themselves."""

from __future__ import annotations

from collections.abc import Iterator

import click
from markdown_tables import table

from crossbank.workflow.commands import COMMANDS
from crossbank.workflow.commands.cli import COMMAND_LINE


def commands() -> str:
    """Every command with its usage, its arguments and its options."""
    context = click.Context(COMMAND_LINE, info_name="crossbank", **COMMAND_LINE.context_settings)
    commands = ((name, COMMAND_LINE.get_command(context, name)) for name in COMMANDS)
    return "\n".join(line for name, one in commands if one for line in _command("##", name, one, context))


def _command(marks: str, name: str, command: click.Command, parent: click.Context) -> Iterator[str]:
    """Yield the lines on a command and, below them, those on the commands that it has itself."""
    context = click.Context(command, parent, info_name=name)
    yield f"{marks} {context.command_path}\n"
    yield f"{command.help}\n"
    yield f"```text\n{command.get_usage(context).removeprefix('Usage: ')}\n```\n"
    records = [param.get_help_record(context) for param in command.params]
    rows = [[f"`{record[0]}`", _meaning(record[1])] for record in records if record is not None]
    if rows:
        yield table(["argument", "meaning"], rows)
    if examples := getattr(command, "examples", ()):
        lines = "\n".join(f"  {example}" for example in examples)
        yield f"```text\nexamples:\n{lines}\n```\n"
    if isinstance(command, click.Group):
        for inner, one in command.commands.items():
            yield from _command(f"{marks}#", inner, one, context)


def _meaning(help: str) -> str:
    return help.replace("*", r"\*").replace("<", "&lt;")
