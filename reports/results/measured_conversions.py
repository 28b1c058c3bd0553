"""Measurements of a treebank's conversion to dependencies, in a JSON file between two steps."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from crossbank.converters.dependencies.conventions import DependencyConventions
from crossbank.converters.dependencies.through_dependencies import ThroughDependencies
from crossbank.metrics.analyses.conversion_reliability import Reliability
from crossbank.reports.results.conversion_scores import as_json, of_json
from crossbank.reports.results.round_trips import NAMED, survival_as_json, survival_of_json
from crossbank.treebanks.errors import FormatError
from crossbank.treebanks.formats.round_trip import KINDS, RoundTrip


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
class Measured:
    """Measurements of one treebank's conversion.

    without_functions     None where gold's trees have no functions
    against_gold          None where the study names no independent dependencies
    through_dependencies  None where gold has no trees
    formats               what gold as read loses in some formats
    """

    conventions: DependencyConventions
    without_functions: Reliability | None = None
    against_gold: Reliability | None = None
    through_dependencies: ThroughDependencies | None = None
    formats: tuple[FormatLoss, ...] = ()


def losses(trip: RoundTrip, sentence_id: Callable[[int], str]) -> Iterator[FormatLoss]:
    """Yield the losses of a round trip, with the first sentences of each."""
    if trip.refused:
        number, named = len(trip.refused), tuple(left.sentence for left in trip.refused[:NAMED])
        yield FormatLoss(trip.format, "sentences", number, 0, 0, number, named)
    for found in trip.differences:
        lost, changed, added = (found.counts[kind] for kind in KINDS)
        first = tuple(sentence_id(sentence) for sentence in sorted(found.sentences)[:NAMED])
        yield FormatLoss(trip.format, found.what, lost, changed, added, len(found.sentences), first)
    if not trip.refused and not trip.differences:
        yield FormatLoss(trip.format, "", 0, 0, 0, 0, ())


def write_measured(found: Measured, path: Path) -> None:
    """Write what was measured; parts are as ``crossbank reliability --json`` prints them."""
    parts = {
        "without_functions": found.without_functions and as_json(found.without_functions),
        "against_gold": found.against_gold and as_json(found.against_gold),
        "through_dependencies": found.through_dependencies and survival_as_json(found.through_dependencies),
        "formats": [asdict(loss) for loss in found.formats],
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    content = {"conventions": asdict(found.conventions), **parts}
    path.write_text(json.dumps(content, ensure_ascii=False, indent=1), encoding="utf-8")


def read_measured(path: Path) -> Measured:
    """Measurements that ``write_measured`` wrote. Raises FormatError if the file holds something else."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        functions, gold = content["without_functions"], content["against_gold"]
        through = content["through_dependencies"]
        return Measured(
            DependencyConventions(**content["conventions"]),
            of_json(functions) if functions else None,
            of_json(gold) if gold else None,
            survival_of_json(through) if through else None,
            tuple(FormatLoss(**{**loss, "examples": tuple(loss["examples"])}) for loss in content["formats"]),
        )
    except (ValueError, KeyError, TypeError) as error:
        raise FormatError(path, "a file of another kind", "the output of the step reliability") from error
