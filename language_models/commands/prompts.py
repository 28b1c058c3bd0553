"""``crossbank prompts``: requests for parses, as files for the batch interfaces of providers."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from crossbank.workflow.commands.command import command
from crossbank.workflow.commands.parameters import (
    FILE,
    INPUT,
    reading_options,
    samples_option,
    scheme_option,
    seed_option,
)
from crossbank.workflow.overwriting import refuse_overwriting

if TYPE_CHECKING:
    from crossbank.language_models.prompts import Provider, Style
    from crossbank.treebanks import Treebank

EXAMPLES = (
    "crossbank prompts gold.mrg prompts.jsonl --style brackets --shots 5 --from other.mrg --seed 1",
    "crossbank prompts gold.conllu prompts.jsonl --style table --samples 5 --provider anthropic --model NAME",
)


@command(
    "prompts",
    EXAMPLES,
    group="train",
    help="write requests for parses to a language model",
    position=165,
)
@click.argument("file", type=INPUT, help="the sentences to parse: a treebank, of which the words are taken")
@click.argument("target", type=FILE, help="the file of requests to write (JSON Lines)")
@click.option(
    "--style",
    type=click.Choice(("brackets", "conllu", "table")),
    default="brackets",
    help="how the parse is to be written: a tree (default), ten columns, a Markdown table",
)
@click.option("--from", "training", type=INPUT, help="the training treebank that examples are drawn from")
@click.option(
    "--shots",
    metavar="N",
    type=click.IntRange(min=0),
    help="examples in each request (default: 5 with --from)",
)
@seed_option("draws the same examples again", default=1)
@samples_option("requests for each sentence (default: 1)", least=1, default=1)
@click.option(
    "--provider",
    type=click.Choice(("openai", "anthropic", "local")),
    default="openai",
    help="the shape of requests: of one of two providers' batches, or of a local server's chat",
)
@click.option("--model", metavar="NAME", default="MODEL", help="the model's name in requests")
@click.option(
    "--temperature",
    metavar="T",
    type=click.FloatRange(0, 2),
    help="how far answers vary (default: 0, with several samples 1)",
)
@reading_options("both files")
@scheme_option("the scheme of the trees, whose empty elements are left out")
def run(
    file: str,
    target: str,
    style: Style,
    training: str | None,
    shots: int | None,
    seed: int,
    samples: int,
    provider: Provider,
    model: str,
    temperature: float | None,
    format: str | None,
    encoding: str | None,
    scheme: str | None,
) -> None:
    """Write the requests, and print their number on stderr."""
    from crossbank.language_models.prompts import PromptOptions, build_requests, dumps
    from crossbank.treebanks.errors import CrossbankError
    from crossbank.treebanks.files import write_text
    from crossbank.treebanks.quantities import quantity

    refuse_overwriting(target, file, *([training] if training else []))
    if shots and training is None:
        raise CrossbankError("--shots: found no treebank for examples, expected one with --from")
    shots = 5 if shots is None and training is not None else shots or 0
    bank = _read(file, format, encoding, scheme)
    examples = _read(training, format, encoding, scheme) if training is not None and shots else None
    if temperature is None:
        temperature = 1.0 if samples > 1 else 0.0
    options = PromptOptions(style, shots, seed, samples, provider, model, temperature)
    requests = list(build_requests(bank, examples, options))
    write_text(target, dumps(iter(requests)))
    of = f" of {quantity(len(examples), 'sentence')}" if examples is not None else ""
    print(
        f"{target}: {quantity(len(requests), 'request')} for {quantity(len(bank), 'sentence')}, "
        f"{quantity(shots, 'example')} each{of}",
        file=sys.stderr,
    )


def _read(path: str, format: str | None, encoding: str | None, scheme: str | None) -> Treebank:
    """Return a treebank with functions in labels, without empty elements."""
    from crossbank.converters import scheme_of
    from crossbank.converters.format_repairs import in_labels
    from crossbank.converters.transformations import transform
    from crossbank.treebanks.formats import read_all

    bank = read_all([path], format, encoding=encoding)
    known = scheme_of(scheme)
    if known is None:
        return bank
    if bank.has_constituents:
        bank = transform(bank, ["delete_empty_elements"], known)
    return in_labels(bank, "bracket", known)
