"""The command ``reliability``: how far conversions and formats can be trusted."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from crossbank.converters.schemes.scheme import Scheme
    from crossbank.treebanks import Treebank

THROUGH_DEPENDENCIES = "dependencies"
"""The round trip that is a conversion, not a format."""


def reliability(given: argparse.Namespace) -> int:
    """Compare a conversion with itself without functions or with gold, or tell what a round trip loses."""
    from crossbank.converters.schemes.files import load_scheme
    from crossbank.metrics.analyses.reliability import Resamples, against_gold, without_functions
    from crossbank.reports.texts.reliability import as_json, as_text
    from crossbank.treebanks.compilation import announce
    from crossbank.treebanks.errors import CrossbankError
    from crossbank.treebanks.formats import read_all

    scheme = load_scheme(given.scheme) if given.scheme is not None else None
    if scheme is None and given.round_trip in (None, THROUGH_DEPENDENCIES):
        raise CrossbankError("--scheme: found none, expected the annotation scheme of the trees")
    announce()
    bank = read_all(given.files, given.format, encoding=given.encoding)
    if given.round_trip is not None:
        return _round_trip(given, bank, scheme)
    assert scheme is not None
    drawn = Resamples(1000)
    if given.against:
        gold = read_all(given.against, given.against_format, encoding=given.encoding)
        found = against_gold(bank, gold, scheme, given.transform, given.against_transform, drawn)
    else:
        found = without_functions(bank, scheme, given.transform, drawn)
    _print_found(given, lambda: as_json(found), lambda: as_text(found))
    return 0


def _round_trip(given: argparse.Namespace, bank: Treebank, scheme: Scheme | None) -> int:
    from crossbank.reports.texts import round_trips

    if given.round_trip == THROUGH_DEPENDENCIES and scheme is not None:
        from crossbank.converters.dependencies.through_dependencies import through_dependencies

        found = through_dependencies(bank, scheme, given.transform)
        _print_found(
            given,
            lambda: round_trips.survival_as_json(found),
            lambda: round_trips.survival_as_text(found),
        )
        return 0
    from crossbank.converters.transformations import transform
    from crossbank.treebanks.round_trip import round_trip

    bank = transform(bank, given.transform or (), scheme)
    trip = round_trip(bank, given.round_trip)
    _print_found(
        given,
        lambda: round_trips.as_json(trip, bank.sentence_id),
        lambda: round_trips.as_text(trip, bank.sentence_id),
    )
    return 0


def _print_found(
    given: argparse.Namespace, as_json: Callable[[], Mapping[str, object]], as_text: Callable[[], str]
) -> None:
    if given.json:
        import json

        print(json.dumps(as_json(), ensure_ascii=False))
    else:
        print(as_text())
