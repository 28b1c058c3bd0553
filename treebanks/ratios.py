"""Numbers of sentences, tokens and nodes of a treebank, and their ratios.

Rehbein and van Genabith (2007), Table 1: a scheme's ratio of nodes to tokens affects every measure that
counts brackets, so it is beside their scores.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NotRequired, TypedDict

from crossbank.treebanks.treebank import Treebank


class Ratios(TypedDict):
    """Whole numbers, and ratios of them (0 if there is nothing to divide by).

    Punctuation that hangs on the root cuts the constituents around it in two. So there are two counts of
    discontinuous sentences: as the trees are, and after punctuation has been attached, where that is known.
    Where sentences have several analyses their number is there, and all else is about the chosen ones.
    """

    sentences: int
    tokens: int
    nodes: int
    tokens_per_sentence: float
    nodes_per_sentence: float
    nodes_per_token: float
    discontinuous_sentences: int
    discontinuous_with_punctuation_attached: NotRequired[int]
    analyses: NotRequired[int]


def describe(bank: Treebank, attached: Treebank | None = None) -> Ratios:
    """Return the sizes and ratios of a treebank; tokens are words and punctuation, nodes the phrasal ones.

    ``attached`` is the same treebank after ``attach_punctuation``.
    """
    chosen = bank.only_chosen()
    sizes = len(chosen), len(chosen.tokens), len(chosen.nodes), len(chosen.discontinuous_sentences)
    with_punctuation = None if attached is None else len(attached.only_chosen().discontinuous_sentences)
    return _ratios(sizes, len(bank), with_punctuation)


def joined(parts: Sequence[Ratios]) -> Ratios:
    """Return the sizes and ratios of a treebank from those of its shards."""
    sentences, tokens, nodes, discontinuous = (
        sum(part[size] for part in parts)
        for size in ("sentences", "tokens", "nodes", "discontinuous_sentences")
    )
    analyses = sum(part.get("analyses", part["sentences"]) for part in parts)
    attached = [part.get("discontinuous_with_punctuation_attached") for part in parts]
    with_punctuation = None if None in attached else sum(filter(None, attached))
    return _ratios((sentences, tokens, nodes, discontinuous), analyses, with_punctuation)


def _ratios(sizes: tuple[int, int, int, int], analyses: int, attached: int | None) -> Ratios:
    sentences, tokens, nodes, discontinuous = sizes
    ratios: Ratios = {
        "sentences": sentences,
        "tokens": tokens,
        "nodes": nodes,
        "tokens_per_sentence": tokens / max(sentences, 1),
        "nodes_per_sentence": nodes / max(sentences, 1),
        "nodes_per_token": nodes / max(tokens, 1),
        "discontinuous_sentences": discontinuous,
    }
    if analyses > sentences:
        ratios["analyses"] = analyses
    if attached is not None:
        ratios["discontinuous_with_punctuation_attached"] = attached
    return ratios
