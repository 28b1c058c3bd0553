"""``crossbank errors``: a candidate's errors by type."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from crossbank.workflow.commands.arguments import BY_NAME, print_found, read_both, scheme_of

EXAMPLES = (
    "crossbank errors gold.mrg parsed.mrg --scheme ptb",
    "crossbank errors gold.mrg parsed.mrg --scheme ptb --json",
)


def arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("gold", metavar="GOLD", help="the right analyses")
    parser.add_argument("candidate", metavar="CANDIDATE", help="a parser's analyses of the same sentences")
    parser.add_argument(
        "--scheme",
        metavar="NAME_OR_FILE",
        required=True,
        help="the annotation scheme, which defines the types",
    )
    parser.add_argument("--format", metavar="F", help=BY_NAME)
    parser.add_argument("--candidate-format", metavar="F", help="format of CANDIDATE, if it differs")
    parser.add_argument("--encoding", metavar="E", help="encoding of both (default: UTF-8)")
    parser.add_argument("--json", action="store_true", help="print a JSON list, one entry for each type")


def run(given: Namespace) -> int:
    """Print a table with a line for each type of error, or say that there are none."""
    from crossbank.reports.texts.answers import error_table

    scheme = scheme_of(given.scheme)
    gold, candidate, _ = read_both(given, [(given.gold, given.candidate)])
    table = error_table(gold, candidate, scheme)
    nothing = "no errors in the sentences that are scored"
    print_found(given, table.rows, lambda: table.text() if len(table) else nothing)
    return 0
