"""``crossbank errors``: a candidate's errors by type."""

from __future__ import annotations

import click

from crossbank.converters import scheme_of
from crossbank.workflow.commands.command import command
from crossbank.workflow.commands.parameters import (
    INPUT,
    damaged_option,
    json_option,
    reading_options,
    scheme_option,
    words_option,
)
from crossbank.workflow.commands.printing import print_damage, print_result
from crossbank.workflow.file_pairs import Formats, pairs_of_files, read_both

EXAMPLES = (
    "crossbank errors gold.mrg parsed.mrg --scheme ptb",
    "crossbank errors 'gold/*.mrg' 'parsed/*.mrg' --scheme ptb --json",
)


@command(
    "errors",
    EXAMPLES,
    group="score",
    help="count the types of a candidate's errors, too high and too low, and how often they occur",
    position=50,
)
@click.argument("gold", type=INPUT, help="the right analyses; * in a quoted name matches several files")
@click.argument(
    "candidate",
    type=INPUT,
    help="a parser's analyses of the same sentences; several files are paired as by score",
)
@scheme_option("the annotation scheme, which defines the types", required=True)
@reading_options("both", candidates="CANDIDATE")
@damaged_option
@words_option
@json_option("print a JSON list, one entry for each type")
def run(
    gold: str,
    candidate: str,
    scheme: str,
    format: str | None,
    candidate_format: str | None,
    encoding: str | None,
    damaged: str | None,
    words: str | None,
    json: bool,
) -> None:
    """Print a table with a line for each type of error, or that there are none."""
    from crossbank.reports.tables.console import format_sentence_counts
    from crossbank.reports.texts.answers import build_error_table

    pairs = pairs_of_files(gold, candidate)
    banks = read_both(Formats(format, candidate_format, encoding, damaged), pairs, words or "same")
    for bank, file in zip(banks, (gold, candidate), strict=True):
        print_damage(bank, file)
    table = build_error_table(*banks, scheme_of(scheme), words or "same")
    sentences = format_sentence_counts(table.statuses)
    print_result(json, table.rows, lambda: f"{table.text() if len(table) else 'no errors'}\n\n{sentences}")
