"""Tokens under each node of one sentence, as a set of bits: for pictures and the analysis of errors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from crossbank.treebanks.tables import Tables


def yields(bank: Tables, sentence: int) -> list[int]:
    """Return the tokens under each node of a sentence, as a set of bits: bit ``i`` for token ``i``."""
    parents = bank.nodes.parent[bank.nodes.rows(sentence)].tolist()
    found = [0] * len(parents)
    for word, parent in enumerate(bank.tokens.parent[bank.tokens.rows(sentence)].tolist()):
        if parent >= 0:
            found[parent] |= 1 << word
    for node in range(len(parents) - 1, -1, -1):  # children come after their parents
        if parents[node] >= 0:
            found[parents[node]] |= found[node]
    return found


def edges_of_words(bank: Tables, sentence: int) -> Iterator[tuple[slice, int]]:
    """Yield for each token of a sentence the nodes that begin with it, and how many nodes end with it.

    No constituent of the sentence may be discontinuous.
    """
    words, inner = bank.tokens.rows(sentence), bank.nodes.rows(sentence)
    starts, ends = bank.spans.start[inner].tolist(), Counter(bank.spans.end[inner].tolist())
    node = 0
    for token in range(words.stop - words.start):
        first = node
        while node < len(starts) and starts[node] == token:
            node += 1
        yield slice(first, node), ends[token + 1]


def labels(bank: Tables, sentence: int) -> list[str]:
    """Return the labels of a sentence's nodes."""
    return bank.vocabulary.decode(bank.nodes.label[bank.nodes.rows(sentence)])
