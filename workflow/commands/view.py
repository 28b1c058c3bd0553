"""``crossbank view``: trees drawn in the terminal."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

from crossbank.converters import scheme_of
from crossbank.treebanks.errors import OptionError
from crossbank.treebanks.formats import read
from crossbank.workflow.commands.command import command
from crossbank.workflow.commands.parameters import INPUT, reading_options, scheme_option

EXAMPLES = (
    "crossbank view corpus.xml --sentence 2",
    "crossbank view gold.mrg parsed.mrg --sentence 2 --sentence 7",
)


@command(
    "view",
    EXAMPLES,
    group="look",
    help="draw a tree, or gold and candidate with their differences marked",
    position=60,
)
@click.argument("file", type=INPUT, help="a treebank")
@click.argument("candidate", required=False, type=INPUT, help="a parser's trees of the same sentences")
@click.option(
    "--sentence", metavar="ID", multiple=True, help="by identifier or number (default: 1); repeatable"
)
@reading_options("both", candidates="CANDIDATE")
@scheme_option("draw trees as metrics with this annotation scheme see them")
def run(
    file: str,
    candidate: str | None,
    sentence: Sequence[str],
    format: str | None,
    candidate_format: str | None,
    encoding: str | None,
    scheme: str | None,
) -> None:
    """Draw the chosen sentences. Raises OptionError for a sentence that is not there."""
    from crossbank.metrics.counting.scoring import in_view
    from crossbank.metrics.pairing.pair import pair
    from crossbank.reports.texts.tree_pair import format_tree_pair

    rules = scheme_of(scheme)
    files = [(file, format)]
    if candidate is not None:
        files.append((candidate, candidate_format or format))
    banks = [in_view(read(path, form, encoding=encoding), "constituents", rules) for path, form in files]
    ids = list(banks[0].sentence_ids)
    for name in sentence or [ids[0]]:
        if name in ids:
            index = ids.index(name)
        elif name.isdecimal() and 0 < int(name) <= len(ids):
            index = int(name) - 1
        else:
            raise OptionError("--sentence", name, f"an identifier or a number from 1 to {len(ids)}")
        print(f"sentence {ids[index]}: {' '.join(banks[0].words(index))}")
        if len(banks) == 1:
            print(banks[0][index] if banks[0][index].words else "no parse")
            continue
        both = pair(*(bank.select([index]) for bank in banks))
        print(format_tree_pair(both, 0, sys.stdout) if both.scored[0] else next(both.problems()).detail)
