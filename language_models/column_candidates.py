"""Rows of columns in the text of an answer: CoNLL-U, its columns between spaces or commas, Markdown tables.

A table is a run of rows: lines between bars, or lines that begin with a number. A line with the number 1
begins another table. A header names the columns; without one they are identified by number and contents: the
last column of numbers has the heads. Bars that are not escaped in morphological features end no column.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

from crossbank.language_models.head_cells import NO_HEAD, is_root, resolve_heads
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
FEATURES = 5
HEAD = 6

NAMES = {
    **dict.fromkeys(("id", "index", "idx", "no", "nr", "num", "number", "#", "i", "position", "pos id"), 0),
    **dict.fromkeys(("token id", "tokenid", "word id", "token #", "token index", "token number"), 0),
    **dict.fromkeys(("form", "token", "word", "text", "wordform", "tok", "word form", "surface"), 1),
    **dict.fromkeys(("lemma", "lemmas"), 2),
    **dict.fromkeys(("upos", "pos", "upostag", "cpos", "cpostag", "tag", "part of speech"), 3),
    **dict.fromkeys(("pos tag", "upos tag", "universal pos", "word class"), 3),
    **dict.fromkeys(("xpos", "xpostag", "postag", "fine pos"), 4),
    **dict.fromkeys(("feats", "features", "morph", "feat", "morphology"), 5),
    **dict.fromkeys(("head", "head id", "head index", "governor", "gov", "parent", "headid"), 6),
    **dict.fromkeys(("head position", "head number", "head #", "head token id", "governor id"), 6),
    **dict.fromkeys(("parent id", "head (index)", "head (id)", "governor index"), 6),
    **dict.fromkeys(("deprel", "relation", "rel", "dep", "label", "dependency", "dependency relation"), 7),
    **dict.fromkeys(
        ("dependency label", "dep rel", "dependency type", "syntactic relation", "relationship"), 7
    ),
    **dict.fromkeys(("relation to head", "grammatical relation", "function", "arc label", "dep label"), 7),
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
_BETWEEN_BARS = re.compile(r"[0-9]{1,7}\|")
_SEPARATED = re.compile(r"[0-9]{1,7}([,;])")
_BOXES = str.maketrans("│┃║─━═┌┬┐├┼┤└┴┘╔╦╗╠╬╣╚╩╝╭╮╰╯╒╤╕╞╪╡╘╧╛", "|||" + "-" * 3 + "+" * 31)
_BEFORE_ROW = re.compile(
    r"^[ \t]*(?:[-*+•][ \t]+|<[a-zA-Z][\w-]*>)(?=(?:[0-9]{1,7}(?:[\t|]|[ ]{2})|\|))", re.MULTILINE
)
_TABS = re.compile(r"(?:\\t|<TAB>|<tab>|\[TAB\])")
_NUMBERED = re.compile(r"^([0-9]{1,7})[.):](?=[ \t|])(?:[ \t]*\|)?")
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
    # Signs in place of others: characters stay where they are.
    text = _BEFORE_ROW.sub(lambda match: " " * len(match[0]), text.translate(_BOXES))
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
        names = None if cells is None else columns_of_header(cells)
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
    is_root_row = len(table.rows) == 1 and table.rows[0][position : position + 1] == ["0"]
    is_first = first == "0" or (first == "1" and not is_root_row)
    return is_first or (blank > 0 and not first.isdecimal())


def _cells(line: str, stripped: str) -> tuple[list[str] | None, str]:
    """Return the cells of a line and the note on how they are written; no cells if it is no row."""
    has_bars = stripped.count("|") >= MIN_COLUMNS - 1
    stripped = _NUMBERED.sub(r"\1 |" if has_bars and not stripped.startswith("|") else r"\1", stripped)
    if stripped.startswith("|") or (has_bars and (" | " in stripped or _BETWEEN_BARS.match(stripped))):
        cells = _BAR.split(stripped.removeprefix("|").removesuffix("|"))
        cells = [_MARKS.sub(r"\2", cell.replace("\\|", "|").strip()) for cell in cells]
        return (cells if len(cells) > 2 else None), TABLE
    if "\t" not in line and stripped[0].isdigit():
        stripped = line = _TABS.sub("\t", stripped)
    if "\t" in line:
        cells = [cell.strip() for cell in line.rstrip("\r").split("\t")]
        cells[0] = _NUMBERED.sub(r"\1", f"{cells[0]} ").rstrip()
        if len(cells) >= MIN_COLUMNS:
            return cells, ""
    first = stripped[0]
    if not (first.isdigit() or first.lower() == "i" or first == "#"):
        return None, ""
    separated = _SEPARATED.match(stripped)
    if separated is not None and stripped.count(separated[1]) >= MIN_COLUMNS:
        return _between_signs(stripped, separated[1]), COMMAS
    cells = re.split(r"\t|[ \u00a0]{2,}", stripped)
    words = stripped.split()
    if len(cells) < MIN_COLUMNS or len(words) == COLUMNS:
        cells = words
    return (cells if len(cells) >= MIN_COLUMNS else None), SPACES


def _between_signs(line: str, sign: str) -> list[str]:
    """Return the cells of a line between commas or semicolons, of which some may be in quotes."""
    import csv

    try:
        return [cell.strip() for cell in next(csv.reader([line], delimiter=sign, skipinitialspace=True))]
    except (csv.Error, StopIteration):
        return line.split(sign)


def columns_of_header(cells: Sequence[str]) -> list[int | None] | None:
    """Return the columns that a header names; None if the cells are no header."""
    names = [column_named(cell) for cell in cells]
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


def column_named(name: str) -> int | None:
    """Return the column of CoNLL-U that a name stands for; None if it is not known."""
    plain = " ".join(name.lower().replace("_", " ").strip("*`: ").split())
    bare = plain.replace(".", "").strip("# ") or plain
    return NAMES.get(plain, NAMES.get(bare))


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
    rows = [_with_whole_features(cells, columns) for cells in rows]
    width = Counter(map(len, rows)).most_common(1)[0][0]
    lines = [_ten_columns(cells, columns, position) for position, cells in enumerate(rows, 1)]
    if len(lines) > 1 and lines[0][0] == "0" and is_root(lines[0][1]):
        del lines[0]
    resolve_heads(lines)
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
    cells = [row[position] for row in rows]
    numbers = sum(bool(_FIRST_NUMBER.match(cell)) or is_root(cell) for cell in cells)
    return 2 * numbers > len(rows) and all(
        _FIRST_NUMBER.match(cell) or cell in NO_HEAD or is_root(cell) for cell in cells
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


def _with_whole_features(cells: list[str], columns: Sequence[int | None]) -> list[str]:
    """Return the cells of a row; those of morphological features between which bars are, as one."""
    surplus = len(cells) - len(columns)
    if surplus <= 0 or FEATURES not in columns:
        return cells
    first = columns.index(FEATURES)
    joined = cells[first : first + surplus + 1]
    if not all("=" in cell for cell in joined):
        return cells
    return [*cells[:first], "|".join(joined), *cells[first + surplus + 1 :]]


def _ten_columns(cells: Sequence[str], columns: Sequence[int | None], position: int) -> list[str]:
    """Return the columns of CoNLL-U of a row."""
    row = ["_"] * COLUMNS
    row[0] = str(position)
    for cell, column in zip(cells, columns, strict=False):
        if column is not None:
            row[column] = " ".join(cell.split()) or "_"
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
