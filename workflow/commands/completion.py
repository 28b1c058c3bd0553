"""``crossbank completion``: a script by which a shell completes commands, options and names."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

SHELLS = ("bash", "zsh", "fish")

EXAMPLES = (
    "crossbank completion bash",
    "crossbank completion zsh",
)


def arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "shell",
        metavar="SHELL",
        choices=SHELLS,
        help="%(choices)s; the script itself says where to put it",
    )


def run(given: Namespace) -> int:
    """Print the script. All names are in it, those of other packages too: a key press starts no Python."""
    from importlib import import_module

    from crossbank.workflow.cli import whole_parser
    from crossbank.workflow.completion.words import words_of

    written: str = import_module(f"crossbank.workflow.completion.{given.shell}").script(
        words_of(whole_parser())
    )
    print(written, end="")
    return 0
