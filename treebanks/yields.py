"""Tokens under each node of one sentence, as a set of bits: for pictures and the analysis of errors."""

from __future__ import annotations

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


def labels(bank: Tables, sentence: int) -> list[str]:
    """Return the labels of a sentence's nodes."""
    return bank.vocabulary.decode(bank.nodes.label[bank.nodes.rows(sentence)])
