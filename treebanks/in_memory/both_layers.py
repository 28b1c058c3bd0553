"""Dependencies and constituents of the same sentences, which one parser or two have put into one object."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from crossbank.treebanks.in_memory import bracketed_strings
from crossbank.treebanks.in_memory.elements import ElementError
from crossbank.treebanks.treebank import Treebank


def with_constituents(
    bank: Treebank, strings: Sequence[str | None], places: Sequence[int], name: str
) -> Treebank:
    """Return the treebank with the constituents of bracketed strings, one for each sentence; None has none.

    places  the place of the element that each sentence comes from

    Raises ElementError where a tree does not have as many words as the sentence.
    """
    if not any(strings):
        return bank
    trees = bracketed_strings.treebank_of(strings, name)
    words, found = bank.tokens.lengths(), trees.tokens.lengths()
    wrong = np.flatnonzero((found != words) & (found > 0))
    if len(wrong):
        sentence = int(wrong[0])
        raise ElementError(
            name,
            places[sentence],
            f"a tree of {found[sentence]} words",
            f"{words[sentence]} as in the sentence",
        )
    vocabulary, codes = bank.vocabulary.extended(trees.vocabulary)
    parent, tags = bank.tokens.parent.copy(), bank.tokens.pos.copy()
    with_tree = np.repeat(found > 0, words)
    parent[with_tree] = trees.tokens.parent
    tags[with_tree & (tags == 0)] = codes[trees.tokens.pos][tags[with_tree] == 0]
    return bank.replace(
        vocabulary=vocabulary,
        tokens=bank.tokens.replace(parent=parent, pos=tags),
        nodes=trees.nodes.recoded(codes),
    )
