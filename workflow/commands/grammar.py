"""``crossbank grammar``: the grammar of a model as another program reads it."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path

from crossbank.workflow.commands.cli import Parser, refuse_overwriting

EXAMPLES = (
    "crossbank grammar model grammar.cfg --to nltk",
    "crossbank grammar model grammar.bitpar --to bitpar",
)


def arguments(parser: Parser) -> None:
    """Add the arguments of the command."""
    parser.value("model", "MODEL", "a model written by train, or a grammar of NLTK or BitPar")
    parser.value("target", "FILE", "the file to write; bitpar: FILE.lexicon as well")
    parser.add_argument(
        "--to", dest="target_format", choices=("nltk", "bitpar"), required=True, help="the program"
    )


def run(given: Namespace) -> None:
    """Write the grammar, and say which terminals are no words. Raises OptionError where there is none."""
    from crossbank.parsers import bitpar, nltk_grammars
    from crossbank.parsers.models import load
    from crossbank.parsers.pcfg import Pcfg
    from crossbank.treebanks.errors import OptionError
    from crossbank.treebanks.files import STANDARD, write_text

    refuse_overwriting(given.target, given.model)
    parser = load(given.model).parser
    if not isinstance(parser, Pcfg):
        raise OptionError(f"{given.model}: parser", parser.name, "pcfg")
    if given.target_format == "bitpar":
        if given.target == STANDARD:
            raise OptionError("FILE", given.target, "the name of a file: a grammar of BitPar is two files")
        bitpar.dump(parser.grammar, Path(given.target))
    else:
        write_text(given.target, nltk_grammars.dumps(parser.grammar))
    if signatures := sorted(parser.signatures, key=lambda name: (len(name), name)):
        shown = f"{', '.join(signatures[:3])}{' ...' * (len(signatures) > 3)}"
        print(
            f"{given.target}: terminals that stand for rare and unknown {parser.options.input}: "
            f"{len(signatures):,} of {len(parser.grammar.terminals):,} ({shown}); sentences must have them "
            "in place of these (docs/parsing.md)",
            file=sys.stderr,
        )
