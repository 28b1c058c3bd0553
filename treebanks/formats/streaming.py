"""A big text file in chunks that hold whole sentences, each read like a file of its own.

Memory then depends on the size of a chunk and not on that of the file: what makes chunks forgets each one
before it makes the next (``del``). The chunks of a file, one after the other, are the treebank that the whole
file is: sentences and lines are counted from the file's beginning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from os import PathLike
from typing import TypeAlias

import numpy as np

from crossbank.treebanks.files import utf8_blocks
from crossbank.treebanks.memory import require_for_text
from crossbank.treebanks.treebank import Treebank

Cut: TypeAlias = Callable[[bytes], int]
"""A function that gives the place in a text after its last whole sentence, 0 if there is none.

The text begins with a sentence, and may end within one.
"""


def texts(path: str | PathLike[str], encoding: str | None, size: int, cut: Cut) -> Iterator[bytes]:
    """A file's text in UTF-8, without a byte order mark, in chunks of about ``size`` bytes.

    A chunk is longer where a sentence is. Raises the errors of ``treebanks.files.utf8_blocks``.
    """
    held = b""
    for block in utf8_blocks(path, encoding, size):
        held += block
        require_for_text(len(held), str(path))
        end = cut(held)
        if 0 < end < len(held):
            yield held[:end]
            held = held[end:]
    if held:
        yield held


def line_ends(text: bytes) -> int:
    """Return the number of line ends in a text: of Unix, of Windows, or carriage returns alone."""
    count = text.count(b"\n")
    return count + text.count(b"\r") - text.count(b"\r\n") if b"\r" in text else count


def moved(bank: Treebank, sentences: int, lines: int = 0) -> Treebank:
    """A chunk of a file in which this many sentences and lines come before it."""
    table = bank.sentences
    line = np.where(table.line > 0, table.line + np.int32(lines), 0).astype(np.int32)
    ordinal = table.ordinal + np.int32(sentences)
    return bank.replace(sentences=table.replace(ordinal=ordinal, line=line))


def after_last_line(text: bytes) -> int:
    """Return the offset after the last line end: a ``Cut`` where each line is a sentence."""
    return text.rfind(b"\n") + 1
