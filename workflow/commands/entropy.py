"""``crossbank entropy``: the bits that a model needs for a text."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from crossbank.workflow.commands.arguments import BY_NAME

EXAMPLES = (
    "crossbank entropy model gold.mrg",
    "crossbank entropy model sentences.txt --json",
)


def arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "model", metavar="MODEL", help="a model written by train, or a grammar of NLTK or BitPar"
    )
    parser.add_argument("source", metavar="TEXT", help="sentences: text, or a treebank with words and tags")
    parser.add_argument("--from", dest="source_format", metavar="F", help=BY_NAME)
    parser.add_argument("--encoding", metavar="E", help="encoding of TEXT (default: UTF-8)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(given: Namespace) -> int:
    """Print bits per word and per sentence, perplexity, and the number of sentences without a parse."""
    import json
    import math
    from dataclasses import asdict

    from crossbank.parsers.entropy import SentenceBits
    from crossbank.parsers.models import load
    from crossbank.treebanks.formats import read_all

    parser = load(given.model).parser
    bank = read_all([given.source], given.source_format, encoding=given.encoding)
    log2, _, words = parser.inside(bank)
    found = asdict(SentenceBits.measured(log2, words, parser.options.input).entropy())
    if given.json:
        known = {name: value if math.isfinite(value) else None for name, value in found.items()}
        print(json.dumps(known))
        return 0
    width = max(map(len, found))
    for name, value in found.items():
        shown = f"{value:.4f}" if isinstance(value, float) else str(value)
        print(f"{name.replace('_', ' '):<{width}}  {shown}")
    return 0
