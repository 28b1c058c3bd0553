"""Functions of a text format, made of one that reads a text and of one that writes it.

``load`` takes a file, gzipped or not, ``encoding`` is UTF-8 unless named; ``loads`` takes a string. Both
raise the errors of the function that reads, and ``load`` CrossbankError if the file cannot be read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from os import PathLike
from typing import Protocol, TypeAlias

from crossbank.treebanks.files import LARGE_CHUNK, as_utf8, clean, decode, lines, read_bytes, write_text
from crossbank.treebanks.formats.streaming import Cut, line_ends, moved, texts
from crossbank.treebanks.treebank import Treebank

Path: TypeAlias = str | PathLike[str]

TEXT = "text"
"""The source of sentences that are read from a string."""


class Load(Protocol):
    """A function that reads a file."""

    def __call__(self, path: Path, *, encoding: str | None = None) -> Treebank:
        """Read a file."""


class LoadChunks(Protocol):
    """A function that reads a file in chunks of about ``size`` bytes, which together are what ``load`` gives.

    It raises errors where ``load`` does; their lines are counted from the beginning of a chunk.
    """

    def __call__(
        self, path: Path, *, encoding: str | None = None, size: int = LARGE_CHUNK
    ) -> Iterator[Treebank]:
        """Read a file in chunks."""


class Dump(Protocol):
    """A function that writes a file, gzipped where its name ends in ``.gz``."""

    def __call__(self, bank: Treebank, path: Path, *, encoding: str = "utf-8") -> None:
        """Write a file."""


Functions: TypeAlias = tuple[Load, Callable[[str], Treebank]]
"""``load`` and ``loads``."""


def reading_text(read: Callable[[str, str], Treebank]) -> Functions:
    """Functions of a format that is read from text with ``\\n`` line ends, and the source's name."""

    def load(path: Path, *, encoding: str | None = None) -> Treebank:
        return read(decode(read_bytes(path), path, encoding), str(path))

    return load, lambda text: read(text, TEXT)


def reading_bytes(read: Callable[[bytes, str], Treebank], *, checked: bool = False) -> Functions:
    """Functions of a format that is read from bytes of UTF-8; ``checked``: they are, before it reads."""

    def load(path: Path, *, encoding: str | None = None) -> Treebank:
        return read(as_utf8(read_bytes(path), path, encoding, checked=checked), str(path))

    return load, lambda text: read(as_utf8(text.encode(), TEXT, checked=False), TEXT)


def reading_lines(read: Callable[[Iterable[tuple[int, str]], str], Treebank]) -> Functions:
    """Functions of a format that is read line by line: each has its number, from 1, and no line end."""

    def load(path: Path, *, encoding: str | None = None) -> Treebank:
        return read(lines(path, encoding), str(path))

    def loads(text: str) -> Treebank:
        whole = clean(text.removeprefix("\ufeff"), TEXT).removesuffix("\n").split("\n")
        return read(((number, line.rstrip("\r")) for number, line in enumerate(whole, 1)), TEXT)

    return load, loads


def reading_chunks(
    read: Callable[[bytes, str], Treebank], cut: Cut, ends: Callable[[bytes], int] = line_ends
) -> LoadChunks:
    """Function that reads big files in chunks, which ``cut`` ends and in which ``ends`` counts lines."""

    def load_chunks(
        path: Path, *, encoding: str | None = None, size: int = LARGE_CHUNK
    ) -> Iterator[Treebank]:
        sentences = lines = 0
        for text in texts(path, encoding, size, cut):
            bank = moved(read(text, str(path)), sentences, lines)
            sentences += len(bank)
            lines += ends(text)
            del text
            yield bank
            del bank

    return load_chunks


def writing(dumps: Callable[[Treebank], str]) -> Dump:
    """Return the function that writes a treebank to a file as ``dumps`` writes it to a string."""

    def dump(bank: Treebank, path: Path, *, encoding: str = "utf-8") -> None:
        write_text(path, dumps(bank), encoding)

    return dump
