"""``crossbank grammar``: the grammar of a model as another program reads it."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from crossbank.workflow.commands.command import command
from crossbank.workflow.commands.parameters import FILE, INPUT
from crossbank.workflow.overwriting import refuse_overwriting

EXAMPLES = (
    "crossbank grammar model grammar.cfg --to nltk",
    "crossbank grammar model grammar.bitpar --to bitpar",
)


@command("grammar", EXAMPLES, group="train", help="write a model's grammar for another program", position=150)
@click.argument("model", type=INPUT, help="a model written by train, or a grammar of NLTK or BitPar")
@click.argument("target", type=FILE, help="the file to write; bitpar: TARGET.lexicon as well")
@click.option("--to", "program", type=click.Choice(("nltk", "bitpar")), required=True, help="the program")
def run(model: str, target: str, program: str) -> None:
    """Write the grammar, and say which terminals are no words. Raises OptionError if there is none."""
    from crossbank.parsers import bitpar, nltk_grammars
    from crossbank.parsers.models import load
    from crossbank.parsers.pcfg import Pcfg
    from crossbank.treebanks.errors import OptionError
    from crossbank.treebanks.files import STANDARD, write_text

    refuse_overwriting(target, model)
    parser = load(model).parser
    if not isinstance(parser, Pcfg):
        raise OptionError(f"{model}: parser", parser.name, "pcfg")
    if program == "bitpar":
        if target == STANDARD:
            raise OptionError("TARGET", target, "the name of a file: a grammar of BitPar is two files")
        bitpar.dump(parser.grammar, Path(target))
    else:
        write_text(target, nltk_grammars.dumps(parser.grammar))
    if signatures := sorted(parser.signatures, key=lambda name: (len(name), name)):
        listed = f"{', '.join(signatures[:3])}{' ...' * (len(signatures) > 3)}"
        print(
            f"{target}: terminals that stand for rare and unknown {parser.options.input}: "
            f"{len(signatures):,} of {len(parser.grammar.terminals):,} ({listed}); sentences must have them "
            "in place of these (parsers/parsing.md)",
            file=sys.stderr,
        )
