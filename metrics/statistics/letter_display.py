"""A letter display of candidates: two that share a letter are not told apart.

Piepho, Hans-Peter (2004): An Algorithm for a Letter-Based Representation of All-Pairwise Comparisons.
Journal of Computational and Graphical Statistics 13, 456-466. Its algorithm, insert and absorb: begin
with one group of all; split every group that holds two candidates which differ; drop groups that are
part of another.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import count, product
from string import ascii_lowercase


def letter_display(candidates: int, different: Collection[tuple[int, int]]) -> list[str]:
    """The letters of each candidate, by place; the first candidates' groups have the first letters.

    ``different`` holds the pairs of places that differ significantly. Two candidates share a letter
    exactly where they are not in ``different``.

    >>> letter_display(3, {(0, 2)})
    ['a', 'ab', 'b']
    """
    groups = [frozenset(range(candidates))]
    for one, other in sorted(different):
        split = [group for group in groups if one in group and other in group]
        kept = [group for group in groups if not (one in group and other in group)]
        for part in (group - {left_out} for group in split for left_out in (other, one)):
            if not any(part <= group for group in kept):
                kept = [group for group in kept if not group <= part] + [part]
        groups = kept
    groups.sort(key=sorted)
    letters = ["" for _ in range(candidates)]
    for group, letter in zip(groups, _letters(), strict=False):
        for place in group:
            letters[place] += letter
    return letters


def _letters() -> Iterator[str]:
    """Yield a, b, ..., z, aa, ab, ... in this order."""
    for length in count(1):
        for letters in product(ascii_lowercase, repeat=length):
            yield "".join(letters)
