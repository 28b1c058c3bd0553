"""Whatever Python users give as a treebank: a path or pattern, a treebank, or an iterable of parses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from os import PathLike, fspath
from typing import TypeAlias

from crossbank.treebanks.errors import CrossbankError
from crossbank.treebanks.formats import read_all
from crossbank.treebanks.in_memory.elements import Kind, kind_of, named
from crossbank.treebanks.in_memory.iterables import pieces_of
from crossbank.treebanks.treebank import Treebank
from crossbank.treebanks.validation import refuse_unsound

Source: TypeAlias = "Treebank | str | PathLike[str] | Iterable[object]"
"""A treebank, the path of a file, or an iterable of parses that are in memory.

A name with ``*`` in it stands for all files that it matches. An iterable, a generator too, has elements of
one kind: bracketed strings, ``nltk.Tree``, ``conllu.TokenList``, spaCy's ``Doc`` or ``Span``, Stanza's
``Document`` or ``Sentence``, ``(words, heads, relations)`` or ``(words, spans)``; None or "" is a sentence
without a parse.
"""


def treebank_of_source(
    source: Source, name: str, format: str | None = None, encoding: str | None = None, *, first: int = 0
) -> Treebank:
    """Return the treebank of a source; ``name`` is what messages call it where it has no path.

    first  the number of sentences that come before those of an iterable

    Raises CrossbankError for what is no source, and the errors of reading.
    """
    return next(pieces_of_source(source, name, None, format, encoding, first=first))


def pieces_of_source(
    source: Source,
    name: str,
    size: int | None,
    format: str | None = None,
    encoding: str | None = None,
    *,
    first: int = 0,
) -> Iterator[Treebank]:
    """Yield the treebanks of a source: of an iterable one for so many elements, of all else one."""
    if isinstance(source, Treebank):
        refuse_unsound(source, name)
        yield source
    elif isinstance(source, (str, PathLike)):
        path = fspath(source)
        if kind_of(path) is Kind.BRACKETS and path.lstrip().startswith("("):
            raise CrossbankError(f"{name}: found {named(path)} alone, expected a list of strings, or a path")
        yield read_all([path], format, encoding=encoding)
    else:
        if format is not None or encoding is not None:
            option = "format" if format is not None else "encoding"
            raise CrossbankError(f"{name}: found parses in memory with {option}=, expected a file with it")
        yield from pieces_of(source, name, size=size, first=first)


def named_source(source: Source, otherwise: str = "candidate") -> str:
    """Return the path of a source that has one, else another name."""
    return fspath(source) if isinstance(source, (str, PathLike)) else otherwise
