"""Measurements of a treebank's conversion to dependencies, in a JSON file between two steps."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from crossbank.converters.dependencies.conventions import DependencyConventions
from crossbank.converters.dependencies.through_dependencies import Survival, ThroughDependencies
from crossbank.metrics.analyses.conversion_reliability import RelationAgreement, Reliability
from crossbank.metrics.analyses.reliability_breakdowns import Share
from crossbank.metrics.pairing.sentence_alignment import Unmatched
from crossbank.treebanks.errors import FormatError
from crossbank.treebanks.formats.round_trip import CHANGES, RoundTrip

SCORES = ("precision", "recall", "f1")
SHARES = ("attached", "labelled")

MAX_EXAMPLES = 3
"""The number of sentences that are named for each difference of a round trip; all of them are in the JSON."""


@dataclass(frozen=True)
class FormatLoss:
    """Loss of one column or table in one format; ``what`` is empty if nothing is lost.

    what       the column or table; ``sentences`` for those that the format cannot hold
    sentences  how many sentences differ
    examples   the first of them
    """

    format: str
    what: str
    lost: int
    changed: int
    added: int
    sentences: int
    examples: tuple[str, ...]


@dataclass(frozen=True)
class ConversionMeasurements:
    """Measurements of one treebank's conversion.

    without_functions     None where gold's trees have no functions
    against_gold          None if the study names no independent dependencies
    through_dependencies  None where gold has no trees
    formats               what gold as read loses in some formats
    """

    conventions: DependencyConventions
    without_functions: Reliability | None = None
    against_gold: Reliability | None = None
    through_dependencies: ThroughDependencies | None = None
    formats: tuple[FormatLoss, ...] = ()


def list_losses(trip: RoundTrip, sentence_id: Callable[[int], str]) -> Iterator[FormatLoss]:
    """Yield the losses of a round trip, with the first sentences of each."""
    if trip.refused:
        number, named = len(trip.refused), tuple(left.sentence for left in trip.refused[:MAX_EXAMPLES])
        yield FormatLoss(trip.format, "sentences", number, 0, 0, number, named)
    for difference in trip.differences:
        lost, changed, added = (difference.counts[change] for change in CHANGES)
        first = tuple(sentence_id(sentence) for sentence in sorted(difference.sentences)[:MAX_EXAMPLES])
        yield FormatLoss(trip.format, difference.what, lost, changed, added, len(difference.sentences), first)
    if not trip.refused and not trip.differences:
        yield FormatLoss(trip.format, "", 0, 0, 0, 0, ())


def write_measurements(measured: ConversionMeasurements, path: Path) -> None:
    """Write what was measured; parts are as ``crossbank reliability --json`` prints them."""
    parts = {
        "without_functions": measured.without_functions and reliability_as_json(measured.without_functions),
        "against_gold": measured.against_gold and reliability_as_json(measured.against_gold),
        "through_dependencies": measured.through_dependencies
        and survival_as_json(measured.through_dependencies),
        "formats": [asdict(loss) for loss in measured.formats],
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    content = {"conventions": asdict(measured.conventions), **parts}
    path.write_text(json.dumps(content, ensure_ascii=False, indent=1), encoding="utf-8")


def read_measurements(path: Path) -> ConversionMeasurements:
    """Read what ``write_measurements`` wrote. Raises FormatError if the file holds something else."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        functions, gold = content["without_functions"], content["against_gold"]
        through = content["through_dependencies"]
        return ConversionMeasurements(
            DependencyConventions(**content["conventions"]),
            reliability_of_json(functions) if functions else None,
            reliability_of_json(gold) if gold else None,
            survival_of_json(through) if through else None,
            tuple(FormatLoss(**{**loss, "examples": tuple(loss["examples"])}) for loss in content["formats"]),
        )
    except (ValueError, KeyError, TypeError) as error:
        raise FormatError(path, "a file of another type", "the output of the step reliability") from error


def reliability_as_json(reliability: Reliability) -> dict[str, Any]:
    """Return everything by name, for ``json.dumps``; proportions at full precision."""
    return {
        "against": reliability.against,
        "signature": reliability.signature,
        "sentences": {
            "compared": reliability.compared,
            "exact": reliability.exact,
            "joined": reliability.joined,
            "left_out": len(reliability.left_out),
        },
        "unlabelled": _scores(reliability.overall, labels=False),
        "interval": reliability.interval and list(reliability.interval),
        "labelled": _scores(reliability.overall, labels=True) if reliability.labelled else None,
        "overall": asdict(reliability.overall),
        "relations": [asdict(row) for row in reliability.relations],
        "left_out": [left._asdict() for left in reliability.left_out],
        "breakdowns": {
            name: [share._asdict() for share in shares] for name, shares in reliability.breakdowns.items()
        },
    }


def reliability_of_json(content: Mapping[str, Any]) -> Reliability:
    """Return the reliability that ``reliability_as_json`` wrote."""
    numbers = content["sentences"]
    return Reliability(
        content["against"],
        content["signature"],
        content["labelled"] is not None,
        numbers["compared"],
        numbers["exact"],
        numbers["joined"],
        RelationAgreement(**content["overall"]),
        [RelationAgreement(**row) for row in content["relations"]],
        [Unmatched(**left) for left in content["left_out"]],
        (content["interval"][0], content["interval"][1]) if content["interval"] else None,
        {
            name: [Share(**{**row, **{key: tuple(row[key]) for key in SHARES}}) for row in rows]
            for name, rows in content.get("breakdowns", {}).items()
        },
    )


def _scores(row: RelationAgreement, *, labels: bool) -> dict[str, float]:
    return dict(zip(SCORES, row.scores(labels=labels), strict=True))


def survival_as_json(survival: ThroughDependencies) -> dict[str, Any]:
    """Return everything by name, for ``json.dumps``."""
    return {
        "sentences": {"total": survival.sentences, "whole": survival.whole},
        "categories": [asdict(row) for row in survival.categories],
        "overall": asdict(survival.overall),
        "lost_in": list(survival.lost_in),
    }


def survival_of_json(content: Mapping[str, Any]) -> ThroughDependencies:
    """Return the survival that ``survival_as_json`` wrote."""
    return ThroughDependencies(
        content["sentences"]["total"],
        content["sentences"]["whole"],
        tuple(Survival(**row) for row in content["categories"]),
        tuple(content["lost_in"]),
    )
