"""Loop that attaches punctuation in dependencies, by the guidelines of Universal Dependencies.

https://universaldependencies.org/u/dep/punct.html: a mark that separates coordinated units is attached to the
following conjunct; one that precedes or follows a dependent unit to that unit; paired marks to the head of
what they enclose; otherwise it is attached at the highest node that preserves projectivity. It has no
dependents.
"""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.crossbank.treebanks.arrays import BoolArray, Int32Array, Int32Output, Int64Array

from crossbank.treebanks.arrays import most_rows


@cython.dataclasses.dataclass(eq=False, repr=False)
class Marks:
    """Punctuation among words.

    here           whether a word is punctuation and not the root
    unit           whether a word depends as a unit of its own, which takes the marks at its edge
    opens, closes  the number of the pair that a mark opens or closes, or 0; quotation marks may do both
    """

    here: BoolArray
    unit: BoolArray
    opens: Int32Array
    closes: Int32Array


def attach(
    offsets: Int64Array, head: Int32Output, marks: Marks, first: cython.Py_ssize_t, last: cython.Py_ssize_t
) -> None:
    """Give the marks of the sentences ``first`` to ``last - 1`` their heads: -1 is the root."""
    partner: Int32Output = np.empty(most_rows(offsets, first, last), np.int32)
    with cython.nogil:
        for sentence in range(first, last):
            base = offsets[sentence]
            length = cython.cast(cython.int, offsets[sentence + 1] - base)
            for word in range(length):
                partner[word] = -1
                # Nothing depends on a mark: what does depends on the mark's own head.
                above = head[base + word]
                while above >= 0 and marks.here[base + above]:
                    above = head[base + above]
                head[base + word] = above
            for word in range(length):
                if not marks.here[base + word] or partner[word] >= 0 or marks.opens[base + word] == 0:
                    continue
                for other in range(word + 1, length):
                    if partner[other] < 0 and marks.closes[base + other] == marks.opens[base + word]:
                        if marks.here[base + other]:
                            partner[word], partner[other] = other, word
                        break
            for word in range(length):
                if marks.here[base + word]:
                    head[base + word] = -2
            for word in range(length):
                if marks.here[base + word] and head[base + word] == -2:
                    other = partner[word]
                    above = -1
                    if other > word:
                        above = enclosed(head, base, word, other, length)
                    if above >= 0:
                        head[base + word] = head[base + other] = above
                    else:
                        head[base + word] = highest(head, marks, base, word, length)


@cython.cfunc
@cython.nogil
def enclosed(
    head: Int32Output, base: cython.Py_ssize_t, begin: cython.int, end: cython.int, length: cython.int
) -> cython.int:
    """Return the only word between two marks that has a governor or dependents outside, or -1.

    It alone has links to words outside.
    """
    governor: cython.int = -1
    for word in range(begin + 1, end):
        above = head[base + word]
        if above != -2 and (above < begin or above > end):
            if governor >= 0:
                return -1
            governor = word
    for word in range(length):
        above = head[base + word]
        if (word < begin or word > end) and above > begin and above < end and above != governor:
            return -1
    return governor


@cython.cfunc
@cython.nogil
def highest(
    head: Int32Output, marks: Marks, base: cython.Py_ssize_t, mark: cython.int, length: cython.int
) -> cython.int:
    """Head of a mark: the dependent unit at whose edge it is, else the highest word possible."""
    left: cython.int = mark - 1
    right: cython.int = mark + 1
    while left >= 0 and head[base + left] == -2:
        left -= 1
    while right < length and head[base + right] == -2:
        right += 1
    right_edge = right
    # Marks that are attached already are no way up; begin beside them.
    while left >= 0 and head[base + left] >= 0 and head[base + left] < mark and head[base + left] != -2:
        left = head[base + left]
    while right < length and head[base + right] > mark:
        right = head[base + right]
    top = -1
    if right < length and left >= 0:
        if head[base + right] >= 0 and head[base + right] < mark:
            top = right if marks.unit[base + right] else head[base + right]
        elif head[base + left] > mark:
            top = left if marks.unit[base + left] else head[base + left]
        else:
            top = left
    elif left >= 0:
        top = left
    elif right < length:
        top = right
    if top >= 0 and projective(head, base, mark, top, length):
        return top
    top = right_edge
    while top < length and top > mark:
        if marks.unit[base + top] and projective(head, base, mark, top, length):
            return top
        top = head[base + top]
    if left >= 0 and projective(head, base, mark, left, length):
        return left
    if right < length and projective(head, base, mark, right, length):
        return right
    for top in range(1, length):
        if mark - top >= 0 and projective(head, base, mark, mark - top, length):
            return mark - top
        if mark + top < length and projective(head, base, mark, mark + top, length):
            return mark + top
    for top in range(length):
        if head[base + top] == -1:
            return top
    return -1


@cython.cfunc
@cython.nogil
def projective(
    head: Int32Output, base: cython.Py_ssize_t, mark: cython.int, above: cython.int, length: cython.int
) -> cython.bint:
    """Return whether a mark can depend on a word without crossing an arc or being covered by one.

    An arc that covers both of them is not the mark's concern.
    """
    low: cython.int = min(mark, above)
    high: cython.int = max(mark, above)
    if above == mark or head[base + above] == -2:
        return False
    for word in range(length):
        other = head[base + word]
        if other == -2 or word == mark:
            continue
        if other < 0:
            if low < word and word < high:
                return False
            continue
        crosses: cython.bint = (low < word and word < high) != (low < other and other < high)
        if crosses and word != above and other != above:
            return False
        begin, end = min(word, other), max(word, other)
        separated: cython.bint = begin < mark and mark < end and not (begin < above and above < end)
        if separated and not under(head, base, above, other):
            return False
    return True


@cython.cfunc
@cython.nogil
def under(head: Int32Output, base: cython.Py_ssize_t, word: cython.int, top: cython.int) -> cython.bint:
    """Return whether a word is ``top`` or depends on it, directly or not."""
    while word >= 0 and word != top:
        word = head[base + word]
    return word == top
