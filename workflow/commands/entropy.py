"""``crossbank entropy``: the bits that a model needs for a text."""

from __future__ import annotations

import math
from argparse import Namespace
from dataclasses import asdict

from crossbank.treebanks.formats import read_all
from crossbank.workflow.commands.cli import Parser
from crossbank.workflow.commands.printing import in_columns, print_found

EXAMPLES = ("crossbank entropy model gold.mrg", "crossbank entropy model sentences.txt --json")


def arguments(parser: Parser) -> None:
    """Add the arguments of the command."""
    parser.value("model", "MODEL", "a model written by train, or a grammar of NLTK or BitPar")
    parser.value("source", "TEXT", "sentences: text, or a treebank with words and tags")
    parser.reading("TEXT", name="from")
    parser.flag("--json", "print one JSON object")


def run(given: Namespace) -> None:
    """Print bits per word and per sentence, perplexity, and the number of sentences without a parse."""
    from crossbank.parsers.cross_entropy import SentenceBits
    from crossbank.parsers.models import load

    parser = load(given.model).parser
    bank = read_all([given.source], given.source_format, encoding=given.encoding)
    found = asdict(SentenceBits.measured(parser.inside(bank), parser.options.input).entropy())
    print_found(
        given,
        lambda: {name: value if math.isfinite(value) else None for name, value in found.items()},
        lambda: in_columns({name.replace("_", " "): value for name, value in found.items()}),
    )
