"""Trees as outlines: a node on each line, below its mother and further right, as lists and drawings are.

A line has a label, or a tag and a word, after blanks, list marks and the lines of a drawing::

    S                     - **S**             S
      NP                    - NP              ├── NP
        NNP Ann               - NNP: Ann      │   └── NNP Ann
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from crossbank.language_models.parse_candidate import OUTLINE, ParseCandidate, escape_brackets

MIN_LINES = 4

_LINE = re.compile(r"([\s│├└─┬┌┐|]*(?:[+`\\]?-{2,}[ \t]*)?(?:[*•+-][ \t]+)?)(\S.*)")
_DECORATED = re.compile(r"^(\*{1,2}|`)(.+?)\1")
_NODE = re.compile(r"([^\s()\w]{1,3}?|-[A-Z]+-|[A-Z][A-Z0-9$|=+-]*)(?:(?::|\s*(?:->|→|=))?\s+(\S+)|:)?")
_LABEL = re.compile(r"[A-Z][A-Z0-9$|=+-]*")


class _Line(NamedTuple):
    """A line of an outline: its column, its label, and its word or the empty string."""

    column: int
    label: str
    word: str
    begin: int
    end: int


def list_outline_candidates(text: str) -> Iterator[ParseCandidate]:
    """Yield the trees of a part of an answer that are outlines, in their order."""
    lines: list[_Line] = []
    position = 0
    for written in text.split("\n"):
        begin, position = position, position + len(written) + 1
        line = _line_of(written, begin)
        if line is None or not lines or line.column <= lines[0].column:
            yield from _candidate(lines)
            lines = []
        if line is not None and (lines or (not line.word and _LABEL.fullmatch(line.label))):
            lines.append(line)
    yield from _candidate(lines)


def _line_of(written: str, begin: int) -> _Line | None:
    match = _LINE.fullmatch(written.rstrip())
    if match is None:
        return None
    content = _DECORATED.sub(r"\2", match[2])
    node = _NODE.fullmatch(content)
    if node is None:
        word = content if " " not in content else ""
        return _Line(len(match[1]), "", word.strip("\"'"), begin, begin + len(written)) if word else None
    word = node[2] or ""
    if len(word) > 2 and word[0] == word[-1] and word[0] in "\"'`*":
        word = word.strip(word[0])
    return _Line(len(match[1]), node[1], word, begin, begin + len(written))


def _candidate(lines: list[_Line]) -> Iterator[ParseCandidate]:
    """Yield the tree of lines; none if they are too few, or a line without others below it has no word."""
    if len(lines) < MIN_LINES:
        return
    parts: list[str] = []
    open_columns: list[int] = []
    words = 0
    for line, following in zip(lines, [*lines[1:], None], strict=True):
        while open_columns and line.column <= open_columns[-1]:
            parts.append(")")
            open_columns.pop()
        has_lines_below = following is not None and following.column > line.column
        if has_lines_below == bool(line.word) and not (not has_lines_below and line.label):
            return
        word = line.word or ("" if has_lines_below else line.label)
        if has_lines_below:
            parts.append(f" ({line.label}")
            open_columns.append(line.column)
        elif line.word and line.label:
            parts.append(f" ({line.label} {escape_brackets(word)})")
        else:
            parts.append(f" {escape_brackets(word)}")
        words += not has_lines_below
    parts.append(")" * len(open_columns))
    notes = Counter({OUTLINE: 1})
    yield ParseCandidate(
        "brackets", "".join(parts).strip(), words, lines[0].begin, lines[-1].end, notes=notes
    )
