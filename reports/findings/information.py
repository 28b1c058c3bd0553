"""The bits that the models behind candidates need, and their scores per bit.

Musillo, Gabriele, and Khalil Sima'an (2002): Towards Comparing Parsers from Different Linguistic Frameworks:
An Information Theoretic Approach. Beyond PARSEVAL, section 4.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from crossbank.metrics.counting.presentation import metric_title
from crossbank.metrics.statistics.bootstrap import Interval
from crossbank.metrics.statistics.per_bit import Resampled, entropies, per_bit
from crossbank.parsers.entropy import SentenceBits
from crossbank.reports.findings.finding import Finding
from crossbank.reports.results.study import CandidateResults, StudyResults
from crossbank.reports.sections.information import measured, measures_per_bit

TOPIC = "information"


def bits_of_models(study: StudyResults) -> Iterator[Finding]:
    """The bits of each model; for two treebanks of the same sentences, the scheme that needs fewer."""
    found = list(measured(study))
    for treebank, candidate, bits in found:
        average = entropies(bits, samples=study.samples, seed=study.seed)
        word, sentence = average["word"].interval, average["sentence"].interval
        yield Finding(
            TOPIC,
            f"The model of {candidate.name} in {treebank.name} needs {_between(word)} bits for a word and "
            f"{_between(sentence)} for a sentence; {bits.entropy().unparsed:,} of {len(bits.bits):,} "
            "sentences have no parse.",
            "entropy",
        )
    for (one, first, ours), (other, second, theirs) in combinations(found, 2):
        if one.name != other.name and np.array_equal(ours.words, theirs.words):
            names = f"{first.name} in {one.name}", f"{second.name} in {other.name}"
            yield _entropy_apart(study, names, ours, theirs)
            yield from _scores_apart(study, names, (first, ours), (second, theirs))


def _entropy_apart(
    study: StudyResults, names: tuple[str, str], ours: SentenceBits, theirs: SentenceBits
) -> Finding:
    averages = [entropies(bits, samples=study.samples, seed=study.seed)["word"] for bits in (ours, theirs)]
    apart = averages[0].less(averages[1]).interval
    if apart.low <= 0 <= apart.high:
        said = (
            f"The bits that {names[0]} and {names[1]} need for a word of the same sentences are not told "
            f"apart (difference {_between(apart)})."
        )
    else:
        fewer, more = names if apart.value < 0 else names[::-1]
        size = apart if apart.value > 0 else Interval(-apart.value, -apart.high, -apart.low)
        said = (
            f"For the same sentences {fewer} needs {_between(size)} bits a word less than {more}: its scheme "
            "is the more informative one in the sense of Musillo and Sima'an (2002)."
        )
    return Finding(TOPIC, said, "entropy")


def _scores_apart(
    study: StudyResults,
    names: tuple[str, str],
    first: tuple[CandidateResults, SentenceBits],
    second: tuple[CandidateResults, SentenceBits],
) -> Iterator[Finding]:
    """The first metrics of both, which are those of their schemes, per bit of a sentence."""
    sides = []
    for candidate, bits in (first, second):
        metric = next((metric for metric, _ in measures_per_bit(candidate)), None)
        sides.append((candidate, bits, metric))
    if any(metric is None for _, _, metric in sides):
        return
    for name in ("precision", "recall"):
        shown: list[tuple[str, Resampled]] = []
        for (candidate, bits, metric), named in zip(sides, names, strict=True):
            assert metric is not None
            counts = candidate.counts[metric]
            divided = per_bit(counts, bits, counts.measure(name), samples=study.samples, seed=study.seed)[
                "sentence"
            ]
            shown.append((f"{metric_title(metric)} {name} of {named}", _points(divided)))
        (one, ours), (other, theirs) = shown
        apart = ours.less(theirs).interval
        verdict = (
            "the two are not told apart"
            if apart.low <= 0 <= apart.high
            else f"the {'first' if apart.value > 0 else 'second'} is higher"
        )
        yield Finding(
            TOPIC,
            f"Per bit of a sentence {one} is {ours.value:.2f} points and {other} {theirs.value:.2f}: "
            f"{verdict} (difference {_between(apart)}).",
            "per-bit",
        )


def _points(divided: Resampled) -> Resampled:
    return Resampled(100 * divided.value, 100 * divided.drawn)


def _between(interval: Interval) -> str:
    value, low, high = (
        f"{number:.2f}".replace("-", "−") for number in (interval.value, interval.low, interval.high)
    )
    return f"{value} (95 % interval {low} to {high})"
