"""``crossbank parse``: sentences parsed with a trained model."""

from __future__ import annotations

import math
import sys
from argparse import Namespace
from typing import TYPE_CHECKING

from crossbank.converters import scheme_of
from crossbank.treebanks.errors import OptionError
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
from crossbank.workflow.commands.cli import Parser, refuse_overwriting, whole_number
from crossbank.workflow.commands.convert import tell_lost

if TYPE_CHECKING:
    from crossbank.parsers.parsed import Parsed

EXAMPLES = (
    "crossbank parse model sentences.txt trees.mrg",
    "crossbank parse model gold.mrg trees.mrg --best 3 --scores scores.csv",
)


def arguments(parser: Parser) -> None:
    """Add the arguments of the command."""
    parser.value("model", "MODEL", "a model written by train, or a grammar of NLTK or BitPar")
    parser.value("source", "INPUT", "sentences: text, or a treebank with words and tags")
    parser.value("target", "OUTPUT", "the file to write the parses to")
    parser.reading("INPUT", name="from")
    parser.value("--to", "F", "the same (default: by file name)", dest="target_format")
    parser.value(
        "--best",
        "K",
        "write the K best parses of each sentence, one after the other (default: 1)",
        type=whole_number,
        default=1,
    )
    parser.value(
        "--scores",
        "FILE.csv",
        "write for each parse log2_best, and for its sentence log2_inside and why it has no parse",
    )


def run(given: Namespace) -> None:
    """Write the parses and print the number of sentences without one on stderr."""
    from crossbank.converters.remedies import in_labels
    from crossbank.parsers.models import load
    from crossbank.treebanks.readings import as_sentences

    if given.best < 1:
        raise OptionError("--best", given.best, "a number from 1")
    refuse_overwriting(given.target, given.source, given.model)
    target = given.target_format or format_to_write(given.target)
    parser = load(given.model).parser
    bank = read_all([given.source], given.source_format, encoding=given.encoding)
    inside = parser.inside(bank, spelled=False).log2.tolist() if given.scores else []
    with work("parsing", 1):
        parsed = parser.parse(bank, given.best)
    refuse_dependencies_alone(parsed.bank, target, given.model)
    trees = parsed.bank if format_named(target).nbest else as_sentences(parsed.bank)
    written = in_labels(trees, target, scheme_of(parser.scheme))
    write(written, given.target, target)
    tell_lost(written, target)
    if given.scores:
        _write_scores(given.scores, parsed, inside)
    fragments = f", {parsed.in_fragments} in fragments" if parsed.in_fragments else ""
    print(f"{quantity(len(bank), 'sentence')}, {parsed.unparsed} without a parse{fragments}", file=sys.stderr)
    if parsed.note:
        print(parsed.note, file=sys.stderr)
    for sentence, reason in enumerate(parsed.reasons):
        if reason:
            print(f"{parsed.words.where(sentence)}: {reason}", file=sys.stderr)


def _write_scores(path: str, parsed: Parsed, inside: list[float]) -> None:
    """A line for each parse, and for each sentence without one; fields that have no value are empty."""
    from crossbank.reports.tables.csv_cells import as_csv

    def shown(log2: float) -> str:
        return repr(log2) if math.isfinite(log2) else ""

    rows: list[list[object]] = [["sentence", "rank", "log2_best", "log2_inside", "no_parse", "fragments"]]
    ranks = parsed.words.sentences.analysis.tolist()
    fragments = parsed.fragments or [0] * len(parsed.reasons)
    columns = (parsed.words.sentence_ids, ranks, parsed.log2.tolist(), parsed.reasons, fragments)
    sentence = -1
    for identifier, rank, best, reason, pieces in zip(*columns, strict=True):
        sentence += rank == 0
        rows.append([identifier, rank + 1, shown(best), shown(inside[sentence]), reason, pieces or ""])
    write_text(path, as_csv(rows))
