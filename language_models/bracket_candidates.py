"""Trees in brackets in the text of an answer.

A tree begins with a bracket, a label or none, and another bracket, or with a bracket at the beginning of a
line and a label in capitals. It ends where its brackets are closed; else with a blank line, unless a bracket
of the same tree follows. Trees in a row are alternatives if each begins a line in the same column, else parts
of one.
Closing brackets after a tree are surplus. Words that are brackets or have some are escaped before.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from crossbank.language_models.bracket_notations import as_penn_brackets
from crossbank.language_models.parse_candidate import LEAF, ParseCandidate
from crossbank.treebanks.damage.brackets import repair

LEAF_WORD = re.compile(r"([^\s()]+)\s*\)")
"""A word at the end of its bracket."""

_MARK = re.compile(r"[()]|\n(?:[^\S\n]*+\n)++")
_BEGIN = re.compile(r"\((?![\"'`]+\()\s*(?:[^\s()]+\s*)?\(")
_BEGIN_OF_LINE = re.compile(r"\([A-Z][^\sa-z()]*\s")
_INLINE_LABEL = re.compile(r"\(\s*(?:[^\w\s()]*[^\W\d_a-z]|\()")
_PAIR = re.compile(r"\(\s*[^\s()]+\s+[^\s()]+")
_PRETERMINAL = re.compile(r"\([^\Wa-z]\S* [^\s()]+\)")

_OPENING_WORD = re.compile(r"\(([^\s()]++)[ \t]++\([ \t]*+\)")
_CLOSING_WORD = re.compile(r"\(([^\s()]++)[ \t]++\)[ \t]*+\)")
_BRACKETS_IN_WORD = re.compile(r"\(([^\s()]++)[ \t]++([^\s()]*+)\(([^\s()]*+)\)([^\s()]*+)\)")


def escape_words(text: str) -> tuple[str, int]:
    """Return a text in which brackets that are words or in words are escaped, and their number."""
    if "(" not in text:
        return text, 0
    text, opening = _OPENING_WORD.subn(r"(\1 -LRB-)", text)
    text, closing = _CLOSING_WORD.subn(r"(\1 -RRB-)", text)
    text, inside = _BRACKETS_IN_WORD.subn(_escape_inside, text)
    return text, opening + closing + inside


def _escape_inside(match: re.Match[str]) -> str:
    tag, before, inside, after = match.groups()
    if not before and not after:
        return match[0]
    return f"({tag} {before}-LRB-{inside}-RRB-{after})"


def list_bracket_candidates(text: str, *, is_fenced: bool) -> Iterator[ParseCandidate]:
    """Yield the trees of a part of an answer, in their order."""
    text, notes = as_penn_brackets(text)
    for run in _list_runs(text, is_fenced=is_fenced):
        for begin, end, is_whole in run.parts(text):
            tree = text[begin:end]
            if not _PAIR.search(tree):
                continue
            if words := len(LEAF.findall(tree)):
                mend = None if is_whole else repair
                yield ParseCandidate("brackets", tree, words, begin, end, mend, notes=notes)


def preterminal(text: str) -> ParseCandidate | None:
    """Return a tag and a word in brackets if an answer has nothing else in brackets; else None."""
    match = _PRETERMINAL.fullmatch(text.strip())
    return ParseCandidate("brackets", match[0], 1, 0, len(text)) if match else None


@dataclass
class _Run:
    """Trees with nothing but white space and surplus brackets between them.

    trees    where each begins and ends
    surplus  whether brackets are closed that are not open
    is_open  whether the last tree is not closed
    """

    begin: int
    end: int
    trees: list[tuple[int, int]] = field(default_factory=list)
    surplus: bool = False
    is_open: bool = False

    def parts(self, text: str) -> Iterator[tuple[int, int, bool]]:
        """Yield where each candidate begins and ends, and whether its brackets are in order."""
        if self.is_open:
            begin, end = self.trees[-1]
            latest = _last_complete(text, begin, end)
            if latest is not None:
                yield (*latest, True)
                return
        whole = not self.surplus and not self.is_open
        if len(self.trees) == 1:
            yield self.begin, self.end, whole
            return
        if whole and (latest := self._repeated(text)) is not None:
            yield (*latest, True)
            return
        columns = {_column(text, begin) for begin, _ in self.trees}
        if whole and len(columns) == 1 and None not in columns and self._are_trees(text):
            yield from ((*bounds, True) for bounds in self.trees)
        else:
            yield self.begin, self.end, False

    def _repeated(self, text: str) -> tuple[int, int] | None:
        """Return the last tree if it has the words of all before it, which are then its parts."""
        begin, end = self.trees[-1]
        words = LEAF_WORD.findall(text[begin:end])
        parts = LEAF_WORD.findall(text[self.trees[0][0] : begin])
        return (begin, end) if words == parts else None

    def _are_trees(self, text: str) -> bool:
        return all(_BEGIN.match(text, begin) for begin, _ in self.trees)


def _column(text: str, position: int) -> int | None:
    """Return the column of a character if only blanks are before it in its line; else None."""
    line = position
    while line and text[line - 1] in " \t":
        line -= 1
    return position - line if not line or text[line - 1] == "\n" else None


def _last_complete(text: str, begin: int, end: int) -> tuple[int, int] | None:
    """Return the last tree of an open one if it begins a line in the same column, and is the larger part."""
    column = _column(text, begin)
    if column is None:
        return None
    start = text.rfind("\n" + " " * column + "(", begin + 1, end) + 1 + column
    if start <= begin + column or not _BEGIN.match(text, start):
        return None
    latest = text[start:end].rstrip()
    is_balanced = latest.count("(") == latest.count(")")
    is_larger = 2 * len(LEAF.findall(latest)) >= len(LEAF.findall(text[begin:end]))
    return (start, start + len(latest)) if is_balanced and is_larger else None


def _list_runs(text: str, *, is_fenced: bool) -> Iterator[_Run]:
    """Yield the trees of a text, those that follow each other together."""
    run: _Run | None = None
    begin = depth = 0
    for match in _MARK.finditer(text):
        position, mark = match.start(), match[0]
        if mark == "(":
            if depth:
                depth += 1
                continue
            if run is not None and text[run.end : position].strip():
                yield run
                run = None
            if run is None and not _begins_tree(text, position, is_fenced=is_fenced):
                continue
            run = run or _Run(position, position)
            begin, depth = position, 1
        elif mark == ")":
            if depth > 1:
                depth -= 1
            elif depth and run is not None:
                depth, run.end = 0, position + 1
                run.trees.append((begin, run.end))
            elif run is not None and text[run.end : position].strip():
                yield run
                run = None
            elif run is not None:
                run.surplus, run.end = True, position + 1
        elif run is not None and not (depth and _goes_on(text, match.end())):
            if depth:
                run.end, run.is_open, depth = position, True, 0
                run.trees.append((begin, position))
            yield run
            run = None
    if run is not None:
        if depth:
            run.end, run.is_open = len(text.rstrip()), True
            run.trees.append((begin, run.end))
        yield run


def _goes_on(text: str, position: int) -> bool:
    """Return whether a tree goes on after a blank line: with an indented bracket, or one that closes it."""
    begin = position + len(text[position : position + 200]) - len(text[position : position + 200].lstrip())
    is_indented = begin > position and text[begin : begin + 1] == "("
    return is_indented or text[begin : begin + 1] == ")"


def _begins_tree(text: str, position: int, *, is_fenced: bool) -> bool:
    """Return whether a bracket begins a tree and not a remark."""
    begins_line = _column(text, position) is not None
    if begins_line and _BEGIN_OF_LINE.match(text, position):
        return True
    if _BEGIN.match(text, position) is None:
        return False
    return is_fenced or begins_line or _INLINE_LABEL.match(text, position) is not None
