"""What was measured about a treebank's conversion to dependencies, in a JSON file between two steps."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from converters.dependency_conventions import DependencyConventions
from converters.through_dependencies import ThroughDependencies
from metrics.reliability import Reliability
from reports import reliability
from reports.round_trips import survival_as_json, survival_of_json
from treebanks.errors import FormatError


@dataclass(frozen=True)
class Measured:
    """How far one treebank's conversion can be trusted.

    without_functions     None where gold's trees have no functions
    against_gold          None where the study names no independent dependencies
    through_dependencies  None where gold has no trees
    """

    conventions: DependencyConventions
    without_functions: Reliability | None = None
    against_gold: Reliability | None = None
    through_dependencies: ThroughDependencies | None = None


def write_measured(found: Measured, path: Path) -> None:
    """Write what was measured; parts are as ``crossbank reliability --json`` prints them."""
    parts = {
        "without_functions": found.without_functions and reliability.as_json(found.without_functions),
        "against_gold": found.against_gold and reliability.as_json(found.against_gold),
        "through_dependencies": found.through_dependencies and survival_as_json(found.through_dependencies),
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    content = {"conventions": asdict(found.conventions), **parts}
    path.write_text(json.dumps(content, ensure_ascii=False, indent=1), encoding="utf-8")


def read_measured(path: Path) -> Measured:
    """What ``write_measured`` wrote. Raises FormatError where the file holds something else."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        functions, gold = content["without_functions"], content["against_gold"]
        through = content["through_dependencies"]
        return Measured(
            DependencyConventions(**content["conventions"]),
            reliability.of_json(functions) if functions else None,
            reliability.of_json(gold) if gold else None,
            survival_of_json(through) if through else None,
        )
    except (ValueError, KeyError, TypeError) as error:
        raise FormatError(path, "a file of another kind", "what the step reliability wrote") from error
