"""The bits that the models behind candidates need, and their scores per bit.

Musillo, Gabriele, and Khalil Sima'an (2002): Towards Comparing Parsers from Different Linguistic Frameworks:
An Information Theoretic Approach. Beyond PARSEVAL, section 4.
"""

from __future__ import annotations

from collections.abc import Iterator

from crossbank.metrics.counting.presentation import metric_title
from crossbank.metrics.statistics.bootstrap import Interval
from crossbank.metrics.statistics.defaults import interval_name
from crossbank.metrics.statistics.per_bit import BITS_PER_WORD, entropies
from crossbank.reports.findings.family import Family, only
from crossbank.reports.findings.finding import Finding, figures
from crossbank.reports.findings.information_contrasts import Bits, Model, models, of_the_same_sentences
from crossbank.reports.results.bits import PER_BIT
from crossbank.treebanks.quantities import quantity


def bits_of_models(family: Family) -> Iterator[Finding]:
    """The bits of each model; for two treebanks of the same sentences, the scheme that needs fewer."""
    study = family.study
    for model in models(study):
        average = entropies(model.bits, samples=study.samples, seed=study.seed, level=study.level)
        word, sentence = average["word"].interval, average["sentence"].interval
        yield Finding(
            f"The model of {model.name} needs {_between(word)} bits for a word and {_between(sentence)} for "
            f"a sentence; {model.bits.entropy().unparsed:,} of "
            f"{quantity(len(model.bits.bits), 'sentence')} are left out.",
            "entropy",
        )
    for one, other in of_the_same_sentences(study):
        if family.decides(min(int(model.bits.parsed.sum()) for model in (one, other))):
            yield _entropy_apart(family, one, other)
            yield from _scores_apart(family, one, other)


def _entropy_apart(family: Family, one: Model, other: Model) -> Finding:
    found = only(family.answered[Bits(one.name, other.name)])
    said = f"For the same sentences, with {one.bits.input} as input, "
    if not family.apart(found):
        said += f"the bits that {one.name} and {other.name} need for a word do not differ significantly "
        return Finding(f"{said}({figures(found, BITS_PER_WORD)}).", "entropy")
    fewer, more = (one, other) if found.value < 0 else (other, one)
    size = found if found.value > 0 else found.turned()
    said += f"{fewer.name} needs fewer bits for a word than {more.name} ({figures(size, BITS_PER_WORD)}). "
    said += "That is a statement on the two models under this input, and on their schemes only through them."
    return Finding(said, "entropy")


def _scores_apart(family: Family, one: Model, other: Model) -> Iterator[Finding]:
    """The first metrics of both, which are those of their schemes, per bit of a sentence."""
    for measure in PER_BIT:
        if not (one.metric and other.metric):
            return
        named = [f"{metric_title(model.metric or '')} {measure} of {model.name}" for model in (one, other)]
        values = [100 * model.counts(measure).value(measure) for model in (one, other)]
        scores = f"{named[0]} is {values[0]:.2f} points and {named[1]} {values[1]:.2f}"
        found = only(family.answered[Bits(one.name, other.name, measure)])
        said = "do not differ significantly"
        if family.apart(found):
            said = f"differ significantly, and the {'first' if found.value > 0 else 'second'} is higher"
        said = f"Per bit of a sentence {scores}; the two {said} ({figures(found)})."
        yield Finding(said, "per-bit")


def _between(interval: Interval) -> str:
    value, low, high = (
        f"{number:.2f}".replace("-", "−") for number in (interval.value, interval.low, interval.high)
    )
    return f"{value} ({interval_name(interval.level)} {low} to {high})"
