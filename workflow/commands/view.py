"""``crossbank view``: trees drawn in the terminal."""

from __future__ import annotations

import sys
from argparse import Namespace

from crossbank.converters import scheme_of
from crossbank.treebanks.errors import OptionError
from crossbank.treebanks.formats import read
from crossbank.workflow.commands.cli import Parser

EXAMPLES = (
    "crossbank view corpus.xml --sentence 2",
    "crossbank view gold.mrg parsed.mrg --sentence 2 --sentence 7",
)


def arguments(parser: Parser) -> None:
    """Add the arguments of the command."""
    parser.value("file", "FILE", "a treebank")
    parser.value("candidate", "CANDIDATE", "a parser's trees of the same sentences", nargs="?")
    parser.value("--sentence", "ID", "by identifier or number (default: 1)", action="append")
    parser.reading("both", candidates="CANDIDATE")
    parser.value("--scheme", "NAME_OR_FILE", "draw trees as metrics see them")


def run(given: Namespace) -> None:
    """Draw the chosen sentences. Raises OptionError for a sentence that is not there."""
    from crossbank.metrics.counting.scoring import in_view
    from crossbank.metrics.pairing.pair import pair
    from crossbank.reports.texts.tree_pair import drawn_pair

    scheme = scheme_of(given.scheme)
    files = [(given.file, given.format)]
    if given.candidate is not None:
        files.append((given.candidate, given.candidate_format or given.format))
    banks = [
        in_view(read(path, format, encoding=given.encoding), "constituents", scheme) for path, format in files
    ]
    ids = list(banks[0].sentence_ids)
    for wanted in given.sentence or [ids[0]]:
        if wanted in ids:
            place = ids.index(wanted)
        elif wanted.isdecimal() and 0 < int(wanted) <= len(ids):
            place = int(wanted) - 1
        else:
            raise OptionError("--sentence", wanted, f"an identifier or a number from 1 to {len(ids)}")
        print(f"sentence {ids[place]}: {' '.join(banks[0].words(place))}")
        if len(banks) == 1:
            print(banks[0][place] if banks[0][place].words else "no parse")
            continue
        both = pair(*(bank.select([place]) for bank in banks))
        print(drawn_pair(both, 0, sys.stdout) if both.scored[0] else next(both.problems()).detail)
