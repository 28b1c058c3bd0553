"""The bits that the models behind candidates need, and their scores per bit.

Musillo, Gabriele, and Khalil Sima'an (2002): Towards Comparing Parsers from Different Linguistic Frameworks:
An Information Theoretic Approach. Beyond PARSEVAL, section 4.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from crossbank.metrics.counting.presentation import metric_title
from crossbank.metrics.statistics.bootstrap import Interval
from crossbank.metrics.statistics.per_bit import BITS_PER_WORD, entropies
from crossbank.metrics.statistics.significance import Difference
from crossbank.reports.findings.family import Family, only
from crossbank.reports.findings.finding import Finding, figures
from crossbank.reports.findings.information_contrasts import Bits, Model, models, of_the_same_sentences
from crossbank.reports.sections.information import PER_BIT
from crossbank.treebanks.quantities import quantity

TOPIC = "information"


def bits_of_models(family: Family) -> Iterator[Finding]:
    """The bits of each model; for two treebanks of the same sentences, the scheme that needs fewer."""
    study = family.study
    for model in models(study):
        average = entropies(model.bits, samples=study.samples, seed=study.seed)
        word, sentence = average["word"].interval, average["sentence"].interval
        yield Finding(
            TOPIC,
            f"The model of {model.name} needs {_between(word)} bits for a word and {_between(sentence)} for "
            f"a sentence; {model.bits.entropy().unparsed:,} of "
            f"{quantity(len(model.bits.bits), 'sentence')} have no "
            "parse.",
            "entropy",
        )
    for one, other in of_the_same_sentences(study):
        if family.decides(min(int(model.bits.parsed.sum()) for model in (one, other))):
            yield _entropy_apart(family, one, other)
            yield from _scores_apart(family, one, other)


def _entropy_apart(family: Family, one: Model, other: Model) -> Finding:
    def verdict(found: Difference) -> str:
        if not family.apart(found):
            return (
                f"the bits that {one.name} and {other.name} need for a word do not differ significantly "
                f"({figures(found, BITS_PER_WORD)})"
            )
        fewer, more = (one, other) if found.value < 0 else (other, one)
        size = found if found.value > 0 else found.turned()
        return (
            f"{fewer.name} needs fewer bits for a word than {more.name} ({figures(size, BITS_PER_WORD)}): "
            "its scheme is the more informative one in the sense of Musillo and Sima'an (2002)"
        )

    return Finding(TOPIC, _both_ways(family, Bits(one.name, other.name), verdict), "entropy")


def _scores_apart(family: Family, one: Model, other: Model) -> Iterator[Finding]:
    """The first metrics of both, which are those of their schemes, per bit of a sentence."""
    for measure in PER_BIT:
        if not (one.metric and other.metric):
            return
        named = [f"{metric_title(model.metric or '')} {measure} of {model.name}" for model in (one, other)]
        values = [100 * model.counts(measure).value(measure) for model in (one, other)]
        scores = f"{named[0]} is {values[0]:.2f} points and {named[1]} {values[1]:.2f}"

        def verdict(found: Difference, scores: str = scores) -> str:
            said = "do not differ significantly"
            if family.apart(found):
                said = f"differ significantly, and the {'first' if found.value > 0 else 'second'} is higher"
            return f"per bit of a sentence {scores}; the two {said} ({figures(found)})"

        yield Finding(TOPIC, _both_ways(family, Bits(one.name, other.name, measure), verdict), "per-bit")


def _both_ways(family: Family, key: Bits, verdict: Callable[[Difference], str]) -> str:
    """The verdict for the sentences that each model parsed, and where they differ, for those of both."""
    found = only(family.answered[key])
    said = verdict(found)
    said = f"For the same sentences {said}." if key.measure == "" else f"P{said[1:]}."
    answered = family.answered.get(key._replace(parsed=True))
    if answered is None:
        return said
    parsed = only(answered)
    real = [(family.apart(one), one.value > 0) for one in (found, parsed)]
    if real[0] == real[1] or not (real[0][0] or real[1][0]):
        unit = "" if key.measure == "" else None
        return f"{said} The same holds for the sentences that both parsed ({figures(parsed, unit=unit)})."
    return f"{said} For the sentences that both parsed the conclusion turns: {verdict(parsed)}."


def _between(interval: Interval) -> str:
    value, low, high = (
        f"{number:.2f}".replace("-", "−") for number in (interval.value, interval.low, interval.high)
    )
    return f"{value} (95 % interval {low} to {high})"
