"""Treebanks from lists: ``(words, heads, relations)`` or ``(words, [(start, end, label), ...])``.

Heads count words from 1, and 0 is the head of a root, as in the CoNLL formats. A span goes from word
``start``, counted from 0, to the one before ``end``. Of two spans over the same words the first in the list
dominates the second.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import index
from typing import Any, TypeAlias

from crossbank.treebanks.builder import TreebankBuilder
from crossbank.treebanks.in_memory.elements import ElementError, columns_of, named
from crossbank.treebanks.quantities import quantity
from crossbank.treebanks.tables import NO_PARENT, ROOT
from crossbank.treebanks.treebank import Treebank

Span: TypeAlias = tuple[int, int, str]
"""Start, end and label of a constituent."""


def of_heads(triples: Sequence[Any], name: str, first: int = 0) -> Treebank:
    """Return a treebank with a sentence for each triple; None and "" have no parse.

    Raises ElementError, with the index, for lists of different length, heads that do not exist and words or
    relations that are not strings.
    """
    builder = TreebankBuilder(name)
    for element_index, triple in enumerate(triples, first):
        builder.sentence()
        if triple is None or isinstance(triple, str):
            continue
        words, heads, relations = columns_of(triple, ("words", "heads", "relations"), name, element_index)
        if not len(words) == len(heads) == len(relations):
            actual = f"{quantity(len(words), 'word')}, {quantity(len(heads), 'head')} and "
            actual += quantity(len(relations), "relation")
            raise ElementError(name, element_index, actual, "as many of each")
        builder.tokens(
            form=_strings(words, "word", name, element_index),
            head=heads_of(heads, len(words), name, element_index),
            relation=_strings(relations, "relation", name, element_index),
        )
    return builder.build()


def heads_of(heads: Iterable[Any], words: int, name: str, element_index: int) -> list[int]:
    """Return heads counted from 0, with ``ROOT``. Raises ElementError for a head that does not exist."""
    indices = []
    for head in heads:
        try:
            number = index(head)
        except TypeError:
            raise ElementError(name, element_index, f"{named(head)} as a head", "whole numbers") from None
        if not 0 <= number <= words:
            expected = f"0 for a root, and else a word from 1 to {words}"
            raise ElementError(name, element_index, f"the head {number}", expected)
        indices.append(number - 1 if number else ROOT)
    return indices


def _strings(values: Sequence[Any], what: str, name: str, element_index: int) -> list[str]:
    for string in values:
        if not isinstance(string, str):
            raise ElementError(name, element_index, f"{named(string)} as a {what}", "a string")
    return list(values)


def of_spans(pairs: Sequence[Any], name: str, first: int = 0) -> Treebank:
    """Return a treebank with a sentence for each pair; None and "" have no parse.

    A word may be a pair of word and tag. Raises ElementError, with the index, for spans that cross, that are
    empty or lie outside of the words, and for words or labels that are not strings.
    """
    builder = TreebankBuilder(name)
    for element_index, pair in enumerate(pairs, first):
        builder.sentence()
        if pair is None or isinstance(pair, str):
            continue
        words, spans = columns_of(pair, ("words", "spans"), name, element_index)
        tagged = [
            word if isinstance(word, (tuple, list)) and len(word) == 2 else (word, "") for word in words
        ]
        _strings([string for word in tagged for string in word], "word", name, element_index)
        checked = (_checked(span, len(tagged), name, element_index) for span in spans)
        ordered = sorted(checked, key=lambda span: (span[0], -span[1]))
        above, of_words = _parents(ordered, len(tagged), name, element_index)
        builder.nodes(label=[label for _, _, label in ordered], parent=above)
        builder.tokens(form=[word for word, _ in tagged], pos=[tag for _, tag in tagged], parent=of_words)
    return builder.build()


def _checked(span: Any, words: int, name: str, element_index: int) -> Span:
    try:
        start, end, label = span
        start, end = index(start), index(end)
    except (TypeError, ValueError):
        raise ElementError(name, element_index, f"{span!r} as a span", "(start, end, label)") from None
    _strings([label], "label", name, element_index)
    if not 0 <= start < end <= words:
        raise ElementError(name, element_index, f"the span {(start, end, label)}", f"a part of {words} words")
    return start, end, label


def _parents(spans: Sequence[Span], words: int, name: str, element_index: int) -> tuple[list[int], list[int]]:
    """Return the span above each span and each word. Raises ElementError where spans cross."""
    above, of_words = [], [NO_PARENT] * words
    open_spans: list[int] = []
    for number, (start, end, label) in enumerate(spans):
        while open_spans and spans[open_spans[-1]][1] <= start:
            open_spans.pop()
        if open_spans and spans[open_spans[-1]][1] < end:
            crossed = spans[open_spans[-1]]
            raise ElementError(
                name, element_index, f"{(start, end, label)}, which crosses {crossed}", "nested spans"
            )
        above.append(open_spans[-1] if open_spans else NO_PARENT)
        open_spans.append(number)
        of_words[start:end] = [number] * (end - start)
    return above, of_words


def to_spans(bank: Treebank) -> list[tuple[list[str], list[Span]]]:
    """Return the words and the labelled spans of each sentence, outer before inner ones.

    Raises ConversionError for a discontinuous constituent, which is not a span.
    """
    if len(bank.discontinuous_sentences):
        sentence = int(bank.discontinuous_sentences[0])
        expected = "continuous ones (the transformation raise_crossing makes them continuous)"
        raise bank.refused(sentence, f"found a discontinuous constituent, expected {expected}")
    labels = bank.vocabulary.decode(bank.nodes.label)
    spans = list(zip(bank.spans.start.tolist(), bank.spans.end.tolist(), labels, strict=True))
    return [(bank.words(index), spans[bank.nodes.rows(index)]) for index in range(len(bank))]
