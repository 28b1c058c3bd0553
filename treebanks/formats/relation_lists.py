"""Lists of grammatical relations as they are in a file: sentences, and relations with their slots.

``treebanks.formats.relations`` describes the notation. This module does not know what a slot means.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from os import PathLike
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from crossbank.treebanks.arrays import Int32Array, Int64Array, offsets_of
from crossbank.treebanks.errors import FormatError, excerpt
from crossbank.treebanks.files import as_utf8, read_bytes
from crossbank.treebanks.formats.relation_words import without_bars
from crossbank.treebanks.scanners import lists_of_relations as scanner

NUMBER = re.compile(r"(\d+)\s*(?=$|[{(;])", re.ASCII)
WEIGHT = re.compile(r"(\d*\.?\d+(?:[eE][-+]?\d+)?)\s*(?=\()", re.ASCII)
TAGGED_WORD = r"((?:\\.|[^\s\\])+)_((?:\\.|[^\s\\_])*)"
TAGGED_WORDS = re.compile(rf"(?!\([^_]){TAGGED_WORD}(\s+{TAGGED_WORD})*", re.ASCII)
SLOT = re.compile(r"\s*((?:\\.|\|[^|]*\||[^\s()\\|])+)\s*", re.ASCII)
SPACES = " \t\r\f\v"

Beginning: TypeAlias = Literal["number", "words", "gap"]
"""The beginning of a file's sentences; a gap is a blank line."""


@dataclass
class Block:
    """Part of a file that belongs to one sentence.

    first, last  its relations are those of the list from ``first`` to ``last - 1``
    messages     how many lines are no relations; they are among the comments
    """

    line: int
    number: str = ""
    words: str = ""
    first: int = 0
    last: int = 0
    comments: list[str] = field(default_factory=list)
    messages: int = 0


class RelationList(NamedTuple):
    """A file's sentences and relations.

    texts    the distinct names and slots as they are written; the first is none
    slots    places in ``texts``, one relation after the other, each with its name first
    offsets  shape ``(relations + 1,)``: where in ``slots`` each relation begins
    lines    shape ``(relations,)``
    weights  the weights as they are written, of the relations that have one
    """

    blocks: list[Block]
    texts: list[str]
    slots: Int32Array
    offsets: Int64Array
    lines: Int64Array
    weights: dict[int, str]

    def written(self, relation: int) -> list[str]:
        """Return the name and slots of a relation."""
        return [self.texts[slot] for slot in self.slots[self.offsets[relation] : self.offsets[relation + 1]]]


def load_list(path: str | PathLike[str], encoding: str | None = None) -> RelationList:
    """Read a file. Raises FormatError, with the line, where it is no list of relations."""
    return read_list(as_utf8(read_bytes(path), path, encoding), str(path))


def read_list(data: bytes, source: str) -> RelationList:
    """Read bytes of UTF-8. Raises FormatError like ``load_list``."""
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return _Reader(data, source).read()


class _Reader:
    """Puts together the scanner's plain relations and the lines that are read one by one."""

    def __init__(self, data: bytes, source: str) -> None:
        self.data, self.source = data, source
        text = np.frombuffer(data, np.uint8)
        self.scanned = scanner.scan(text)
        self.texts = self.scanned.strings.strings(ord("\n")).decode().split("\n")
        self.others = self.scanned.others.tolist()
        self.beginning = self._beginning()
        self.blocks: list[Block] = []
        self.comments: list[str] = []
        self.braces, self.gap = False, True
        self.taken = 0  # how many plain relations belong to blocks, or are no relations
        self.dropped: list[int] = []
        self.read_here: list[tuple[int, int, str, list[str]]] = []

    def read(self) -> RelationList:
        for line, begin, end, before in self.others:
            self._take(before)
            self._line(line, self.data[begin:end].decode())
        self._take(len(self.scanned.relations))
        if self.braces:
            raise FormatError(self.source, "the end of the file", "a '}' after the weighted relations")
        if not self.blocks:
            raise FormatError(self.source, "nothing but comments", "at least one sentence")
        self.blocks[-1].comments += self.comments
        return self._merged()

    def _beginning(self) -> Beginning:
        """Return the kind of beginning that the first line shows, comments aside."""
        for _, begin, end, before in self.others:
            if before:
                break
            line = self.data[begin:end].decode()
            if line and line[0] != ";":
                return "number" if NUMBER.match(line) else "words" if _is_words(line) else "gap"
        return "gap"

    def _rows(self) -> int:
        return self.taken - len(self.dropped) + len(self.read_here)

    def _begin(self, line: int) -> Block:
        block = Block(line, first=self._rows(), last=self._rows(), comments=self.comments)
        self.blocks.append(block)
        self.comments, self.gap = [], False
        return block

    def _take(self, until: int) -> None:
        """Give the block the plain relations that come before the next line."""
        if until == self.taken:
            return
        starts = self.beginning == "gap" and self.gap
        plain = self.scanned.relations[self.taken : until]
        block = self._begin(int(plain[0, scanner.LINE])) if starts else self.blocks[-1]
        if block.messages:
            block.comments += (self.data[begin:end].decode() for _, begin, end in plain.tolist())
            block.messages += len(plain)
            self.dropped += range(self.taken, until)
        self.taken = until
        block.last = self._rows()

    def _line(self, place: int, line: str) -> None:
        if not line:
            self.gap = True
            return
        if line[0] == ";":
            self.comments.append(line[1:].strip(SPACES))
            return
        taken = -1 if self.braces else self._begins(line)
        if taken >= 0 or not self.blocks:
            block = self._begin(place)
            if self.beginning == "number":
                block.number = line[:taken].strip(SPACES)
            else:
                block.words = line[:taken]
            line = line[max(taken, 0) :]
        block = self.blocks[-1]
        if self.beginning == "number" and not block.words and block.first == self._rows() and _is_words(line):
            block.words = line
        elif (
            self.beginning == "words"
            and line
            and (block.messages or not (line[0] in "({}" or WEIGHT.match(line)))
        ):
            block.messages += 1
            block.comments.append(line)
        elif line:
            self._relations(place, line)
            block.last = self._rows()

    def _begins(self, line: str) -> int:
        """Return the number of characters of a line that begin a sentence; -1 if the line begins none."""
        if self.beginning == "gap":
            return 0 if self.gap else -1
        if self.beginning == "words":
            return len(line) if _is_words(line) else -1
        number = NUMBER.match(line)
        return number.end() if number else -1

    def _relations(self, place: int, line: str) -> None:
        """The relations of a line that has several, or weights, braces or quotes."""
        while line := line.lstrip(SPACES):
            if line[0] == ";":
                self.comments.append(line[1:].strip(SPACES))
                break
            if line[0] == "{" and not self.braces:
                self.braces, line = True, line[1:]
            elif line[0] == "}" and self.braces:
                self.braces, line = False, line[1:]
            else:
                weight = WEIGHT.match(line)
                slots, line = self._relation(place, line[weight.end() :] if weight else line)
                self.read_here.append((self.taken, place, weight[1] if weight else "", slots))

    def _relation(self, place: int, line: str) -> tuple[list[str], str]:
        """Return the name and slots of the relation at the beginning of a line, and the rest of the line."""
        slots: list[str] = []
        at = 1
        while line[0] == "(":
            if slot := SLOT.match(line, at):
                slots.append(without_bars(slot[1]))
                at = slot.end()
            elif line.startswith(")", at) and slots:
                return slots, line[at + 1 :]
            else:
                break
        expected = "a relation such as (ncsubj die proprietor _)"
        raise FormatError(self.source, excerpt(line, 60), expected, line=place)

    def _merged(self) -> RelationList:
        """Plain relations and those read one by one, in the order of the file."""
        scanned = self.scanned
        kept = np.ones(len(scanned.relations), np.bool_)
        kept[self.dropped] = False
        rows = np.flatnonzero(kept)
        begins, lengths = scanned.offsets[rows], np.diff(scanned.offsets)[rows]
        lines, slots = scanned.relations[rows, scanner.LINE], scanned.slots
        if self.read_here:
            codes = {text: code for code, text in enumerate(self.texts)}
            more = [codes.setdefault(slot, len(codes)) for *_, written in self.read_here for slot in written]
            more_lengths = np.array([len(written) for *_, written in self.read_here], np.int64)
            slots = np.concatenate([slots, np.array(more, np.int32)])
            begins = np.concatenate([begins, len(scanned.slots) + offsets_of(more_lengths)[:-1]])
            lengths = np.concatenate([lengths, more_lengths])
            lines = np.concatenate([lines, np.array([line for _, line, _, _ in self.read_here], np.int64)])
            # A relation read here comes before the plain one that had not been taken then.
            place = np.concatenate([2 * rows + 1, 2 * np.array([taken for taken, *_ in self.read_here])])
            order = np.argsort(place, kind="stable")
            begins, lengths, lines = begins[order], lengths[order], lines[order]
            weighted = [""] * len(rows) + [weight for _, _, weight, _ in self.read_here]
            weights = {row: weighted[old] for row, old in enumerate(order.tolist()) if weighted[old]}
            self.texts = list(codes)
        else:
            weights = {}
        offsets = offsets_of(lengths)
        taken = np.repeat(begins - offsets[:-1], lengths) + np.arange(offsets[-1])
        return RelationList(self.blocks, self.texts, slots[taken], offsets, lines, weights)


def _is_words(line: str) -> bool:
    return TAGGED_WORDS.fullmatch(line) is not None


def split_words(line: str) -> Iterator[tuple[str, str]]:
    """Yield the words of a line of tagged words, each with its tag, as they are written."""
    for match in re.finditer(TAGGED_WORD, line, re.ASCII):
        yield match[1], match[2]
