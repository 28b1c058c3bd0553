"""Damage in the rows of a sentence in the export format: columns, parents and secondary edges.

Missing columns are empty. Nodes and words whose parent is no node of the sentence, and the first node of each
cycle, are attached to the root; a node with the number of another one, or with nothing below it, is dropped.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

MISSING = "missing columns left empty"
PARENTS = "parents attached to the root"
CYCLES = "cycles of parents attached to the root"
REPEATED = "nodes with the number of another one dropped"
EMPTY = "nodes with nothing below them dropped"
SECONDARY = "secondary edges dropped"

WIDTHS = 5, 6
"""The columns of version 3 and of version 4."""

NO_VALUE = "--"
ROOT = "0"

_NODE = re.compile(r"#([5-9][0-9]{2}|[1-9][0-9]{3,})")
_COMMENT = re.compile(r"[ \t]%%")


@dataclass
class _Row:
    """A row: its columns, the labels and parents of its secondary edges, and its comment."""

    cells: list[str]
    extra: list[str]
    comment: str

    def text(self) -> str:
        """Return the row as a line."""
        return "\t".join([*self.cells, *self.extra]) + self.comment


def repair_rows(lines: Sequence[str], kinds: Counter[str]) -> list[str]:
    """Return lines that can be read, comments first; what was done is counted."""
    comments = [line for line in lines if line.startswith("%%") and "\t" not in line]
    written = [line for line in lines if line.strip() and not (line.startswith("%%") and "\t" not in line)]
    widths = Counter(width for line in written if (width := _width(line)))
    width = widths.most_common(1)[0][0] if widths else WIDTHS[0]
    rows = [_row(line, width, kinds) for line in written]
    first = len(rows)
    while first and _NODE.fullmatch(rows[first - 1].cells[0]):
        first -= 1
    words, nodes = rows[:first], _distinct(rows[first:], kinds)
    known = {node.cells[0][1:] for node in nodes}
    for row in (*words, *nodes):
        if row.cells[-1] not in known and row.cells[-1] != ROOT:
            row.cells[-1] = ROOT
            kinds[PARENTS] += 1
    _cut_cycles(nodes, kinds)
    nodes = _with_children(words, nodes, kinds)
    known = {node.cells[0][1:] for node in nodes} | {str(number) for number in range(len(words) + 1)}
    for row in (*words, *nodes):
        kept = [
            cell
            for label, parent in zip(row.extra[::2], row.extra[1::2], strict=False)
            if parent in known
            for cell in (label, parent)
        ]
        kinds[SECONDARY] += (len(row.extra) + 1) // 2 - len(kept) // 2
        row.extra = kept
    for kind in [kind for kind, number in kinds.items() if not number]:
        del kinds[kind]
    return [*comments, *(row.text() for row in (*words, *nodes))]


def _width(line: str) -> int:
    """Return the number of columns of a line that ends with its parent; 0 for another one."""
    cells = line.split("\t")
    return len(cells) if len(cells) in WIDTHS and cells[-1].strip().isdecimal() else 0


def _row(line: str, width: int, kinds: Counter[str]) -> _Row:
    comment = _COMMENT.search(line)
    body = line[: comment.start()] if comment else line
    cells = [cell.strip() for cell in body.split("\t") if cell.strip()]
    if len(cells) < width and len(by_spaces := body.split()) >= width and by_spaces[width - 1].isdecimal():
        cells = by_spaces
    cells, extra = cells[:width], cells[width:]
    if len(cells) < width:
        kinds[MISSING] += width - len(cells)
        parent = cells.pop() if len(cells) > 1 and cells[-1].isdecimal() else ROOT
        cells = [*(cells or [NO_VALUE]), *[NO_VALUE] * (width - 1 - max(len(cells), 1)), parent]
    return _Row(cells, extra, line[comment.start() :] if comment else "")


def _distinct(nodes: Sequence[_Row], kinds: Counter[str]) -> list[_Row]:
    by_number: dict[str, _Row] = {}
    for node in nodes:
        by_number.setdefault(node.cells[0], node)
    kinds[REPEATED] += len(nodes) - len(by_number)
    return list(by_number.values())


def _cut_cycles(nodes: Sequence[_Row], kinds: Counter[str]) -> None:
    by_number = {node.cells[0][1:]: node for node in nodes}
    reaches_root = {ROOT}
    for number in by_number:
        path: list[str] = []
        while number not in reaches_root:
            if number in path:
                by_number[min(path[path.index(number) :], key=int)].cells[-1] = ROOT
                kinds[CYCLES] += 1
                break
            path.append(number)
            number = by_number[number].cells[-1]
        reaches_root.update(path)


def _with_children(words: Sequence[_Row], nodes: list[_Row], kinds: Counter[str]) -> list[_Row]:
    while True:
        parents = {row.cells[-1] for row in (*words, *nodes)}
        kept = [node for node in nodes if node.cells[0][1:] in parents]
        kinds[EMPTY] += len(nodes) - len(kept)
        if len(kept) == len(nodes):
            return nodes
        nodes = kept
