"""``crossbank entropy``: the bits that a model needs for a text."""

from __future__ import annotations

import math
from dataclasses import asdict

import click

from crossbank.treebanks.formats import read_all
from crossbank.workflow.commands.command import command
from crossbank.workflow.commands.parameters import INPUT, json_option, reading_options
from crossbank.workflow.commands.printing import in_columns, print_result

EXAMPLES = ("crossbank entropy model gold.mrg", "crossbank entropy model sentences.txt --json")


@command(
    "entropy", EXAMPLES, group="train", help="measure the bits that a model needs for a text", position=160
)
@click.argument("model", type=INPUT, help="a model written by train, or a grammar of NLTK or BitPar")
@click.argument("text", type=INPUT, help="sentences: text, or a treebank with words and tags")
@reading_options("TEXT")
@json_option("print one JSON object")
def run(model: str, text: str, format: str | None, encoding: str | None, json: bool) -> None:
    """Print bits per word and per sentence, perplexity, and the number of sentences without a parse."""
    from crossbank.parsers.cross_entropy import SentenceBits
    from crossbank.parsers.models import load

    parser = load(model).parser
    bank = read_all([text], format, encoding=encoding)
    entropies = asdict(SentenceBits.measured(parser.inside(bank), parser.options.input).entropy())
    print_result(
        json,
        lambda: {name: value if math.isfinite(value) else None for name, value in entropies.items()},
        lambda: in_columns({name.replace("_", " "): value for name, value in entropies.items()}),
    )
