"""``crossbank consensus``: the majority parse of several candidates."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from crossbank.workflow.commands.arguments import scheme_of, tell_diagnosis

EXAMPLES = (
    "crossbank consensus parsed.mrg other.mrg third.mrg majority.mrg",
    "crossbank consensus parsed.mrg other.mrg third.mrg majority.mrg --unlabelled",
)


def arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("files", metavar="FILE", nargs="+", help="candidates of the same sentences")
    parser.add_argument("target", metavar="TARGET", help="the file to write")
    parser.add_argument("--format", metavar="F", help="format of the candidates (default: by file name)")
    parser.add_argument("--to", dest="target_format", metavar="F", help="format of TARGET (default: by name)")
    parser.add_argument("--encoding", metavar="E", help="encoding of the candidates (default: UTF-8)")
    parser.add_argument(
        "--scheme", metavar="S", help="the annotation scheme, which defines how functions are written"
    )
    parser.add_argument("--unlabelled", action="store_true", help="ignore labels")


def run(given: Namespace) -> int:
    """Write the majority parse, and print what was done on stderr."""
    from crossbank.converters.consensus.majority import consensus
    from crossbank.converters.remedies import in_labels
    from crossbank.treebanks.formats import format_of, read, write

    banks = [read(file, given.format, encoding=given.encoding) for file in given.files]
    agreed = consensus(banks, labels=not given.unlabelled)
    target = given.target_format or format_of(given.target)
    write(in_labels(agreed, target, scheme_of(given.scheme)), given.target, target)
    tell_diagnosis(agreed)
    return 0
