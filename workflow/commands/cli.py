"""`crossbank` command: it finds the command that is called, and answers what is wrong in one line."""

from __future__ import annotations

import atexit
import gc
import os
import sys
import warnings
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from importlib import import_module

from crossbank.workflow.commands import COMMANDS
from crossbank.workflow.commands.parser import InGroups, Parser, add_output_options, with_own_options

WRITING = ("convert", "consensus", "parse")
"""The commands that write a file, for which ``-`` is standard output."""


def parser(*called: str) -> Parser:
    """Return the parser of the command line, with the arguments of the commands that are called."""
    top = Parser(
        prog="crossbank",
        description="Convert treebanks between annotation schemes and compare parsers across them.",
        formatter_class=InGroups,
    )
    top.add_argument(
        "--version", action="store_true", help="print the versions that scores depend on, and stop"
    )
    commands = top.add_subparsers(title="commands", dest="command", metavar="COMMAND", prog="crossbank")
    for name, help in COMMANDS.items():
        command = commands.add_parser(name, help=help)
        if name in called:
            module = import_module(f"crossbank.workflow.commands.{name}")
            module.arguments(command)
            command.show_examples(module.EXAMPLES)
            for one in with_own_options(command):
                add_output_options(one)
    return top


def whole_parser() -> Parser:
    """Return the parser of the command line, with the arguments of all commands."""
    return parser(*COMMANDS)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command. Returns 0 when it is done, 1 where the command says no, 2 for wrong input."""
    try:
        try:
            return _run(sys.argv[1:] if arguments is None else arguments)
        finally:
            if sys.stdout is not None:
                sys.stdout.flush()
    except BrokenPipeError:
        # Nobody reads on, as in `| head`: at its end Python would write what is left once more.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _run(words: Sequence[str]) -> int:
    # A command's arrays hold no cycles of references: looking for some, now or at the end, takes time.
    gc.disable()
    atexit.register(gc.freeze)
    # Our loops take all cores; threads that NumPy starts for its linear algebra would spin beside them.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    warnings.formatwarning = lambda message, *_: f"warning: {message}\n"
    if words.count("-") > 1 and words[0] not in WRITING:
        print("crossbank: '-' is standard input, which can be one file only", file=sys.stderr)
        return 2
    top = parser(*[word for word in words if not word.startswith("-")][:1])
    given = top.parse_args(words)
    if given.version:
        from crossbank.workflow.versions import all_versions

        for name, version in all_versions().items():
            print(name, version)
        return 0
    if given.command is None:
        top.print_help()
        return 0
    if given.colour != "auto":
        from crossbank.reports.texts.colours import use_colours

        use_colours(given.colour)
    if given.command == "doctor":
        # It runs where packages are missing without which nothing of ours can be imported.
        from crossbank.workflow.commands import doctor

        return doctor.run(given)
    from crossbank.treebanks.errors import CrossbankError
    from crossbank.treebanks.memory import set_limit
    from crossbank.treebanks.named_arguments import Named

    Named.on_command_line = True
    try:
        if given.memory:
            set_limit(given.memory)
        with _progress(quiet=given.quiet):
            done: int = import_module(f"crossbank.workflow.commands.{given.command}").run(given)
    except (CrossbankError, ModuleNotFoundError) as error:
        from crossbank.reports.texts.colours import coloured
        from crossbank.treebanks.extras import missing_extra

        if not isinstance(error, CrossbankError):
            error = missing_extra(error, f"crossbank {given.command}")
        print(coloured(str(error), "error", sys.stderr), file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\nStopped.", file=sys.stderr)
        return 130
    finally:
        Named.on_command_line = False
    return done


def _progress(*, quiet: bool) -> AbstractContextManager[None]:
    """Show the progress of long work where stderr is a terminal."""
    if quiet or not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        return nullcontext()
    from crossbank.treebanks.progress import watched

    return watched(sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
