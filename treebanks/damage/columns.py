"""Damage of CoNLL-U and CoNLL-X: where sentences begin, and what is wrong with their lines.

A sentence ends with a blank line, and before a line with the number 1, with the comments before it. Lines
after a blank line that go on counting belong to the sentence before it.

Missing columns are empty, words are numbered again in their order, with the heads that name them. Heads out
of range, and the first word of each cycle of heads, are attached to the root.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise

import numpy as np

from crossbank.treebanks.damage.rules import DamageRules, Repaired
from crossbank.treebanks.scanners.ten_column_bytes import damaged_blocks

COLUMNS = 10
MIN_COLUMNS = 4
"""The fewest columns that a line between spaces or tabs is taken for."""

SPACES = "lines with spaces for tabs"
MISSING = "missing columns left empty"
SURPLUS = "surplus columns dropped"
RENUMBERED = "words numbered again"
HEADS = "heads attached to the root"
CYCLES = "cycles of heads attached to the root"
FORMS = "empty forms read as _"
LINES = "lines without columns dropped"
FURTHER = "multiword tokens and empty nodes dropped"
COMMENTS = "comments moved before the sentence"
BLANK = "blank lines in a sentence dropped"
BLANK_ADDED = "blank lines after a sentence added"

NO_WORD = "?"
"""The head of a word whose head was a number that no word has."""

_ID = re.compile(r"[0-9]+(?:[-.][0-9]+)?")
_FIRST_ID = re.compile(r"(?:#[^\n]*\n|\s*\n)*([0-9]+)[\t ]")
_LAST_ID = re.compile(r"(?:^|\n)([0-9]+)[\t ][^\n]*\s*$")
_FIRST_LINES = re.compile(r"(?:[ \t]*\n)+")
_BLANK_LINES = re.compile(r"\n(?:[ \t]*\n)+")
_SECOND_FIRST = re.compile(r"\n((?:#[^\n]*\n)*1[\t ][^\n]*)(?=\n2[\t -]|\n[ \t]*\n|\n?$)")
"""A first word in the middle of a block: the second follows, or nothing. Else its number is damaged."""


def split(text: str) -> list[str]:
    """Return the sentences of a text, each with the blank lines after it."""
    first = _FIRST_LINES.match(text)
    begin = first.end() if first else 0
    ends = [begin] if begin else []
    ends += [match.end() for match in _BLANK_LINES.finditer(text, begin)]
    blocks: list[str] = []
    for begin, end in zip([0, *ends], [*ends, len(text)], strict=True):
        block = text[begin:end]
        if blocks and block and _goes_on(blocks[-1], block):
            blocks[-1] += block
        elif block:
            blocks += _split_at_first_words(block)
    return blocks


def find_damaged(blocks: Sequence[str], *, plain: bool) -> Iterator[int]:
    """Yield the indices of sentences that cannot be read, or after which the blank line is missing."""
    encoded = [block.encode("utf-8", "surrogatepass") for block in blocks]
    bounds = np.cumsum([0, *map(len, encoded)], dtype=np.int64)
    yield from damaged_blocks(np.frombuffer(b"".join(encoded), np.uint8), bounds, plain)
    for index, block in enumerate(encoded[:-1]):
        if not block.endswith(b"\n\n") and block.removesuffix(b"\n").rpartition(b"\n")[2].strip():
            yield index


def _goes_on(before: str, block: str) -> bool:
    """Return whether a block counts words on where the one before it ended."""
    if block.startswith(("1\t", "#")):
        return False
    first = re.match(r"([0-9]+)[\t ]", block)
    if first is None or first[1] == "1":
        return False
    last = _LAST_ID.search(before)
    return last is not None and int(last[1]) + 1 == int(first[1])


def _split_at_first_words(block: str) -> list[str]:
    """Return the sentences of a block, of which each has one word with the number 1."""
    if block.count("\n1\t") + block.startswith("1\t") < 2:
        return [block]
    seen = _FIRST_ID.match(block)
    later = _SECOND_FIRST.finditer(block, seen.end() if seen else 0)
    bounds = [0, *(match.start(1) for match in later), len(block)]
    return [block[begin:end] for begin, end in pairwise(bounds)]


def repair(block: str, *, plain: bool) -> Repaired:
    """Return a sentence whose lines can be read; nothing for text without columns. ``plain``: CoNLL-X."""
    kinds: Counter[str] = Counter()
    comments, rows = _rows(block, kinds, plain=plain)
    rows = _renumber(rows, kinds, plain=plain)
    if not rows:
        return Repaired("", kinds)
    _attach(rows, kinds)
    if not kinds:
        kinds[BLANK_ADDED] += 1
    lines = [*comments, *("\t".join(cells) for cells in rows)]
    return Repaired("\n".join(lines) + "\n\n", kinds)


def _rows(block: str, kinds: Counter[str], *, plain: bool) -> tuple[list[str], list[list[str]]]:
    """Return the comments and the cells of all other lines."""
    comments: list[str] = []
    rows: list[list[str]] = []
    blank = 0
    for line in block.split("\n"):
        if not line.strip():
            blank += 1
            continue
        if line.startswith("#"):
            if not plain:
                comments.append(line)
            kinds[COMMENTS] += bool(rows) and not plain
            continue
        cells = _cells(line, kinds)
        if cells is None:
            kinds[LINES] += 1
            continue
        kinds[BLANK] += blank if rows else 0
        blank = 0
        if len(cells) > COLUMNS:
            kinds[SURPLUS] += len(cells) - COLUMNS
            del cells[COLUMNS:]
        if len(cells) < COLUMNS and not (plain and len(cells) in (6, 8)):
            kinds[MISSING] += COLUMNS - len(cells)
        cells += ["_"] * (COLUMNS - len(cells))
        if not cells[1]:
            cells[1] = "_"
            kinds[FORMS] += 1
        rows.append(cells)
    for kind in [kind for kind, number in kinds.items() if not number]:
        del kinds[kind]
    return comments, rows


def _cells(line: str, kinds: Counter[str]) -> list[str] | None:
    """Return the cells of a line; None if it has none."""
    by_tabs = [cell.strip() for cell in line.split("\t")]
    is_row = len(by_tabs) > 1 and _ID.fullmatch(by_tabs[0]) is not None
    if is_row and len(by_tabs) == COLUMNS:
        return by_tabs
    cells = re.split(r"\t|[ \u00a0]{2,}", line.strip())
    if len(cells) < MIN_COLUMNS or (" " in line.strip() and len(line.split()) == COLUMNS):
        cells = line.split()
    if is_row and len(cells) != COLUMNS:
        return by_tabs
    if len(cells) < MIN_COLUMNS or not _ID.fullmatch(cells[0]):
        return None
    kinds[SPACES] += 1
    return cells


def _renumber(rows: list[list[str]], kinds: Counter[str], *, plain: bool) -> list[list[str]]:
    """Return the rows with numbers in order; ranges and empty nodes stay only if they fit."""
    words = [cells for cells in rows if cells[0].isdecimal()]
    numbers = {cells[0]: str(position) for position, cells in enumerate(words, 1)}
    is_in_order = all(cells[0] == str(position) for position, cells in enumerate(words, 1))
    if not is_in_order:
        kinds[RENUMBERED] += sum(cells[0] != str(position) for position, cells in enumerate(words, 1))
    kept: list[list[str]] = []
    count = end = empty = 0
    follows_range = False
    for cells in rows:
        if cells[0].isdecimal():
            count += 1
            empty, follows_range = 0, False
            cells[0] = str(count)
            if len(numbers) == len(words) and not is_in_order:
                # With a number twice, what a head names is not known: it stays as it is.
                cells[6] = numbers.get(cells[6], cells[6] if cells[6] in ("0", "_", "") else NO_WORD)
            kept.append(cells)
            continue
        first, sign, last = re.split(r"([-.])", cells[0])
        if sign == "-":
            fits = is_in_order and int(first) == count + 1 and int(last) >= int(first) and count >= end
            fits = fits and int(last) <= len(words) and not plain and not follows_range
        else:
            fits = is_in_order and int(first) == count and int(last) == empty + 1
            fits = fits and not follows_range and not plain
        fits = fits and str(int(first)) == first and str(int(last)) == last
        if not fits:
            kinds[FURTHER] += 1
            continue
        follows_range = sign == "-"
        end = int(last) if sign == "-" else end
        empty = int(last) if sign == "." else empty
        kept.append(cells)
    return kept if count else []


def _attach(rows: list[list[str]], kinds: Counter[str]) -> None:
    """Attach words whose head is none of the sentence's to the root, and one of each cycle."""
    words = [cells for cells in rows if cells[0].isdecimal()]
    heads: list[int | None] = []
    for cells in words:
        written = cells[6]
        is_number = written.isascii() and written.isdecimal() and len(written) < 7
        is_valid = is_number and int(written) <= len(words)
        heads.append(-1 if written in ("_", "") else int(written) if is_valid else None)
    for position in _first_of_cycles(heads):
        heads[position] = None
        kinds[CYCLES] += 1
        kinds[HEADS] -= 1
    root = heads.index(0) + 1 if 0 in heads else 0
    for position, head in enumerate(heads):
        if head is None:
            heads[position], kinds[HEADS] = root, kinds[HEADS] + 1
            root = root or position + 1
    for cells, number in zip(words, heads, strict=True):
        if number is not None and number >= 0:
            cells[6] = str(number)
    if not kinds[HEADS]:
        del kinds[HEADS]


def _first_of_cycles(heads: list[int | None]) -> list[int]:
    """Return the index of the first word of each cycle of heads."""
    state = [0] * len(heads)
    first = []
    for begin in range(len(heads)):
        path = []
        word = begin
        while word >= 0 and not state[word]:
            state[word] = begin + 1
            path.append(word)
            head = heads[word]
            word = head - 1 if head is not None and head > 0 else -1
        if path and word >= 0 and state[word] == begin + 1:
            first.append(min(path[path.index(word) :]))
    return first


def without_parse(block: str, *, plain: bool) -> str:
    """Return the sentence that replaces a damaged one: its comments alone, in CoNLL-X one word."""
    if plain:
        return "1\t_\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
    comments = [line for line in block.split("\n") if line.startswith("#")]
    return "\n".join(comments or ["# damaged"]) + "\n\n"


def _rules(*, plain: bool) -> DamageRules:
    return DamageRules(
        split,
        partial(repair, plain=plain),
        partial(without_parse, plain=plain),
        partial(find_damaged, plain=plain),
        finds_all=True,
    )


CONLLU, CONLLX = _rules(plain=False), _rules(plain=True)
