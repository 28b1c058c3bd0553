"""Sources of treebanks in Python: a path or pattern, a treebank, or an iterable of parses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from functools import cache
from importlib import import_module
from itertools import islice
from os import PathLike, fspath
from typing import Any, TypeAlias

from crossbank.treebanks.chunks import CHUNK, ELEMENTS, Chunk, ChunkedSource
from crossbank.treebanks.damage.rules import DamagePolicy
from crossbank.treebanks.errors import CrossbankError
from crossbank.treebanks.failed_parses import FAILED_PARSE
from crossbank.treebanks.formats import FORMATS, REGISTRY, chunked_files, paths_of, read_all
from crossbank.treebanks.formats.streaming import moved
from crossbank.treebanks.in_memory.elements import (
    EXPECTED,
    ElementError,
    ElementType,
    find_element_type,
    named,
)
from crossbank.treebanks.treebank import Treebank
from crossbank.treebanks.validation import refuse_unsound

Source: TypeAlias = "Treebank | str | PathLike[str] | Iterable[object]"
"""A treebank, the path of a file, or an iterable of parses that are in memory.

A name with ``*`` in it stands for all files that it matches. An iterable, a generator too, has elements of
one type: bracketed strings, ``nltk.Tree``, ``conllu.TokenList``, spaCy's ``Doc`` or ``Span``, Stanza's
``Document`` or ``Sentence``, ``(words, heads, relations)`` or ``(words, spans)``; None or "" is a sentence
without a parse.
"""

Reader: TypeAlias = Callable[[Sequence[Any], str, int], Treebank]
"""A function that returns a treebank from elements of one type or None (no parse).

Its second and third argument are the name of the source and the index of the first element, for errors.
"""

READERS: Mapping[ElementType, str] = {
    ElementType.BRACKETS: "bracketed_strings:treebank_of",
    ElementType.NLTK: "nltk_trees:treebank_of",
    ElementType.CONLLU: "token_lists:treebank_of",
    ElementType.SPACY: "documents:of_spacy",
    ElementType.STANZA: "documents:of_stanza",
    ElementType.HEADS: "lists:of_heads",
    ElementType.SPANS: "lists:of_spans",
}
"""The ``Reader`` of each type: its module in this folder, and its name there."""


def treebank_of_source(
    source: Source,
    name: str,
    format: str | None = None,
    encoding: str | None = None,
    damaged: str = DamagePolicy.STOP,
) -> Treebank:
    """Return the treebank of a source; ``name`` is its name in messages if it has no path.

    Raises CrossbankError for an object that is not a source, and the errors of reading.
    """
    if isinstance(source, Treebank):
        refuse_unsound(source, name)
        return source
    if isinstance(source, (str, PathLike)):
        return read_all([_path(source, name)], format, encoding=encoding, damaged=damaged)
    _refuse_options(name, format, encoding)
    return next(chunks_of_elements(source, name, size=None, damaged=damaged))


def chunked_source(
    source: Source,
    name: str,
    format: str | None = None,
    encoding: str | None = None,
    *,
    size: int | None = CHUNK,
    elements: int | None = ELEMENTS,
    first: int = 0,
    damaged: str = DamagePolicy.STOP,
) -> ChunkedSource:
    """Return a source that is read chunk by chunk. A treebank is one chunk.

    size      the number of bytes of a chunk of a file; None for one chunk
    elements  the number of elements of a chunk of an iterable; None for one chunk
    first     the number of sentences that come before those of an iterable
    damaged   what happens to damaged sentences of files

    Raises the errors of ``treebank_of_source``, those of reading when chunks are read.
    """
    if isinstance(source, Treebank):
        refuse_unsound(source, name)
        return ChunkedSource([_file_of(source) or name], iter([Chunk(0, source)]), is_read_ahead=True)
    if isinstance(source, (str, PathLike)):
        paths = paths_of([_path(source, name)], format)
        return chunked_files(paths, format, encoding, size=size, damaged=damaged)
    _refuse_options(name, format, encoding)
    banks = chunks_of_elements(source, name, size=elements, first=first, damaged=damaged)
    return ChunkedSource([name], (Chunk(0, bank) for bank in banks))


def _path(source: str | PathLike[str], name: str) -> str:
    path = fspath(source)
    if find_element_type(path) is ElementType.BRACKETS and path.lstrip().startswith("("):
        raise CrossbankError(f"{name}: found {named(path)} alone, expected a list of strings, or a path")
    return path


def _refuse_options(name: str, format: str | None, encoding: str | None) -> None:
    if format is not None or encoding is not None:
        option = "format" if format is not None else "encoding"
        raise CrossbankError(f"{name}: found parses in memory with {option}=, expected a file with it")


def _file_of(bank: Treebank) -> str:
    return bank.vocabulary[int(bank.sentences.source[0])] if len(bank) else ""


def chunks_of_elements(
    source: Iterable[object],
    name: str = "trees",
    *,
    size: int | None,
    first: int = 0,
    damaged: str = DamagePolicy.STOP,
) -> Iterator[Treebank]:
    """Yield treebanks of ``size`` elements each (None: one treebank); ``first`` sentences come before.

    If a string does not begin with a bracket, all are read by the format that accepts such strings, unless
    ``damaged`` is ``stop``.
    """
    elements = _counted(_iterator(source, name), name)
    index, element_type = 0, ElementType.NONE
    while taken := list(islice(elements, size)):
        element_type = _common_type(taken, element_type, name, index)
        # A string that is not a tree is an error in gold, and damage in a candidate.
        may_be_text = element_type is ElementType.BRACKETS and damaged != DamagePolicy.STOP
        read_texts = _reader_of_texts() if may_be_text and _has_text(taken) else None
        if read_texts is not None:
            bank = read_texts(taken, name, index, damaged)
        else:
            bank = _reader(ElementType.BRACKETS if element_type is ElementType.NONE else element_type)(
                taken, name, index
            )
        yield moved(bank, first) if first else bank
        index += len(taken)
        first += len(bank)
        del bank, taken
        if size is None:
            return
    if not index:
        raise CrossbankError(f"{name}: there are no elements; at least one parse is needed")


@cache
def _reader(element_type: ElementType) -> Reader:
    """Return the function that reads elements of a type, and import its module."""
    module, _, function = READERS[element_type].partition(":")
    reader: Reader = getattr(import_module(f"crossbank.treebanks.in_memory.{module}"), function)
    return reader


@cache
def _reader_of_texts() -> Callable[[Sequence[Any], str, int, str], Treebank] | None:
    """Return the function of the format that reads strings other than brackets; None if there is none."""
    name = next((name for name, format in FORMATS.items() if format.reads_strings), None)
    return None if name is None else REGISTRY.load(name).treebank_of


def _has_text(elements: Sequence[object]) -> bool:
    """Return whether a string is neither brackets nor a parser's message on a failed parse."""
    return any(
        isinstance(one, str)
        and one[:1] != "("
        and (text := one.strip())
        and not text.startswith("(")
        and not FAILED_PARSE.fullmatch(text.encode())
        for one in elements
    )


def _iterator(source: object, name: str) -> Iterator[object]:
    # A subclass of list from another package is not a list of parses: nltk.Tree is a list of its daughters.
    if isinstance(source, (tuple, list)) and type(source).__module__ == "builtins":
        return iter(source)
    element_type = find_element_type(source)
    if element_type not in (None, ElementType.NONE):
        raise CrossbankError(f"{name}: found {named(source)} alone, expected a list of them, or a path")
    # Elements of a set have no order, so that they cannot be paired.
    unordered = (Mapping, Set)
    if isinstance(source, (str, bytes, PathLike, *unordered)) or not isinstance(source, Iterable):
        expected = f"a path, a Treebank, or a list of {EXPECTED}"
        raise CrossbankError(f"{name}: found {named(source)}, expected {expected}")
    return iter(source)


def _counted(elements: Iterator[object], name: str) -> Iterator[object]:
    """Yield the elements; an error of the iterable is reported with the index of the element."""
    index = 0
    while True:
        try:
            element = next(elements)
        except StopIteration:
            return
        except Exception as error:
            reason = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
            raise ElementError(name, index, f"an error of the iterable ({reason})", "a parse") from error
        yield element
        index += 1


def _common_type(elements: Sequence[object], element_type: ElementType, name: str, first: int) -> ElementType:
    """Return the type of all elements. Raises ElementError for the first of another or unknown type."""
    if element_type in (ElementType.NONE, ElementType.BRACKETS) and all(
        type(element) is str for element in elements
    ):
        return ElementType.BRACKETS
    for index, element in enumerate(elements, first):
        other_type = find_element_type(element)
        if other_type is None:
            raise ElementError(name, index, named(element), EXPECTED)
        if ElementType.NONE not in (other_type, element_type) and other_type is not element_type:
            raise ElementError(
                name, index, f"{other_type.value} after others of another type", element_type.value
            )
        if element_type is ElementType.NONE:
            element_type = other_type
    return element_type


def named_source(source: Source, otherwise: str = "candidate") -> str:
    """Return the path of a source that has one, else another name."""
    return fspath(source) if isinstance(source, (str, PathLike)) else otherwise
