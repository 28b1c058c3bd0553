"""Plain text: one sentence a line, words separated by white space; an empty line has no words."""

from __future__ import annotations

from collections.abc import Iterator
from os import PathLike

from crossbank.treebanks.builder import TreebankBuilder
from crossbank.treebanks.files import PIECE, decode, read_text, write_text
from crossbank.treebanks.formats.streaming import behind_last_line, each_piece
from crossbank.treebanks.treebank import Treebank


def load(path: str | PathLike[str], *, encoding: str | None = None) -> Treebank:
    """Read a text. Raises the errors of ``treebanks.files.read_text``."""
    return _parse(read_text(path, encoding), str(path))


def load_pieces(
    path: str | PathLike[str], *, encoding: str | None = None, size: int = PIECE
) -> Iterator[Treebank]:
    """Read a text in pieces of about ``size`` bytes, which together are what ``load`` gives."""

    def read_piece(text: bytes) -> Treebank:
        return _parse(decode(text, path), str(path))

    return each_piece(path, encoding, size, behind_last_line, read_piece)


def loads(text: str) -> Treebank:
    """Read a text from a string."""
    return _parse(text, "text")


def dump(bank: Treebank, path: str | PathLike[str], *, encoding: str = "utf-8") -> None:
    """Write the words of a treebank."""
    write_text(path, dumps(bank), encoding)


def dumps(bank: Treebank) -> str:
    """The words of a treebank, a line for each sentence."""
    return "".join(f"{' '.join(bank.words(sentence))}\n" for sentence in range(len(bank)))


def _parse(text: str, source: str) -> Treebank:
    builder = TreebankBuilder(source)
    for number, line in enumerate(text.removesuffix("\n").split("\n"), 1):
        builder.sentence(line=number)
        builder.tokens(form=line.split())
    return builder.build()
