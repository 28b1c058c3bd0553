"""All traps, in the order in which they are listed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from crossbank.metrics.counting.counts import Counts
from crossbank.metrics.counting.scoring import Scoring
from crossbank.metrics.pairing.pair import Pair
from crossbank.metrics.traps import choices, labels, spellings
from crossbank.metrics.traps.trap import Scored, Trap
from crossbank.treebanks import Treebank

if TYPE_CHECKING:
    from crossbank.converters.schemes.scheme import Scheme

TRAPS: tuple[Callable[[Scored], Iterator[Trap]], ...] = (
    choices.identical_to_gold,
    spellings.other_words,
    spellings.missing_parses,
    spellings.one_sided_traces,
    labels.wrong_scheme,
    labels.forgotten_scheme,
    labels.unlike_labels,
    labels.one_sided_wrappers,
    labels.unknown_punctuation,
    choices.heads_from_zero,
    choices.several_roots,
    choices.labelled_above_unlabelled,
    choices.golden_tags,
    choices.average_of_sentences,
    choices.options_without_effect,
    spellings.other_normalisation,
    spellings.line_ends,
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
