"""Candidates compared with each other: every pair of a treebank, and one candidate in two treebanks.

All pairs of a treebank are compared over the same resamples of its sentences, so each candidate is
resampled once. Two treebanks that annotate the same sentences have the same resamples, too. Parses in two
schemes are not swapped, since their counts do not count the same things. Probabilities are corrected (Holm)
over the pairs of one treebank under one measure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import combinations
from math import comb
from typing import NamedTuple, TypeAlias

import numpy as np

from crossbank.metrics.counting.counts import Counts, Measure
from crossbank.metrics.statistics.bootstrap import resampled_sums
from crossbank.metrics.statistics.letter_display import letter_display
from crossbank.metrics.statistics.significance import (
    Difference,
    from_resamples,
    holm,
    randomisation,
    rank_groups,
    same_sentences,
    unpaired,
)

Scored: TypeAlias = Mapping[str, Mapping[str, Mapping[str, Counts]]]
"""Counts by treebank, candidate and metric."""


@dataclass(frozen=True)
class Comparison:
    """One candidate's score minus another's under one measure.

    treebank, candidate      the first
    other_treebank, other    the second
    corrected                the probability after Holm, over all comparisons of this family
    paired                   whether both were scored on the same sentences
    family                   how many comparisons the correction is for
    """

    treebank: str
    candidate: str
    other_treebank: str
    other: str
    metric: str
    measure: Measure
    difference: Difference
    corrected: float
    paired: bool
    family: int

    def turned(self) -> Comparison:
        """The other candidate's score minus this one's."""
        return replace(
            self,
            treebank=self.other_treebank,
            candidate=self.other,
            other_treebank=self.treebank,
            other=self.candidate,
            difference=self.difference.turned(),
        )

    def significant(self, alpha: float) -> bool:
        """True if the two are called different."""
        return self.corrected <= alpha


class Rank(NamedTuple):
    """A candidate's rank from 1; it shares a letter with every candidate from which it does not differ."""

    rank: int
    letters: str


class Test(NamedTuple):
    """Two candidates under every measure of a metric, before correction."""

    treebank: str
    candidate: str
    other_treebank: str
    other: str
    differences: Mapping[str, Difference]
    paired: bool


def within_treebanks(scored: Scored, *, samples: int, trials: int, seed: int) -> list[Comparison]:
    """Every pair of candidates of each treebank under every measure, in the study's order.

    A candidate is not compared if none of its sentences enters a score.
    """
    found: list[Comparison] = []
    for treebank, candidates in scored.items():
        for metric in _metrics(candidates):
            counts = {name: of[metric] for name, of in candidates.items() if _enters(of, metric)}
            resamples = {
                name: resampled_sums(of, samples, seed, every=True)
                for name, of in (counts.items() if len(counts) > 1 else ())
            }
            tests = []
            for one, other in combinations(counts, 2):
                if not same_sentences(counts[one], counts[other]):
                    differences = unpaired(counts[one], counts[other], samples=samples, seed=seed)
                    tests.append(Test(treebank, one, treebank, other, differences, False))
                    continue
                differences = from_resamples(counts[one], counts[other], resamples[one], resamples[other])
                swapped = randomisation(counts[one], counts[other], trials=trials, seed=seed)
                both = {name: replace(differences[name], randomisation=p) for name, p in swapped.items()}
                tests.append(Test(treebank, one, treebank, other, both, True))
            found += _corrected(tests, metric, next(iter(counts.values())).measures if counts else ())
    return found


def with_the_best(
    scored: Scored, headlines: Mapping[str, Measure], *, samples: int, trials: int, seed: int
) -> list[Comparison]:
    """The best candidate of each treebank compared with every other, under each metric's main measure.

    Which candidate is the best is known from the same sentences. So Holm's correction is for all pairs of
    the treebank, not only for those that are compared.
    """
    found: list[Comparison] = []
    for treebank, candidates in scored.items():
        for metric in _metrics(candidates):
            counts = {name: of[metric] for name, of in candidates.items() if _enters(of, metric)}
            if len(counts) < 2:
                continue
            measure = headlines[metric]
            values = {name: of.value(measure.name) for name, of in counts.items()}
            choose = max if measure.better == "more" else min
            best = choose(values, key=values.__getitem__)
            # Resampling takes as long as there are columns, and one measure reads few of them.
            counts = {name: of.reading(measure.name) for name, of in counts.items()}
            drawn = resampled_sums(counts[best], samples, seed, every=True)
            tests = []
            for other, opposite in counts.items():
                if other != best and same_sentences(counts[best], opposite):
                    sides = counts[best], opposite
                    resamples = drawn, resampled_sums(opposite, samples, seed, every=True)
                    differences = from_resamples(*sides, *resamples)
                    swapped = randomisation(*sides, trials=trials, seed=seed)
                    both = {name: replace(differences[name], randomisation=p) for name, p in swapped.items()}
                    tests.append(Test(treebank, best, treebank, other, both, True))
            found += _corrected(tests, metric, [measure], comb(len(counts), 2))
    return found


def between_treebanks(
    scored: Scored, alike: Callable[[str, str], bool], *, samples: int, seed: int
) -> list[Comparison]:
    """Every two candidates that have the same name in two treebanks, or are the only ones there, compared.

    ``alike`` says whether two treebanks have the same sentences; others are compared unpaired.
    """
    tests: dict[str, list[Test]] = {}
    measures: dict[str, Sequence[Measure]] = {}
    for one, other in combinations(scored, 2):
        pairing = alike(one, other)
        for name, opposite in _counterparts(scored[one], scored[other]):
            for metric in scored[one][name]:
                if not (_enters(scored[one][name], metric) and _enters(scored[other][opposite], metric)):
                    continue
                sides = scored[one][name][metric], scored[other][opposite][metric]
                measures[metric] = sides[0].measures
                if pairing and len(sides[0]) == len(sides[1]):
                    resamples = [resampled_sums(side, samples, seed, every=True) for side in sides]
                    found = from_resamples(*sides, *resamples)
                else:
                    found = unpaired(*sides, samples=samples, seed=seed)
                tests.setdefault(metric, []).append(Test(one, name, other, opposite, found, pairing))
    return [
        comparison
        for metric, of_metric in tests.items()
        for comparison in _corrected(of_metric, metric, measures[metric])
    ]


def ranks(
    scored: Scored, comparisons: Iterable[Comparison], alpha: float
) -> dict[tuple[str, str, str], dict[str, Rank]]:
    """The rank and the letters of each candidate that has a score, by treebank, metric and measure.

    Two candidates share a letter exactly if they do not differ significantly; candidates of one rank may.
    """
    different: dict[tuple[str, str, str], set[tuple[str, str]]] = {}
    for found in comparisons:
        if found.significant(alpha):
            place = found.treebank, found.metric, found.measure.name
            different.setdefault(place, set()).add((found.candidate, found.other))
    ranked = {}
    for treebank, candidates in scored.items():
        for metric in _metrics(candidates):
            counts = {name: of[metric] for name, of in candidates.items() if _enters(of, metric)}
            places = {name: place for place, name in enumerate(counts)}
            for measure in next(iter(counts.values())).measures if counts else ():
                pairs = different.get((treebank, metric, measure.name), set())
                values = [of.value(measure.name) for of in counts.values()]
                apart = {(places[one], places[other]) for one, other in pairs}
                less = measure.better == "less"
                groups = rank_groups(values, apart, less_is_better=less)
                best_first = sorted(places.values(), key=values.__getitem__, reverse=not less)
                turn = {place: rank for rank, place in enumerate(best_first)}
                display = letter_display(len(values), {(turn[one], turn[other]) for one, other in apart})
                ranked[treebank, metric, measure.name] = {
                    name: Rank(groups[place], display[turn[place]]) for name, place in places.items()
                }
    return ranked


def identical(scored: Scored) -> Iterator[tuple[str, list[str]]]:
    """The candidates that have the same counts under every metric, with their treebank."""
    for treebank, candidates in scored.items():
        alike: dict[tuple[tuple[str, bytes], ...], list[str]] = {}
        for name, of in candidates.items():
            content = tuple((metric, _content(counts)) for metric, counts in of.items())
            alike.setdefault(content, []).append(name)
        yield from ((treebank, names) for content, names in alike.items() if content and len(names) > 1)


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


def _counterparts(
    one: Mapping[str, Mapping[str, Counts]], other: Mapping[str, Mapping[str, Counts]]
) -> list[tuple[str, str]]:
    common = [(name, name) for name in one if name in other]
    return common or ([(next(iter(one)), next(iter(other)))] if len(one) == len(other) == 1 else [])


def _corrected(
    tests: Sequence[Test], metric: str, measures: Sequence[Measure], family: int = 0
) -> list[Comparison]:
    """Comparisons of one family under each measure, pair by pair; ``family`` as in ``holm``."""
    family = max(family, len(tests))
    corrected = {m.name: holm([test.differences[m.name].p for test in tests], family) for m in measures}
    return [
        Comparison(
            test.treebank,
            test.candidate,
            test.other_treebank,
            test.other,
            metric,
            measure,
            test.differences[measure.name],
            corrected[measure.name][place],
            test.paired,
            family,
        )
        for place, test in enumerate(tests)
        for measure in measures
    ]
