"""Counts of jp-evalb for each unit of sentences, and its report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from crossbank.compat.evalb.evalb_report import HEAD, RULE
from crossbank.compat.jp_evalb.cleaned_trees import Constituent, JpTree, counted_constituents
from crossbank.compat.jp_evalb.jp_alignment import JpAlignmentError, align_jp_words
from crossbank.compat.jp_evalb.jp_parameters import JpParameters

CUTOFF = 40
"""Maximal length of a unit in the report's second summary. jp-evalb has no parameter for it."""

ROWS_AT_ONCE = 1 << 10
"""Number of constituents that are compared with all of gold's at once, which limits memory."""


class JpCounts(NamedTuple):
    """Counts of one unit, in the order of the report's columns.

    is_error  whether, with the option ``evalb``, the numbers of tagged words differ
    groups    number of gold's groups of aligned words and of its deleted words, compared with ``CUTOFF``
    """

    length: int
    is_error: int
    matched: int
    gold: int
    candidate: int
    crossing: int
    words: int
    tags: int
    groups: int

    @property
    def is_complete(self) -> bool:
        """Whether all constituents match."""
        return not self.is_error and self.matched == self.gold == self.candidate


def score_jp_unit(
    system: JpTree, gold: JpTree, deleted: int, parameters: JpParameters, *, evalb: bool
) -> JpCounts:
    """Return the counts of a unit.

    deleted  the number of deleted words of the gold sentence with the unit's number
    evalb    whether tags are compared by position, and a unit with other numbers of them is an error

    Raises JpAlignmentError if jp-evalb ends with a traceback.
    """
    system_groups, gold_groups, groups = align_jp_words(system.leaves, gold.leaves)
    own = _in_groups(counted_constituents(system, frozenset(("", "S1"))), system_groups)
    expected = _in_groups(counted_constituents(gold, frozenset(("",))), gold_groups)
    length = len(gold.leaves) + deleted
    if evalb and len(system.tags) != len(gold.tags):
        return JpCounts(length, 1, 0, 0, 0, 0, 0, 0, groups + deleted)
    if evalb:
        tags = sum(one == other for one, other in zip(system.tags, gold.tags, strict=True))
    else:
        tags = (Counter(system.tags) & Counter(gold.tags)).total()
    matched = _matched(own, expected, parameters)
    crossing = _crossing(own, expected)
    return JpCounts(
        length, 0, matched, len(expected), len(own), crossing, len(gold.tags), tags, groups + deleted
    )


def _in_groups(constituents: Iterable[Constituent], groups: Sequence[int]) -> list[Constituent]:
    """Return constituents with their first group and one past the last; one without words may have none."""
    try:
        return [(label, groups[start], groups[end - 1] + 1) for label, start, end in constituents]
    except IndexError:
        raise JpAlignmentError("a constituent without words is after the last word") from None


def _matched(own: list[Constituent], expected: list[Constituent], parameters: JpParameters) -> int:
    """Return the number of distinct constituents that both have, and of pairs with equivalent labels."""
    one, other = set(own), set(expected)
    matched = len(one & other)
    if not parameters.equal:
        return matched
    by_span: dict[tuple[int, int], list[str]] = {}
    for label, start, end in other - one:
        by_span.setdefault((start, end), []).append(label)
    return matched + sum(
        label in labels and of_gold in labels
        for label, start, end in one - other
        for of_gold in by_span.get((start, end), ())
        for labels in parameters.equal
    )


def _crossing(own: list[Constituent], expected: list[Constituent]) -> int:
    """Return the number of constituents of the system that cross one of gold."""
    if not own or not expected:
        return 0
    spans = [np.array([one[1:] for one in side], np.int64) for side in (own, expected)]
    start, end = spans[1].T
    crossing = 0
    for first in range(0, len(own), ROWS_AT_ONCE):
        begin, stop = (column[:, None] for column in spans[0][first : first + ROWS_AT_ONCE].T)
        crosses = ((begin < start) & (start < stop) & (stop < end)) | (
            (start < begin) & (begin < end) & (end < stop)
        )
        crossing += int(crosses.any(axis=1).sum())
    return crossing


ROW = "{:>4} {:>4} {:>4} {:>7.2f} {:>6.2f} {:>5} {:>6} {:>4} {:>6} {:>6} {:>5} {:>8.2f}\n"
TOTALS = "                {:6.2f} {:6.2f}  {:5d} {:5d} {:5d}  {:5d}"
SECTION = """\
-- {} --
Number of sentence        = {:6d}
Number of Error sentence  = {:6d}
Number of Skip  sentence  = {:6d}
Number of Valid sentence  = {:6d}
Bracketing Recall         = {:6.2f}
Bracketing Precision      = {:6.2f}
Bracketing FMeasure       = {:6.2f}
Complete match            = {:6.2f}
Average crossing          = {:6.2f}
No crossing               = {:6.2f}
2 or less crossing        = {:6.2f}
Tagging accuracy          = {:6.2f}
"""


def jp_report(rows: Sequence[JpCounts]) -> str:
    """Return jp-evalb's report without the two lines with the time."""
    lines = [
        ROW.format(
            number,
            row.length,
            row.is_error,
            row.matched / row.gold * 100 if row.gold else 0,
            row.matched / row.candidate * 100 if row.candidate else 0,
            *row[2:8],
            row.tags / row.words * 100 if row.words else 0,
        )
        for number, row in enumerate(rows, 1)
    ]
    gold, candidate, matched = (
        sum(getattr(row, name) for row in rows) for name in ("gold", "candidate", "matched")
    )
    words, tags, crossing = (
        sum(getattr(row, name) for row in rows) for name in ("words", "tags", "crossing")
    )
    totals = ""
    if gold > 0 and candidate > 0:
        totals = TOTALS.format(
            100.0 * matched / gold, 100.0 * matched / candidate, matched, gold, candidate, crossing
        )
    totals += f"  {words:5d} {tags:5d}   {100.0 * tags / words if words else 0.0:6.2f}\n"
    # jp-evalb measures the length of an error in words, that of other units in groups of words.
    short = [row for row in rows if (row.length if row.is_error else row.groups) <= CUTOFF]
    sections = _section("All", rows) + "\n" + _section(f"len<={CUTOFF}", short)
    return f"{HEAD}{''.join(lines)}{RULE}{totals}=== Summary ===\n\n{sections}"


def _section(name: str, rows: Sequence[JpCounts]) -> str:
    valid = [row for row in rows if not row.is_error]
    matched, gold, candidate = (
        (sum(column) for column in zip(*(row[2:5] for row in valid), strict=True)) if valid else (0, 0, 0)
    )
    words, tags = sum(row.words for row in valid), sum(row.tags for row in valid)
    recall, precision = (100.0 * matched / total if total > 0 else 0.0 for total in (gold, candidate))
    both = precision + recall

    def per_cent(part: int, scale: float = 100.0) -> float:
        return scale * part / len(valid) if valid else 0.0

    return SECTION.format(
        name,
        len(rows),
        len(rows) - len(valid),
        0,
        len(valid),
        recall,
        precision,
        2 * precision * recall / both if both > 0 else float("nan"),
        per_cent(sum(row.is_complete for row in valid)),
        per_cent(sum(row.crossing for row in valid), 1.0),
        per_cent(sum(row.crossing == 0 for row in valid)),
        per_cent(sum(row.crossing <= 2 for row in valid)),
        100.0 * tags / words if words > 0 else 0.0,
    )
