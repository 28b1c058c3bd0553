"""``crossbank scheme``: a scheme of one's own, drafted from a treebank and checked with one."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from crossbank.treebanks.formats import read_all
from crossbank.workflow.commands.cli import Parser

if TYPE_CHECKING:
    from crossbank.workflow.schemes.errors_of_file import Finding

EXAMPLES = ("crossbank scheme new corpus.xml --output own.yaml", "crossbank scheme check own.yaml corpus.xml")


def arguments(parser: Parser) -> None:
    """Add the commands of the command."""
    commands = parser.add_subparsers(dest="action", metavar="COMMAND", required=True)
    new = commands.add_parser("new", help="draft a scheme from the labels, functions and tags of a treebank")
    new.value("files", "FILE", "trees, or words with dependencies", nargs="+")
    new.value("--name", "NAME", "the scheme's name (default: that of FILE)")
    new.value("--output", "OWN.yaml", "write the scheme here (default: print it)")
    check = commands.add_parser(
        "check", help="report all errors of a scheme, and what never matches a treebank"
    )
    check.value("scheme", "OWN.yaml", "the scheme's file")
    check.value("files", "FILE", "a treebank in this scheme", nargs="*")
    check.flag("--strict", "exit with 1 where there are warnings, too")
    check.flag("--json", "print one JSON list of findings")
    for command in (new, check):
        command.reading("FILE")


def run(given: Namespace) -> int:
    """Draft a scheme or check one. Returns 1 where a check finds errors."""
    return {"new": _new, "check": _check}[given.action](given)


def _new(given: Namespace) -> int:
    from crossbank.converters.scheme_files import scheme_names
    from crossbank.workflow.commands.init import print_or_write
    from crossbank.workflow.schemes.draft import draft

    bank = read_all(given.files, given.format, encoding=given.encoding)
    name = given.name or Path(given.files[0]).name.partition(".")[0] or "own"
    if given.name is None and name in scheme_names():
        name = f"own_{name}"
    print_or_write(draft(bank, given.files, name), given.output)
    if given.output:
        files = " ".join(given.files)
        print(f"Written. To check it: crossbank scheme check {given.output} {files}")
    return 0


def _check(given: Namespace) -> int:
    from crossbank.converters.scheme_files import SCHEMES
    from crossbank.treebanks.yaml_files import named_file
    from crossbank.workflow.schemes.errors_of_file import examined

    scheme = examined(named_file(SCHEMES, given.scheme, "scheme"))
    found = list(scheme.errors)
    if given.files:
        from crossbank.workflow.schemes.examination import unused

        found += unused(scheme, read_all(given.files, given.format, encoding=given.encoding))
    found.sort(key=lambda one: (str(one.path), one.line or 0))
    errors = sum(one.error for one in found)
    if given.json:
        entries = [
            {"file": str(one.path), "line": one.line, "severity": one.severity, "keys": list(one.keys),
             "message": one.message}
            for one in found
        ]  # fmt: skip
        print(json.dumps(entries, ensure_ascii=False))
    else:
        print("\n".join([*map(_shown, found), _summary(errors, len(found) - errors, given.files)]))
    return int(errors > 0 or (given.strict and len(found) > 0))


def _shown(finding: Finding) -> str:
    """Return the line of a finding, with its severity in colour where stdout has colours."""
    from crossbank.reports.texts.colours import coloured

    said = f": {finding.severity}: "
    severity = coloured(finding.severity, "error" if finding.error else "warning", sys.stdout)
    return str(finding).replace(said, f": {severity}: ", 1)


def _summary(errors: int, warnings: int, files: list[str]) -> str:
    def counted(number: int, what: str) -> str:
        return f"{number or 'no'} {what}{'' if number == 1 else 's'}"

    without = "" if files else "; no treebank was named, so nothing is said of what never matches"
    return f"{counted(errors, 'error')}, {counted(warnings, 'warning')}{without}"
