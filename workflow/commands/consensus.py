"""``crossbank consensus``: the majority parse of several candidates."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

from crossbank.converters import scheme_of
from crossbank.treebanks.errors import CrossbankError
from crossbank.workflow.commands.command import command
from crossbank.workflow.commands.convert import print_losses
from crossbank.workflow.commands.parameters import (
    FILE,
    INPUT,
    damaged_option,
    reading_options,
    scheme_option,
    target_format_option,
)
from crossbank.workflow.commands.printing import print_damage, print_diagnosis
from crossbank.workflow.overwriting import refuse_overwriting

EXAMPLES = (
    "crossbank consensus parsed.mrg other.mrg third.mrg majority.mrg",
    "crossbank consensus parsed.mrg other.mrg third.mrg brackets.mrg --unlabelled",
)


@command(
    "consensus",
    EXAMPLES,
    group="convert",
    help="write the majority parse of several candidates",
    position=110,
)
@click.argument(
    "files",
    nargs=-1,
    required=True,
    type=INPUT,
    help="candidates of the same sentences; each of several samples of a sentence is one",
)
@click.argument("target", type=FILE, help="the file to write")
@reading_options("the candidates")
@damaged_option
@target_format_option
@scheme_option("the annotation scheme, which defines how functions are written")
@click.option("--unlabelled", is_flag=True, help="ignore labels")
def run(
    files: Sequence[str],
    target: str,
    format: str | None,
    encoding: str | None,
    damaged: str | None,
    target_format: str | None,
    scheme: str | None,
    unlabelled: bool,
) -> None:
    """Write the majority parse, and print what was done on stderr."""
    from crossbank.converters.consensus.majority import consensus
    from crossbank.converters.consensus.samples import match_candidates, split_analyses
    from crossbank.converters.format_repairs import in_labels
    from crossbank.treebanks.damage.rules import policies
    from crossbank.treebanks.formats import format_to_write, read, refuse_dependencies_alone, write
    from crossbank.treebanks.quantities import describe_amount
    from crossbank.treebanks.sentence_matching import matched_findings

    refuse_overwriting(target, *files)
    if len(files) < 2:
        raise CrossbankError(f"{target}: name at least two candidates before the file to write")
    target_format = target_format or format_to_write(target)
    _, policy = policies(damaged)
    banks = [read(file, format, encoding=encoding, damaged=policy) for file in files]
    for file, bank in zip(files, banks, strict=True):
        print_damage(bank, file)
    matched = match_candidates(banks)
    banks = [candidate for bank in matched for candidate in split_analyses(bank)]
    agreed = consensus(banks, labels=not unlabelled)
    for file, bank in zip(files, matched, strict=True):
        for one in matched_findings(bank):
            print(f"{file}: {describe_amount(one.total, one.event)}", file=sys.stderr)
    refuse_dependencies_alone(agreed, target_format)
    written = in_labels(agreed, target_format, scheme_of(scheme))
    write(written, target, target_format)
    print_diagnosis(agreed)
    print_losses(written, target_format)
