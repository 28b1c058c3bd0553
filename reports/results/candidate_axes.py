"""Numbers that candidates have as attributes, and the candidates in their order.

Training size, iteration, beam: axes of learning curves.
"""

from __future__ import annotations

from numbers import Real

from crossbank.reports.results.study_results import CandidateResults, StudyResults

SEED = "seed"
"""The attribute that tells runs apart and is no quantity."""


def axes(study: StudyResults) -> list[str]:
    """Return the attributes that are numbers and differ between the candidates of some treebank."""
    found: dict[str, None] = {}
    for treebank in study.treebanks:
        values: dict[str, set[float]] = {}
        for candidate in treebank.candidates:
            for name in candidate.attributes:
                if name != SEED and (value := number_of(candidate, name)) is not None:
                    values.setdefault(name, set()).add(value)
        found.update(dict.fromkeys(name for name, of_name in values.items() if len(of_name) > 1))
    return list(found)


def lines(
    study: StudyResults, axis: str, *, seeds: bool = True
) -> dict[tuple[str, str], list[CandidateResults]]:
    """Candidates in the order of an axis, by treebank and by their other attributes if these differ.

    seeds  whether each seed has a line of its own
    """
    found: dict[tuple[str, str], list[CandidateResults]] = {}
    for treebank in study.treebanks:
        members = [c for c in treebank.candidates if number_of(c, axis) is not None]
        names = dict.fromkeys(name for c in members for name in c.attributes if name != axis)
        names = names if seeds else {name: None for name in names if name != SEED}
        differing = [name for name in names if len({str(c.attributes.get(name)) for c in members}) > 1]
        for candidate in members:
            others = ", ".join(
                f"{axis_name(name)} {candidate.attributes[name]}"
                for name in differing
                if name in candidate.attributes
            )
            found.setdefault((treebank.name, others), []).append(candidate)
    for candidates in found.values():
        candidates.sort(key=lambda candidate: number_of(candidate, axis) or 0.0)
    return found


def number_of(candidate: CandidateResults, name: str) -> float | None:
    """An attribute as a number; None if it is no number, or yes or no."""
    value = candidate.attributes.get(name)
    return float(value) if isinstance(value, Real) and not isinstance(value, bool) else None


def axis_name(axis: str) -> str:
    """An attribute's name in words."""
    return axis.replace("_", " ")
