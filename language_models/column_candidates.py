"""Rows of columns in the text of an answer: CoNLL-U, its columns between spaces or commas, Markdown tables.

A table is a run of rows: lines between bars, or lines that begin with a number. A line with the number 1
begins another table. A header names the columns; without one they are identified by number and contents: the
last column of numbers has the heads.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

from crossbank.language_models.parse_candidate import (
    COMMAS,
    OTHER_COLUMNS,
    SPACES,
    TABLE,
    ParseCandidate,
)
from crossbank.treebanks.damage.columns import repair

COLUMNS = 10
MIN_COLUMNS = 4
HEAD = 6

NAMES = {
    **dict.fromkeys(("id", "index", "idx", "no", "nr", "num", "number", "#", "token id", "tokenid", "i"), 0),
    **dict.fromkeys(("form", "token", "word", "text", "wordform", "tok"), 1),
    **dict.fromkeys(("lemma", "lemmas"), 2),
    **dict.fromkeys(("upos", "pos", "upostag", "cpos", "cpostag", "tag", "part of speech"), 3),
    **dict.fromkeys(("xpos", "xpostag", "postag", "fine pos"), 4),
    **dict.fromkeys(("feats", "features", "morph", "feat", "morphology"), 5),
    **dict.fromkeys(("head", "head id", "head index", "governor", "gov", "parent", "headid"), 6),
    **dict.fromkeys(("deprel", "relation", "rel", "dep", "label", "dependency", "dependency relation"), 7),
    **dict.fromkeys(("deps", "enhanced"), 8),
    **dict.fromkeys(("misc",), 9),
}
"""Names of columns in headers and in JSON, and the column of CoNLL-U that each has."""

UPOS = frozenset(
    (
        *("ADJ", "ADP", "ADV", "AUX", "CCONJ", "CONJ", "DET", "INTJ", "NOUN"),
        *("NUM", "PART", "PRON", "PROPN", "PUNCT", "SCONJ", "SYM", "VERB", "X"),
    )
)

_ID = re.compile(r"[0-9]{1,7}(?:[-.][0-9]{1,7})?")
_WORD_ID = re.compile(r"[0-9]{1,7}")
_FIRST_NUMBER = re.compile(r"\s*[-+]?([0-9]{1,7})\b")
_RULE = re.compile(r"[\s|:+=-]+")
_BAR = re.compile(r"(?<!\\)\|")
_NO_HEAD = frozenset({"", "_", "-", "–", "—"})
_ROOTS = frozenset({"root", "ROOT"})
_MARKS = re.compile(r"^(\*{1,3}|`)(.+)\1$")


@dataclass
class _Table:
    """Rows that follow each other.

    header  the columns of CoNLL-U by the cells' positions, if a header names them
    style   the note on how the rows are written; empty for tabs
    """

    begin: int
    style: str
    end: int = 0
    header: list[int | None] | None = None
    rows: list[list[str]] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)


def list_column_candidates(text: str) -> Iterator[ParseCandidate]:
    """Yield the tables of a part of an answer that have words, in their order."""
    for table in _list_tables(text):
        candidate = candidate_of_rows(table.rows, table.header, table.begin, table.end)
        if candidate is None or (table.style == SPACES and not candidate.has_heads):
            continue
        if table.style:
            candidate.notes[table.style] += 1
        comments = [line for line in table.comments if line.startswith("# ")]
        candidate.text = "".join(f"{line}\n" for line in comments) + candidate.text
        yield candidate


def _list_tables(text: str) -> Iterator[_Table]:
    table: _Table | None = None
    header: list[int | None] | None = None
    comments: list[str] = []
    position, blank, first_comment = 0, 0, 0
    for line in text.split("\n"):
        begin, position = position, position + len(line) + 1
        stripped = line.strip()
        if not stripped:
            blank += 1
            continue
        cells, style = _cells(line, stripped)
        if stripped.startswith("#") and (cells is None or not style):
            first_comment = first_comment if comments else begin
            comments.append(stripped)
            continue
        if cells is not None and style == TABLE and _RULE.fullmatch(stripped):
            continue
        names = None if cells is None else _header(cells)
        if names is not None:
            if table is not None:
                yield table
            table, header, blank = None, names, 0
            continue
        is_row = cells is not None and (_ID.fullmatch(cells[0]) or header is not None)
        if not is_row or cells is None:
            if table is not None:
                yield table
            table, header, comments, blank = None, None, [], 0
            continue
        if table is not None and _begins_table(table, cells, blank):
            yield table
            table = None
        if table is None:
            table = _Table(first_comment if comments else begin, style, header=header, comments=comments)
            comments = []
        table.rows.append(cells)
        table.end, blank = position - 1, 0
    if table is not None:
        yield table


def _begins_table(table: _Table, cells: Sequence[str], blank: int) -> bool:
    """Return whether a row begins another table than the one before it."""
    if table.header is not None and 0 not in table.header:
        return blank > 0
    position = 0 if table.header is None else table.header.index(0)
    first = cells[position] if position < len(cells) else ""
    return first in ("1", "0") or (blank > 0 and not first.isdecimal())


def _cells(line: str, stripped: str) -> tuple[list[str] | None, str]:
    """Return the cells of a line and the note on how they are written; no cells if it is no row."""
    if stripped.startswith("|") or (stripped.count("|") >= MIN_COLUMNS - 1 and " | " in stripped):
        cells = _BAR.split(stripped.removeprefix("|").removesuffix("|"))
        cells = [_MARKS.sub(r"\2", cell.replace("\\|", "|").strip()) for cell in cells]
        return (cells if len(cells) > 2 else None), TABLE
    if "\t" in line:
        cells = [cell.strip() for cell in line.rstrip("\r").split("\t")]
        if len(cells) >= MIN_COLUMNS:
            return cells, ""
    first = stripped[0]
    if not (first.isdigit() or first.lower() == "i" or first == "#"):
        return None, ""
    if first.isdigit() and stripped.count(",") >= MIN_COLUMNS and re.match(r"[0-9]+,", stripped):
        return _between_commas(stripped), COMMAS
    cells = re.split(r"\t|[ \u00a0]{2,}", stripped)
    words = stripped.split()
    if len(cells) < MIN_COLUMNS or len(words) == COLUMNS:
        cells = words
    return (cells if len(cells) >= MIN_COLUMNS else None), SPACES


def _between_commas(line: str) -> list[str]:
    """Return the cells of a line between commas, of which some may be in quotes."""
    import csv

    try:
        return [cell.strip() for cell in next(csv.reader([line], skipinitialspace=True))]
    except (csv.Error, StopIteration):
        return line.split(",")


def _header(cells: Sequence[str]) -> list[int | None] | None:
    """Return the columns that a header names; None if the cells are no header."""
    names = [NAMES.get(cell.lower().strip("#*: ") or cell) for cell in cells]
    known = [column for column in names if column is not None]
    if 1 not in known or len(known) < 2 or 2 * len(known) < len(cells) or cells[0].isdecimal():
        return None
    seen: set[int] = set()
    for position, column in enumerate(names):
        if column in seen:
            names[position] = None
        elif column is not None:
            seen.add(column)
    return names


def candidate_of_rows(
    rows: Sequence[list[str]], header: Sequence[int | None] | None, begin: int, end: int
) -> ParseCandidate | None:
    """Return the parse that rows are; None if they have no words."""
    if not rows:
        return None
    width = Counter(map(len, rows)).most_common(1)[0][0]
    columns = list(header) if header is not None else _told_columns(rows, width)
    if columns is None or 1 not in columns:
        return None
    lines = [_ten_columns(cells, columns, position) for position, cells in enumerate(rows, 1)]
    has_heads = HEAD in columns
    notes: Counter[str] = Counter()
    if width != COLUMNS or columns != list(range(COLUMNS)):
        notes[OTHER_COLUMNS] += 1
    text = "".join("\t".join(cells) + "\n" for cells in lines) + "\n"
    mend = None
    if any(len(cells) != width for cells in rows) and width == COLUMNS:
        # What is missing is known only to who sees the rows as they are.
        text, mend = "".join("\t".join(cells) + "\n" for cells in rows) + "\n", partial(repair, plain=False)
    elif not _is_in_order(lines):
        mend = partial(repair, plain=False)
    words = sum(cells[0].isdecimal() for cells in lines)
    return ParseCandidate("columns", text, words, begin, end, mend, has_heads, notes) if words else None


def _told_columns(rows: Sequence[Sequence[str]], width: int) -> list[int | None] | None:
    """Return the columns of CoNLL-U that cells are in, identified by their number and contents."""
    if width >= COLUMNS:
        return [*range(COLUMNS), *[None] * (width - COLUMNS)]
    if width < 3:
        return None
    sample = [cells for cells in rows[:50] if len(cells) == width and _WORD_ID.fullmatch(cells[0])]
    if not sample:
        return None
    heads = [position for position in range(2, width) if _are_heads(sample, position)]
    if not heads:
        return [0, 1, *_told_before(sample, 2, width), *[None] * width][:width]
    head = heads[-1]
    after = [HEAD, 7, 8, 9][: width - head]
    return [0, 1, *_told_before(sample, 2, head), *after, *[None] * width][:width]


def _are_heads(rows: Sequence[Sequence[str]], position: int) -> bool:
    numbers = sum(bool(_FIRST_NUMBER.match(cells[position])) or cells[position] in _ROOTS for cells in rows)
    return 2 * numbers > len(rows) and all(
        _FIRST_NUMBER.match(cells[position]) or cells[position] in _NO_HEAD | _ROOTS for cells in rows
    )


def _told_before(rows: Sequence[Sequence[str]], first: int, head: int) -> list[int | None]:
    """Return what is between the form and the head."""
    number = head - first
    if number <= 0:
        return []
    of_tags = [
        position
        for position in range(first, head)
        if 2 * sum(cells[position].upper() in UPOS for cells in rows) > len(rows)
    ]
    tag = of_tags[0] if of_tags else (first if number == 1 else first + 1)
    before: list[int | None] = [2, *[None] * (tag - first - 1)] if tag > first else []
    after: list[int | None] = [4, 5, None, None][: head - tag - 1]
    return [*before, 3, *after]


def _ten_columns(cells: Sequence[str], columns: Sequence[int | None], position: int) -> list[str]:
    """Return the columns of CoNLL-U of a row; a head may be followed by its word."""
    row = ["_"] * COLUMNS
    row[0] = str(position)
    for cell, column in zip(cells, columns, strict=False):
        if column is not None:
            row[column] = " ".join(cell.split()) or "_"
    if (head := row[HEAD]) in _NO_HEAD:
        row[HEAD] = "_"
    elif head in _ROOTS:
        row[HEAD] = "0"
    elif not head.isdecimal() and (number := _FIRST_NUMBER.match(head)) and "." not in head:
        row[HEAD] = number[1]
    return row


def _is_in_order(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether numbers count words, and heads are those of words."""
    words = sum(cells[0].isdecimal() for cells in rows)
    count = 0
    for cells in rows:
        if not cells[0].isdecimal():
            if not _ID.fullmatch(cells[0]):
                return False
            continue
        count += 1
        head = cells[HEAD]
        if cells[0] != str(count) or not (
            head == "_" or (head.isascii() and head.isdecimal() and len(head) < 8 and int(head) <= words)
        ):
            return False
    return True
