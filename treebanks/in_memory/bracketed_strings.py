"""Treebanks of bracketed strings, one tree in each: ``(S (NP (NNP Anna)) (VP (VBZ sleeps)))``."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from crossbank.treebanks.errors import FormatError
from crossbank.treebanks.formats import bracket
from crossbank.treebanks.in_memory.elements import ElementError
from crossbank.treebanks.treebank import Treebank


def treebank_of(
    strings: Sequence[str | None], name: str, first: int = 0, *, several_trees: bool = False
) -> Treebank:
    """Return a treebank with a sentence for each string; a blank one and None have no parse.

    White space within a tree, line ends too, separates words. Raises ElementError with the index of a string
    that is not one tree; with ``several_trees`` it may be several, which are the roots of the sentence.
    """
    lines = [string or "" for string in strings]
    text = "\n".join(lines) + "\n"
    if text.count("\n") != len(lines) or "\r" in text or "\0" in text:
        lines = [line.replace("\n", " ").replace("\r", " ") for line in lines]
        text = "\n".join(lines) + "\n"
        for index, line in enumerate(lines, first):
            if "\0" in line:
                raise ElementError(name, index, "the character NUL", "text")
    try:
        # Places in the iterable are told by ``where``'s sentences: there are no lines.
        bank = bracket.read(text.encode(), name, by_line=True, has_lines=False)
    except FormatError as error:
        index = first + (error.line or 1) - 1
        raise ElementError(name, index, error.actual, error.expected.removesuffix(" on the line")) from error
    except UnicodeEncodeError as error:
        index = first + text.count("\n", 0, error.start)
        raise ElementError(name, index, f"{text[error.start]!r}", "characters of Unicode") from error
    if not several_trees and bank.number_of_roots() > np.count_nonzero(bank.tokens.lengths()):
        roots = bank.roots()
        index = int(np.argmax(roots > 1))
        raise ElementError(name, first + index, f"{roots[index]} trees", "one tree in each string")
    return bank
