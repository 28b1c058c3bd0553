"""Heads that are counted in another way: from zero, or with several roots."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from crossbank.converters.schemes.views import OF_DEPENDENCIES
from crossbank.metrics.traps.trap import Scored, Trap
from crossbank.treebanks import ROOT, UNATTACHED, Treebank
from crossbank.treebanks.arrays import Int32Array
from crossbank.treebanks.quantities import quantity


def heads_from_zero(scored: Scored) -> Iterator[Trap]:
    """Nearly all heads of the candidate are one less than gold's, or one more."""
    if not _comparable(scored):
        return
    gold, candidate = scored.pair.gold.tokens.head, _heads(scored)
    known = (gold >= 0) & (candidate != UNATTACHED)
    if known.sum() < 10:
        return
    for step, said in ((-1, "one less than"), (1, "one more than")):
        moved = (candidate == gold + step)[known].mean()
        if moved > 0.6 and (candidate == gold)[known].mean() < 0.3:
            yield Trap(
                "heads_from_zero",
                f"{100 * moved:.0f} % of the candidate's heads are {said} gold's",
                "heads are counted from 1, and 0 is the root: add or subtract 1 in the candidate's file",
            )


def several_roots(scored: Scored) -> Iterator[Trap]:
    """Sentences of the candidate have several roots where gold has one."""
    if scored.metric.view not in OF_DEPENDENCIES or not scored.metric.word_by_word:
        return
    gold, candidate = (_roots(bank) for bank in (scored.pair.gold, scored.pair.candidate))
    found = int(((gold == 1) & (candidate > 1) & scored.pair.scored).sum())
    if found > 0.01 * len(gold) and (gold == 1).mean() > 0.95:
        yield Trap(
            "roots",
            f"the candidate has several roots, and gold one, in {found:,} of "
            f"{quantity(len(gold), 'sentence')}",
            "crossbank convert FILE NEW --transform single_root keeps the root over most words",
        )


def labelled_above_unlabelled(scored: Scored) -> Iterator[Trap]:
    """LAS is above UAS, which no labelled attachment can be."""
    names = {measure.name for measure in scored.counts.measures}
    if {"las", "uas"} <= names and scored.counts.rows.any():
        las, uas = scored.counts.value("las"), scored.counts.value("uas")
        if las > uas + 1e-9:
            yield Trap(
                "las_above_uas",
                f"LAS is {100 * las:.2f} and UAS {100 * uas:.2f}, but every labelled attachment is an "
                "attachment",
                "labels and heads were counted over different words: see the signature",
            )


def _comparable(scored: Scored) -> bool:
    return (
        scored.metric.view in OF_DEPENDENCIES
        and scored.metric.word_by_word
        and bool(scored.pair.scored.any())
    )


def _heads(scored: Scored) -> Int32Array:
    """The candidate's heads over gold's tokens, ``UNATTACHED`` in sentences that are not scored."""
    return scored.pair.aligned(scored.pair.candidate.tokens.head, UNATTACHED)


def _roots(bank: Treebank) -> NDArray[np.intp]:
    """The number of roots of each sentence, shape ``(sentences,)``."""
    return np.bincount(bank.tokens.sentence_of_row()[bank.tokens.head == ROOT], minlength=len(bank))
