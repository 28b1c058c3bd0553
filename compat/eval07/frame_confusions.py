"""Frame confusions: the relations of a word's dependents around its own, where gold and system differ.

As in the scorer, the word's own relation is gold's on both sides.
"""

from __future__ import annotations

from collections import Counter
from typing import TypeAlias

import numpy as np

from crossbank.compat.eval07.tokens import ParallelTokens
from crossbank.treebanks.arrays import BoolArray, Int32Array, Int64Array, offsets_of
from crossbank.treebanks.errors import CrossbankError

THRESHOLD = 5
"""The number of confusions from which on two frames are printed."""

OWN = -1
"""A word's own relation with the code ``c`` is ``OWN - c`` in a frame."""

Frame: TypeAlias = tuple[int, ...]
"""The relations of a word's dependents, and its own, in the order of the words."""


def frames(tokens: ParallelTokens, scored: Int64Array) -> str:
    """Return the frames that are confused most often.

    Raises CrossbankError for a negative head that counts back past the beginning of its sentence, at which
    the scorer dies.
    """
    sentence, words = tokens.sentence[scored], tokens.lengths[tokens.sentence[scored]]
    heads = _heads(tokens, scored)
    columns = tokens.gold_relation[scored], tokens.relation[scored]
    # The frames of a sentence are those of the virtual root and of its words.
    offsets = offsets_of(tokens.lengths + 1)
    own, nowhere = offsets[sentence] + tokens.number[scored], offsets[-1]
    above = [np.where(head <= words, offsets[sentence] + head, nowhere) for head in heads]
    changed = (heads[0] != heads[1]) | (columns[0] != columns[1])
    looked_at = np.zeros(nowhere + 1, np.bool_)
    for frame in above:
        looked_at[frame[changed]] = True
    looked_at[nowhere] = False
    sides = (
        _listed(np.stack((frame, own), axis=1), np.stack((relation, OWN - columns[0]), axis=1), looked_at)
        for frame, relation in zip(above, columns, strict=True)
    )
    is_root = np.isin(np.flatnonzero(looked_at), offsets).tolist()
    counts = Counter(
        frame_pair for frame_pair in zip(is_root, *sides, strict=True) if frame_pair[1] != frame_pair[2]
    )
    confused = [
        (-count, _written(tokens, *frame_pair)) for frame_pair, count in counts.items() if count >= THRESHOLD
    ]
    return "\n\n  Frame confusions (gold versus system; *...* marks the head token)\n\n" + "".join(
        f"  {-count:3d}  {written}\n" for count, written in sorted(confused)
    )


def _heads(tokens: ParallelTokens, scored: Int64Array) -> list[Int64Array]:
    """Return gold's and the system's heads as indices into Perl's list of the frames of a sentence.

    A negative number counts back from the end of that list, which a head after the last word makes longer.
    """
    sentence = tokens.sentence[scored]
    columns = (tokens.numbers[column[scored]] for column in (tokens.gold_head, tokens.head))
    # Perl cuts an index off at its point; an index after the sentence is never looked at.
    numbers = [np.clip(np.nan_to_num(column), -2e9, 2e9).astype(np.int64) for column in columns]
    heads = [column.copy() for column in numbers]
    for head in heads:
        for token in np.flatnonzero(head < 0).tolist():
            before = head[np.searchsorted(sentence, sentence[token]) : token]
            head[token] += max(tokens.lengths[sentence[token]], before.max(initial=0)) + 1
    outside = np.flatnonzero((heads[0] < 0) | (heads[1] < 0))
    if len(outside):
        number, lowest = sentence[outside[0]], min(column[outside[0]] for column in numbers)
        line, least = tokens.starts[number], -tokens.lengths[number] - 1
        raise CrossbankError(
            f"sentence {number + 1}, line {line}: found the head {lowest}, expected none below {least}"
        )
    return heads


def _listed(frame: Int64Array, relation: Int32Array, looked_at: BoolArray) -> list[Frame]:
    """Return the frames that are examined; each token is in its head's and in its own, ``(tokens, 2)``."""
    is_looked_at = looked_at[frame]
    order = np.argsort(frame[is_looked_at], kind="stable")
    listed: list[int] = relation[is_looked_at][order].tolist()
    ends = np.searchsorted(frame[is_looked_at][order], np.flatnonzero(looked_at), side="right").tolist()
    return [tuple(listed[begin:end]) for begin, end in zip([0, *ends], ends, strict=False)]


def _written(tokens: ParallelTokens, is_root: bool, gold: Frame, system: Frame) -> str:
    """A pair of frames; those of the virtual root begin with two asterisks."""
    frames = (
        "".join(f"{tokens.strings[c]} " if c >= 0 else f"*{tokens.strings[OWN - c]}* " for c in frame)
        for frame in (gold, system)
    )
    return "/ ".join(f"{'** ' if is_root else ''}{frame}" for frame in frames)
