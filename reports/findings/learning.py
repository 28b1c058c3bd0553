"""The differences of the scores of two schemes along an axis, and the agreement of the measures about them.

Rehbein, Ines and Josef van Genabith (2007): Treebank Annotation Schemes and Parser Evaluation for German.
EMNLP-CoNLL, section 5: the same parser on two treebanks by three measures, over the size of the training set
(Figures 7 to 9).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from crossbank.metrics.counting.counts import Counts, Measure
from crossbank.metrics.counting.presentation import metric_title
from crossbank.metrics.statistics.significance import Difference, unpaired
from crossbank.reports.findings.finding import Finding, listing
from crossbank.reports.results.study import CandidateResults, StudyResults
from crossbank.reports.sections.comparisons import signed
from crossbank.reports.sections.learning_curves import axes, lines
from crossbank.reports.tables.table import sentence

TOPIC = "learning"


@dataclass(frozen=True)
class Lead:
    """One treebank's score minus another's at one point of each line.

    at       where the points are on the axis
    treebanks, measure, metric
             what is compared
    difference  with its interval, in resamples of the sentences of each treebank
    """

    metric: str
    measure: Measure
    treebanks: tuple[str, str]
    at: tuple[float, float]
    difference: Difference

    @property
    def ahead(self) -> str | None:
        """The treebank whose scores are higher; None where the interval does not say."""
        low, high = self.difference.low, self.difference.high
        if low is None or high is None or low <= 0 <= high:
            return None
        return self.treebanks[0 if self.difference.value > 0 else 1]

    @property
    def name(self) -> str:
        """The measure's name with its metric's."""
        return f"{metric_title(self.metric)} {self.measure.heading}"

    def said(self) -> str:
        """The difference as it is told: ``puts tuba 40.1 points ahead (95 % interval ...)``."""
        toward = self.ahead or self.treebanks[0 if self.difference.value > 0 else 1]
        found = self.difference if toward == self.treebanks[0] else self.difference.turned()
        figures = f"{signed(found.value, self.measure)} points"
        if found.low is not None and found.high is not None:
            low, high = signed(found.low, self.measure), signed(found.high, self.measure)
            figures += f", 95 % interval {low} to {high}"
        if self.ahead is None:
            return f"{self.name} does not tell the two apart ({toward}: {figures})"
        return f"{self.name} puts {toward} ahead ({figures})"


def schemes_along_axes(study: StudyResults) -> Iterator[Finding]:
    """The leader under each measure, for every two treebanks with lines of candidates along an axis."""
    for axis in axes(study):
        found = lines(study, axis)
        for (one, others), (other, same) in combinations(found, 2):
            if one == other or others != same:
                continue
            first, second = ({_at(c, axis): c for c in found[key]} for key in ((one, others), (other, same)))
            common = sorted(first.keys() & second.keys())
            if len(common) < 2:
                continue
            leads = {
                at: _leads(study, (one, other), first[at], second[at], (at, at))
                for at in (common[0], common[-1])
            }
            name = axis.replace("_", " ")
            yield from _on_measures(leads[common[-1]], f"At {name} {common[-1]:,g}", axis)
            yield from _along(leads[common[0]], leads[common[-1]], name, axis)
            ends = max(first), max(second)
            if ends != (common[-1], common[-1]):
                at_ends = _leads(study, (one, other), first[ends[0]], second[ends[1]], ends)
                told = f"With the largest {name} of each ({one} {ends[0]:,g}, {other} {ends[1]:,g})"
                yield from _on_measures(at_ends, told, axis)
                yield from _turned(leads[common[0]], at_ends, name, axis)


def _at(candidate: CandidateResults, axis: str) -> float:
    return float(candidate.attributes[axis])


def _leads(
    study: StudyResults,
    treebanks: tuple[str, str],
    one: CandidateResults,
    other: CandidateResults,
    at: tuple[float, float],
) -> list[Lead]:
    """The difference under each metric's main measure."""
    found = []
    for metric, measure in study.headlines().items():
        sides: list[Counts] = [c.counts[metric] for c in (one, other) if metric in c.counts]
        if len(sides) == 2 and measure.better == "more" and all(counts.rows.any() for counts in sides):
            differences = unpaired(*sides, samples=study.samples, seed=study.seed)
            found.append(Lead(metric, measure, treebanks, at, differences[measure.name]))
    return found


def _on_measures(leads: Sequence[Lead], where: str, axis: str) -> Iterator[Finding]:
    """The measures that follow the first one at a point, and those that do not."""
    if len(leads) < 2:
        return
    first, *others = leads
    yield Finding(TOPIC, f"{where} {'; '.join(lead.said() for lead in leads)}.", f"over-{axis}")
    if first.ahead is None:
        return
    follow = [lead.name for lead in others if lead.ahead == first.ahead]
    part = [lead.name for lead in others if lead.ahead != first.ahead]
    if not part:
        said = f"{listing(follow)} {'follows' if len(follow) == 1 else 'follow'} {first.name}"
    else:
        verb = "does" if len(part) == 1 else "do"
        said = f"{listing(part)} {verb} not follow {first.name}"
        said += f", {listing(follow)} {'does' if len(follow) == 1 else 'do'}" if follow else ""
    yield Finding(TOPIC, f"{where} {said}, under which {first.ahead} is ahead.", f"over-{axis}")


def _along(begin: Sequence[Lead], end: Sequence[Lead], name: str, axis: str) -> Iterator[Finding]:
    """The change of the difference under each measure from the first common point to the last."""
    said = []
    for first, last in zip(begin, end, strict=True):
        sizes = _size(first), _size(last)
        if sizes[0] is None or sizes[1] is None:
            continue
        (low, high), (later_low, later_high) = sizes[0], sizes[1]
        change = "stays as it is, as far as the intervals tell"
        if later_high < low:
            change = "becomes smaller"
        elif later_low > high:
            change = "becomes larger"
        values = [signed(abs(lead.difference.value), lead.measure).lstrip("+") for lead in (first, last)]
        said.append(f"under {first.name} it {change} ({values[0]} points, then {values[1]})")
    if said:
        first, last = begin[0], end[0]
        yield Finding(
            TOPIC,
            f"The distance between {' and '.join(first.treebanks)} from {name} {first.at[0]:,g} to "
            f"{last.at[0]:,g}: {'; '.join(said)}.",
            f"over-{axis}",
        )
    yield from _turned(begin, end, name, axis)


def _size(lead: Lead) -> tuple[float, float] | None:
    """The interval of a difference without its sign."""
    low, high = lead.difference.low, lead.difference.high
    if low is None or high is None:
        return None
    return (0.0 if low <= 0 <= high else min(abs(low), abs(high))), max(abs(low), abs(high))


def _turned(begin: Sequence[Lead], end: Sequence[Lead], name: str, axis: str) -> Iterator[Finding]:
    """Under which measures the ranking of the two treebanks turns, and under which it does not."""
    turns = [last.name for first, last in zip(begin, end, strict=True) if _turns(first, last)]
    vanishes = [
        last.name
        for first, last in zip(begin, end, strict=True)
        if first.ahead is not None and last.ahead is None
    ]
    stays = [
        last.name
        for first, last in zip(begin, end, strict=True)
        if first.ahead is not None and first.ahead == last.ahead
    ]
    said = [
        f"the ranking turns under {listing(turns)}" if turns else "the ranking turns under no measure",
        f"a lead is no longer there under {listing(vanishes)}" if vanishes else "",
        f"it stays under {listing(stays)}" if stays else "",
    ]
    first, last = begin[0], end[0]
    at = f"{last.at[0]:,g}" if last.at[0] == last.at[1] else f"{last.at[0]:,g} and {last.at[1]:,g}"
    yield Finding(
        TOPIC,
        sentence(
            f"From {name} {first.at[0]:,g} to {at}, between {' and '.join(first.treebanks)} "
            f"{'; '.join(filter(None, said))}"
        ),
        f"over-{axis}",
    )


def _turns(first: Lead, last: Lead) -> bool:
    return None not in (first.ahead, last.ahead) and first.ahead != last.ahead
