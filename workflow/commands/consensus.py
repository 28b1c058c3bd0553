"""``crossbank consensus``: the majority parse of several candidates."""

from __future__ import annotations

from argparse import Namespace

from crossbank.converters import scheme_of
from crossbank.workflow.commands.cli import Parser, refuse_overwriting
from crossbank.workflow.commands.convert import tell_lost
from crossbank.workflow.commands.printing import tell_diagnosis

EXAMPLES = (
    "crossbank consensus parsed.mrg other.mrg third.mrg majority.mrg",
    "crossbank consensus parsed.mrg other.mrg third.mrg majority.mrg --unlabelled",
)


def arguments(parser: Parser) -> None:
    """Add the arguments of the command."""
    parser.value("files", "FILE", "candidates of the same sentences", nargs="+")
    parser.value("target", "TARGET", "the file to write")
    parser.value("--format", "F", "format of the candidates (default: by file name)")
    parser.value("--to", "F", "format of TARGET (default: by name)", dest="target_format")
    parser.value("--encoding", "E", "encoding of the candidates (default: UTF-8)")
    parser.value("--scheme", "S", "the annotation scheme, which defines how functions are written")
    parser.flag("--unlabelled", "ignore labels")


def run(given: Namespace) -> None:
    """Write the majority parse, and print what was done on stderr."""
    from crossbank.converters.consensus.majority import consensus
    from crossbank.converters.remedies import in_labels
    from crossbank.treebanks.formats import format_to_write, read, refuse_dependencies_alone, write

    refuse_overwriting(given.target, *given.files)
    target = given.target_format or format_to_write(given.target)
    banks = [read(file, given.format, encoding=given.encoding) for file in given.files]
    agreed = consensus(banks, labels=not given.unlabelled)
    refuse_dependencies_alone(agreed, target)
    written = in_labels(agreed, target, scheme_of(given.scheme))
    write(written, given.target, target)
    tell_diagnosis(agreed)
    tell_lost(written, target)
