"""``crossbank scheme``: a custom scheme, drafted from a treebank and checked with one."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from json import dumps
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from crossbank.treebanks.formats import read_all
from crossbank.workflow.commands.command import command_group
from crossbank.workflow.commands.parameters import FILE, INPUT, SCHEME, json_option, reading_options

if TYPE_CHECKING:
    from crossbank.treebanks.yaml_nodes import FileDiagnostic

EXAMPLES = ("crossbank scheme new corpus.xml --output own.yaml", "crossbank scheme check own.yaml corpus.xml")


@command_group(
    "scheme",
    EXAMPLES,
    group="convert",
    help="draft an annotation scheme of your own, or check one",
    position=120,
)
def run() -> None:
    """Draft a scheme or check one."""


@run.command("new", help="Draft a scheme from the labels, functions and tags of a treebank.")
@click.argument("files", nargs=-1, required=True, type=INPUT, help="trees, or words with dependencies")
@click.option("--name", help="the scheme's name (default: that of the first file)")
@click.option("--output", metavar="OWN.yaml", type=FILE, help="write the scheme here (default: print it)")
@reading_options("FILES")
def new(
    files: Sequence[str], name: str | None, output: str | None, format: str | None, encoding: str | None
) -> None:
    """Print a draft, or write it where no file is yet."""
    from crossbank.converters.scheme_files import scheme_names
    from crossbank.workflow.commands.init import print_or_write
    from crossbank.workflow.schemes.draft import draft

    bank = read_all(files, format, encoding=encoding)
    own = name or Path(files[0]).name.partition(".")[0] or "own"
    if name is None and own in scheme_names():
        own = f"own_{own}"
    print_or_write(draft(bank, files, own), output)
    if output:
        print(f"Written. To check it: crossbank scheme check {output} {' '.join(files)}")


@run.command("check", help="Report all errors of a scheme, and what never matches a treebank.")
@click.argument("scheme", metavar="OWN.yaml", type=SCHEME, help="the scheme's file")
@click.argument("files", nargs=-1, type=INPUT, help="a treebank in this scheme")
@click.option("--strict", is_flag=True, help="exit with 1 where there are warnings, too")
@json_option("print one JSON list of findings")
@reading_options("FILES")
def check(
    scheme: str,
    files: Sequence[str],
    strict: bool,
    json: bool,
    format: str | None,
    encoding: str | None,
) -> int:
    """Print the errors and warnings. Returns 1 if there are errors."""
    from crossbank.converters.scheme_files import SCHEMES
    from crossbank.workflow.schemes.examination import examined

    diagnostics, examined_scheme = examined(SCHEMES.path(scheme))
    bank = read_all(files, format, encoding=encoding) if files else None
    if bank is not None and examined_scheme is not None:
        from crossbank.workflow.schemes.examination import unused

        diagnostics += unused(examined_scheme, bank)
    diagnostics.sort(key=lambda one: (str(one.path), one.line or 0))
    errors = sum(one.severity == "error" for one in diagnostics)
    if json:
        entries = [
            {"file": str(one.path), "line": one.line, "severity": one.severity, "keys": list(one.keys),
             "message": one.message}
            for one in diagnostics
        ]  # fmt: skip
        print(dumps(entries, ensure_ascii=False))
    else:
        print(
            "\n".join(
                [*map(_format_diagnostic, diagnostics), _summary(errors, len(diagnostics) - errors, files)]
            )
        )
    return int(errors > 0 or (strict and len(diagnostics) > 0))


def _format_diagnostic(one: FileDiagnostic) -> str:
    """Return the line of a diagnostic, with its severity in colour where stdout has colours."""
    from crossbank.reports.texts.colours import add_colour

    colour: Literal["error", "warning"] = one.severity
    return f"{one.where}{add_colour(one.severity, colour, sys.stdout)}: {one.about}"


def _summary(errors: int, warnings: int, files: Sequence[str]) -> str:
    def counted(number: int, what: str) -> str:
        return f"{number or 'no'} {what}{'' if number == 1 else 's'}"

    without = "" if files else "; no treebank was named, so rules that never match are not listed"
    return f"{counted(errors, 'error')}, {counted(warnings, 'warning')}{without}"
