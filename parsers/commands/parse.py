"""``crossbank parse``: sentences parsed with a trained model."""

from __future__ import annotations

import math
import sys
from typing import TYPE_CHECKING

import click

from crossbank.converters import scheme_of
from crossbank.treebanks.files import write_text
from crossbank.treebanks.formats import (
    format_named,
    format_to_write,
    read_all,
    refuse_dependencies_alone,
    write,
)
from crossbank.treebanks.quantities import quantity
from crossbank.treebanks.ranges import work
from crossbank.workflow.commands.command import command
from crossbank.workflow.commands.convert import print_losses
from crossbank.workflow.commands.parameters import FILE, INPUT, reading_options, target_format_option
from crossbank.workflow.overwriting import refuse_overwriting

if TYPE_CHECKING:
    from crossbank.parsers.parsed import Parsed

EXAMPLES = (
    "crossbank parse model sentences.txt trees.mrg",
    "crossbank parse model gold.mrg trees.mrg --best 3 --scores scores.csv",
)


@command("parse", EXAMPLES, group="train", help="parse sentences with a trained model", position=140)
@click.argument("model", type=INPUT, help="a model written by train, or a grammar of NLTK or BitPar")
@click.argument("source", type=INPUT, help="sentences: text, or a treebank with words and tags")
@click.argument("target", type=FILE, help="the file to write the parses to")
@reading_options("SOURCE")
@target_format_option
@click.option(
    "--best",
    metavar="K",
    type=click.IntRange(min=1),
    default=1,
    help="write the K best parses of each sentence, one after the other (default: 1)",
)
@click.option(
    "--scores",
    metavar="FILE.csv",
    type=FILE,
    help="write for each parse log2_best, and for its sentence log2_inside and why it has no parse",
)
def run(
    model: str,
    source: str,
    target: str,
    format: str | None,
    encoding: str | None,
    target_format: str | None,
    best: int,
    scores: str | None,
) -> None:
    """Write the parses and print the number of sentences without one on stderr."""
    from crossbank.converters.format_repairs import in_labels
    from crossbank.parsers.models import load
    from crossbank.treebanks.readings import as_sentences

    refuse_overwriting(target, source, model)
    target_format = target_format or format_to_write(target)
    parser = load(model).parser
    bank = read_all([source], format, encoding=encoding)
    inside = parser.inside(bank, spelled=False).log2.tolist() if scores else []
    with work("parsing", 1):
        parsed = parser.parse(bank, best)
    refuse_dependencies_alone(parsed.bank, target_format, model)
    trees = parsed.bank if format_named(target_format).nbest else as_sentences(parsed.bank)
    written = in_labels(trees, target_format, scheme_of(parser.scheme))
    write(written, target, target_format)
    print_losses(written, target_format)
    if scores:
        _write_scores(scores, parsed, inside)
    fragments = f", {parsed.in_fragments} in fragments" if parsed.in_fragments else ""
    print(f"{quantity(len(bank), 'sentence')}, {parsed.unparsed} without a parse{fragments}", file=sys.stderr)
    if parsed.note:
        print(parsed.note, file=sys.stderr)
    for sentence, reason in enumerate(parsed.reasons):
        if reason:
            print(f"{parsed.words.where(sentence)}: {reason}", file=sys.stderr)


def _write_scores(path: str, parsed: Parsed, inside: list[float]) -> None:
    """Write a line for each parse and each sentence without one; fields without a value are empty."""
    from crossbank.reports.tables.table_files import format_csv

    def format_bits(log2: float) -> str:
        return repr(log2) if math.isfinite(log2) else ""

    rows: list[list[object]] = [["sentence", "rank", "log2_best", "log2_inside", "no_parse", "fragments"]]
    ranks = parsed.words.sentences.analysis.tolist()
    fragments = parsed.fragments or [0] * len(parsed.reasons)
    columns = (parsed.words.sentence_ids, ranks, parsed.log2.tolist(), parsed.reasons, fragments)
    sentence = -1
    for identifier, rank, best, reason, segments in zip(*columns, strict=True):
        sentence += rank == 0
        rows.append(
            [identifier, rank + 1, format_bits(best), format_bits(inside[sentence]), reason, segments or ""]
        )
    write_text(path, format_csv(rows))
