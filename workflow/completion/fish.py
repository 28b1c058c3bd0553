"""Completion script for fish."""

from __future__ import annotations

from argparse import Action
from collections.abc import Iterator
from textwrap import shorten

from crossbank.workflow.commands.completion import FILES_TOO, Command, Words, takes_several

HEADER = """\
# Completion for crossbank in fish, written by: crossbank completion fish
# Put it where fish looks for it, and write it anew after an update or when you install further metrics:
#   crossbank completion fish > ~/.config/fish/completions/crossbank.fish
"""

WIDTH = 70
"""The number of characters that a description has at most: it is beside a word in the terminal."""


def script(words: Words) -> str:
    """Return the script, to be put into fish's folder of completions."""
    return HEADER + "".join(f"complete -c crossbank {line}\n" for line in _lines(words))


def _lines(words: Words) -> Iterator[str]:
    for command in words.commands:
        here = _condition(command)
        below = [other for other in words.commands if other.name.rpartition(" ")[0] == command.name]
        for other in filter(lambda other: other.name, below):
            waiting = f"{here}; and " if command.name else ""
            names = " ".join(one.name.rpartition(" ")[2] for one in below if one.name)
            waiting += f"not __fish_seen_subcommand_from {names}" if command.name else "__fish_use_subcommand"
            yield f"-f -n '{waiting}' -a {other.name.rpartition(' ')[2]} -d {_quoted(other.help)}"
        for option, kind in command.options:
            yield " ".join(_option(option, kind, here, words))
        for place, kind in enumerate(command.arguments):
            if kind and not below:
                before = len(command.name.split()) + place + 1
                counted = f"{here}; and test (count (commandline -opc)) -eq {before}"
                yield f"-f -n '{counted}' -a '{' '.join(words.lists[kind])}'"


def _option(option: Action, kind: str, here: str, words: Words) -> Iterator[str]:
    yield f"-n '{here}'"
    for flag in option.option_strings:
        yield f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}"
    if option.nargs != 0:
        yield "-x" if kind and kind not in FILES_TOO else "-r"
    if kind:
        listed = " ".join(words.lists[kind])
        yield (
            f"-a '(__fish_complete_list , \"printf %s\\\\\\n {listed}\")'"
            if takes_several(option)
            else f"-a '{listed}'"
        )
    yield f"-d {_quoted((option.help or '').replace('%%', '%'))}"


def _condition(command: Command) -> str:
    """Return the condition of fish that the command is the one that is typed."""
    if not command.name:
        return "__fish_use_subcommand"
    return "; and ".join(f"__fish_seen_subcommand_from {word}" for word in command.name.split())


def _quoted(text: str) -> str:
    escaped = shorten(text, WIDTH, placeholder=" ...").replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
