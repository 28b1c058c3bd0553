"""Frame confusions: the relations of a word's dependents around its own, where gold and system differ.

The word's own relation is gold's on both sides: that is how the scorer has it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numba import njit
from numpy.typing import NDArray

from crossbank.metrics.rivals.eval07.tokens import Tokens
from crossbank.treebanks.arrays import Int32Array, Int64Array
from crossbank.treebanks.errors import CrossbankError
from crossbank.treebanks.scanners.old_interning import StringTable, codes_of, key_of, string_table

THRESHOLD = 5
"""How often two frames must be confused to be printed."""

ROOT, BETWEEN = -1, -2
"""What stands before the frame of the virtual root, and between the frames of gold and system."""

OWN = -3
"""A word's own relation with the code ``c`` is ``OWN - c``."""


def frames(tokens: Tokens, scored: Int64Array) -> str:
    """The frames that are confused most often.

    Raises CrossbankError for a negative head that counts back past the beginning of its sentence, at which
    the scorer dies.
    """
    heads = [tokens.numbers[column[scored]] for column in (tokens.gold_head, tokens.head)]
    # Perl cuts an index off at its point; a place behind the sentence is one that is never looked at.
    gold, system = (np.clip(np.nan_to_num(head), -2e9, 2e9).astype(np.int64) for head in heads)
    items, ends, outside = _differing(
        tokens.sentence[scored],
        tokens.number[scored],
        tokens.lengths,
        gold,
        system,
        tokens.gold_relation[scored],
        tokens.relation[scored],
    )
    if outside >= 0:
        head = min(gold[outside], system[outside])
        sentence = tokens.sentence[scored[outside]]
        line, least = tokens.starts[sentence], -tokens.lengths[sentence] - 1
        raise CrossbankError(
            f"sentence {sentence + 1}, line {line}: found the head {head}, expected none below {least}"
        )
    codes, firsts = _codes(items.view(np.uint8), 4 * ends)
    counts = np.bincount(codes)
    confused = [
        (int(counts[code]), _written(items[firsts[code, 0] // 4 : firsts[code, 1] // 4], tokens.strings))
        for code in np.flatnonzero(counts >= THRESHOLD).tolist()
    ]
    confused.sort(key=lambda row: (-row[0], row[1]))
    return "\n\n  Frame confusions (gold versus system; *...* marks the head token)\n\n" + "".join(
        f"  {count:3d}  {written}\n" for count, written in confused
    )


@njit(cache=True, nogil=True)
def _differing(
    sentence: Int64Array,
    number: Int64Array,
    lengths: Int64Array,
    gold_head: Int64Array,
    head: Int64Array,
    gold_relation: Int32Array,
    relation: Int32Array,
) -> tuple[Int32Array, Int64Array, int]:
    """Both frames of each word, and of the virtual root, where they differ.

    Returns them one behind the other, gold's before the system's; where each pair ends, from 0 on; and the
    token whose head is a negative number too far, or -1.
    """
    most = lengths.max() + 1 if len(lengths) else 1
    frames = lengths.sum() + len(lengths)
    items, ends = np.zeros(4 * len(sentence) + 2 * frames, np.int32), np.zeros(frames + 1, np.int64)
    # A frame is a list: its first and last item, and behind each item the next one.
    first, last = np.full((2, most), -1), np.full((2, most), -1)
    following, item = np.full((2, 2 * most), -1), np.zeros((2, 2 * most), np.int32)
    place = found = token = 0
    while token < len(sentence):
        here, words, begin = sentence[token], lengths[sentence[token]], token
        first[:, : words + 1], last[:, : words + 1] = -1, -1
        room = np.full(2, words + 1)  # a head behind the last word makes Perl's list of frames longer
        while token < len(sentence) and sentence[token] == here:
            for side in range(2):
                above = gold_head[token] if side == 0 else head[token]
                if above < 0:
                    above += room[side]
                    if above < 0:
                        return items[:0], ends[:1], token
                room[side] = max(room[side], above + 1)
                for own in range(2):
                    frame = number[token] if own else above
                    if frame > words:
                        continue
                    at = 2 * (token - begin) + own
                    code = gold_relation[token] if side == 0 or own else relation[token]
                    item[side, at], following[side, at] = OWN - code if own else code, -1
                    if first[side, frame] < 0:
                        first[side, frame] = at
                    else:
                        following[side, last[side, frame]] = at
                    last[side, frame] = at
            token += 1
        for frame in range(words + 1):
            one, other = first[0, frame], first[1, frame]
            while one >= 0 and other >= 0 and item[0, one] == item[1, other]:
                one, other = following[0, one], following[1, other]
            if one < 0 and other < 0:
                continue
            if frame == 0:
                items[place] = ROOT
                place += 1
            for side in range(2):
                at = first[side, frame]
                while at >= 0:
                    items[place] = item[side, at]
                    place += 1
                    at = following[side, at]
                if side == 0:
                    items[place] = BETWEEN
                    place += 1
            found += 1
            ends[found] = place
    return items[:place], ends[: found + 1], -1


def _codes(data: NDArray[np.uint8], ends: Int64Array) -> tuple[Int64Array, Int64Array]:
    """Codes of runs of bytes, from 1 on, and by code where in the bytes such a run begins and ends."""
    table = string_table(len(ends) + 1)
    codes = np.zeros(len(ends) - 1, np.int64)
    _enter(data, ends, codes, table)
    return codes, np.stack((table.begins, table.ends), axis=1)


@njit(cache=True, nogil=True)
def _enter(data: NDArray[np.uint8], ends: Int64Array, codes: Int64Array, table: StringTable) -> None:
    begin_of, end_of = np.zeros(1, np.int64), np.zeros(1, np.int64)
    keys, found, next_code = np.zeros(1, np.int64), np.zeros(1, np.int64), 1
    for run in range(len(codes)):
        begin_of[0], end_of[0] = ends[run], ends[run + 1]
        keys[0] = key_of(data, begin_of[0], end_of[0])
        next_code = codes_of(data, 0, 1, begin_of, end_of, keys, found, table, next_code)
        codes[run] = found[0]


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
