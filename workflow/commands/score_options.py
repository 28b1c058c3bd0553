"""Options of ``crossbank score`` that plug-ins add, each with a result of its own: ``@score_option``.

They are listed without being imported. The function of an option gets its value, the counts that were scored,
and a function that reads gold; it returns an ``Addition``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from crossbank.plugins.packages import absent, bundled
from crossbank.workflow.commands.parameters import FILE

if TYPE_CHECKING:
    from crossbank.metrics.counting.counts import Counts
    from crossbank.treebanks import Treebank

    Add = Callable[[str, Sequence[Counts], Callable[[], Treebank]], "Addition"]
    """What an option adds: from its value, the counts, and the function that reads gold."""

Function = TypeVar("Function", bound=Callable[..., Any])

KIND = "score_option"


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


ADDED = {one.name.removeprefix("--").replace("-", "_"): one for one in bundled(KIND)}
"""The options by the names of their arguments."""


def added_options(function: Function) -> Function:
    """Add the options to a command."""
    for name, folder in absent(KIND).items():
        function = click.option(name, type=FILE, hidden=True, expose_value=False, callback=_refuse(folder))(
            function
        )
    for added in reversed(ADDED.values()):
        values = added.declared.values
        function = click.option(added.name, metavar=values["metavar"], type=FILE, help=values["help"])(
            function
        )
    return function


def addition(
    argument: str, value: str, scored: Sequence[Counts], read_gold: Callable[[], Treebank]
) -> Addition:
    """Return what an option adds."""
    added = ADDED[argument]
    add: Add = getattr(import_module(added.module), added.declared.attribute)
    return add(value, scored, read_gold)


def _refuse(folder: str) -> Callable[[click.Context, click.Parameter, str | None], None]:
    def refuse(ctx: click.Context, param: click.Parameter, value: str | None) -> None:
        if value is not None and not ctx.resilient_parsing:
            ctx.fail(f"{param.opts[0]} is part of {folder}, which is not installed.")

    return refuse
