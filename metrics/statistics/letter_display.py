"""A letter display of candidates: two that share a letter are not distinguished.

Piepho, Hans-Peter (2004): An Algorithm for a Letter-Based Representation of All-Pairwise Comparisons.
Journal of Computational and Graphical Statistics 13, 456-466. Its algorithm, insert and absorb: begin
with one group of all; split every group that holds two candidates which differ; drop groups that are
part of another.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import groupby
from string import ascii_letters


def letter_display(candidates: int, different: Collection[tuple[int, int]]) -> list[list[int]]:
    """Return the numbers of each candidate's groups, by index; the first candidates' groups come first.

    ``different`` holds the pairs of indices that differ significantly. Two candidates share a group
    exactly where they are not in ``different``.

    >>> [spelled(groups) for groups in letter_display(3, {(0, 2)})]
    ['a', 'ab', 'b']
    """
    groups = [frozenset(range(candidates))]
    for one, other in sorted(different):
        split = [group for group in groups if one in group and other in group]
        remaining = [group for group in groups if not (one in group and other in group)]
        for part in (group - {left_out} for group in split for left_out in (other, one)):
            if not any(part <= group for group in remaining):
                remaining = [group for group in remaining if not group <= part] + [part]
        groups = remaining
    groups.sort(key=sorted)
    return [
        [number for number, group in enumerate(groups) if candidate in group]
        for candidate in range(candidates)
    ]


def spelled(groups: Sequence[int]) -> str:
    """Return groups as letters: a to z, A to Z, then a' to Z' and so on. Four or more in a row are a range.

    No letter looks like another one, and papers print all of them.

    >>> spelled([0, 1, 2]), spelled([0, 1, 2, 3]), spelled([1, 3, 4, 5, 6, 23, 24, 25, 26, 27])
    ('abc', 'a–d', 'bd–gxyzAB')
    >>> spelled([51, 52]), spelled([53, 54, 55, 56, 104])
    ("Za'", "b'–e'a''")
    """
    size = len(ascii_letters)
    # A range has letters of one case only.
    runs = groupby(enumerate(groups), key=lambda entry: (entry[1] - entry[0], 2 * entry[1] // size))
    spelt = ([ascii_letters[number % size] + "'" * (number // size) for _, number in run] for _, run in runs)
    return "".join(f"{run[0]}–{run[-1]}" if len(run) > 3 else "".join(run) for run in spelt)
