"""``crossbank train``: a parser read off a treebank."""

from __future__ import annotations

from argparse import Namespace

from crossbank.treebanks.quantities import quantity
from crossbank.workflow.commands.cli import Parser, options_of

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
        "parser=pcfg (default); of pcfg: input=words (default) or tags, vertical=1, horizontal=1 (all: no "
        "markovisation), functions=no, crossing=raise or split, rare=1; of lexicalised: the same, and "
        "iterations=5, unlexicalised=2, discount=0.5; the option may be repeated"
    )


def run(given: Namespace) -> int:
    """Write the model and say on stderr what was learned."""
    import sys

    from crossbank.parsers.models import save, train
    from crossbank.treebanks.formats import read_all
    from crossbank.treebanks.ranges import work

    options = options_of(given.option)
    name = str(options.pop("parser", "pcfg"))
    bank = read_all([given.source], given.source_format, encoding=given.encoding)
    with work(f"training {name}", 1):
        model = train(bank, given.scheme, options, name)
    save(model, given.model)
    learned = model.parser.describe()
    print(
        f"{name}: {quantity(len(bank), 'sentence')}, {quantity(len(bank.tokens), 'token')}: {learned}",
        file=sys.stderr,
    )
    return 0
