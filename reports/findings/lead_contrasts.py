"""Tests of two treebanks at points of an axis along which their candidates lie, such as the training size.

Rehbein, Ines and Josef van Genabith (2007): Treebank Annotation Schemes and Parser Evaluation for German.
EMNLP-CoNLL, section 5: the same parser on two treebanks by three measures, over the size of the training set
(Figures 7 to 9).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from itertools import combinations

from crossbank.metrics.statistics.significance import Contrast
from crossbank.reports.results.candidate_axes import axes, lines
from crossbank.reports.results.candidate_pairs import Pairing, across
from crossbank.reports.results.rankings import rankings
from crossbank.reports.results.study_results import CandidateResults, StudyResults


@dataclass(frozen=True, eq=False)
class Point:
    """A candidate of each of two treebanks, and where they are on the axis."""

    treebanks: tuple[str, str]
    candidates: tuple[CandidateResults, CandidateResults]
    at: tuple[float, float]

    def pairing(self, metric: str) -> Pairing:
        """Return the two under a metric."""
        names = [c.name for c in self.candidates]
        return Pairing(self.treebanks[0], names[0], self.treebanks[1], names[1], metric)


@dataclass(frozen=True, eq=False)
class Lines:
    """Two treebanks along an axis: their first and last common points, and their own last ones.

    others  the attributes that tell these candidates from those of other lines, empty if there are none
    ends    None where the last common point is the last of both
    """

    axis: str
    others: str
    begin: Point
    common: Point
    ends: Point | None

    @property
    def points(self) -> list[Point]:
        """All points at which the two are compared."""
        return [self.begin, self.common, *([self.ends] if self.ends else [])]


def lines_of_two(study: StudyResults) -> Iterator[Lines]:
    """Every two treebanks with lines of candidates along an axis that have two points in common.

    None where candidates are ranked over treebanks: those are compared, and not the treebanks.
    """
    for axis in axes(study) if not rankings(study) else ():
        found = lines(study, axis)
        for (one, others), (other, same) in combinations(found, 2):
            if one == other or others != same:
                continue
            first, second = (
                {float(c.attributes[axis]): c for c in found[key]} for key in ((one, others), (other, same))
            )
            common = sorted(first.keys() & second.keys())
            if len(common) < 2:
                continue
            begin, last = (
                Point((one, other), (first[at], second[at]), (at, at)) for at in (common[0], common[-1])
            )
            ends = max(first), max(second)
            longer = Point((one, other), (first[ends[0]], second[ends[1]]), ends)
            yield Lines(axis, others, begin, last, longer if ends != last.at else None)


def lead_contrasts(study: StudyResults) -> dict[Hashable, Contrast]:
    """Two candidates at each point, under each metric whose main measure is better the more there is."""
    asked: dict[Hashable, Contrast] = {}
    names = [treebank.name for treebank in study.treebanks]
    for found in lines_of_two(study):
        for point in found.points:
            sentences = [
                next((n for n in names if n == name or study.alike(n, name)), name)
                for name in point.treebanks
            ]
            for metric, measure in study.headlines.items():
                sides = [c.counts[metric] for c in point.candidates if metric in c.counts]
                if len(sides) == 2 and measure.better == "more" and all(c.rows.any() for c in sides):
                    both, names_of = (sides[0], sides[1]), (sentences[0], sentences[1])
                    asked |= across(point.pairing(metric), both, names_of, measure)
    return asked
