"""``crossbank completion``: a script by which a shell completes commands, options and names."""

from __future__ import annotations

import click

from crossbank.workflow.commands.command import command

SHELLS = ("bash", "zsh", "fish")

EXAMPLES = ("crossbank completion bash", "crossbank completion zsh")


@command("completion", EXAMPLES)
@click.argument(
    "shell", type=click.Choice(SHELLS), help="the shell that reads the script: see docs/terminal.md"
)
def run(shell: str) -> None:
    """Print click's script, by which the shell asks ``crossbank`` itself for the words that may come next."""
    from click.shell_completion import get_completion_class

    from crossbank.workflow.commands.cli import COMMAND_LINE, COMPLETE

    completion = get_completion_class(shell)
    assert completion is not None
    script = completion(COMMAND_LINE, {}, "crossbank", COMPLETE).source()
    # A name may follow others after a comma, at which click's script for fish would end.
    print(script.replace('string split ","', 'string split --max 1 ","'))
