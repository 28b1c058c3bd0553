"""``crossbank parse``: sentences parsed with a trained model."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from crossbank.workflow.commands.arguments import BY_NAME

if TYPE_CHECKING:
    from crossbank.parsers.parsed import Parsed


def arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("model", metavar="MODEL", help="what train wrote, or a grammar of NLTK or BitPar")
    parser.add_argument("source", metavar="INPUT", help="sentences: text, or a treebank with words and tags")
    parser.add_argument("target", metavar="OUTPUT")
    parser.add_argument("--from", dest="source_format", metavar="F", help=BY_NAME)
    parser.add_argument("--to", dest="target_format", metavar="F", help="the same (default: by file name)")
    parser.add_argument("--encoding", metavar="E", help="encoding of INPUT (default: UTF-8)")
    parser.add_argument(
        "--scores",
        metavar="FILE.csv",
        help="write for each sentence log2_best, log2_inside and why it has no parse",
    )


def run(given: Namespace) -> int:
    """Write the parses and say on stderr how many sentences have none."""
    import sys

    from crossbank.parsers.models import load
    from crossbank.treebanks.formats import read_all, write

    parser = load(given.model).parser
    bank = read_all([given.source], given.source_format, encoding=given.encoding)
    parsed = parser.parse(bank)
    write(parsed.bank, given.target, given.target_format)
    if given.scores:
        _write_scores(given.scores, parsed, parser.inside(bank)[0].tolist())
    print(f"{len(parsed.reasons)} sentences, {parsed.unparsed} without a parse", file=sys.stderr)
    for sentence, reason in enumerate(parsed.reasons):
        if reason:
            print(f"{parsed.words.where(sentence)}: {reason}", file=sys.stderr)
    return 0


def _write_scores(path: str, parsed: Parsed, inside: list[float]) -> None:
    """A line for each sentence; fields that have no value are empty."""
    import csv
    import io
    import math

    from crossbank.treebanks.files import write_text

    def shown(log2: float) -> str:
        return repr(log2) if math.isfinite(log2) else ""

    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow(["sentence", "log2_best", "log2_inside", "no_parse"])
    columns = (parsed.words.sentence_ids, parsed.log2.tolist(), inside, parsed.reasons)
    for sentence, best, total, reason in zip(*columns, strict=True):
        writer.writerow([sentence, shown(best), shown(total), reason])
    write_text(path, table.getvalue())
