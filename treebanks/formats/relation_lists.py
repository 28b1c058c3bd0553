"""Read the syntax of lists of grammatical relations: sentences, and relations with their slots.

``treebanks.formats.relations`` describes the notation. This module does not know what a slot means.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from os import PathLike
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from crossbank.treebanks.arrays import Int32Array, Int64Array, offsets_of
from crossbank.treebanks.errors import FormatError, excerpt
from crossbank.treebanks.files import as_utf8, read_bytes
from crossbank.treebanks.formats.relation_words import without_bars

SINGLE_RELATION = re.compile(rb"\((?!_)([^()|;\\]+)\)")
"""A line with one relation and no quotes, as nearly all lines."""

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
    messages     the number of lines that are not relations; they are among the comments
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

    texts    the distinct names and slots as written; the first is empty
    slots    indices into ``texts``, one relation after the other, each with its name first
    offsets  shape ``(relations + 1,)``: where in ``slots`` each relation begins
    lines    shape ``(relations,)``
    weights  the weights as written, of the relations that have one
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
    """Read a file. Raises FormatError, with the line, if it is not a list of relations."""
    return read_list(as_utf8(read_bytes(path), path, encoding), str(path))


def read_list(data: bytes, source: str) -> RelationList:
    """Read bytes of UTF-8. Raises FormatError like ``load_list``."""
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return _RelationListReader(data, source).read()


class _RelationListReader:
    """Reads a list line by line."""

    def __init__(self, data: bytes, source: str) -> None:
        self.source = source
        self.lines = [line.strip() for line in data.split(b"\n")]
        self.beginning = self._beginning()
        self.blocks: list[Block] = []
        self.comments: list[str] = []
        self.braces, self.gap = False, True
        self.codes: dict[bytes, int] = {b"": 0}
        self.slots: list[int] = []
        self.lengths: list[int] = []
        self.line_numbers: list[int] = []
        self.weights: dict[int, str] = {}

    def read(self) -> RelationList:
        for line_number, line in enumerate(self.lines, 1):
            if slots := _single_relation_slots(line):
                self._add_single(line_number, line, slots)
            else:
                self._line(line_number, line.decode())
        if self.braces:
            raise FormatError(self.source, "the end of the file", "a '}' after the weighted relations")
        if not self.blocks:
            raise FormatError(self.source, "nothing but comments", "at least one sentence")
        self.blocks[-1].comments += self.comments
        return RelationList(
            self.blocks,
            [text.decode() for text in self.codes],
            np.array(self.slots, np.int32),
            offsets_of(np.array(self.lengths, np.int64)),
            np.array(self.line_numbers, np.int64),
            self.weights,
        )

    def _beginning(self) -> Beginning:
        """Return how sentences begin, from the first line that is not a comment."""
        return beginning_of(next((line for line in self.lines if line and not line.startswith(b";")), b""))

    def _begin(self, line_number: int) -> Block:
        block = Block(
            line_number, first=len(self.line_numbers), last=len(self.line_numbers), comments=self.comments
        )
        self.blocks.append(block)
        self.comments, self.gap = [], False
        return block

    def _add(self, line_number: int, slots: Sequence[bytes]) -> None:
        self.slots += [self.codes.setdefault(slot, len(self.codes)) for slot in slots]
        self.lengths.append(len(slots))
        self.line_numbers.append(line_number)
        self.blocks[-1].last = len(self.line_numbers)

    def _add_single(self, line_number: int, line: bytes, slots: Sequence[bytes]) -> None:
        """Add the relation of a line; after a program's messages it counts as one of them."""
        starts = self.beginning == "gap" and self.gap
        block = self._begin(line_number) if starts else self.blocks[-1]
        if block.messages:
            block.comments.append(line.decode())
            block.messages += 1
        else:
            self._add(line_number, slots)

    def _line(self, line_number: int, line: str) -> None:
        if not line:
            self.gap = True
            return
        if line[0] == ";":
            self.comments.append(line[1:].strip(SPACES))
            return
        taken = -1 if self.braces else self._begins(line)
        if taken >= 0 or not self.blocks:
            block = self._begin(line_number)
            if self.beginning == "number":
                block.number = line[:taken].strip(SPACES)
            else:
                block.words = line[:taken]
            line = line[max(taken, 0) :]
        block = self.blocks[-1]
        if self.beginning == "number" and not block.words and block.first == block.last and is_words(line):
            block.words = line
        elif (
            self.beginning == "words"
            and line
            and (block.messages or not (line[0] in "({}" or WEIGHT.match(line)))
        ):
            block.messages += 1
            block.comments.append(line)
        elif line:
            self._relations(line_number, line)

    def _begins(self, line: str) -> int:
        """Return the number of characters of a line that begin a sentence; -1 if the line begins none."""
        if self.beginning == "gap":
            return 0 if self.gap else -1
        if self.beginning == "words":
            return len(line) if is_words(line) else -1
        number = NUMBER.match(line)
        return number.end() if number else -1

    def _relations(self, line_number: int, line: str) -> None:
        """Read the relations of a line that has several, or weights, braces or quotes."""
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
                if weight:
                    self.weights[len(self.line_numbers)] = weight[1]
                slots, line = self._relation(line_number, line[weight.end() :] if weight else line)
                self._add(line_number, [slot.encode() for slot in slots])

    def _relation(self, line_number: int, line: str) -> tuple[list[str], str]:
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
        raise FormatError(self.source, excerpt(line, 60), expected, line=line_number)


def beginning_of(first: bytes) -> Beginning:
    """Return how sentences begin, from the first line of a file."""
    if _single_relation_slots(first):
        return "gap"
    text = first.decode()
    return "number" if NUMBER.match(text) else "words" if is_words(text) else "gap"


def _single_relation_slots(line: bytes) -> list[bytes]:
    """Return the name and slots of a line's single relation, else an empty list."""
    match = SINGLE_RELATION.fullmatch(line)
    return match[1].split() if match else []


def is_words(line: str) -> bool:
    """Return whether a line is one of tagged words."""
    return TAGGED_WORDS.fullmatch(line) is not None


def split_words(line: str) -> Iterator[tuple[str, str]]:
    """Yield the words of a line of tagged words, each with its tag, as written."""
    for match in re.finditer(TAGGED_WORD, line, re.ASCII):
        yield match[1], match[2]
