"""``crossbank completion``: a script by which a shell completes commands, options and names.

The scripts are click's, which ask ``crossbank`` itself for the words that may come next. Shells differ in
what they take a word to be: bash cuts ``--scheme=ti`` into three, zsh and fish replace all of it.
"""

from __future__ import annotations

import click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    ShellComplete,
    ZshComplete,
    add_completion_class,
    get_completion_class,
    shell_complete,
)

from crossbank.workflow.commands.command import COMPLETE, command

EXAMPLES = ("crossbank completion bash", "crossbank completion zsh")


class Bash(BashComplete):
    """Completion in bash."""

    def get_completion_args(self) -> tuple[list[str], str]:
        """Return the words before the incomplete one, and this, each with the value that is its own."""
        words: list[str] = []
        args, incomplete = super().get_completion_args()
        for word in (*args, incomplete):
            if words and (word == "=" or words[-1].endswith("=")):
                words[-1] += word
            else:
                words.append(word)
        return words[:-1], words[-1]


class _WholeWords(ShellComplete):
    """Completion in a shell that replaces ``--scheme=ti`` as one word."""

    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem[str]]:
        """Return whole words."""
        items = super().get_completions(args, incomplete)
        flag, equals, _ = incomplete.partition("=")
        if not (equals and flag.startswith("--")):
            return items
        return [CompletionItem(f"{flag}={item.value}", item.type, item.help) for item in items]


class Zsh(_WholeWords, ZshComplete):
    """Completion in zsh."""


class Fish(_WholeWords, FishComplete):
    """Completion in fish. A name may follow others after a comma, at which click's script would end."""

    source_template = FishComplete.source_template.replace('split ","', 'split --max 1 ","')


SHELLS = ("bash", "zsh", "fish")

for _class in (Bash, Zsh, Fish):
    add_completion_class(_class)


def complete(command_line: click.Command, instruction: str) -> int:
    """Print the words that may come next, for a shell, and return the exit code."""
    return shell_complete(command_line, {}, "crossbank", COMPLETE, instruction)


@command(
    "completion",
    EXAMPLES,
    group="help",
    help="print a script by which bash, zsh or fish completes the command line",
    position=250,
)
@click.argument("shell", type=click.Choice(SHELLS), help="the shell that reads the script: docs/terminal.md")
@click.pass_context
def run(context: click.Context, shell: str) -> None:
    """Print the script."""
    completion_class = get_completion_class(shell)
    assert completion_class is not None
    print(completion_class(context.find_root().command, {}, "crossbank", COMPLETE).source())
