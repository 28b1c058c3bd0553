"""``crossbank score --per-bit``: precision and recall divided by the bits of a model, as text and as JSON."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from math import isnan
from typing import Any, NamedTuple

from crossbank.metrics.counting.counts import Counts, Measure
from crossbank.metrics.statistics.bootstrap import Interval
from crossbank.metrics.statistics.defaults import SAMPLES, SEED
from crossbank.parsers.bits.compared_models import PER_BIT
from crossbank.parsers.bits.per_bit import COLUMNS, Per, per_bit
from crossbank.parsers.cross_entropy import SentenceBits
from crossbank.parsers.models import load
from crossbank.treebanks import Treebank
from crossbank.treebanks.quantities import quantity
from crossbank.workflow.commands.score_options import Addition, score_option


class MeasurePerBit(NamedTuple):
    """A measure of a metric per bit of a sentence, and of a word."""

    metric: str
    measure: Measure
    value: float
    per: dict[Per, Interval]


@score_option(
    "--per-bit",
    metavar="MODEL",
    help="divide precision and recall by the bits that a model (crossbank train) needs for gold's sentences",
)
def scores_per_bit(model: str, scored: Sequence[Counts], read_gold: Callable[[], Treebank]) -> Addition:
    """Return scores divided by the bits that a trained model needs for gold's sentences."""
    parser = load(model).parser
    bits = SentenceBits.measured(parser.inside(read_gold()), parser.options.input)
    quotients = divide_by_bits(scored, bits)
    return Addition(
        format_measures_per_bit(model, quotients, bits), measures_per_bit_as_values(model, quotients, bits)
    )


def divide_by_bits(scored: Sequence[Counts], bits: SentenceBits) -> list[MeasurePerBit]:
    """Divide precision and recall of each metric by the cross-entropy of gold's sentences."""
    quotients = []
    for counts in scored:
        for measure in (measure for measure in counts.measures if measure.name in PER_BIT):
            of = per_bit(counts, bits, measure, samples=SAMPLES, seed=SEED)
            per = {name: one.interval for name, one in of.items()}
            quotients.append(MeasurePerBit(counts.signature.metric, measure, counts.value(measure.name), per))
    return quotients


def format_measures_per_bit(model: str, quotients: Sequence[MeasurePerBit], bits: SentenceBits) -> str:
    """Return as text the model's bits, and points with points per bit and their 95 % intervals."""
    entropy = bits.entropy()
    names = [f"{one.metric} {one.measure.name}" for one in quotients]
    width = max(map(len, names), default=0)
    lines = [
        f"per bit of {model}: {entropy.bits_per_sentence:.2f} bits for a sentence and "
        f"{entropy.bits_per_word:.2f} for a word ({bits.input} as input), over "
        f"{quantity(entropy.sentences, 'sentence')}; {entropy.unparsed} without a probability",
        f"  {'':<{width}}  points  {'per bit of a sentence':>23}  {'per bit of a word':>23}",
    ]
    for name, one in zip(names, quotients, strict=True):
        ends = ((100 * of.value, 100 * of.low, 100 * of.high) for of in map(one.per.__getitem__, COLUMNS))
        intervals = "  ".join("{:.2f} ({:.2f} to {:.2f})".format(*of).rjust(23) for of in ends)
        lines.append(f"  {name:<{width}}  {100 * one.value:>6.2f}  {intervals}")
    return "\n".join(lines)


def measures_per_bit_as_values(
    model: str, quotients: Sequence[MeasurePerBit], bits: SentenceBits
) -> dict[str, Any]:
    """Return the measures by name, with proportions at full precision, for ``json.dumps``."""
    entropy = bits.entropy()
    return {
        "per_bit": {
            "model": model,
            "input": bits.input,
            **{
                name: None if isnan(value := getattr(entropy, name)) else value
                for name in ("bits_per_sentence", "bits_per_word")
            },
            "sentences": entropy.sentences,
            "without_probability": entropy.unparsed,
            "scores": [
                {
                    "metric": one.metric,
                    "measure": one.measure.name,
                    **{f"per_bit_of_a_{per}": asdict(one.per[per]) for per in COLUMNS},
                }
                for one in quotients
            ],
        }
    }
