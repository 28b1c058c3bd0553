"""``crossbank train``: a parser read off a treebank."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import fields

import click

from crossbank.parsers.models import PARSERS, parser_class, save, train
from crossbank.treebanks.formats import read_all
from crossbank.treebanks.quantities import quantity
from crossbank.treebanks.ranges import work
from crossbank.treebanks.registry import written
from crossbank.workflow.commands.command import command
from crossbank.workflow.commands.parameters import FILE, INPUT, options_option, reading_options, scheme_option
from crossbank.workflow.overwriting import refuse_overwriting

EXAMPLES = (
    "crossbank train gold.mrg model --scheme tiger",
    "crossbank train 'gold/*.mrg' model --scheme tiger --option input=tags --option horizontal=1",
)


def _defaults(parser: str) -> str:
    options = fields(parser_class(parser).options_class)
    defaults = [f"{one.name}={written('FILE' if one.default == '' else one.default)}" for one in options]
    return f"of {parser}: {', '.join(defaults)}"


@command("train", EXAMPLES, group="train", help="train a parser on a treebank", position=130)
@click.argument("trees", type=INPUT, help="a file; * in a quoted name matches several files")
@click.argument("model", type=FILE, help="the file to write")
@reading_options("TREES")
@scheme_option("the annotation scheme of TREES")
@options_option(
    f"parser=pcfg (default), or an option of the parser, with its default: "
    f"{'; '.join(map(_defaults, PARSERS))} (parsers/parsing.md explains them)"
)
def run(
    trees: str,
    model: str,
    format: str | None,
    encoding: str | None,
    scheme: str | None,
    option: Mapping[str, str],
) -> None:
    """Write the model and say on stderr what was learned."""
    refuse_overwriting(model, trees)
    options: dict[str, object] = dict(option)
    name = str(options.pop("parser", "pcfg"))
    bank = read_all([trees], format, encoding=encoding)
    with work(f"training {name}", 1):
        trained = train(bank, scheme, options, name)
    save(trained, model)
    sizes = f"{quantity(len(bank), 'sentence')}, {quantity(len(bank.tokens), 'token')}"
    print(f"{name}: {sizes}: {trained.parser.describe()}", file=sys.stderr)
