"""Commands as click has them, with the options that all have, and errors in one line."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from crossbank.workflow.commands.parameters import InputFile

if TYPE_CHECKING:
    from crossbank.treebanks.named_arguments import ArgumentSpelling

COMPLETE = "_CROSSBANK_COMPLETE"
"""The variable by which the scripts of ``crossbank completion`` ask for the words that may come next."""


class OutputOptions(NamedTuple):
    """The options that all commands have; commands get them by ``click.pass_obj``."""

    quiet: bool
    colour: str
    memory: str | None


OUTPUT_OPTIONS = (
    click.Option(["--quiet"], is_flag=True, help="do not show progress"),
    click.Option(
        ["--colour", "--color"],
        type=click.Choice(("auto", "always", "never")),
        default="auto",
        help="auto (default): on a terminal, unless the variable NO_COLOR is set",
    ),
    click.Option(
        ["--memory"],
        metavar="SIZE",
        help="the memory that the command may take, such as 4G (default: all that the machine has)",
    ),
)


class Command(click.Command):
    """A command of ``crossbank``, which prints errors of the input in one line and returns an exit code.

    examples     calls for the end of its help
    is_isolated  whether nothing is imported before it runs: it works without NumPy
    """

    # Checked here, with a hint on patterns.
    allow_extra_args = True

    def __init__(
        self, *arguments: Any, examples: Sequence[str] = (), is_isolated: bool = False, **further: Any
    ) -> None:
        super().__init__(*arguments, **further)
        self.params = [*self.params, *OUTPUT_OPTIONS]
        self.examples, self.is_isolated = examples, is_isolated

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments. Raises UsageError for too many of them, and for two that are stdin."""
        rest = super().parse_args(ctx, args)
        if rest and not ctx.resilient_parsing:
            hint = "" if rest[0].startswith("-") else " (a name with * in it must be in quotes)"
            ctx.fail(f"Got an unexpected argument: {rest[0]}{hint}.")
        inputs = [ctx.params.get(param.name) for param in self.params if isinstance(param.type, InputFile)]
        files = [file for value in inputs for file in ([value] if isinstance(value, str) else value or ())]
        if files.count("-") > 1:
            ctx.fail("'-' is standard input, which can be one file only.")
        return rest

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples."""
        write_examples(formatter, self.examples)

    def invoke(self, ctx: click.Context) -> int:
        """Run the command and return its exit code: 2 for an error of the input."""
        output = OutputOptions(*(ctx.params.pop(name) for name in OutputOptions._fields))
        ctx.obj = output
        if output.colour != "auto":
            from crossbank.reports.texts.colours import use_colours

            use_colours(output.colour)  # type: ignore[arg-type]
        if self.is_isolated:
            return super().invoke(ctx) or 0
        from crossbank.treebanks.errors import CrossbankError
        from crossbank.treebanks.memory import enforced, set_limit
        from crossbank.treebanks.named_arguments import spelled

        try:
            if output.memory:
                set_limit(output.memory)
            with spelled(self._spelling()), _progress(output.quiet), enforced():
                return super().invoke(ctx) or 0
        except (CrossbankError, ModuleNotFoundError) as error:
            from crossbank.reports.texts.colours import add_colour
            from crossbank.treebanks.extras import missing_extra

            if not isinstance(error, CrossbankError):
                error = missing_extra(error, ctx.command_path)
            print(add_colour(str(error), "error", sys.stderr), file=sys.stderr)
            return 2

    def _spelling(self) -> ArgumentSpelling:
        """Return how messages name arguments: as this command does."""
        from crossbank.treebanks.named_arguments import ArgumentSpelling

        names = {param.name for param in self.params}
        # Commands without an option name the command that has it.
        metric = "--metric dependencies"
        renamed = {} if "metric" in names else {metric: f"crossbank score {metric}"}
        renamed |= {"--format": "--from"} if "source_format" in names else {}
        return ArgumentSpelling("in_study" if self.name in ("check", "study") else "typed", renamed)


class CommandGroup(click.Group):
    """A command that has commands."""

    command_class = Command

    def __init__(self, *arguments: Any, examples: Sequence[str] = (), **further: Any) -> None:
        super().__init__(*arguments, **further)
        self.examples = examples

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples."""
        write_examples(formatter, self.examples)


def write_examples(formatter: click.HelpFormatter, examples: Sequence[str]) -> None:
    """Write examples at the end of help, one line each."""
    if examples:
        with formatter.section("Examples"):
            formatter.write("".join(f"  {example}\n" for example in examples))


def _progress(quiet: bool) -> AbstractContextManager[None]:
    """Show the progress of long work where stderr is a terminal."""
    if quiet or not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        return nullcontext()
    from crossbank.reports.escaped_output import underlying_stream
    from crossbank.treebanks.progress import watched

    return watched(underlying_stream(sys.stderr))


def command(
    name: str,
    examples: Sequence[str],
    *,
    help: str,
    group: str = "other",
    position: float = float("inf"),
    cls: type[Command] = Command,
    **further: Any,
) -> Callable[[Callable[..., Any]], Command]:
    """Return a decorator that makes a command of a function.

    name      as users type it
    help      what it does, as a phrase
    group     the group of commands in which it is listed
    position  its number in the list of all commands

    Lists take these values from the source, so they must be literal.
    """
    return click.command(name, cls=cls, examples=examples, help=sentence(help), **further)


def command_group(
    name: str, examples: Sequence[str], *, help: str, group: str = "other", position: float = float("inf")
) -> Callable[[Callable[..., Any]], CommandGroup]:
    """Return a decorator that makes a command that has commands of a function; see ``command``."""
    return click.group(name, cls=CommandGroup, examples=examples, help=sentence(help))


def sentence(help: str) -> str:
    """Return help as a sentence."""
    return f"{help[0].upper()}{help[1:]}."
