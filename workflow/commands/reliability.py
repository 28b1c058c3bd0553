"""``crossbank reliability``: how far conversions and formats can be trusted."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from crossbank.treebanks import Treebank
from crossbank.treebanks.arrays import Int32Array
from crossbank.treebanks.errors import CrossbankError
from crossbank.treebanks.formats import read_all
from crossbank.workflow.commands.cli import Parser
from crossbank.workflow.commands.printing import print_found

if TYPE_CHECKING:
    from crossbank.converters.schemes.scheme import Scheme

THROUGH_DEPENDENCIES = "dependencies"
"""The round trip that is a conversion, not a format."""

EXAMPLES = (
    "crossbank reliability corpus.xml --scheme tiger",
    "crossbank reliability corpus.xml --round-trip bracket",
)


def arguments(parser: Parser) -> None:
    """Add the arguments of the command."""
    parser.files("constituency trees")
    parser.value("--scheme", "S", "the annotation scheme (a round trip needs none)")
    parser.reading("all files")
    parser.transform("--transform", "the conversion (default: the scheme's view of dependencies)")
    parser.flag(
        "--ud", "the conversion to Universal Dependencies by the scheme's rules (instead of --transform)"
    )
    compared = parser.add_mutually_exclusive_group()
    compared.add_argument(
        "--against",
        metavar="GOLD",
        nargs="+",
        help="dependencies of the same sentences, such as CoNLL-U (default: without functions)",
    )
    parser.value("--against-format", "F", "format of GOLD (default: by file name)")
    parser.transform("--against-transform", "transformations of GOLD that come first")
    parser.value(
        "--by",
        "KIND",
        "further tables against GOLD, with intervals: relation, construction (of Universal "
        "Dependencies), length, or an attribute in GOLD's comments, such as genre; several with commas",
        action="extend",
        type=lambda text: text.split(","),
        default=[],
    )
    compared.add_argument(
        "--round-trip",
        metavar="FORMAT",
        help="the losses when FILE is written in a format and read again, or goes through `dependencies`",
    )
    parser.flag("--json", "print one JSON object, with all sentences that were left out")


def run(given: argparse.Namespace) -> None:
    """Compare a conversion with itself without functions or with gold, or print a round trip's losses."""
    from crossbank.converters import scheme_of
    from crossbank.metrics.analyses.conversion_reliability import Resamples, against_gold, without_functions
    from crossbank.metrics.statistics.defaults import SAMPLES
    from crossbank.reports.results.measured_conversions import reliability_as_json
    from crossbank.reports.texts.reliability import reliability_as_text

    if given.ud and given.transform:
        raise CrossbankError("--ud does not work with --transform")
    if given.by and not given.against:
        raise CrossbankError("--by needs --against, the dependencies to compare with")
    if given.ud:
        given.transform = ["universal_dependencies"]
    scheme = scheme_of(given.scheme)
    if scheme is None and given.round_trip in (None, THROUGH_DEPENDENCIES):
        raise CrossbankError("--scheme: found none, expected the annotation scheme of the trees")
    bank = read_all(given.files, given.format, encoding=given.encoding)
    if given.round_trip is not None:
        _round_trip(given, bank, scheme)
        return
    assert scheme is not None
    drawn = Resamples(SAMPLES, by=dict.fromkeys(given.by, _groups))
    if given.against:
        gold = read_all(given.against, given.against_format, encoding=given.encoding)
        found = against_gold(bank, gold, scheme, given.transform, given.against_transform or (), drawn)
    else:
        found = without_functions(bank, scheme, given.transform, drawn)
    print_found(given, lambda: reliability_as_json(found), lambda: reliability_as_text(found))


def _groups(gold: Treebank) -> dict[str, tuple[Sequence[str], Int32Array]]:
    from crossbank.reports.results.groups import groupings

    return {name: (grouping.groups, grouping.group) for name, grouping in groupings(gold).items()}


def _round_trip(given: argparse.Namespace, bank: Treebank, scheme: Scheme | None) -> None:
    from crossbank.reports.texts.reliability import (
        round_trip_as_json,
        round_trip_as_text,
        survival_as_text,
    )

    if given.round_trip == THROUGH_DEPENDENCIES and scheme is not None:
        from crossbank.converters.dependencies.through_dependencies import through_dependencies
        from crossbank.reports.results.measured_conversions import survival_as_json

        found = through_dependencies(bank, scheme, given.transform)
        print_found(given, lambda: survival_as_json(found), lambda: survival_as_text(found))
        return
    from crossbank.converters.transformations import transform
    from crossbank.treebanks.formats.round_trip import round_trip

    bank = transform(bank, given.transform or (), scheme)
    trip = round_trip(bank, given.round_trip)
    print_found(
        given,
        lambda: round_trip_as_json(trip, bank.sentence_id),
        lambda: round_trip_as_text(trip, bank.sentence_id),
    )
