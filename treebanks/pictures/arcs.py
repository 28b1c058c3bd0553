"""Layout of dependencies as arcs: one analysis above the tokens, another one below."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from crossbank.treebanks.pictures.drawing import SIGNS, Drawing, text_width
from crossbank.treebanks.tables import UNATTACHED, Tables

GAP, STEP, LONGEST, ROW = 18, 13, 12, 24
"""Space between tokens, height that an arc gains with each token it spans, the distance from which arcs
grow no higher, and the height of the tokens; pixels, except for the distance."""


class DrawnArcs(NamedTuple):
    """One analysis of a sentence: each token's head, and its relation (empty if none is compared)."""

    heads: list[int]
    relations: list[str]


def arcs_of(bank: Tables, sentence: int, *, relations: bool = True) -> DrawnArcs:
    """Return the dependencies of a sentence; without ``relations`` only the heads."""
    rows = bank.tokens.rows(sentence)
    heads = bank.tokens.head[rows].tolist()
    named = bank.vocabulary.decode(bank.tokens.relation[rows]) if relations else [""] * len(heads)
    return DrawnArcs(heads, named)


def draw_arcs(words: Sequence[str], above: DrawnArcs, below: DrawnArcs | None = None) -> Drawing:
    """Return a sentence's dependencies, or gold's above the tokens and the candidate's below.

    Where both are given, arcs that differ have the marks ``missing`` (above) and ``additional`` (below).
    """
    sides = [above] if below is None else [above, below]
    widths = [
        max(map(text_width, (word, *(side.relations[index] for side in sides)))) + GAP
        for index, word in enumerate(words)
    ]
    centres, edge = [], 4.0
    for width in widths:
        centres.append(round(edge + width / 2))
        edge += width
    base = _height(above)
    foot = base + ROW + (_height(below) if below is not None else 0)
    drawing = Drawing("arcs", round(edge + 4), foot, [], [], [(base + 16, centres, list(words), "word")], [])
    _draw_side(drawing, centres, above, below, base, -1, "missing")
    if below is not None:
        _draw_side(drawing, centres, below, above, base + ROW - 2, 1, "additional")
    return drawing


def _rise(head: int, index: int) -> int:
    """Return the height of an arc, by the number of tokens it spans; the root's is like the shortest."""
    return STEP * min(1 if head < 0 else abs(head - index), LONGEST)


def _height(side: DrawnArcs) -> int:
    return 26 + max((_rise(head, index) for index, head in enumerate(side.heads)), default=STEP)


def _draw_side(
    drawing: Drawing,
    centres: Sequence[int],
    side: DrawnArcs,
    other: DrawnArcs | None,
    base: int,
    up: int,
    mark: str,
) -> None:
    """Draw the arcs of one analysis upwards (-1) or downwards (1) from a height."""
    for index, (head, relation) in enumerate(zip(*side, strict=True)):
        if head == UNATTACHED:
            continue
        differs = other is not None and (head, relation) != (other.heads[index], other.relations[index])
        kind = mark if differs else "same"
        start = centres[index if head < 0 else head]
        end = centres[index] + (-4 if start < centres[index] else 4)
        rise = _rise(head, index) + 6
        top = base + up * rise
        if head < 0:
            drawing.paths.append((f"M{start} {top}V{base}", kind))
        else:
            drawing.paths.append((f"M{start} {base}C{start} {top} {end} {top} {end} {base}", kind))
        drawing.dots.append((start if head < 0 else end, base, kind))
        if name := relation + SIGNS[kind]:
            height = round(base + up * rise * 0.78 + (-3 if up < 0 else 11))
            drawing.texts.append((height, [round((start + end) / 2)], [name], f"arc {kind}"))
