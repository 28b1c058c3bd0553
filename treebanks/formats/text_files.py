"""Functions of a text format, made of one that reads a text and of one that writes it.

``load`` takes a file, gzipped or not, ``encoding`` is UTF-8 unless named; ``loads`` takes a string. Both
raise the errors of the function that reads, and ``load`` CrossbankError if the file cannot be read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from os import PathLike
from typing import TYPE_CHECKING, Protocol, TypeAlias, TypeVar

from crossbank.treebanks.arrays import BoolArray
from crossbank.treebanks.errors import FormatError
from crossbank.treebanks.files import LARGE_CHUNK, as_utf8, clean, decode, lines, read_bytes, write_text
from crossbank.treebanks.formats.streaming import Cut, TextChunks, chunks_in_place, line_ends
from crossbank.treebanks.treebank import Treebank

if TYPE_CHECKING:
    from crossbank.treebanks.damage.correction import CorrectedText
    from crossbank.treebanks.damage.damaged_file import DamagedFile

Path: TypeAlias = str | PathLike[str]

TEXT = "text"
"""The source of sentences that are read from a string."""


class Load(Protocol):
    """A function that reads a file."""

    def __call__(self, path: Path, *, encoding: str | None = None) -> Treebank:
        """Read a file."""


class Loads(Protocol):
    """A function that reads a text; ``source`` is what its errors and its sentences name."""

    def __call__(self, text: str, source: str = TEXT) -> Treebank:
        """Read a text."""


class LoadChunks(Protocol):
    """A function that reads a file in chunks of about ``size`` bytes, which together are what ``load`` gives.

    It raises the errors of ``load``; if a file has several faults, that of the first chunk with one. With
    ``damage``, damaged sentences are no faults.
    """

    def __call__(
        self,
        path: Path,
        *,
        encoding: str | None = None,
        size: int = LARGE_CHUNK,
        damage: DamagedFile | None = None,
    ) -> Iterator[Treebank]:
        """Read a file in chunks."""


class Dump(Protocol):
    """A function that writes a file, gzipped where its name ends in ``.gz``."""

    def __call__(self, bank: Treebank, path: Path, *, encoding: str = "utf-8") -> None:
        """Write a file."""


Functions: TypeAlias = tuple[Load, Loads]
"""``load`` and ``loads``."""


def reading_text(read: Callable[[str, str], Treebank]) -> Functions:
    """Return the functions of a format that is read from text with ``\\n`` line ends.

    read  takes the text and the source's name

    They get the source's name, too.
    """

    def load(path: Path, *, encoding: str | None = None) -> Treebank:
        return read(decode(read_bytes(path), path, encoding), str(path))

    def loads(text: str, source: str = TEXT) -> Treebank:
        return read(text, source)

    return load, loads


def reading_bytes(read: Callable[[bytes, str], Treebank], *, checked: bool = False) -> Functions:
    """Return the functions of a format that is read from bytes of UTF-8.

    checked  whether bytes are checked to be UTF-8 before they are read

    checked  whether bytes are checked to be UTF-8 before it reads
    """

    def load(path: Path, *, encoding: str | None = None) -> Treebank:
        return read(as_utf8(read_bytes(path), path, encoding, checked=checked), str(path))

    def loads(text: str, source: str = TEXT) -> Treebank:
        return read(as_utf8(text.encode(), source, checked=False), source)

    return load, loads


def reading_lines(read: Callable[[Iterable[tuple[int, str]], str], Treebank]) -> Functions:
    """Return the functions of a format that is read line by line.

    Lines have numbers, from 1, and no line ends.
    """

    def load(path: Path, *, encoding: str | None = None) -> Treebank:
        return read(lines(path, encoding), str(path))

    def loads(text: str, source: str = TEXT) -> Treebank:
        whole = clean(text.removeprefix("\ufeff"), source).removesuffix("\n").split("\n")
        return read(((number, line.rstrip("\r")) for number, line in enumerate(whole, 1)), source)

    return load, loads


State = TypeVar("State")

ReadWithDamage: TypeAlias = Callable[[bytes, str], tuple[Treebank, BoolArray] | None]
"""A function that reads a chunk whose damaged sentences have no words, and returns a mask of these.

None if it is doubtful where a sentence begins or ends.
"""

ReadOn: TypeAlias = Callable[[bytes, str, State], tuple[Treebank, State]]
"""A function that reads a chunk in the state after the chunks before it, and returns the state after it."""


def reading_chunks(
    read: Callable[[bytes, str], Treebank],
    cut: Cut,
    without_words: tuple[str, str] | None = None,
    skip: ReadWithDamage | None = None,
) -> LoadChunks:
    """Return a function that reads big files in independent chunks.

    cut  ends chunks

    without_words  what a file without a word has, and what it should have; None if there is nothing wrong
    skip           see ``reading_on``
    """
    return reading_on(
        lambda text, path, state: (read(text, path), state),
        None,
        cut,
        lambda bank: len(bank.tokens) if without_words is not None else 1,
        without_words or ("", ""),
        skip,
    )


def reading_on(
    read: ReadOn[State],
    state: State,
    cut: Cut,
    size_of: Callable[[Treebank], int],
    nothing: tuple[str, str],
    skip: ReadWithDamage | None = None,
) -> LoadChunks:
    """Return a function that reads big files in chunks with a state.

    cut  ends chunks

    state  the state before the first chunk

    size_of  the number of what a file must have some of
    nothing  what a file without it has, and what it should have
    skip     reads a chunk whose damaged sentences have no words, in one pass; None if nothing does
    """

    def load_chunks(
        path: Path, *, encoding: str | None = None, size: int = LARGE_CHUNK, damage: DamagedFile | None = None
    ) -> Iterator[Treebank]:
        def chunks() -> Iterator[tuple[bytes, Treebank, CorrectedText | None]]:
            current = state
            sentences = lines = contents = 0
            source = TextChunks(path, encoding, size, cut, is_lenient=damage is not None)
            for text in source:
                corrected: CorrectedText | None = None
                read_chunk = partial(_read_in_state, read, str(path), current)
                if damage is not None:
                    skipped = skip and damage.skip_damaged(text, source, partial(_skip, skip, str(path)), cut)
                    if skipped:
                        text, bank, corrected = skipped
                    else:
                        (bank, current), corrected = damage.read(
                            text, source, read_chunk, before=(sentences, lines)
                        )
                else:
                    try:
                        bank, current = read_chunk(text)
                    except FormatError as error:
                        raise error.moved(sentences, lines) from None
                sentences += len(bank)
                lines += line_ends(text) if corrected is None else corrected.lines
                contents += size_of(bank)
                yield text, bank, corrected
                del text, bank, corrected
            if damage is not None:
                damage.require_sentence()
            if not contents:
                raise FormatError(path, *nothing)

        return chunks_in_place(chunks(), damage)

    return load_chunks


def _skip(skip: ReadWithDamage, path: str, text: bytes) -> tuple[Treebank, list[int], int] | None:
    read = skip(text, path)
    return None if read is None else (read[0], read[0].sentences.line[read[1]].tolist(), len(read[0]))


def _read_in_state(read: ReadOn[State], path: str, state: State, text: bytes) -> tuple[Treebank, State]:
    return read(text, path, state)


def writing(dumps: Callable[[Treebank], str]) -> Dump:
    """Return the function that writes a treebank to a file as ``dumps`` writes it to a string."""

    def dump(bank: Treebank, path: Path, *, encoding: str = "utf-8") -> None:
        write_text(path, dumps(bank), encoding)

    return dump
