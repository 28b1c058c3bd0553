"""Candidates compared with each other: every pair of a treebank, and one candidate in two treebanks.

Parses of the same sentences in one scheme are swapped; those in two schemes are not, since their counts do
not count the same things: see ``metrics.statistics.significance``. All tests of a report are one family.

Where the sentences without a score differ between two candidates, their main measures are compared twice:
over all sentences, and over those that both parsed. Else a difference may be one of coverage.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import combinations
from typing import NamedTuple, TypeAlias

import numpy as np

from crossbank.metrics.counting.counts import FAILED, Counts, Measure
from crossbank.metrics.counting.presentation import headline, shared
from crossbank.metrics.pairing.pair import Status
from crossbank.metrics.statistics.defaults import LEVEL
from crossbank.metrics.statistics.letter_display import letter_display, spelled
from crossbank.metrics.statistics.significance import (
    Contrast,
    Difference,
    Side,
    differences,
    number_of_tests,
    rank_groups,
    same_sentences,
)

Scored: TypeAlias = Mapping[str, Mapping[str, Mapping[str, Counts]]]
"""Counts by treebank, candidate and metric."""


class Pairing(NamedTuple):
    """Two candidates that are compared under a metric: the first's treebank and name, and the second's.

    parsed  whether over the sentences that both parsed alone
    """

    treebank: str
    candidate: str
    other_treebank: str
    other: str
    metric: str
    parsed: bool = False


Asked: TypeAlias = Mapping[Hashable, Contrast]
"""What is to be tested, by any key."""

Answered: TypeAlias = Mapping[Hashable, Mapping[str, Difference]]
"""The differences by key and measure."""


@dataclass(frozen=True)
class Comparison:
    """One candidate's score minus another's under one measure.

    treebank, candidate      the first
    other_treebank, other    the second
    paired                   whether both were scored on the same sentences
    parsed                   the difference over the sentences that both parsed (of other sentences, that each
                             parsed); None where the sentences without a score are the same
    """

    treebank: str
    candidate: str
    other_treebank: str
    other: str
    metric: str
    measure: Measure
    difference: Difference
    paired: bool
    parsed: Difference | None = None

    def turned(self) -> Comparison:
        """Return the other candidate's score minus this one's."""
        return replace(
            self,
            treebank=self.other_treebank,
            candidate=self.other,
            other_treebank=self.treebank,
            other=self.candidate,
            difference=self.difference.turned(),
            parsed=None if self.parsed is None else self.parsed.turned(),
        )

    def significant(self, alpha: float) -> bool:
        """True if the two are called different over all sentences."""
        return self.difference.corrected <= alpha

    def verdict(self, alpha: float, *, parsed: bool = False) -> int:
        """1 if the first candidate is better, -1 if the second is, 0 if the test does not say."""
        found = self.parsed if parsed else self.difference
        if found is None or found.corrected > alpha:
            return 0
        return 1 if (found.value > 0) == (self.measure.better == "more") else -1

    def turns(self, alpha: float) -> bool:
        """True if the sentences that both parsed tell something else than all sentences do."""
        return self.parsed is not None and self.verdict(alpha) != self.verdict(alpha, parsed=True)


class Rank(NamedTuple):
    """A candidate's rank from 1; it shares a letter with every candidate from which it does not differ."""

    rank: int
    letters: str


def every_pair(scored: Scored, *, samples: int, trials: int, seed: int) -> tuple[list[Comparison], int]:
    """Every pair of candidates of each treebank under every measure, and the number of tests."""
    asked = within_treebanks(scored)
    answered = answers(asked, samples=samples, trials=trials, seed=seed)
    return comparisons(scored, asked, answered), number_of_tests(list(asked.values()))


def answers(asked: Asked, *, samples: int, trials: int, seed: int, level: float = LEVEL) -> Answered:
    """Return the differences of everything that is asked, as one family."""
    found = differences(list(asked.values()), samples=samples, trials=trials, seed=seed, level=level)
    return dict(zip(asked, found, strict=True))


def within_treebanks(
    scored: Scored, headlines: Mapping[str, Measure] | None = None
) -> dict[Hashable, Contrast]:
    """Every pair of candidates of each treebank under every measure, in the study's order.

    headlines  the only measure of each metric under which they are compared; without it under all

    A candidate is not compared if none of its sentences enters a score.
    """
    asked: dict[Hashable, Contrast] = {}
    for treebank, metric, sides in _compared(scored):
        only = None if headlines is None else headlines[metric]
        if only is not None:
            sides = _reading(sides, only)
        for one, other in combinations(sides, 2):
            both, pairing = (sides[one], sides[other]), Pairing(treebank, one, treebank, other, metric)
            of_both = shared([side.counts for side in both]) if only is None else (only,)
            measures = [measure.name for measure in of_both]
            swapped = both[0].sentences == both[1].sentences
            asked[pairing] = Contrast(*both, measures, (treebank, metric), swapped)
        if len(sides) > 1:
            every = [side.counts for side in sides.values()]
            asked |= _where_both_parsed(treebank, metric, sides, headline(every[0], shared(every)))
    return asked


def with_the_best(scored: Scored, headlines: Mapping[str, Measure]) -> dict[Hashable, Contrast]:
    """Return the best candidate of each treebank with every other, under each metric's main measure.

    Which candidate is the best is known from the same sentences. So all pairs of the treebank belong to the
    family, not only those that are compared.
    """
    asked: dict[Hashable, Contrast] = {}
    for treebank, metric, sides in _compared(scored):
        if len(sides) < 2:
            continue
        measure = headlines[metric]
        sides = _reading(sides, measure)
        best = _best(sides, measure)
        alike = {name: side for name, side in sides.items() if side.sentences == sides[best].sentences}
        among = list(alike.values())
        for other in (name for name in alike if name != best):
            both, pairing = (sides[best], sides[other]), Pairing(treebank, best, treebank, other, metric)
            asked[pairing] = Contrast(*both, (measure.name,), (treebank, metric), True, among)
        asked |= _where_both_parsed(treebank, metric, alike, measure, best_first=True)
    return asked


def between_treebanks(scored: Scored, alike: Callable[[str, str], bool]) -> dict[Hashable, Contrast]:
    """Every two candidates that have the same name in two treebanks, or are the only ones there.

    ``alike`` says whether two treebanks have the same sentences; others are compared unpaired.
    """
    asked: dict[Hashable, Contrast] = {}
    first = {name: next((t for t in scored if t == name or alike(t, name)), name) for name in scored}
    for one, other in combinations(scored, 2):
        found = [(name, name) for name in scored[one] if name in scored[other]]
        if not found and len(scored[one]) == len(scored[other]) == 1:
            found = list(zip(scored[one], scored[other], strict=True))
        for name, opposite in found:
            for metric in scored[one][name]:
                if not (_enters(scored[one][name], metric) and _enters(scored[other][opposite], metric)):
                    continue
                sides = scored[one][name][metric], scored[other][opposite][metric]
                pairing = Pairing(one, name, other, opposite, metric)
                asked |= across(pairing, sides, (first[one], first[other]))
    return asked


def across(
    pairing: Pairing,
    sides: tuple[Counts, Counts],
    sentences: tuple[Hashable, Hashable],
    measure: Measure | None = None,
) -> dict[Hashable, Contrast]:
    """Two candidates of two treebanks over all sentences, and where it differs over the parsed ones.

    sentences  names of the treebanks' sentences: the same one where they are the same
    measure    the only measure that is compared; None for all
    """
    one, other = sides
    if sentences[0] == sentences[1] and len(one) != len(other):
        sentences = sentences[0], (sentences[1], pairing.other_treebank)
    of_both = shared(sides)
    measures = [m.name for m in of_both] if measure is None else [measure.name]
    places = Side(one, sentences[0]), Side(other, sentences[1])
    asked: dict[Hashable, Contrast] = {pairing: Contrast(*places, measures, pairing.metric, False)}
    parsed = parsed_by_both(*places)
    if parsed is not None:
        main = (headline(one, of_both).name,)
        asked[pairing._replace(parsed=True)] = Contrast(*parsed, main, pairing.metric, False)
    return asked


def comparisons(scored: Scored, asked: Asked, answered: Answered) -> list[Comparison]:
    """Return the comparisons of candidates among what was asked, measure by measure."""
    found = []
    for key, contrast in asked.items():
        if not isinstance(key, Pairing) or key.parsed:
            continue
        of_parsed = answered.get(key._replace(parsed=True), {})
        counts = scored[key.treebank][key.candidate][key.metric]
        paired = contrast.one.sentences == contrast.other.sentences
        for name in contrast.measures:
            tested = answered[key][name], paired, of_parsed.get(name)
            found.append(Comparison(*key[:5], counts.measure(name), *tested))
    return found


def _compared(scored: Scored) -> Iterator[tuple[str, str, dict[str, Side]]]:
    """Candidates of each treebank and metric that have a score, with the names of their sentences."""
    for treebank, candidates in scored.items():
        for metric in _metrics(candidates):
            counts = {name: of[metric] for name, of in candidates.items() if _enters(of, metric)}
            sides: dict[str, Side] = {}
            firsts: list[str] = []
            for name, of in counts.items():
                like = next((first for first in firsts if same_sentences(counts[first], of)), None)
                if like is None:
                    firsts.append(name)
                    like = name
                sides[name] = Side(of, treebank if like == firsts[0] else (treebank, like))
            yield treebank, metric, sides


def _reading(sides: Mapping[str, Side], measure: Measure) -> dict[str, Side]:
    """Return the sides with what one measure reads: resampling takes as long as there are columns."""
    return {name: Side(side.counts.reading(measure.name), side.sentences) for name, side in sides.items()}


def _best(sides: Mapping[str, Side], measure: Measure) -> str:
    choose = max if measure.better == "more" else min
    return choose(sides, key=lambda name: sides[name].counts.value(measure.name))


def _where_both_parsed(
    treebank: str, metric: str, sides: Mapping[str, Side], measure: Measure, *, best_first: bool = False
) -> dict[Hashable, Contrast]:
    """Best candidate with each whose unscored sentences are others, over those that both parsed."""
    best = _best(sides, measure)
    names = list(sides)
    asked: dict[Hashable, Contrast] = {}
    for other in sides:
        parsed = None if other == best else parsed_by_both(sides[best], sides[other])
        if parsed is not None:
            in_order = best_first or names.index(best) < names.index(other)
            first, second = (best, other) if in_order else (other, best)
            parsed = parsed if first == best else parsed[::-1]
            pairing = Pairing(treebank, first, treebank, second, metric, True)
            swapped = parsed[0].sentences == parsed[1].sentences
            asked[pairing] = Contrast(*parsed, (measure.name,), (treebank, metric), swapped)
    return asked


def parsed_by_both(one: Side, other: Side) -> tuple[Side, Side] | None:
    """Two sides over the sentences that both parsed; over those that each parsed, if the sentences differ.

    None where the sentences without a score are the same, or there are none.
    """
    scored = [side.counts.status == Status.SCORED for side in (one, other)]
    if one.sentences == other.sentences:
        if (scored[0] == scored[1]).all():
            return None
        scored = [scored[0] & scored[1]] * 2
    elif not any(np.isin(side.counts.status, FAILED).any() for side in (one, other)):
        return None
    sides = [
        Side(replace(s.counts, status=np.where(rows, s.counts.status, Status.SKIPPED), parts={}), s.sentences)
        for s, rows in zip((one, other), scored, strict=True)
    ]
    return sides[0], sides[1]


def ranks(
    scored: Scored, comparisons: Iterable[Comparison], alpha: float
) -> dict[tuple[str, str, str], dict[str, Rank]]:
    """Return the rank and the letters of each candidate that has a score, by treebank, metric and measure.

    Two candidates share a letter exactly if they do not differ significantly; candidates of one rank may. Of
    a metric of which some measures were compared, the others have no ranks.
    """
    different: dict[tuple[str, str, str], set[tuple[str, str]]] = {}
    tested: dict[tuple[str, str], set[str]] = {}
    for found in comparisons:
        tested.setdefault((found.treebank, found.metric), set()).add(found.measure.name)
        if found.significant(alpha):
            place = found.treebank, found.metric, found.measure.name
            different.setdefault(place, set()).add((found.candidate, found.other))
    ranked = {}
    for treebank, candidates in scored.items():
        for metric in _metrics(candidates):
            counts = {name: of[metric] for name, of in candidates.items() if _enters(of, metric)}
            places = {name: place for place, name in enumerate(counts)}
            for measure in shared([*counts.values()]) if counts else ():
                if measure.name not in tested.get((treebank, metric), (measure.name,)):
                    continue
                pairs = different.get((treebank, metric, measure.name), set())
                values = [of.value(measure.name) for of in counts.values()]
                apart = {(places[one], places[other]) for one, other in pairs}
                less = measure.better == "less"
                groups = rank_groups(values, apart, less_is_better=less)
                best_first = sorted(places.values(), key=values.__getitem__, reverse=not less)
                turn = {place: rank for rank, place in enumerate(best_first)}
                display = letter_display(len(values), {(turn[one], turn[other]) for one, other in apart})
                ranked[treebank, metric, measure.name] = {
                    name: Rank(groups[place], spelled(display[turn[place]])) for name, place in places.items()
                }
    return ranked


def identical(scored: Scored) -> Iterator[tuple[str, list[str]]]:
    """Yield the candidates that have the same counts under every metric, with their treebank."""
    for treebank, candidates in scored.items():
        # Few have the same sums, and these alone are compared sentence by sentence.
        for named in _alike(candidates, candidates, _sums):
            yield from ((treebank, names) for names in _alike(named, candidates, _content))


def _alike(
    names: Iterable[str], scored: Mapping[str, Mapping[str, Counts]], told: Callable[[Counts], bytes]
) -> list[list[str]]:
    """Return the candidates of which the same is told under every metric, where there are several."""
    alike: dict[tuple[tuple[str, bytes], ...], list[str]] = {}
    for name in names:
        content = tuple((metric, told(counts)) for metric, counts in scored[name].items())
        alike.setdefault(content, []).append(name)
    return [found for content, found in alike.items() if content and len(found) > 1]


def _sums(counts: Counts) -> bytes:
    """Return the sums of all columns: the same where the counts of all sentences are."""
    sums = counts.sums()
    return (np.array([sums[name] for name in sorted(sums)]) + 0.0).tobytes()


def _content(counts: Counts) -> bytes:
    """A digest of the counts of all sentences: the same where the counts are."""
    digest = sha256(counts.status.tobytes())
    for name in sorted(counts.columns):
        column = np.asarray(counts.columns[name], np.float64) + 0.0  # without negative zeros
        digest.update(column.tobytes())
    return digest.digest()


def _metrics(candidates: Mapping[str, Mapping[str, Counts]]) -> list[str]:
    return list(dict.fromkeys(metric for counts in candidates.values() for metric in counts))


def _enters(counts: Mapping[str, Counts], metric: str) -> bool:
    return metric in counts and bool(counts[metric].rows.any())
