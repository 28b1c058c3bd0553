"""EVALB's report, byte for byte: a line for each sentence, then the summary, for all and for short ones."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from metrics.evalb.parameters import Parameters
from metrics.evalb.scoring import ERROR, OK, SKIP, Rows
from treebanks.arrays import BoolArray

HEAD = """\
  Sent.                        Matched  Bracket   Cross        Correct Tag
 ID  Len.  Stat. Recal  Prec.  Bracket gold test Bracket Words  Tags Accracy
============================================================================
"""
RULE = "============================================================================\n"


def sentence_lines(rows: Rows) -> Iterator[str]:
    """The report's line for every sentence."""
    columns = [column.tolist() for column in rows[: 1 + Rows._fields.index("tags")]]
    for line, (status, length, matched, gold, candidate, crossing, words, tags) in enumerate(
        zip(*columns, strict=True), 1
    ):
        yield (
            f"{line:4d}  {length:3d}    {status}  "
            f"{_per_cent(matched, gold):6.2f} {_per_cent(matched, candidate):6.2f}"
            f"   {matched:3d}    {gold:3d}  {candidate:3d}    {crossing:3d}"
            f"   {words:4d}  {tags:4d}   {_per_cent(tags, words):6.2f}\n"
        )


def summary(rows: Rows, parameters: Parameters) -> str:
    """All that stands below the sentences."""
    valid = rows.status == OK
    matched, gold, candidate, crossing, words, tags = (
        int(column[valid].sum(dtype=np.int64))
        for column in (rows.matched, rows.gold, rows.candidate, rows.crossing, rows.words, rows.tags)
    )
    totals = RULE
    if gold > 0 and candidate > 0:
        totals += (
            f"                {_per_cent(matched, gold):6.2f} {_per_cent(matched, candidate):6.2f}"
            f" {matched:6d} {gold:5d} {candidate:5d}  {crossing:5d}"
        )
    totals += f"  {words:5d} {tags:5d}   {_per_cent(tags, words):6.2f}\n=== Summary ===\n"
    everything = np.ones(len(rows.status), np.bool_)
    return (
        totals
        + _section("All", rows, everything)
        + _section(f"len<={parameters.cutoff_len}", rows, rows.length <= parameters.cutoff_len)
    )


def _section(name: str, rows: Rows, chosen: BoolArray) -> str:
    valid = chosen & (rows.status == OK)
    sentences = int(valid.sum())
    matched, gold, candidate, crossing = (
        rows.matched[valid], rows.gold[valid], rows.candidate[valid], rows.crossing[valid]
    )  # fmt: skip
    recall = _per_cent(int(matched.sum()), int(gold.sum()))
    precision = _per_cent(int(matched.sum()), int(candidate.sum()))
    tags, words = int(rows.tags[valid].sum()), int(rows.words[valid].sum())
    complete = int(((gold == matched) & (candidate == matched)).sum())
    return (
        f"\n-- {name} --\n"
        f"Number of sentence        = {int(chosen.sum()):6d}\n"
        f"Number of Error sentence  = {int((chosen & (rows.status == ERROR)).sum()):6d}\n"
        f"Number of Skip  sentence  = {int((chosen & (rows.status == SKIP)).sum()):6d}\n"
        f"Number of Valid sentence  = {sentences:6d}\n"
        f"Bracketing Recall         = {recall:6.2f}\n"
        f"Bracketing Precision      = {precision:6.2f}\n"
        f"Bracketing FMeasure       = {_f_measure(precision, recall)}\n"
        f"Complete match            = {_per_cent(complete, sentences):6.2f}\n"
        f"Average crossing          = {_per_cent(int(crossing.sum()), sentences, 1.0):6.2f}\n"
        f"No crossing               = {_per_cent(int((crossing == 0).sum()), sentences):6.2f}\n"
        f"2 or less crossing        = {_per_cent(int((crossing <= 2).sum()), sentences):6.2f}\n"
        f"Tagging accuracy          = {_per_cent(tags, words):6.2f}\n"
    )


def _per_cent(part: int, whole: int, scale: float = 100.0) -> float:
    """In the order of EVALB's operations, for the last digit's sake."""
    return scale * part / whole if whole > 0 else 0.0


def _f_measure(precision: float, recall: float) -> str:
    """Without a match EVALB divides 0 by 0; on x86 that is a negative NaN, and glibc prints the sign."""
    if precision + recall == 0:
        return "  -nan"
    return f"{2 * precision * recall / (precision + recall):6.2f}"
