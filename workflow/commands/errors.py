"""``crossbank errors``: a candidate's errors by type."""

from __future__ import annotations

from argparse import Namespace

from crossbank.converters import scheme_of
from crossbank.workflow.commands.cli import Parser, read_both
from crossbank.workflow.commands.printing import print_found

EXAMPLES = (
    "crossbank errors gold.mrg parsed.mrg --scheme ptb",
    "crossbank errors gold.mrg parsed.mrg --scheme ptb --json",
)


def arguments(parser: Parser) -> None:
    """Add the arguments of the command."""
    parser.value("gold", "GOLD", "the right analyses")
    parser.value("candidate", "CANDIDATE", "a parser's analyses of the same sentences")
    parser.value("--scheme", "NAME_OR_FILE", "the annotation scheme, which defines the types", required=True)
    parser.reading("both", candidates="CANDIDATE")
    parser.flag("--json", "print a JSON list, one entry for each type")


def run(given: Namespace) -> None:
    """Print a table with a line for each type of error, or say that there are none."""
    from crossbank.reports.texts.answers import error_table

    scheme = scheme_of(given.scheme)
    gold, candidate, _ = read_both(given, [(given.gold, given.candidate)])
    table = error_table(gold, candidate, scheme)
    nothing = "no errors in the sentences that are scored"
    print_found(given, table.rows, lambda: table.text() if len(table) else nothing)
