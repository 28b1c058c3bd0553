"""Kinds of objects in memory that are parses of sentences, and how each is recognised."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from functools import lru_cache
from typing import Any

from crossbank.treebanks.errors import CrossbankError
from crossbank.treebanks.sentence import Sentence


class Kind(Enum):
    """A kind of object that is a parse; its value is how messages name it."""

    NONE = "no parse"
    BRACKETS = "a bracketed string"
    NLTK = "an nltk.Tree"
    CONLLU = "a conllu.TokenList"
    SPACY = "a spaCy Doc or Span"
    STANZA = "a Stanza Document or Sentence"
    HEADS = "(words, heads, relations)"
    SPANS = "(words, spans)"


TYPES = {
    ("nltk", "Tree"): Kind.NLTK,
    ("conllu", "TokenList"): Kind.CONLLU,
    ("spacy", "Doc"): Kind.SPACY,
    ("spacy", "Span"): Kind.SPACY,
    ("stanza", "Document"): Kind.STANZA,
    ("stanza", "Sentence"): Kind.STANZA,
}
"""The kinds of types of other packages, by the package and the name of the type or of one that it extends."""

EXPECTED = (
    "bracketed strings, nltk.Tree, conllu.TokenList, spaCy Doc or Span, Stanza Document or Sentence, "
    "(words, heads, relations), (words, spans), or None for no parse"
)


def kind_of(element: object) -> Kind | None:
    """Return the kind of an object; None if it is not a parse. A blank string says that there is no parse."""
    if element is None:
        return Kind.NONE
    if isinstance(element, str):
        return Kind.BRACKETS if element and not element.isspace() else Kind.NONE
    of_element: Any = type(element)
    kind = _kind_of_type(of_element)
    if kind is None and isinstance(element, (tuple, list)) and not isinstance(element[:1], str):
        first: Any = type(element[0]) if element else str
        words_first = element and _is_column(element[0]) and _kind_of_type(first) is None
        return {2: Kind.SPANS, 3: Kind.HEADS}.get(len(element)) if words_first else None
    return kind


@lru_cache(maxsize=64)
def _kind_of_type(type_: Any) -> Kind | None:
    names = ((one.__module__.partition(".")[0], one.__name__) for one in type_.__mro__)
    return next((TYPES[name] for name in names if name in TYPES), None)


def _is_column(value: object) -> bool:
    return hasattr(value, "__len__") and not isinstance(value, (str, bytes))


def named(element: object) -> str:
    """Return an object as messages name it."""
    kind = kind_of(element)
    if kind not in (None, Kind.NONE, Kind.BRACKETS):
        assert kind is not None
        return str(kind.value)
    if isinstance(element, str):
        return f"the string {element[:40]!r}"
    if isinstance(element, bytes):
        return "bytes"
    if isinstance(element, Sentence):
        index = element.index
        return f"a crossbank.Sentence (treebank[{index}:{index + 1}] is a treebank of it)"
    type_ = type(element)
    article = "an" if type_.__qualname__[:1].lower() in "aeiou" else "a"
    module = "" if type_.__module__ == "builtins" else f"{type_.__module__.partition('.')[0]}."
    literal = repr(element) if isinstance(element, (int, float, bool, type(None))) else ""
    return (
        f"{literal}, {article} {type_.__qualname__}" if literal else f"{article} {module}{type_.__qualname__}"
    )


class ElementError(CrossbankError):
    """An element of an iterable that is not a parse, or a damaged one.

    The message names it as Python does, ``candidate[2]``: the argument's name, and the index.
    """

    def __init__(self, name: str, index: int, actual: str, expected: str) -> None:
        self.name, self.index = name, index
        self.actual, self.expected = actual, expected
        super().__init__(f"{name}[{index}]: found {actual}, expected {expected}")


def columns_of(element: Sequence[Any], names: Sequence[str], name: str, index: int) -> Sequence[Any]:
    """Return the lists that an element consists of.

    Raises ElementError, with its name, for one that is not a list.
    """
    for column, called in zip(element, names, strict=True):
        if not _is_column(column):
            raise ElementError(name, index, f"{named(column)} as {called}", "a list")
    return element
