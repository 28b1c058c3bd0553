"""All traps, in the order in which they are listed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from crossbank.metrics.counting.counts import Counts
from crossbank.metrics.counting.scoring import Scoring
from crossbank.metrics.pairing.pair import Pair
from crossbank.metrics.traps.choices import (
    average_of_sentences,
    golden_tags,
    heads_from_zero,
    identical_to_gold,
    labelled_above_unlabelled,
    options_without_effect,
    several_roots,
)
from crossbank.metrics.traps.labels import (
    disjoint_labels,
    forgotten_scheme,
    one_sided_functions,
    one_sided_subtypes,
    one_sided_wrappers,
    unknown_punctuation,
    wrong_scheme,
)
from crossbank.metrics.traps.trap import Scored, Trap
from crossbank.metrics.traps.words import (
    line_ends,
    missing_parses,
    one_sided_traces,
    other_normalisation,
    other_words,
)
from crossbank.treebanks import Treebank

if TYPE_CHECKING:
    from crossbank.converters.schemes.scheme import Scheme

TRAPS: tuple[Callable[[Scored], Iterator[Trap]], ...] = (
    identical_to_gold,
    other_words,
    missing_parses,
    one_sided_traces,
    wrong_scheme,
    forgotten_scheme,
    disjoint_labels,
    one_sided_functions,
    one_sided_subtypes,
    one_sided_wrappers,
    unknown_punctuation,
    heads_from_zero,
    several_roots,
    labelled_above_unlabelled,
    golden_tags,
    average_of_sentences,
    options_without_effect,
    other_normalisation,
    line_ends,
)


def told_traps(
    scored: Iterable[tuple[Counts, Pair]],
    gold: Treebank,
    candidate: Treebank,
    scoring: Scoring,
    scheme: Scheme | None,
    *,
    raw: bool = False,
) -> list[str]:
    """Return the faults that were noticed, as sentences with their remedies.

    ``scored`` has each metric's counts and pair, in the order of ``scoring.metrics``; ``gold`` and
    ``candidate`` are as read.
    """
    comparisons = (
        Scored(metric, counts, pair, gold, candidate, scoring, scheme, raw)
        for metric, (counts, pair) in zip(scoring.metrics, scored, strict=True)
    )
    return [str(trap) for trap in traps(comparisons)]


def traps(comparisons: Iterable[Scored]) -> list[Trap]:
    """Return the faults that were noticed in the comparisons of one candidate, each once."""
    return list(dict.fromkeys(trap for scored in comparisons for find in TRAPS for trap in find(scored)))
