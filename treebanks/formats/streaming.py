"""A big text file in chunks that hold whole sentences, each read like a file of its own.

Memory then depends on the size of a chunk and not on that of the file: what makes chunks forgets each one
before it makes the next (``del``). The chunks of a file, one after the other, are the treebank that the whole
file is: sentences and lines are counted from the file's beginning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from os import PathLike
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from crossbank.treebanks.files import utf8_blocks
from crossbank.treebanks.memory import require_for_text
from crossbank.treebanks.treebank import Treebank

if TYPE_CHECKING:
    from crossbank.treebanks.damage.correction import CorrectedText
    from crossbank.treebanks.damage.damaged_file import DamagedFile

Cut: TypeAlias = Callable[[bytes], int]
"""A function that returns the offset after the last whole sentence of a text, 0 if there is none.

The text begins with a sentence, and may end within one.
"""


class TextChunks:
    """A file's text in UTF-8, without a byte order mark, in chunks of about ``size`` bytes.

    A chunk is longer where a sentence is; a file without text has one. With ``is_lenient``, what is not text
    is no error (see ``utf8_blocks``), and a text of twice the size is a chunk even without a cut.

    is_last  whether the chunk that was given out last ends with the file

    Raises the errors of ``treebanks.files.utf8_blocks``.
    """

    def __init__(
        self,
        path: str | PathLike[str],
        encoding: str | None,
        size: int,
        cut: Cut,
        *,
        is_lenient: bool = False,
    ) -> None:
        self._path, self._cut, self._is_lenient = path, cut, is_lenient
        self._blocks = utf8_blocks(path, encoding, size, is_lenient=is_lenient)
        self._following = next(self._blocks, None)
        self._held, self._longest = b"", 2 * size
        self.is_last = self._is_begun = False

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        """Return the next chunk."""
        while self._following is not None:
            self._held += self._following
            self._following = next(self._blocks, None)
            require_for_text(len(self._held), str(self._path))
            if self._following is None and self._is_lenient:
                break
            end = self._cut(self._held)
            if 0 < end < len(self._held):
                text, self._held = self._held[:end], self._held[end:]
                self._is_begun = True
                return text
            if self._is_lenient and len(self._held) >= self._longest:
                break
        text, self._held = self._held, b""
        self.is_last = self._following is None
        if not text and self._is_begun:
            raise StopIteration
        self._is_begun = True
        return text

    def push_back(self, text: bytes) -> None:
        """Put the end of the last chunk before the next one."""
        self._held = text + self._held
        self._longest = max(self._longest, 2 * len(self._held))


def line_ends(text: bytes) -> int:
    """Return the number of line ends in a text: of Unix, of Windows, or carriage returns alone."""
    count = text.count(b"\n")
    return count + text.count(b"\r") - text.count(b"\r\n") if b"\r" in text else count


def moved(bank: Treebank, sentences: int, lines: int = 0) -> Treebank:
    """Return a chunk of a file in which this many sentences and lines come before it."""
    table = bank.sentences
    line = np.where(table.line > 0, table.line + np.int32(lines), 0).astype(np.int32)
    ordinal = table.ordinal + np.int32(sentences)
    return bank.replace(sentences=table.replace(ordinal=ordinal, line=line))


def after_last_line(text: bytes) -> int:
    """Return the offset after the last line end: a ``Cut`` where each line is a sentence."""
    return text.rfind(b"\n") + 1


def chunks_in_place(
    chunks: Iterable[tuple[bytes, Treebank, CorrectedText | None]],
    damage: DamagedFile | None,
    ends: Callable[[bytes], int] = line_ends,
) -> Iterator[Treebank]:
    """Yield the treebanks of chunks with sentences and lines counted from the beginning of the file.

    chunks  the text of each chunk, its treebank, and the text as it was corrected, if it was damaged
    ends    counts the lines of a text
    """
    sentences = lines = 0
    for text, bank, corrected in chunks:
        number = ends(text) if corrected is None else corrected.lines
        bank = moved(bank if corrected is None else corrected.annotate(bank), sentences, lines)
        sentences += len(bank)
        lines += number
        if damage is None:
            yield bank
        else:
            yield from damage.release(bank, corrected)
        del bank, text, corrected  # they must not stay in memory while the next ones are read
    if damage is not None:
        damage.require_sentence()
