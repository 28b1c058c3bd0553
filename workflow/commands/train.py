"""``crossbank train``: a parser read off a treebank."""

from __future__ import annotations

import sys
from argparse import Namespace
from dataclasses import fields

from crossbank.parsers.models import PARSERS, parser_class, save, train
from crossbank.treebanks.formats import read_all
from crossbank.treebanks.quantities import quantity
from crossbank.treebanks.ranges import work
from crossbank.treebanks.registry import written
from crossbank.workflow.commands.cli import Parser, options_of, refuse_overwriting

EXAMPLES = (
    "crossbank train gold.mrg model --scheme tiger",
    "crossbank train 'gold/*.mrg' model --scheme tiger --option input=tags --option horizontal=1",
)


def arguments(parser: Parser) -> None:
    """Add the arguments of the command."""
    parser.value("source", "TREES", "a file; * in a quoted name matches several files")
    parser.value("model", "MODEL", "the file to write")
    parser.reading("TREES", name="from")
    parser.value("--scheme", "NAME_OR_FILE", "the annotation scheme of TREES")
    parser.option(
        f"parser=pcfg (default), or an option of the parser, with its default: "
        f"{'; '.join(map(_defaults, PARSERS))} (docs/parsing.md explains them); the option may be repeated"
    )


def _defaults(parser: str) -> str:
    options = fields(parser_class(parser).options_class)
    said = [f"{one.name}={written('FILE' if one.default == '' else one.default)}" for one in options]
    return f"of {parser}: {', '.join(said)}"


def run(given: Namespace) -> None:
    """Write the model and say on stderr what was learned."""
    refuse_overwriting(given.model, given.source)
    options = options_of(given.option)
    name = str(options.pop("parser", "pcfg"))
    bank = read_all([given.source], given.source_format, encoding=given.encoding)
    with work(f"training {name}", 1):
        model = train(bank, given.scheme, options, name)
    save(model, given.model)
    sizes = f"{quantity(len(bank), 'sentence')}, {quantity(len(bank.tokens), 'token')}"
    print(f"{name}: {sizes}: {model.parser.describe()}", file=sys.stderr)
