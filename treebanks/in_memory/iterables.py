"""Treebanks of iterables: lists, generators and the like whose elements are parses of sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from itertools import islice
from os import PathLike
from typing import Any, TypeAlias

from crossbank.treebanks.errors import CrossbankError
from crossbank.treebanks.formats.streaming import moved
from crossbank.treebanks.in_memory.elements import EXPECTED, ElementError, Kind, kind_of, named
from crossbank.treebanks.treebank import Treebank

Reader: TypeAlias = Callable[[Sequence[Any], str, int], Treebank]
"""A function that makes a treebank of elements of one kind, and None, which stands for no parse.

The others are the argument's name and the place of the first element, for ``ElementError``.
"""

READERS: Mapping[Kind, str] = {
    Kind.BRACKETS: "bracketed_strings",
    Kind.NLTK: "nltk_trees",
    Kind.CONLLU: "token_lists",
    Kind.SPACY: "spacy_documents",
    Kind.STANZA: "stanza_documents",
    Kind.HEADS: "heads",
    Kind.SPANS: "labelled_spans",
}
"""The module of each kind, which has the function ``treebank_of``, a ``Reader``."""


def treebank_of(source: Iterable[object], name: str = "trees", *, first: int = 0) -> Treebank:
    """Return the treebank of all elements of an iterable, of one kind or None.

    name   what the caller calls it, for messages and as the source of its sentences
    first  the number of sentences that come before

    Raises CrossbankError for what is no iterable of parses, with the place of the element.
    """
    return next(pieces_of(source, name, size=None, first=first))


def pieces_of(
    source: Iterable[object], name: str = "trees", *, size: int | None, first: int = 0
) -> Iterator[Treebank]:
    """Yield the treebanks of so many elements each, at least one; ``first`` sentences come before."""
    elements = _counted(_iterator(source, name), name)
    place, kind = 0, Kind.NONE
    while taken := list(islice(elements, size)):
        kind = _one_kind(taken, kind, name, place)
        chosen = Kind.BRACKETS if kind is Kind.NONE else kind
        module = import_module(f"crossbank.treebanks.in_memory.{READERS[chosen]}")
        reader: Reader = module.treebank_of
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
    kind = None if isinstance(source, (tuple, list)) and not _is_foreign(source) else kind_of(source)
    if kind not in (None, Kind.NONE):
        raise CrossbankError(f"{name}: found {named(source)} alone, expected a list of them, or a path")
    if isinstance(source, (str, bytes, PathLike, Mapping)) or not isinstance(source, Iterable):
        raise CrossbankError(
            f"{name}: found {named(source)}, expected a path, a Treebank, or a list of {EXPECTED}"
        )
    return iter(source)


def _is_foreign(source: object) -> bool:
    """True for a type of another package that extends a list: a tree is a list of its daughters."""
    return type(source).__module__ != "builtins"


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
