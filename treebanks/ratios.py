"""How many sentences, words and nodes a treebank has, and how many of the ones to each of the others.

Rehbein and van Genabith (2007), Table 1: a scheme's ratio of nodes to words moves every measure that
counts brackets, so it stands beside their scores.
"""

from __future__ import annotations

from typing import TypedDict

from crossbank.treebanks.treebank import Treebank


class Ratios(TypedDict):
    """Whole numbers, and ratios of them (0 where there is nothing to divide by)."""

    sentences: int
    tokens: int
    nodes: int
    tokens_per_sentence: float
    nodes_per_sentence: float
    nodes_per_token: float
    discontinuous_sentences: int


def describe(bank: Treebank) -> Ratios:
    """The sizes and ratios of a treebank; tokens are words and punctuation, nodes the phrasal ones."""
    sentences, tokens, nodes = len(bank), len(bank.tokens), len(bank.nodes)
    return {
        "sentences": sentences,
        "tokens": tokens,
        "nodes": nodes,
        "tokens_per_sentence": tokens / max(sentences, 1),
        "nodes_per_sentence": nodes / max(sentences, 1),
        "nodes_per_token": nodes / max(tokens, 1),
        "discontinuous_sentences": len(bank.discontinuous_sentences),
    }
