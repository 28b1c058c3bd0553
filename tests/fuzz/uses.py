"""Uses of a treebank that was read: metrics, modes, transformations and formats, drawn from their registries.

A number says what is drawn, with which options, scheme and candidate: the same number is the same use. Errors
of the project's own are answers; all others are raised.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import NoneType
from typing import Any, Literal, get_args, get_origin

from crossbank.converters import transformations
from crossbank.converters.scheme_files import load_scheme, scheme_names
from crossbank.converters.schemes.scheme import Scheme
from crossbank.converters.transformations import TRANSFORMATIONS, transform
from crossbank.metrics.analyses.error_rates import error_rates
from crossbank.metrics.analyses.tree_repair import ERRORS_OF_VIEW
from crossbank.metrics.counting.metric import METRICS, metric_class, types_of_options
from crossbank.metrics.counting.scoring import SHARED, Scoring, Views, compare_views, scoring_of
from crossbank.metrics.modes.modes_by_name import MODES, evaluate
from crossbank.metrics.modes.protocol import Call
from crossbank.treebanks import CrossbankError, Treebank
from crossbank.treebanks.formats import FORMATS, read, write
from crossbank.treebanks.validation import unsound
from tests.fuzz.random_treebanks import Draw, changed

SCORED = 3
"""The number of metrics that are drawn for one treebank."""

NUMBERS = ("0", "0.5", "1", "-1", "7", "1e308", "nan", "inf", "2147483648")
"""Values for options that are numbers."""

WORDS = ("", "*", "none", "auto", "unit", "first_letter", "parseval", "f1", "pred", "NP")
"""Values for options that are words, besides the treebank's own strings."""


class UnsoundError(AssertionError):
    """A treebank whose tables do not fit together."""


def use_treebank(bank: Treebank, number: int, other: Callable[[], Treebank], folder: Path) -> None:
    """Score, convert and write a treebank; ``other`` reads a second one."""
    draw = random.Random(number)
    scheme = load(draw.choice(scheme_names())) if draw.random() < 0.6 else None
    words = [*WORDS, *(bank.vocabulary[draw.randrange(len(bank.vocabulary))] for _ in range(6))]
    with suppress(CrossbankError):
        bank, candidate = drawn_pair(bank, draw, other)
        for name in draw.sample(list(METRICS), SCORED):
            with suppress(CrossbankError):
                score_treebanks(bank, candidate, name, draw, words, scheme)
    name = draw.choice(list(TRANSFORMATIONS))
    with suppress(CrossbankError):
        allowed, hints = transformations._options_of(transformations._function(name))
        options = drawn_options({option: hints[option] for option in allowed}, draw, words)
        require_sound(transform(bank, [{name: options}], scheme))
    format = draw.choice([one.name for one in FORMATS.values() if one.written])
    with suppress(CrossbankError):
        write(bank, folder / "written", format)
        require_sound(read(folder / "written", format))


def use_scheme(scheme: Scheme, bank: Treebank, number: int) -> None:
    """Score a treebank under a scheme."""
    draw = random.Random(number)
    for name in draw.sample(list(METRICS), SCORED):
        with suppress(CrossbankError):
            score_treebanks(bank, changed(bank, draw), name, draw, WORDS, scheme)


def use_file(gold: Path, candidate: Path, format: str, number: int) -> None:
    """Score two files, or one with itself, in a mode."""
    draw = random.Random(number)
    mode = draw.choice([name for name, one in MODES.items() if one.format == format] or list(MODES))
    files = draw.choice([(gold, candidate), (candidate, gold), (gold, gold)])
    with suppress(CrossbankError):
        report = evaluate(mode, Call(*files, format=format))
        report.printed()
        report.counts()


def require_sound(bank: Treebank) -> None:
    """Raise UnsoundError if the tables of a treebank do not fit together."""
    if problem := unsound(bank):
        raise UnsoundError(problem.message)


def drawn_pair(bank: Treebank, draw: Draw, other: Callable[[], Treebank]) -> tuple[Treebank, Treebank]:
    """Return a treebank and one to compare it with, of as many sentences."""
    which = draw.randrange(4)
    if which == 0:
        return bank, bank
    if which < 3:
        return bank, changed(bank, draw)
    second = other()
    size = min(len(bank), len(second))
    return bank[:size], second[:size]


def score_treebanks(
    gold: Treebank,
    candidate: Treebank,
    name: str,
    draw: Draw,
    words: Iterable[str],
    scheme: Scheme | None,
) -> None:
    """Score under a metric with options, and compute all that reports show of it."""
    kinds = types_of_options(metric_class(name)) | {
        shared: kind for shared, kind in types_of_options(Scoring).items() if shared in SHARED
    }
    scoring = scoring_of([name], drawn_options(kinds, draw, list(words)))
    ((counts, pair),) = compare_views(Views(gold, scheme), Views(candidate, scheme), scoring, scheme)
    for part in counts.breakdowns.values():
        part()
    (metric,) = scoring.metrics
    metric.losses(pair)
    for sentence in range(min(len(pair), 3)):
        metric.items(pair, sentence)
    if scheme is not None and metric.view in ERRORS_OF_VIEW:
        error_rates(pair, scheme.error_types, metric.view)


def drawn_options(kinds: Mapping[str, Any], draw: Draw, words: list[str]) -> dict[str, str]:
    """Return values of some options, as a user writes them."""
    return {name: drawn_value(kind, draw, words) for name, kind in kinds.items() if draw.random() < 0.3}


def drawn_value(kind: Any, draw: Draw, words: list[str]) -> str:
    """Return a value of an option of a type, as a user writes it."""
    if NoneType in get_args(kind):
        if draw.random() < 0.5:
            return "none"
        kind = next(one for one in get_args(kind) if one is not NoneType)
    if get_origin(kind) is Literal:
        return str(draw.choice(get_args(kind)))
    if kind is bool:
        return draw.choice(("yes", "no"))
    if kind in (int, float):
        return draw.choice(NUMBERS)
    if get_origin(kind) is tuple:
        return "+".join(draw.sample(words, draw.randrange(1, 4)))
    if get_origin(kind) is Mapping:
        return "+".join(">".join(draw.sample(words, 2)) for _ in range(draw.randrange(1, 3)))
    return draw.choice(words)


@cache
def load(scheme: str) -> Scheme:
    """Return a scheme of the project, which is read once."""
    return load_scheme(scheme)
