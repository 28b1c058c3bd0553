"""Gold and candidate in a terminal, with what differs marked.

A sign marks a node that only one side has: ``-`` in gold (the candidate misses it), ``+`` in the candidate
(it is additional), ``~`` on both sides where only the label differs. ``~`` also marks a tag that differs.
"""

from __future__ import annotations

from crossbank.metrics.pairing.pair import Pair
from crossbank.reports.results.differences import Mark, node_marks, tag_marks
from crossbank.treebanks.pictures.text import tree_text

SIGNS = {Mark.SAME: "", Mark.RELABELLED: "~", Mark.MISSING: "-", Mark.ADDITIONAL: "+"}


def drawn_pair(pair: Pair, sentence: int) -> str:
    """Gold and candidate, one under the other, with what differs marked and counted."""
    gold, candidate = node_marks(pair, sentence)
    tags = tag_marks(pair, sentence)
    missing = sum(mark is not Mark.SAME for mark in gold)
    additional = sum(mark is not Mark.SAME for mark in candidate)
    verdict = (
        f"{missing} of gold's nodes not found, {additional} of the candidate's not in gold, "
        f"{sum(tags)} tags differ (- missing, + additional, ~ other label)"
    )
    return "\n".join(
        [
            "gold",
            tree_text(pair.gold, sentence, [SIGNS[mark] for mark in gold], tags),
            "candidate",
            tree_text(pair.candidate, sentence, [SIGNS[mark] for mark in candidate], tags),
            verdict,
        ]
    )
