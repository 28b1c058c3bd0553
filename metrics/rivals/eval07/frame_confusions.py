"""Frame confusions: the relations of a word's dependents around its own, where gold and system differ.

As in the scorer, the word's own relation is gold's on both sides.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from crossbank.metrics.rivals.eval07.loops.word_frames import (
    BETWEEN,
    OWN,
    ROOT,
    Rows,
    code_pairs,
    list_differing,
)
from crossbank.metrics.rivals.eval07.tokens import Tokens
from crossbank.treebanks.arrays import Int32Array, Int64Array
from crossbank.treebanks.errors import CrossbankError
from crossbank.treebanks.scanners.interning import StringTable

THRESHOLD = 5
"""The number of confusions from which on two frames are printed."""


def frames(tokens: Tokens, scored: Int64Array) -> str:
    """Return the frames that are confused most often.

    Raises CrossbankError for a negative head that counts back past the beginning of its sentence, at which
    the scorer dies.
    """
    heads = [tokens.numbers[column[scored]] for column in (tokens.gold_head, tokens.head)]
    # Perl cuts an index off at its point; a place after the sentence is one that is never looked at.
    gold, system = (np.clip(np.nan_to_num(head), -2e9, 2e9).astype(np.int64) for head in heads)
    many = int(tokens.lengths.sum()) + len(tokens.lengths)
    items, ends = np.zeros(4 * len(scored) + 2 * many, np.int32), np.zeros(many + 1, np.int64)
    columns = tokens.gold_relation[scored], tokens.relation[scored]
    rows = Rows(tokens.sentence[scored], tokens.number[scored], tokens.lengths, gold, system, *columns)
    pairs, outside = list_differing(rows, items, ends)
    if outside >= 0:
        head = min(gold[outside], system[outside])
        sentence = tokens.sentence[scored[outside]]
        line, least = tokens.starts[sentence], -tokens.lengths[sentence] - 1
        raise CrossbankError(
            f"sentence {sentence + 1}, line {line}: found the head {head}, expected none below {least}"
        )
    table, codes = StringTable(items.view(np.uint8), pairs // 4), np.zeros(pairs, np.int64)
    code_pairs(table, ends[: pairs + 1], codes)
    counts = np.bincount(codes)
    confused = [
        (int(counts[code]), _written(np.frombuffer(table.string(code), np.int32), tokens.strings))
        for code in np.flatnonzero(counts >= THRESHOLD).tolist()
    ]
    confused.sort(key=lambda row: (-row[0], row[1]))
    return "\n\n  Frame confusions (gold versus system; *...* marks the head token)\n\n" + "".join(
        f"  {count:3d}  {written}\n" for count, written in confused
    )


def _written(items: Int32Array, strings: Sequence[str]) -> str:
    """A pair of frames, gold's and the system's; that of the virtual root begins with two asterisks."""
    listed = items.tolist()
    begin = "** " if listed[0] == ROOT else ""
    written = begin
    for item in listed[bool(begin) :]:
        if item == BETWEEN:
            written += f"/ {begin}"
        else:
            written += f"{strings[item]} " if item >= 0 else f"*{strings[OWN - item]}* "
    return written
