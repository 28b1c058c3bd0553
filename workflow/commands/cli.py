"""`crossbank` command: words become arguments, the command that is called runs, faults are told in one line.

A list of names is written ``--metric A,B`` or ``--metric A --metric B``. ``--metric A B`` works as well.
Which words are names and which are files then follows from the words alone, never from the files
that lie in the folder: a command that takes two files has its last two words for them.
"""

from __future__ import annotations

import argparse
import atexit
import gc
import os
import sys
import warnings
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, NoReturn

from crossbank.workflow.commands import COMMANDS, GROUPS

if TYPE_CHECKING:
    from crossbank.treebanks import Treebank

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
            module = _module(name)
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
    from crossbank.reports.texts.escaped_output import escaped_output

    try:
        with escaped_output():
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
        return int(_module(given.command).run(given))
    from crossbank.treebanks.errors import CrossbankError
    from crossbank.treebanks.memory import set_limit
    from crossbank.treebanks.named_arguments import Named

    Named.place = "in_study" if given.command in ("check", "study") else "typed"
    # Commands without an option name the command that has it.
    metric, has_metric = "--metric dependencies", hasattr(given, "metric")
    Named.renamed = {} if has_metric else {metric: f"crossbank score {metric}"}
    Named.renamed |= {"--format": "--from"} if hasattr(given, "source_format") else {}
    try:
        if given.memory:
            set_limit(given.memory)
        with _progress(quiet=given.quiet):
            done: int = _module(given.command).run(given) or 0
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
        Named.place, Named.renamed = "in_python", {}
    return done


def _module(command: str) -> Any:
    return import_module(f"crossbank.workflow.commands.{command}")


def _progress(*, quiet: bool) -> AbstractContextManager[None]:
    """Show the progress of long work where stderr is a terminal."""
    if quiet or not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        return nullcontext()
    from crossbank.reports.texts.escaped_output import unescaped
    from crossbank.treebanks.progress import watched

    return watched(unescaped(sys.stderr))


Known = Callable[[], Collection[str]]


class Names(argparse.Action):
    """An option that takes names.

    known      gives the names that there are
    separator  what may be between names, besides a new flag; none where names have options
    """

    def __init__(self, *arguments: Any, known: Known, separator: str | None = ",", **others: Any) -> None:
        super().__init__(*arguments, **others)
        self.known, self.separator = known, separator

    def __call__(self, parser: Any, namespace: Any, values: Any, option_string: str | None = None) -> None:
        """Add the names to those that were given before."""
        given = list(filter(None, values.split(self.separator) if self.separator else [values]))
        if not given:
            raise argparse.ArgumentError(self, f"found {values!r}, expected a name")
        setattr(namespace, self.dest, [*(getattr(namespace, self.dest) or ()), *given])


class InGroups(argparse.HelpFormatter):
    """Help that lists commands in their groups."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog)
        self._action_max_length = max(len(name) for names in GROUPS.values() for name in names) + 5

    def _format_action(self, action: argparse.Action) -> str:
        if not isinstance(action, argparse._SubParsersAction):
            return super()._format_action(action)
        lines = [f"{'':{self._current_indent}}COMMAND\n"]
        for group, names in GROUPS.items():
            lines.append(f"\n{'':{self._current_indent}}{group}:\n")
            self._indent()
            lines += [self._format_action(one) for one in action._choices_actions if one.dest in names]
            self._dedent()
        return "".join(lines[1:])


def whole_number(written: str, least: int = 0) -> int:
    """Return a number that an argument gives. Raises ArgumentTypeError for anything else."""
    if not written.isdecimal() or int(written) < least:
        raise argparse.ArgumentTypeError(f"found {written!r}, expected a whole number from {least}")
    return int(written)


class Parser(argparse.ArgumentParser):
    """A parser of arguments that answers a wrong call in one line."""

    def error(self, message: str) -> NoReturn:
        """Print the message and leave with exit code 2."""
        kind, _, words = message.partition(": ")
        if kind == "unrecognized arguments" and not any(word.startswith("-") for word in words.split()):
            message += "; the shell leaves a name with * in it to the command if it is in quotes"
        from crossbank.treebanks.errors import shortened

        self.exit(2, f"{self.prog}: {shortened(message)} (see {self.prog} --help)\n")

    def _get_values(self, action: argparse.Action, arg_strings: list[str]) -> Any:
        # A variable of the shell that is not set gives an empty value, which as a path would be this folder.
        if "" in arg_strings and action.nargs != argparse.PARSER:
            raise argparse.ArgumentError(action, "found '', expected a value that is not empty")
        return super()._get_values(action, arg_strings)

    def value(self, name: str, metavar: str, help: str, **further: Any) -> None:
        """Add an argument, or an option that takes a value; ``further`` is for argparse."""
        self.add_argument(name, metavar=metavar, help=help, **further)

    def flag(self, name: str, help: str) -> None:
        """Add an option that is given or not."""
        self.add_argument(name, action="store_true", help=help)

    def files(self, said: str = "a file, or several") -> None:
        """Add the argument that takes one file or several."""
        self.value("files", "FILE", f"{said}; * in a quoted name matches several files", nargs="+")

    def reading(
        self, of: str, help: str = "{} (default: by file name)", *, candidates: str = "", name: str = "format"
    ) -> None:
        """Add the options for reading files: their format and encoding.

        of          the files, in help
        help        on the format, with ``{}`` for all that there are
        candidates  the files that may have another format
        name        of the option for the format
        """
        from crossbank.treebanks.formats import FORMATS

        dest = "source_format" if name == "from" else name
        self.value(f"--{name}", "F", help.format(", ".join(FORMATS)), dest=dest)
        if candidates:
            self.value("--candidate-format", "F", f"format of {candidates}, if it differs")
        self.value("--encoding", "E", f"encoding of {of} (default: UTF-8)")

    def metric(self, help: str) -> None:
        """Add ``--metric``."""
        known = partial(names_in, "crossbank.metrics.counting.metric", "METRICS")
        self.value("--metric", "NAME[,NAME...]", help, action=Names, known=known)

    def names(self, help: str) -> None:
        """Add ``--names``."""
        self.value("--names", "NAME,NAME...", help, action=Names, known=tuple)

    def transform(self, name: str, help: str) -> None:
        """Add an option that takes transformations, in order."""
        known = partial(names_in, "crossbank.converters.transformations", "TRANSFORMATIONS")
        self.value(name, "NAME[:key=value,...]", help, action=Names, known=known, separator=None)

    def option(self, help: str) -> None:
        """Add ``--option``."""
        self.value("--option", "KEY=VALUE", help, action="append", default=[])

    def show_examples(self, calls: Sequence[str]) -> None:
        """End the help with some calls, each on its line."""
        self.epilog = "\n".join(["examples:", *(f"  {call}" for call in calls)])
        self.formatter_class = argparse.RawDescriptionHelpFormatter

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse the arguments; a name that follows another counts as one more value of the option."""
        words = None if args is None else self._with_one_name_each(list(args))
        found, unknown = super().parse_known_args(words, namespace)
        for flag in (word.partition("=")[0] for word in unknown if word.startswith("--")):
            from crossbank.treebanks.errors import meant

            if (said := meant(flag, list(self._option_string_actions))).startswith("did"):
                self.error(f"found {flag}, {said}")
        if unknown:
            self.error(f"unrecognized arguments: {' '.join(unknown)}")
        return found, unknown

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Raise the error of a value that is none of an argument's choices."""
        if action.choices is not None and value not in action.choices:
            from crossbank.treebanks.errors import meant

            raise argparse.ArgumentError(action, f"found {value!r}, {meant(value, list(action.choices))}")

    def _with_one_name_each(self, words: Sequence[str]) -> list[str]:
        """Return the arguments with ``--metric A B`` written ``--metric A --metric B``."""
        plain, lists = self._sorted(words)
        files = [action for action in self._actions if not action.option_strings]
        missing = len(files) - len(plain)
        if all(action.nargs is None for action in files):
            names = {flag: len(known) for flag, known in lists.items()}
            if missing > 0 and (flag := _list_with_files(lists, missing)) is not None:
                names[flag] -= missing
        else:
            names = {flag: _leading_names(known) for flag, known in lists.items()}
        written: list[str] = []
        for place, word in enumerate(words):
            of = next((flag for flag, count in names.items() if flag + 1 < place <= flag + count), None)
            written += [word] if of is None else [words[of], word]
        return written

    def _sorted(self, words: Sequence[str]) -> tuple[list[str], dict[int, list[bool]]]:
        """Return the words that belong to no option, and the lists of names by the place of their flag.

        Of each word in a list it is told whether it is a known name.
        """
        plain: list[str] = []
        lists: dict[int, list[bool]] = {}
        place = 0
        while place < len(words):
            flag = place
            action = self._option_string_actions.get(words[flag])
            place += 1
            if not words[flag].startswith("-"):
                plain.append(words[flag])
            elif action is not None and action.nargs != 0:
                several = isinstance(action, Names) or action.nargs == "+"
                while place < len(words) and not words[place].startswith("-"):
                    place += 1
                    if not several:
                        break
                if isinstance(action, Names):
                    known = action.known()
                    # A name may have options: name:key=value.
                    lists[flag] = [word.partition(":")[0] in known for word in words[flag + 1 : place]]
        return plain, lists


def with_own_options(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """Yield the parser of a command, or those of the commands that it has."""
    below = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    if not below:
        yield parser
    for action in below:
        for command in action.choices.values():
            yield from with_own_options(command)


def add_output_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that every command has."""
    shared = parser.add_argument_group("output")
    shared.add_argument("--quiet", action="store_true", help="do not show progress")
    shared.add_argument(
        "--colour",
        "--color",
        choices=("auto", "always", "never"),
        default="auto",
        help="auto (default): on a terminal, unless the variable NO_COLOR is set",
    )
    shared.add_argument(
        "--memory",
        metavar="SIZE",
        help="the memory that one sentence or model may take, such as 4G (default: all that the machine has)",
    )


def names_in(module: str, names: str) -> list[str]:
    """Return the names that a module has, in a mapping or by a function."""
    found = getattr(import_module(module), names)
    return list(found() if callable(found) else found)


def _list_with_files(lists: dict[int, list[bool]], missing: int) -> int | None:
    """List whose last words are files: the one with the fewest known names there, the last of these."""
    long_enough = [flag for flag, known in reversed(lists.items()) if len(known) > missing]
    return min(long_enough, key=lambda flag: sum(lists[flag][-missing:]), default=None)


def _leading_names(known: list[bool]) -> int:
    """Return the number of leading names in a list that files may follow: the first word, and known ones."""
    return next((place for place, is_known in enumerate(known) if place and not is_known), len(known))


def options_of(written: Sequence[str]) -> dict[str, object]:
    """Options by their names. Raises OptionError for one that is not written ``KEY=VALUE``."""
    from crossbank.treebanks.errors import OptionError

    options: dict[str, object] = {}
    for option in written:
        key, equals, value = option.partition("=")
        if not equals or not key:
            raise OptionError("--option", option, "KEY=VALUE")
        if options.get(key, value) != value:
            raise OptionError("--option", option, f"one value, beside {key}={options[key]}")
        options[key] = value
    return options


def refuse_overwriting(target: str, *sources: str) -> None:
    """Raise CrossbankError where a file that a command reads is the one that it would write."""
    from crossbank.treebanks.errors import CrossbankError
    from crossbank.treebanks.files import matching

    for path in (path for source in sources for path in matching(source)):
        if os.path.isfile(target) and os.path.exists(path) and os.path.samefile(path, target):
            raise CrossbankError(f"{target}: found the file that is read, expected another one to write")


def read_both(
    given: argparse.Namespace, pairs: Sequence[tuple[str, str]], *, text: bool = False
) -> tuple[Treebank, Treebank, Sequence[int]]:
    """Gold, candidate and the number of sentences of each pair of files, all pairs one after the other.

    text  whether sentences may be cut differently, as long as the text is the same

    Raises CrossbankError where one of several pairs has more sentences on one side.
    """
    from crossbank.treebanks.formats import read
    from crossbank.treebanks.ranges import side_by_side, work
    from crossbank.treebanks.treebank import Treebank

    formats = given.format, given.candidate_format or given.format
    # A file that goes with several is read once.
    sides = [dict.fromkeys(paths) for paths in zip(*pairs, strict=True)]
    files = [(path, format) for paths, format in zip(sides, formats, strict=True) for path in paths]
    with work("reading", len(files), "files") as reading:

        def read_one(path: str, format: str | None) -> Treebank:
            bank = read(path, format, encoding=given.encoding)
            reading.add()
            return bank

        banks = side_by_side([partial(read_one, *file) for file in files])
    gold, candidates = banks[: len(sides[0])], banks[len(sides[0]) :]
    lengths = [_sentences(bank) for bank in (gold if len(gold) == len(pairs) else candidates)]
    if not text:
        require_lengths(pairs, lengths, candidates)
    return Treebank.concatenate(gold), Treebank.concatenate(candidates), lengths


def require_lengths(
    pairs: Sequence[tuple[str, str]], lengths: Sequence[int], candidates: Sequence[Treebank]
) -> None:
    """Raise CrossbankError where a candidate's file has not as many sentences as its file of gold.

    lengths     the numbers of gold's sentences
    candidates  the candidate's files; nothing is asked of one file, in one pair or in several
    """
    if len(candidates) < 2 or len({gold for gold, _ in pairs}) < 2:
        return
    for (gold, candidate), expected, bank in zip(pairs, lengths, candidates, strict=True):
        if (found := _sentences(bank)) != expected:
            from crossbank.treebanks.errors import CrossbankError
            from crossbank.treebanks.quantities import quantity

            raise CrossbankError(f"{candidate} has {quantity(found, 'sentence')}, {gold} has {expected:,}")


def _sentences(bank: Treebank) -> int:
    """Return the number of sentences, each with one analysis or several."""
    return int((bank.sentences.analysis == 0).sum())


if __name__ == "__main__":
    # Commands import this module by its name: there must not be two of each of its classes.
    sys.exit(import_module("crossbank.workflow.commands.cli").main())
