"""Two files as the scorer reads them: line beside line, whatever the lines say.

Columns are set apart by white space; comments and ranges are tokens like others; words are paired by
their lines. Bytes are not decoded: the tables are laid out by bytes.
"""

from __future__ import annotations

import re
from itertools import zip_longest
from os import PathLike
from typing import NamedTuple

from metrics.word_forms import is_punctuation
from treebanks.errors import FormatError
from treebanks.files import as_utf8, read_bytes
from treebanks.formats import format_of, read

SPACE = re.compile(r"[ \t\n\v\f\r]+")
NUMBER = re.compile(r"[+-]?[0-9]+")

COLUMNS = (1, 3, 6, 7)
"""FORM, CPOSTAG, HEAD and DEPREL."""


class Token(NamedTuple):
    """A token of gold with what the system says; strings are of bytes, one character each.

    number  its place in the sentence, from 1
    """

    number: int
    word: str
    pos: str
    gold_head: str
    gold_relation: str
    head: str
    relation: str

    @property
    def is_punctuation(self) -> bool:
        """Whether gold's word consists of characters that Unicode calls punctuation."""
        return is_punctuation(self.word.encode("latin-1").decode("utf-8", "replace"))


class Sentences(NamedTuple):
    """The sentences of both files, and a warning about the first other word or tag, or nothing."""

    tokens: list[list[Token]]
    warning: str


def load(
    gold: str | PathLike[str], system: str | PathLike[str], format: str | None, system_format: str | None,
    encoding: str | None,
) -> Sentences:  # fmt: skip
    """Read both files; those that are not in columns are written as CoNLL-X first.

    Raises FormatError, with the line, where one file has a blank line or ends and the other has words.
    """
    sides = [_lines(gold, format, encoding), _lines(system, system_format, encoding)]
    sentences: list[list[Token]] = [[]]
    warning = ""
    for number, (own, other) in enumerate(zip_longest(*sides, fillvalue=""), 1):
        blank = not own.strip(" \t\v\f\r")
        if blank != (not other.strip(" \t\v\f\r")):
            found, expected = ("words", "a blank line") if blank else ("no words", "words")
            raise FormatError(system, found, f"{expected} as in {gold}", line=number)
        if blank:
            if sentences[-1]:
                sentences.append([])
            continue
        fields = [_fields(line, path, number) for line, path in ((own, gold), (other, system))]
        if not warning and fields[0][:2] != fields[1][:2]:
            warning = f"{system}:{number}: found the word and tag {' '.join(fields[1][:2])!r}, expected "
            warning += f"{' '.join(fields[0][:2])!r} as in {gold}: not looked at\n"
        sentences[-1].append(Token(len(sentences[-1]) + 1, *fields[0], *fields[1][2:]))
    return Sentences([tokens for tokens in sentences if tokens], as_text(warning))


def as_text(report: str) -> str:
    """A report whose characters are bytes as the text that the bytes are in UTF-8."""
    return report.encode("latin-1", "replace").decode("utf-8", "replace")


def number_of(head: str) -> int:
    """A head as Perl takes it for a number: what does not begin with one is 0."""
    found = NUMBER.match(head)
    return int(found[0]) if found else 0


def _lines(path: str | PathLike[str], format: str | None, encoding: str | None) -> list[str]:
    kind = format or format_of(path)
    if kind in ("conllx", "conllu", "bracket"):
        data = as_utf8(read_bytes(path), path, encoding, checked=False)
    else:
        from treebanks.conllx import dumps

        data = dumps(read(path, kind, encoding=encoding)).encode()
    return data.decode("latin-1").split("\n")


def _fields(line: str, path: str | PathLike[str], number: int) -> list[str]:
    fields = SPACE.split(line)
    if len(fields) <= COLUMNS[-1]:
        raise FormatError(path, f"{len(fields)} columns", "at least 8 set apart by spaces", line=number)
    return [fields[column] for column in COLUMNS]
