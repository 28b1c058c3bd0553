"""A letter display of candidates: two that share a letter are not told apart.

Piepho, Hans-Peter (2004): An Algorithm for a Letter-Based Representation of All-Pairwise Comparisons.
Journal of Computational and Graphical Statistics 13, 456-466. Its algorithm, insert and absorb: begin
with one group of all; split every group that holds two candidates which differ; drop groups that are
part of another.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import count
from string import ascii_letters


def letter_display(candidates: int, different: Collection[tuple[int, int]]) -> list[str]:
    """Return the letters of each candidate, by place; the first candidates' groups have the first letters.

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
    """Yield a to z, A to Z, then the small letters of other alphabets: each is one letter."""
    yield from ascii_letters
    yield from filter(str.islower, map(chr, count(ord("α"))))


def spelled(letters: str) -> str:
    """Letters as they are printed: four or more that follow each other as a range.

    >>> spelled("abc"), spelled("abcd"), spelled("bdefgxyzAB")
    ('abc', 'a–d', 'bd–gxyzAB')
    """
    runs: list[str] = []
    for letter in letters:
        if runs and ord(letter) == ord(runs[-1][-1]) + 1:
            runs[-1] += letter
        else:
            runs.append(letter)
    return "".join(f"{run[0]}–{run[-1]}" if len(run) > 3 else run for run in runs)
