"""``crossbank``: a group of commands, each of which is imported when it runs.

A list of names is written ``--metric A,B`` or ``--metric A --metric B``.
"""

from __future__ import annotations

import atexit
import gc
import os
import re
import sys
import warnings
from collections.abc import Sequence
from importlib import import_module
from textwrap import shorten
from typing import TYPE_CHECKING

import click

from crossbank.plugins.packages import absent, bundled, installed
from crossbank.workflow.commands import COMMAND, COMMANDS, grouped_commands
from crossbank.workflow.commands.command import COMPLETE
from crossbank.workflow.interrupts import unwrapped_interrupts

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

TITLES = {"help": "Help", "other": "Other commands"}
"""The titles of groups of commands that do not say what the commands are for."""

MAX_MESSAGE = 300
"""The number of characters of a message on a wrong call."""


class CommandLine(click.Group):
    """The commands by name, from their modules."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        return [name for listed in grouped_commands().values() for name in listed]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command; its module is imported now."""
        # Other packages are examined for a name that is not Crossbank's own.
        adding = bundled(COMMAND) if cmd_name in COMMANDS else installed(COMMAND)
        added = next((one for one in adding if one.name == cmd_name), None)
        if added is None:
            return None
        command: click.Command = getattr(import_module(added.module), added.declared.attribute)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that the first argument names, and the others; suggests one like it."""
        if args[0] in COMMANDS or args[0].startswith("-") or ctx.resilient_parsing:
            return super().resolve_command(ctx, args)
        if folder := absent(COMMAND).get(args[0]):
            ctx.fail(f"{args[0]} is part of {folder}, which is not installed.")
        if args[0] not in (names := self.list_commands(ctx)):
            raise click.NoSuchCommand(args[0], possibilities=names, ctx=ctx)
        return super().resolve_command(ctx, args)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments. Raises UsageError for an empty one, which as a path would be this folder."""
        for position, word in enumerate(args, 1):
            if not ctx.resilient_parsing and re.fullmatch(r"(--[\w-]+=)?", word):
                ctx.fail(f"argument {position} is empty: {word!r}; is a variable of the shell not set?")
        return super().parse_args(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands in their groups, without importing them."""
        width = max(map(len, self.list_commands(ctx)))
        for group, commands in grouped_commands().items():
            with formatter.section(TITLES.get(group, f"Commands to {group}")):
                formatter.write_dl([(f"{name:<{width}}", help) for name, help in commands.items()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return the commands and options that begin like a word, without importing the commands."""
        from click.shell_completion import CompletionItem

        listed = [entry for entries in grouped_commands().values() for entry in entries.items()]
        names = [CompletionItem(name, help=help) for name, help in listed]
        options = click.Command.shell_complete(self, ctx, incomplete)
        return [*(name for name in names if name.value.startswith(incomplete)), *options]


def _print_versions(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    if not value or ctx.resilient_parsing:
        return
    from crossbank.workflow.versions import all_versions

    for name, version in all_versions().items():
        print(name, version)
    ctx.exit()


COMMAND_LINE = CommandLine(
    "crossbank",
    help="Convert treebanks between annotation schemes and compare parsers across them.",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
    params=[
        click.Option(
            ["--version"],
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=_print_versions,
            help="print the versions that scores depend on, and stop",
        )
    ],
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command. Returns 0 when it is done, 1 if the command says no, 2 for wrong input."""
    from crossbank.reports.escaped_output import escaped_output

    try:
        with escaped_output():
            try:
                return _run(sys.argv[1:] if arguments is None else list(arguments))
            finally:
                if sys.stdout is not None:
                    sys.stdout.flush()
    except BrokenPipeError:
        # Nobody reads on, as in `| head`.
        _forget_output()
        return 0
    except OSError as error:
        # Without the name of a file it was standard output, such as one on a full disk.
        with escaped_output():
            where = error.filename or "standard output"
            print(f"{where}: {(error.strerror or str(error)).lower()}", file=sys.stderr)
        if not error.filename:
            _forget_output()
        return 2


def _forget_output() -> None:
    """Discard the rest of standard output: at its end Python would write it once more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run(words: list[str]) -> int:
    # A command's arrays hold no cycles of references: looking for some, now or at the end, takes time.
    gc.disable()
    atexit.register(gc.freeze)
    # Our loops take all cores; threads that NumPy starts for its linear algebra would spin beside them.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    warnings.formatwarning = lambda message, *_: f"warning: {message}\n"
    if instruction := os.environ.get(COMPLETE):
        from crossbank.workflow.commands.completion import complete

        return complete(COMMAND_LINE, instruction)
    try:
        # Not `main` of click: it returns 1 if a pipe is closed.
        with unwrapped_interrupts(), COMMAND_LINE.make_context("crossbank", words or ["--help"]) as context:
            code: int = COMMAND_LINE.invoke(context)
            return code
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.UsageError as error:
        print(usage_error(error), file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        print("\nStopped.", file=sys.stderr)
        return 130


def usage_error(error: click.UsageError) -> str:
    """Return a message on a wrong call: the command, what is wrong, where to read more."""
    path = error.ctx.command_path if error.ctx is not None else "crossbank"
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        return f"{path}: name a command (see {path} --help)"
    message = shorten(error.format_message(), MAX_MESSAGE, placeholder=" ...").removesuffix(".")
    # An argument with a choice has the choice as its name, which the message lists as well.
    message = re.sub(r" for '\{[^}]*\}'| '\{[^}]*\}'(?=\. Choose)", "", message)
    return f"{path}: {message} (see {path} --help)"


if __name__ == "__main__":
    # Commands import this module by its name: there must not be two of each of its classes.
    sys.exit(import_module("crossbank.workflow.commands.cli").main())
