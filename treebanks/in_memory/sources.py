"""Whatever Python users give as a treebank: a path or pattern, a treebank, or an iterable of parses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from importlib import import_module
from itertools import islice
from os import PathLike, fspath
from typing import Any, TypeAlias

from crossbank.treebanks.errors import CrossbankError
from crossbank.treebanks.formats import read_all
from crossbank.treebanks.formats.streaming import moved
from crossbank.treebanks.in_memory.elements import EXPECTED, ElementError, Kind, kind_of, named
from crossbank.treebanks.treebank import Treebank
from crossbank.treebanks.validation import refuse_unsound

Source: TypeAlias = "Treebank | str | PathLike[str] | Iterable[object]"
"""A treebank, the path of a file, or an iterable of parses that are in memory.

A name with ``*`` in it stands for all files that it matches. An iterable, a generator too, has elements of
one kind: bracketed strings, ``nltk.Tree``, ``conllu.TokenList``, spaCy's ``Doc`` or ``Span``, Stanza's
``Document`` or ``Sentence``, ``(words, heads, relations)`` or ``(words, spans)``; None or "" is a sentence
without a parse.
"""

Reader: TypeAlias = Callable[[Sequence[Any], str, int], Treebank]
"""A function that makes a treebank of elements of one kind, and None, which stands for no parse.

The others are the argument's name and the place of the first element, for ``ElementError``.
"""

READERS: Mapping[Kind, str] = {
    Kind.BRACKETS: "bracketed_strings:treebank_of",
    Kind.NLTK: "nltk_trees:treebank_of",
    Kind.CONLLU: "token_lists:treebank_of",
    Kind.SPACY: "documents:of_spacy",
    Kind.STANZA: "documents:of_stanza",
    Kind.HEADS: "lists:of_heads",
    Kind.SPANS: "lists:of_spans",
}
"""The ``Reader`` of each kind: its module in this folder, and its name there."""


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


def pieces_of(
    source: Iterable[object], name: str = "trees", *, size: int | None, first: int = 0
) -> Iterator[Treebank]:
    """Yield the treebanks of so many elements each, at least one; ``first`` sentences come before."""
    elements = _counted(_iterator(source, name), name)
    place, kind = 0, Kind.NONE
    while taken := list(islice(elements, size)):
        kind = _one_kind(taken, kind, name, place)
        module, _, function = READERS[Kind.BRACKETS if kind is Kind.NONE else kind].partition(":")
        reader: Reader = getattr(import_module(f"crossbank.treebanks.in_memory.{module}"), function)
        bank = reader(taken, name, place)
        yield moved(bank, first) if first else bank
        place += len(taken)
        first += len(bank)
        del bank, taken
        if size is None:
            return
    if not place:
        raise CrossbankError(f"{name}: there are no elements; at least one parse is needed")


def _iterator(source: object, name: str) -> Iterator[object]:
    # A type of another package may extend a list: a tree is a list of its daughters.
    is_list = isinstance(source, (tuple, list)) and type(source).__module__ == "builtins"
    kind = None if is_list else kind_of(source)
    if kind not in (None, Kind.NONE):
        raise CrossbankError(f"{name}: found {named(source)} alone, expected a list of them, or a path")
    # The elements of a set are in no order, and would be paired by chance.
    unordered = (Mapping, Set)
    if isinstance(source, (str, bytes, PathLike, *unordered)) or not isinstance(source, Iterable):
        expected = f"a path, a Treebank, or a list of {EXPECTED}"
        raise CrossbankError(f"{name}: found {named(source)}, expected {expected}")
    return iter(source)


def _counted(elements: Iterator[object], name: str) -> Iterator[object]:
    """Yield the elements; an error of the iterable itself is told with the place that it was at."""
    place = 0
    while True:
        try:
            element = next(elements)
        except StopIteration:
            return
        except Exception as error:
            said = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
            raise ElementError(name, place, f"an error of the iterable ({said})", "a parse") from error
        yield element
        place += 1


def _one_kind(elements: Sequence[object], kind: Kind, name: str, first: int) -> Kind:
    """Return the kind of all elements. Raises ElementError for the first that is of none or of another."""
    if kind in (Kind.NONE, Kind.BRACKETS) and all(type(element) is str for element in elements):
        return Kind.BRACKETS
    for place, element in enumerate(elements, first):
        found = kind_of(element)
        if found is None:
            raise ElementError(name, place, named(element), EXPECTED)
        if Kind.NONE not in (found, kind) and found is not kind:
            raise ElementError(name, place, f"{found.value} after others of another kind", kind.value)
        if kind is Kind.NONE:
            kind = found
    return kind


def named_source(source: Source, otherwise: str = "candidate") -> str:
    """Return the path of a source that has one, else another name."""
    return fspath(source) if isinstance(source, (str, PathLike)) else otherwise
