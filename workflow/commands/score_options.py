"""Options of ``crossbank score`` that plug-ins add, each with a result of its own: ``@score_option``.

They are listed without being imported, and those of other packages only where help, completion or a word
that is no option of Crossbank asks for them. The function of an option gets its value, the counts that were
scored, and a function that reads gold; it returns an ``Addition``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from crossbank.plugins.packages import Added, absent, bundled, installed
from crossbank.workflow.commands.command import Command
from crossbank.workflow.commands.parameters import FILE

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from crossbank.metrics.counting.counts import Counts
    from crossbank.treebanks import Treebank

    Add = Callable[[str, Sequence[Counts], Callable[[], Treebank]], "Addition"]
    """What an option adds: from its value, the counts, and the function that reads gold."""

Function = TypeVar("Function", bound=Callable[..., Any])

SCORE_OPTION = "score_option"


class Addition(NamedTuple):
    """What an option adds to the output.

    text    for people, after the table
    values  for programs, by names that no other part of the JSON object has
    """

    text: str
    values: Mapping[str, Any]


def score_option(name: str, *, metavar: str, help: str) -> Callable[[Add], Add]:
    """Return a decorator of the function that an option calls; the values must be literal."""
    return lambda function: function


class CommandWithAddedOptions(Command):
    """A command to which packages add options: those of others are looked for where one is not known."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments, once more with the options of other packages if one is unknown."""
        try:
            return super().parse_args(ctx, [*args])
        except click.NoSuchOption:
            if not self._add_options():
                raise
            return super().parse_args(ctx, args)

    def get_help(self, ctx: click.Context) -> str:
        """Return the help, with the options of all packages."""
        self._add_options()
        return super().get_help(ctx)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return the options of all packages that begin like a word."""
        if incomplete.startswith("-"):
            self._add_options()
        return super().shell_complete(ctx, incomplete)

    def _add_options(self) -> int:
        """Add the options of other packages. Returns how many there are that were not known."""
        known = {name for param in self.params for name in param.opts}
        added = [
            click.Option([one.name], **_settings(one))
            for one in installed(SCORE_OPTION)
            if one.name not in known
        ]
        self.params += added
        return len(added)


def added_options(function: Function) -> Function:
    """Add Crossbank's own options to a command."""
    for name, folder in absent(SCORE_OPTION).items():
        function = click.option(name, type=FILE, hidden=True, expose_value=False, callback=_refuse(folder))(
            function
        )
    for added in reversed(bundled(SCORE_OPTION)):
        function = click.option(added.name, **_settings(added))(function)
    return function


def _settings(added: Added) -> dict[str, Any]:
    return {"type": FILE, **{name: added.declared.values[name] for name in ("metavar", "help")}}


def addition(
    argument: str, value: str, scored: Sequence[Counts], read_gold: Callable[[], Treebank]
) -> Addition:
    """Return what an option adds."""
    everyone = chain.from_iterable(packages(SCORE_OPTION) for packages in (bundled, installed))
    name = f"--{argument.replace('_', '-')}"
    added = next(one for one in everyone if one.name == name)
    add: Add = getattr(import_module(added.module), added.declared.attribute)
    return add(value, scored, read_gold)


def _refuse(folder: str) -> Callable[[click.Context, click.Parameter, str | None], None]:
    def refuse(ctx: click.Context, param: click.Parameter, value: str | None) -> None:
        if value is not None and not ctx.resilient_parsing:
            ctx.fail(f"{param.opts[0]} is part of {folder}, which is not installed.")

    return refuse
