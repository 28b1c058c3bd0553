"""Types of objects in memory that are parses of sentences, and their recognition."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from functools import lru_cache
from typing import Any

from crossbank.treebanks.errors import CrossbankError
from crossbank.treebanks.sentence import Sentence


class ElementType(Enum):
    """A type of object that is a parse; its value is its name in messages."""

    NONE = "no parse"
    BRACKETS = "a bracketed string"
    NLTK = "an nltk.Tree"
    CONLLU = "a conllu.TokenList"
    SPACY = "a spaCy Doc or Span"
    STANZA = "a Stanza Document or Sentence"
    HEADS = "(words, heads, relations)"
    SPANS = "(words, spans)"


TYPES = {
    ("nltk", "Tree"): ElementType.NLTK,
    ("conllu", "TokenList"): ElementType.CONLLU,
    ("spacy", "Doc"): ElementType.SPACY,
    ("spacy", "Span"): ElementType.SPACY,
    ("stanza", "Document"): ElementType.STANZA,
    ("stanza", "Sentence"): ElementType.STANZA,
}
"""Types of other packages, by the package and the name of the type or of a base class."""

EXPECTED = (
    "bracketed strings, nltk.Tree, conllu.TokenList, spaCy Doc or Span, Stanza Document or Sentence, "
    "(words, heads, relations), (words, spans), or None for no parse"
)


def find_element_type(element: object) -> ElementType | None:
    """Return the type of an object, or None if it is not a parse. A blank string means no parse."""
    if element is None:
        return ElementType.NONE
    if isinstance(element, str):
        return ElementType.BRACKETS if element and not element.isspace() else ElementType.NONE
    of_element: Any = type(element)
    element_type = _find_type(of_element)
    if element_type is None and isinstance(element, (tuple, list)) and not isinstance(element[:1], str):
        first: Any = type(element[0]) if element else str
        words_first = element and _is_column(element[0]) and _find_type(first) is None
        return {2: ElementType.SPANS, 3: ElementType.HEADS}.get(len(element)) if words_first else None
    return element_type


@lru_cache(maxsize=64)
def _find_type(type_: Any) -> ElementType | None:
    names = ((one.__module__.partition(".")[0], one.__name__) for one in type_.__mro__)
    return next((TYPES[name] for name in names if name in TYPES), None)


def _is_column(value: object) -> bool:
    return hasattr(value, "__len__") and not isinstance(value, (str, bytes))


def named(element: object) -> str:
    """Return an object as messages name it."""
    element_type = find_element_type(element)
    if element_type not in (None, ElementType.NONE, ElementType.BRACKETS):
        assert element_type is not None
        return str(element_type.value)
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
    """An element of an iterable that is not a parse, or is damaged.

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
