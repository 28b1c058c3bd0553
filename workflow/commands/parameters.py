"""Types of parameters, and the options that several commands have.

A type says what a shell completes. Names are checked by the registries that they are from, not here: they
may also be ``module:name`` or the path of a file.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

Decorated = TypeVar("Decorated", bound=Callable[..., Any])


class Decorator(Protocol):
    """Whatever adds parameters to a command."""

    def __call__(self, function: Decorated, /) -> Decorated:
        """Return the function with the parameters."""


class File(click.ParamType[str]):
    """The path of a file, or a pattern; ``-`` is standard input or output."""

    name = "file"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Leave the completion of files to the shell."""
        return _items([incomplete], "file")


class InputFile(File):
    """A file that a command reads."""


class Name(click.ParamType[str]):
    """A name of a kind, such as a metric.

    kind   a key of ``NAMES``
    files  whether the path of a file may be in place of the name
    """

    def __init__(self, kind: str, *, files: bool = False) -> None:
        self.kind = self.name = kind
        self.files = files

    def known(self) -> list[str]:
        """Return the names that there are."""
        from crossbank.workflow.commands.names import NAMES

        return list(NAMES[self.kind]())

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Return the names that begin like the incomplete one; files where there are none."""
        names = [name for name in self.known() if name.startswith(incomplete)]
        return _items(names) if names or not self.files else _items([incomplete], "file")


class Names(click.ParamType[tuple[str, ...]]):
    """Names with commas between them.

    kind  a key of ``NAMES``; empty for names that the user chooses
    """

    name = "names"

    def __init__(self, kind: str = "") -> None:
        self.kind = kind

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        """Return the form of the value for help."""
        return "NAME[,NAME...]"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, ...]:
        """Return the names."""
        names = tuple(filter(None, value.split(",")))
        if not names:
            self.fail(f"{value!r} has no name in it.", param, ctx)
        return names

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Complete the last of the names."""
        before, comma, last = incomplete.rpartition(",")
        names = [name for name in self.known(ctx) if name.startswith(last)]
        return _items([f"{before}{comma}{name}" for name in names])

    def known(self, ctx: click.Context) -> list[str]:
        """Return the names that there are."""
        return Name(self.kind).known() if self.kind else []


class Breakdowns(Names):
    """Breakdowns of the metrics that are chosen."""

    def known(self, ctx: click.Context) -> list[str]:
        """Return the breakdowns that the metrics have, and those that all have."""
        from crossbank.workflow.commands.names import breakdowns

        return [name for name in breakdowns(ctx.params.get("metric") or ["parseval"]) if name.islower()]


class KeyValue(click.ParamType[tuple[str, str]]):
    """A key with a value: ``labels=no``."""

    name = "key=value"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, str]:
        """Return the key and the value."""
        key, equals, written = value.partition("=")
        if not (key and equals):
            self.fail(f"{value!r} is not of the form KEY=VALUE.", param, ctx)
        return key, written


class StudyKey(click.ParamType[str]):
    """A key of a study with its value: ``data=FOLDER``."""

    name = "key=value"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Return the keys that begin like the incomplete one."""
        from crossbank.reports.study.model import Study
        from crossbank.treebanks.yaml_schemas import record_schema

        return _items([f"{key}=" for key in record_schema(Study)["properties"] if key.startswith(incomplete)])


def _items(values: Sequence[str], type: str = "plain") -> list[CompletionItem]:
    from click.shell_completion import CompletionItem

    return [CompletionItem(value, type=type) for value in values]


INPUT, FILE = InputFile(), File()
SCHEME, FORMAT = Name("scheme", files=True), Name("format")


def together(*options: Decorator) -> Decorator:
    """Return one decorator that adds several options, in their order."""

    def decorate(function: Decorated) -> Decorated:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


def names_option(flag: str, type: Names, help: str) -> Decorator:
    """Return an option that takes several names: with commas between them, or repeated."""

    def joined(ctx: click.Context, param: click.Parameter, values: Sequence[Sequence[str]]) -> list[str]:
        return [name for names in values or () for name in names]

    return click.option(flag, type=type, multiple=True, callback=joined, help=help)


def options_option(help: str) -> Decorator:
    """Return ``--option``, whose values become one mapping."""

    def joined(
        ctx: click.Context, param: click.Parameter, values: Sequence[tuple[str, str]]
    ) -> dict[str, str]:
        options: dict[str, str] = {}
        for key, value in values or ():
            if options.setdefault(key, value) != value:
                message = f"{key} has two values, {options[key]} and {value}."
                raise click.BadParameter(message, ctx, param)
        return options

    return click.option(
        "--option", type=KeyValue(), multiple=True, callback=joined, help=f"{help}; repeatable"
    )


def transform_option(flag: str, help: str) -> Decorator:
    """Return an option that takes a transformation, and more where it is repeated."""
    form = "NAME[:key=value,...]"
    help = f"{help}; repeatable"
    return click.option(flag, type=Name("transformation"), metavar=form, multiple=True, help=help)


def reading_options(of: str, *, candidates: str = "", flag: str = "--format") -> Decorator:
    """Return the options for reading files: ``format``, ``candidate_format`` and ``encoding``.

    of          the files, in help
    candidates  those of them that may have another format
    flag        the option for the format, ``--from`` where another format is written
    """
    name = "source_format" if flag == "--from" else "format"
    known = "all: crossbank list formats"
    options = [
        click.option(flag, name, type=FORMAT, help=f"the format of {of} (default: by file name; {known})")
    ]
    if candidates:
        help = f"the format of {candidates}, if it differs"
        options.append(click.option("--candidate-format", type=FORMAT, help=help))
    options.append(
        click.option("--encoding", metavar="ENCODING", help=f"the encoding of {of} (default: UTF-8)")
    )
    return together(*options)


damaged_option = click.option(
    "--damaged",
    type=click.Choice(("stop", "skip", "repair")),
    help="sentences that cannot be read: stop (gold's default), leave them without a parse (a candidate's "
    "default), repair them",
)

words_option = click.option(
    "--words",
    type=click.Choice(("same", "characters", "align")),
    help="sentences that are compared: those with the same words (default), those with the same characters "
    "in other tokens and sentences as well, or all, aligned by edits",
)

target_format_option = click.option(
    "--to", "target_format", type=FORMAT, help="the format of TARGET (default: by file name)"
)


def files_argument(of: str = "a file, or several") -> Decorator:
    """Return the argument that takes one file or several."""
    help = f"{of}; * in a quoted name matches several files"
    return click.argument("files", nargs=-1, required=True, type=INPUT, help=help)


def scheme_option(help: str = "the annotation scheme", *, required: bool = False) -> Decorator:
    """Return ``--scheme``."""
    help = f"{help}: a name (crossbank list schemes) or the path of a scheme file"
    return click.option("--scheme", type=SCHEME, required=required, help=help)


def metric_option(help: str) -> Decorator:
    """Return ``--metric``."""
    return names_option("--metric", Names("metric"), help)


def seed_option(help: str, *, default: int | None = None) -> Decorator:
    """Return ``--seed``."""
    return click.option("--seed", metavar="N", type=click.IntRange(min=0), default=default, help=help)


def samples_option(help: str, *, least: int = 0, default: int | None = None) -> Decorator:
    """Return ``--samples``."""
    return click.option("--samples", metavar="N", type=click.IntRange(min=least), default=default, help=help)


def json_option(help: str) -> Decorator:
    """Return ``--json``."""
    return click.option("--json", is_flag=True, help=help)
