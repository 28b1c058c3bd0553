"""Constituent trees as SVG: words below, each node on a level above its children, crossing branches kept.

Nodes that differ from the other tree are marked by a frame, a sign and a colour: a dashed frame and
``≠`` where the label differs, a thick frame and ``−`` or ``+`` where the other tree has no such
node. Colours come from the page (classes ``same``, ``relabelled``, ``missing``, ``additional``).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from crossbank.reports.results.differences import Mark
from crossbank.treebanks import Treebank
from crossbank.treebanks.yields import labels, yields

LETTER, CAPITAL, GAP, LEVEL, FOOT = 6.6, 8.8, 14, 38, 44
"""Width of a letter and of a capital, space between words, height of a level and of the words; pixels."""

SIGNS = {Mark.SAME: "", Mark.RELABELLED: " ≠", Mark.MISSING: " −", Mark.ADDITIONAL: " +"}


@dataclass
class Box:
    """A node's place: its children's places, its level (0 is the words'), and the middle of its label."""

    children: list[tuple[float, int]]
    level: int = 0
    x: float = 0.0


def draw(
    bank: Treebank,
    sentence: int,
    marks: Sequence[Mark] | None = None,
    tags_differ: Sequence[bool] | None = None,
    *,
    title: str = "",
) -> str:
    """A sentence's tree as an ``<svg>`` element.

    ``marks`` has one entry per node, ``tags_differ`` one per word; without them nothing is marked.
    """
    rows = bank.tokens.rows(sentence)
    words = bank.words(sentence)
    tags = bank.vocabulary.decode(bank.tokens.pos[rows])
    differ = tags_differ or [False] * len(words)
    tags = [tag + SIGNS[Mark.RELABELLED] if wrong else tag for tag, wrong in zip(tags, differ, strict=True)]
    names = labels(bank, sentence)
    signs = marks or [Mark.SAME] * len(names)
    names = [name + SIGNS[sign] for name, sign in zip(names, signs, strict=True)]
    covered = yields(bank, sentence)
    centres, width = _columns(words, tags, names, covered)
    boxes = _boxes(bank, sentence, names, covered, centres)
    top = max((box.level for box in boxes), default=0)
    height = top * LEVEL + FOOT

    def y(level: int) -> float:
        return (top - level) * LEVEL + 14

    lines = []
    for box in boxes:
        xs = [x for x, _ in box.children]
        if len(xs) > 1 or xs[0] != box.x:
            lines.append(f"M{min(*xs, box.x):.0f} {y(box.level):.0f}H{max(*xs, box.x):.0f}")
        lines += [f"M{x:.0f} {y(box.level):.0f}V{y(level) - 9:.0f}" for x, level in box.children]
    parts = [
        f'<svg class="tree" role="img" width="{width:.0f}" height="{height}"'
        f' viewBox="0 0 {width:.0f} {height}">',
        f"<title>{escape(title)}</title>" if title else "",
        f'<path d="{"".join(lines)}"/>',
    ]
    for name, sign, box in zip(names, signs, boxes, strict=True):
        half, middle = _width(name) / 2 + 5, y(box.level)
        parts.append(
            f'<g class="{sign}"><rect x="{box.x - half:.0f}" y="{middle - 9:.0f}" width="{2 * half:.0f}"'
            f' height="18" rx="4"/><text x="{box.x:.0f}" y="{middle + 4:.0f}">{escape(name)}</text></g>'
        )
    for x, word, tag, wrong in zip(centres, words, tags, differ, strict=True):
        kind = "tag wrong" if wrong else "tag"
        parts.append(f'<text class="{kind}" x="{x:.0f}" y="{y(0) + 3:.0f}">{escape(tag)}</text>')
        parts.append(f'<text class="word" x="{x:.0f}" y="{y(0) + 21:.0f}">{escape(word)}</text>')
    return "".join([*parts, "</svg>"])


def _width(text: str) -> float:
    """About the width of a text as it will be set, by the number of its letters."""
    return sum(_letter(letter) for letter in text)


def _letter(letter: str) -> float:
    if unicodedata.east_asian_width(letter) in "WF":
        return 2 * LETTER
    return CAPITAL if letter.isupper() else LETTER


def _columns(
    words: Sequence[str], tags: Sequence[str], names: Sequence[str], covered: Sequence[int]
) -> tuple[list[float], float]:
    """The middle of each word's column and the width of all, wide enough for the labels above too."""
    widths = [max(_width(word), _width(tag)) + GAP for word, tag in zip(words, tags, strict=True)]
    for name, under in zip(names, covered, strict=True):
        places = [place for place in range(len(words)) if under >> place & 1]
        missing = _width(name) + GAP - sum(widths[place] for place in places)
        if missing > 0:
            for place in places:
                widths[place] += missing / len(places)
    centres, edge = [], 0.0
    for width in widths:
        centres.append(edge + width / 2)
        edge += width
    return centres, edge


def _boxes(
    bank: Treebank, sentence: int, names: Sequence[str], covered: Sequence[int], centres: Sequence[float]
) -> list[Box]:
    """Where each node stands: above its children, beside no other node's branch, over its longest run."""
    boxes = [Box([]) for _ in names]
    for place, parent in enumerate(bank.tokens.parent[bank.tokens.rows(sentence)].tolist()):
        if parent >= 0:
            boxes[parent].children.append((centres[place], 0))
    parents = bank.nodes.parent[bank.nodes.rows(sentence)].tolist()
    taken: list[list[tuple[float, float]]] = [[]]
    for node in range(len(names) - 1, -1, -1):
        box = boxes[node]
        run = [x for x, _ in box.children]
        longest = _longest_run(covered[node])
        first, last = centres[longest[0]], centres[longest[-1]]
        inside = [x for x in run if first <= x <= last] or [first, last]
        box.x = (min(inside) + max(inside)) / 2
        half = _width(names[node]) / 2 + 5
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
    """The longest run of neighbouring words in a set of bits, the first of several."""
    best, start, place = range(0), -1, 0
    while covered >> place or start >= 0:
        if covered >> place & 1:
            start = place if start < 0 else start
        elif start >= 0:
            if place - start > len(best):
                best = range(start, place)
            start = -1
        place += 1
    return best
