"""Layouts of trees and of dependencies.

In a tree, tokens are at the bottom, nodes are above their children, and branches may cross. In a drawing of
dependencies, the arcs of one analysis are above the tokens, those of another one below.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import NamedTuple

from crossbank.treebanks.pictures.drawing import SIGNS, Drawing, svg, text_width
from crossbank.treebanks.tables import UNATTACHED, Tables

GAP, LEVEL, FOOT = 14, 38, 44
"""Space between tokens, height of a level and height of the tokens with their tags, in pixels."""


@dataclass
class Box:
    """A node's layout: its children's layouts, its level (0 is the tokens'), and the middle of its label."""

    children: list[tuple[float, int]]
    level: int = 0
    x: float = 0.0


def sentence_html(bank: Tables, sentence: int) -> str:
    """Return a sentence's tree, dependencies or both as SVG, under its identifier and words."""
    id, words = bank.sentence_id(sentence), bank.words(sentence)
    drawings = [draw_tree(bank, sentence)] if bank.nodes.lengths()[sentence] else []
    if (bank.tokens.head[bank.tokens.rows(sentence)] != UNATTACHED).any():
        drawings.append(draw_arcs(words, arcs_of(bank, sentence)))
    pictures = "".join(svg(drawing, title=f"Sentence {id}", alone=True) for drawing in drawings)
    caption = f"<p><b>{escape(id)}</b> {escape(' '.join(words))}</p>"
    return f'{caption}<div style="overflow-x:auto">{pictures}</div>'


def draw_tree(
    bank: Tables,
    sentence: int,
    marks: Sequence[str] | None = None,
    tags_differ: Sequence[bool] | None = None,
) -> Drawing:
    """Return a sentence's tree.

    ``marks`` has one key of ``SIGNS`` for each node, ``tags_differ`` one entry for each token; without
    them nothing is marked.
    """
    words = bank.words(sentence)
    tags = bank.vocabulary.decode(bank.tokens.pos[bank.tokens.rows(sentence)])
    differ = tags_differ or [False] * len(words)
    tags = [tag + SIGNS["relabelled"] if wrong else tag for tag, wrong in zip(tags, differ, strict=True)]
    names = bank.labels(sentence)
    signs = marks or ["same"] * len(names)
    names = [name + SIGNS[sign] for name, sign in zip(names, signs, strict=True)]
    covered = bank.yields(sentence)
    centres, width = _columns(words, tags, names, covered)
    boxes = _boxes(bank, sentence, names, covered, centres)
    top = max((box.level for box in boxes), default=0)

    def y(level: int) -> int:
        return (top - level) * LEVEL + 14

    lines = []
    for box in boxes:
        xs = [x for x, _ in box.children]
        if len(xs) > 1 or xs[0] != box.x:
            lines.append(f"M{min(*xs, box.x):.0f} {y(box.level)}H{max(*xs, box.x):.0f}")
        lines += [f"M{x:.0f} {y(box.level)}V{y(level) - 9}" for x, level in box.children]
    framed = [
        (round(box.x), y(box.level), round(text_width(name) / 2 + 5), name, str(sign))
        for name, sign, box in zip(names, signs, boxes, strict=True)
    ]
    texts = [
        (y(0) + 3, *_texts(centres, tags, [not wrong for wrong in differ]), "tag"),
        (y(0) + 3, *_texts(centres, tags, differ), "tag wrong"),
        (y(0) + 21, *_texts(centres, words, [True] * len(words)), "word"),
    ]
    texts = [row for row in texts if row[1]]
    return Drawing("tree", round(width), top * LEVEL + FOOT, [("".join(lines), "branch")], framed, texts, [])


def _texts(
    centres: Sequence[float], texts: Sequence[str], chosen: Sequence[bool]
) -> tuple[list[int], list[str]]:
    indices = [index for index, is_chosen in enumerate(chosen) if is_chosen]
    return [round(centres[index]) for index in indices], [texts[index] for index in indices]


def _columns(
    words: Sequence[str], tags: Sequence[str], names: Sequence[str], covered: Sequence[int]
) -> tuple[list[float], float]:
    """Return the middle of each token's column and the width of all, wide enough for the labels above too."""
    widths = [max(text_width(word), text_width(tag)) + GAP for word, tag in zip(words, tags, strict=True)]
    for name, under in zip(names, covered, strict=True):
        indices = [index for index in range(len(words)) if under >> index & 1]
        missing = text_width(name) + GAP - sum(widths[index] for index in indices)
        if missing > 0:
            for index in indices:
                widths[index] += missing / len(indices)
    centres, edge = [], 0.0
    for width in widths:
        centres.append(edge + width / 2)
        edge += width
    return centres, edge


def _boxes(
    bank: Tables, sentence: int, names: Sequence[str], covered: Sequence[int], centres: Sequence[float]
) -> list[Box]:
    """Return the layout of each node: above its children, over its longest run, clear of other branches."""
    boxes = [Box([]) for _ in names]
    for index, parent in enumerate(bank.tokens.parent[bank.tokens.rows(sentence)].tolist()):
        if parent >= 0:
            boxes[parent].children.append((centres[index], 0))
    parents = bank.nodes.parent[bank.nodes.rows(sentence)].tolist()
    taken: list[list[tuple[float, float]]] = [[]]
    for node in range(len(names) - 1, -1, -1):
        box = boxes[node]
        run = [x for x, _ in box.children]
        longest = _longest_run(covered[node])
        first, last = centres[longest[0]], centres[longest[-1]]
        inside = [x for x in run if first <= x <= last] or [first, last]
        box.x = (min(inside) + max(inside)) / 2
        half = text_width(names[node]) / 2 + 5
        left, right = min(*run, box.x - half), max(*run, box.x + half)
        box.level = 1 + max(level for _, level in box.children)
        while box.level < len(taken) and any(a < right and left < b for a, b in taken[box.level]):
            box.level += 1
        while box.level >= len(taken):
            taken.append([])
        taken[box.level].append((left, right))
        if parents[node] >= 0:
            boxes[parents[node]].children.append((box.x, box.level))
    return boxes


def _longest_run(covered: int) -> range:
    """Return the longest run of neighbouring tokens in a set of bits, of equal ones the first."""
    runs = re.finditer("1+", f"{covered:b}"[::-1])
    return max((range(*run.span()) for run in runs), key=len)


ARC_GAP, STEP, LONGEST, ROW = 18, 13, 12, 24
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

    With both, arcs that differ have the marks ``missing`` (above) and ``additional`` (below).
    """
    sides = [above] if below is None else [above, below]
    widths = [
        max(map(text_width, (word, *(side.relations[index] for side in sides)))) + ARC_GAP
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
