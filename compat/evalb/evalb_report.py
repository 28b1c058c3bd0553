"""EVALB's report, byte for byte: a line for each sentence, then the summary, for all and for short ones."""

from __future__ import annotations

from operator import add
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from crossbank.compat.evalb.evalb_scoring import LineCounts
from crossbank.compat.evalb.loops.line_scoring import ERROR, SKIP
from crossbank.compat.evalb.loops.row_writing import written_rows
from crossbank.compat.evalb.parameters import EvalbParameters
from crossbank.treebanks.arrays import BoolArray, Int32Array

HEAD = """\
  Sent.                        Matched  Bracket   Cross        Correct Tag
 ID  Len.  Stat. Recal  Prec.  Bracket gold test Bracket Words  Tags Accracy
============================================================================
"""
RULE = "============================================================================\n"
TOTALS = "                %6.2f %6.2f %6d %5d %5d  %5d"
TOTALS_OF_WORDS = "  %5d %5d   %6.2f\n"
SECTION = """
-- %s --
Number of sentence        = %6d
Number of Error sentence  = %6d
Number of Skip  sentence  = %6d
Number of Valid sentence  = %6d
Bracketing Recall         = %6.2f
Bracketing Precision      = %6.2f
Bracketing FMeasure       = %s
Complete match            = %6.2f
Average crossing          = %6.2f
No crossing               = %6.2f
2 or less crossing        = %6.2f
Tagging accuracy          = %6.2f
"""


def sentence_lines(rows: LineCounts, number: Int32Array) -> str:
    """Return the lines of some rows; ``number`` has each row's line number in the files."""
    return written_rows(np.ascontiguousarray([number, *rows[:8]], np.int32)).decode("ascii")


def summary(
    total: EvalbTotals, short: EvalbTotals, parameters: EvalbParameters, title: str = "=== Summary ==="
) -> str:
    """Return the part of the report that follows the sentences."""
    recall, precision, _, tagging = total.scores()
    line = ""
    if total.gold > 0 and total.candidate > 0:
        line = TOTALS % (recall, precision, total.matched, total.gold, total.candidate, total.crossing)
    line += TOTALS_OF_WORDS % (total.words, total.tags, tagging)
    sections = _section("All", total) + _section(f"len<={parameters.cutoff_len}", short)
    return f"{RULE}{line}{title}\n{sections}"


class EvalbTotals(NamedTuple):
    """Sums over the sentences that EVALB counts, and the number of sentences of each status."""

    sentences: int
    errors: int
    skipped: int
    valid: int
    matched: int
    gold: int
    candidate: int
    crossing: int
    words: int
    tags: int
    complete: int
    no_crossing: int
    two_or_less_crossing: int

    def __add__(self, other: EvalbTotals) -> EvalbTotals:  # type: ignore[override]
        """Return the sums over the sentences of both."""
        return EvalbTotals(*map(add, self, other))

    def scores(self) -> tuple[float, float, str, float]:
        """Return the percentages: recall, precision, F-measure, and words with the right tag.

        F is a negative NaN without a match, where EVALB divides 0 by 0 on x86.
        """
        pairs = ((self.matched, self.gold), (self.matched, self.candidate), (self.tags, self.words))
        recall, precision, tagging = (float(_per_cent(part, whole)) for part, whole in pairs)
        both = precision + recall
        return recall, precision, "%6.2f" % (2 * precision * recall / both) if both else "  -nan", tagging


NO_SENTENCES = EvalbTotals(*[0] * len(EvalbTotals._fields))


def totals(rows: LineCounts, chosen: BoolArray | None = None) -> EvalbTotals:
    """Return the sums over all rows, or over those of a mask."""
    chosen = np.ones(len(rows.status), np.bool_) if chosen is None else chosen
    valid = chosen & (rows.status != ERROR) & (rows.status != SKIP)
    same = (rows.gold == rows.matched) & (rows.candidate == rows.matched)
    summed = (rows.matched, rows.gold, rows.candidate, rows.crossing, rows.words, rows.tags)
    counted = (same, rows.crossing == 0, rows.crossing <= 2)
    groups = (chosen, chosen & (rows.status == ERROR), chosen & (rows.status == SKIP), valid)
    return EvalbTotals(
        *(int(column.sum()) for column in (*groups, *(column[valid] for column in (*summed, *counted))))
    )


def _section(name: str, total: EvalbTotals) -> str:
    *scores, tagging = total.scores()
    return SECTION % (
        name, total.sentences, total.errors, total.skipped, total.valid, *scores,
        _per_cent(total.complete, total.valid), _per_cent(total.crossing, total.valid, 1.0),
        _per_cent(total.no_crossing, total.valid), _per_cent(total.two_or_less_crossing, total.valid),
        tagging,
    )  # fmt: skip


def _per_cent(part: ArrayLike, whole: ArrayLike, scale: float = 100.0) -> NDArray[np.float64]:
    """Return a percentage; 0 if the whole is 0. EVALB multiplies first, and the last digit depends on it."""
    result: NDArray[np.float64] = scale * np.asarray(part) / np.maximum(whole, 1)
    return result
