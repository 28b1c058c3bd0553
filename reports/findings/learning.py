"""Differences of the scores of two schemes along an axis (``lead_contrasts``), as the measures see them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import TypeAlias

from crossbank.metrics.counting.counts import Measure
from crossbank.metrics.counting.presentation import measure_title
from crossbank.metrics.statistics.significance import Difference
from crossbank.reports.findings.family import Family
from crossbank.reports.findings.finding import Finding, figures, listing
from crossbank.reports.findings.lead_contrasts import Lines, Point, lines_of_two
from crossbank.reports.tables.table import sentence, signed


@dataclass(frozen=True)
class Lead:
    """One treebank's score minus another's at one point of each line.

    at          where the points are on the axis
    difference  with its interval and probability
    real        whether the difference is significant
    """

    metric: str
    measure: Measure
    treebanks: tuple[str, str]
    at: tuple[float, float]
    difference: Difference
    real: bool

    @property
    def ahead(self) -> str | None:
        """Treebank whose scores are higher; None where the test does not say."""
        return self.treebanks[0 if self.difference.value > 0 else 1] if self.real else None

    @property
    def name(self) -> str:
        """The measure's name with its metric's."""
        return measure_title(self.metric, self.measure)

    def said(self) -> str:
        """Return the difference as it is told: ``puts tuba 40.1 points ahead (95 % interval ...)``."""
        toward = self.ahead or self.treebanks[0 if self.difference.value > 0 else 1]
        found = self.difference if toward == self.treebanks[0] else self.difference.turned()
        numbers = figures(found, self.measure)
        if self.ahead is None:
            two = " and ".join(self.treebanks)
            return f"under {self.name} {two} do not differ significantly ({toward}: {numbers})"
        return f"{self.name} puts {toward} ahead ({numbers})"


def schemes_along_axes(family: Family) -> Iterator[Finding]:
    """Yield the leader under each measure, for every two treebanks with lines of candidates along an axis.

    Where sentences are without a score, each finding is also given for the sentences that were parsed.
    """
    for found in lines_of_two(family.study):
        sizes = [int(c.rows.sum()) for p in found.points for of in p.candidates for c in of.counts.values()]
        if not family.decides(min(sizes, default=0)):
            continue
        line = f"With {found.others}: " if found.others else ""
        every = list(_along_lines(family, found, parsed=False))
        if not any(
            point.pairing(metric)._replace(parsed=True) in family.answered
            for point in found.points
            for metric in family.study.headlines
        ):
            yield from (Finding(line + text, f"over-{found.axis}") for text, _ in every)
            continue
        parsed = list(_along_lines(family, found, parsed=True))
        for (text, leaders), (other, of_parsed) in zip(every, parsed, strict=True):
            turned = [name for name, leader in leaders.items() if of_parsed.get(name) != leader]
            told = f"the conclusion turns under {listing(turned)}" if turned else "the same holds"
            numbers = "." if text == other else f": {other[0].lower()}{other[1:]}"
            said = f"{line}{text} For the parsed sentences {told}{numbers}"
            yield Finding(said, f"over-{found.axis}")


Said: TypeAlias = tuple[str, dict[str, object]]
"""A sentence, and what it concludes by measure."""


def _along_lines(family: Family, found: Lines, *, parsed: bool) -> Iterator[Said]:
    name = found.axis.replace("_", " ")
    begin, common = (_leads(family, point, parsed) for point in (found.begin, found.common))
    yield from _on_measures(common, f"At {name} {found.common.at[0]:,g}")
    yield from _along(begin, common, name)
    if found.ends is not None:
        (one, other), (first, second) = found.ends.treebanks, found.ends.at
        at_ends = _leads(family, found.ends, parsed)
        largest = f"With the largest {name} of each ({one} {first:,g}, {other} {second:,g})"
        yield from _on_measures(at_ends, largest)
        yield from _turned(begin, at_ends, name)


def _leads(family: Family, point: Point, parsed: bool) -> list[Lead]:
    leads = []
    for metric, measure in family.study.headlines.items():
        pairing = point.pairing(metric)
        answered = family.answered.get(pairing)
        if answered is None or measure.name not in answered or measure.better == "less":
            continue
        if parsed:
            answered = family.answered.get(pairing._replace(parsed=True), answered)
        difference = answered[measure.name]
        leads.append(Lead(metric, measure, point.treebanks, point.at, difference, family.apart(difference)))
    return leads


def _on_measures(leads: Sequence[Lead], where: str) -> Iterator[Said]:
    """Yield the measures that follow the first one at a point, and those that do not."""
    if len(leads) < 2:
        return
    first, *others = leads
    leaders: dict[str, object] = {lead.name: lead.ahead for lead in leads}
    said = f"{where} {'; '.join(lead.said() for lead in leads)}."
    if first.ahead is not None:
        follow = [lead.name for lead in others if lead.ahead == first.ahead]
        part = [lead.name for lead in others if lead.ahead != first.ahead]
        if not part:
            told = f"{listing(follow)} {'follows' if len(follow) == 1 else 'follow'} {first.name}"
        else:
            told = f"{listing(part)} {'does' if len(part) == 1 else 'do'} not follow {first.name}"
            told += f", {listing(follow)} {'does' if len(follow) == 1 else 'do'}" if follow else ""
        said += f" So {told}, under which {first.ahead} is ahead."
    yield said, leaders


def _along(begin: Sequence[Lead], end: Sequence[Lead], name: str) -> Iterator[Said]:
    """Yield the change of the difference under each measure from the first common point to the last.

    All intervals that are compared here are one family: they are as wide as to hold together (Bonferroni).
    """
    said = []
    changes: dict[str, object] = {}
    family = len(begin) + len(end)
    for first, last in zip(begin, end, strict=True):
        sizes = _size(first, family), _size(last, family)
        if sizes[0] is None or sizes[1] is None:
            continue
        (low, high), (later_low, later_high) = sizes[0], sizes[1]
        change = "stays as it is, as far as the intervals tell"
        if later_high < low:
            change = "becomes smaller"
        elif later_low > high:
            change = "becomes larger"
        changes[first.name] = change
        values = [signed(abs(lead.difference.value), lead.measure).lstrip("+") for lead in (first, last)]
        said.append(f"under {first.name} it {change} ({values[0]} points, then {values[1]})")
    if said:
        first, last = begin[0], end[0]
        text = (
            f"The distance between {' and '.join(first.treebanks)} from {name} {first.at[0]:,g} to "
            f"{last.at[0]:,g} (intervals that hold together, Bonferroni): {'; '.join(said)}."
        )
        yield text, changes
    yield from _turned(begin, end, name)


def _size(lead: Lead, family: int) -> tuple[float, float] | None:
    """Return the interval of a difference without its sign, as wide as one of so many that hold together."""
    value, low, high = lead.difference.value, lead.difference.low, lead.difference.high
    if low is None or high is None:
        return None
    tail, normal = (1 - lead.difference.level) / 2, NormalDist()
    wider = normal.inv_cdf(tail / family) / normal.inv_cdf(tail)
    low, high = value - wider * (value - low), value + wider * (high - value)
    return (0.0 if low <= 0 <= high else min(abs(low), abs(high))), max(abs(low), abs(high))


def _turned(begin: Sequence[Lead], end: Sequence[Lead], name: str) -> Iterator[Said]:
    """Under which measures the ranking of the two treebanks turns, and under which it does not."""
    if not begin:
        return
    led = [(first, last) for first, last in zip(begin, end, strict=True) if first.ahead is not None]
    turns = [last.name for first, last in led if last.ahead not in (None, first.ahead)]
    vanishes = [last.name for _, last in led if last.ahead is None]
    stays = [last.name for first, last in led if first.ahead == last.ahead]
    said = [
        f"the ranking turns under {listing(turns)}" if turns else "the ranking turns under no measure",
        f"a lead is no longer significant under {listing(vanishes)}" if vanishes else "",
        f"it stays under {listing(stays)}" if stays else "",
    ]
    first, last = begin[0], end[0]
    at = f"{last.at[0]:,g}" if last.at[0] == last.at[1] else f"{last.at[0]:,g} and {last.at[1]:,g}"
    text = sentence(
        f"From {name} {first.at[0]:,g} to {at}, between {' and '.join(first.treebanks)} "
        f"{'; '.join(filter(None, said))}"
    )
    yield text, {last.name: (first.ahead, last.ahead) for first, last in zip(begin, end, strict=True)}
