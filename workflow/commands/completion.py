"""``crossbank completion``: a script by which a shell completes commands, options and names."""

from __future__ import annotations

import argparse
from argparse import Namespace
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import NamedTuple

from crossbank.workflow.commands.cli import Names, Parser, whole_parser
from crossbank.workflow.commands.list import LISTS

SHELLS = ("bash", "zsh", "fish")

EXAMPLES = ("crossbank completion bash", "crossbank completion zsh")


KINDS = {
    "metric": "metrics",
    "scheme": "schemes",
    "format": "formats",
    "round_trip": "formats",
    "transform": "transformations",
    "by": "breakdowns",
    "mode": "modes",
    "profile": "profiles",
}
"""The list of ``crossbank list`` that holds the values of an option, by the (last) word of its name."""

FILES_TOO = frozenset(("schemes", "profiles"))
"""The lists beside which a file of one's own may be named."""


def arguments(parser: Parser) -> None:
    """Add the arguments of the command."""
    parser.value("shell", "SHELL", "%(choices)s; the script itself says where to put it", choices=SHELLS)


def run(given: Namespace) -> None:
    """Print the script. All names are in it, those of other packages too: a key press starts no Python."""
    written: str = import_module(f"crossbank.workflow.completion.{given.shell}").script(
        words_of(whole_parser())
    )
    print(written, end="")


class Command(NamedTuple):
    """A command.

    name       as it is written after ``crossbank``; it has two words where a command has commands
    options    each with the list of its values; empty where they are files or anything else
    arguments  the list of values of each argument, in their order; empty where it is a file
    """

    name: str
    help: str
    options: tuple[tuple[argparse.Action, str], ...]
    arguments: tuple[str, ...]


class Words(NamedTuple):
    """Whole command line.

    commands  the commands; the first one has no name and the options of ``crossbank`` itself
    lists     the names in each list of values
    """

    commands: tuple[Command, ...]
    lists: Mapping[str, tuple[str, ...]]


def takes_several(option: argparse.Action) -> bool:
    """True if the value of an option may be several names, joined by commas."""
    return isinstance(option, Names) and option.separator == ","


def words_of(parser: Parser) -> Words:
    """Return the words of a command line, with all names that ``crossbank list`` shows."""
    lists = {kind: tuple(names()) for kind, names in LISTS.items()}
    return Words(tuple(_commands(parser, "", "", lists)), lists)


def _commands(
    parser: argparse.ArgumentParser, name: str, help: str, lists: dict[str, tuple[str, ...]]
) -> Iterator[Command]:
    """A command and the commands that it has; choices are added to ``lists``."""
    options, arguments = [], []
    for action in parser._actions:
        values = _values(action, name, lists)
        if action.option_strings:
            options.append((action, values))
        elif action.nargs != argparse.REMAINDER:
            arguments.append(values)
    yield Command(name, help, tuple(options), tuple(arguments))
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            described = {choice.dest: choice.help or "" for choice in action._choices_actions}
            for own, below in action.choices.items():
                yield from _commands(below, f"{name} {own}".strip(), described[own], lists)


def _values(action: argparse.Action, command: str, lists: dict[str, tuple[str, ...]]) -> str:
    if action.choices is not None:
        name = " ".join(filter(None, (command, action.dest)))
        lists[name] = tuple(map(str, action.choices))
        return name
    return KINDS.get(action.dest) or KINDS.get(action.dest.rpartition("_")[2], "")
