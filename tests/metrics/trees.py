"""Treebanks for tests: from the notation of Sampson and Babarczy (2003), and at random."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from hypothesis import strategies as st

from crossbank.treebanks import Treebank
from crossbank.treebanks.builder import TreebankBuilder


def labelled(*sentences: str) -> Treebank:
    """Return ``[S [NP the jury ] said ]``: an opening bracket comes before its label, all else are words.

    Items joined by ``/`` are a word and its tag; an empty string is a sentence without words.
    """
    builder = TreebankBuilder("trees")
    for sentence in sentences:
        builder.sentence()
        open_nodes = [-1]
        for item in sentence.split():
            if item.startswith("["):
                open_nodes.append(builder.node(label=item[1:], parent=open_nodes[-1]))
            elif item == "]":
                open_nodes.pop()
            else:
                form, _, tag = item.partition("/")
                builder.token(form=form, pos=tag, parent=open_nodes[-1])
        assert open_nodes == [-1], sentence
    return builder.build()


def from_parents(
    sentences: Iterable[tuple[list[int], list[tuple[str, int]]]], source: str = "trees"
) -> Treebank:
    """Return sentences from the parents of their tokens and the labels and parents of their nodes."""
    builder = TreebankBuilder(source)
    for tokens, nodes in sentences:
        builder.sentence()
        for index, parent in enumerate(tokens):
            builder.token(form=f"w{index}", parent=parent)
        for label, parent in nodes:
            builder.node(label=label, parent=parent)
    return builder.build()


LABELS = st.sampled_from(["A", "A1", "B", "C"])


@st.composite
def continuous(draw: st.DrawFn, length: int) -> tuple[list[int], list[tuple[str, int]]]:
    """Return a sentence of so many tokens, some perhaps loose, under nodes without gaps."""
    tokens: list[int] = []
    nodes: list[tuple[str, int]] = []
    path = [-1]
    for _ in range(length):
        for label in draw(st.lists(LABELS, max_size=3)):
            nodes.append((label, path[-1]))
            path.append(len(nodes) - 1)
        tokens.append(path[-1])
        del path[max(1, len(path) - draw(st.integers(0, 3))) :]
    return tokens, nodes


@st.composite
def discontinuous(draw: st.DrawFn, length: int) -> tuple[list[int], list[tuple[str, int]]]:
    """Return a sentence of so many tokens under any nodes whatever."""
    count = draw(st.integers(0, 6))
    nodes = [(draw(LABELS), draw(st.integers(-1, node - 1))) for node in range(count)]
    return [draw(st.integers(-1, count - 1)) for _ in range(length)], nodes


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Treebank, Treebank]:
    """Return two treebanks over the same words; sometimes a sentence of the second has no words.

    The first sentence is the same tree in both, so that neither is without any node.
    """
    same: tuple[list[int], list[tuple[str, int]]] = ([0, 1], [("A", -1), ("B", 0)])
    sides: tuple[list[tuple[list[int], list[tuple[str, int]]]], ...] = ([same], [same])
    for _ in range(draw(st.integers(1, 4))):
        length = draw(st.integers(1, 7))
        for side in sides:
            side.append(draw(st.one_of(continuous(length), discontinuous(length))))
        if draw(st.integers(0, 9)) == 0:
            sides[1][-1] = ([], [])
    return from_parents(sides[0]), from_parents(sides[1])


def deep(levels: int, *, labels: str = "X", branching: bool = True) -> Treebank:
    """Return one sentence with so many nodes one inside the other, each beginning one token later."""
    words = levels if branching else 1
    tokens = [min(index, levels - 1) for index in range(words)] if branching else [levels - 1]
    nodes = [(labels[node % len(labels)], node - 1) for node in range(levels)]
    return from_parents([(tokens, nodes)])


def ancestors(bank: Treebank, sentence: int, token: int) -> list[int]:
    """Return the nodes above a token, from the lowest up, as positions in the sentence."""
    actual = []
    node = int(bank.tokens.parent[bank.tokens.rows(sentence)][token])
    parents = bank.nodes.parent[bank.nodes.rows(sentence)]
    while node >= 0:
        actual.append(node)
        node = int(parents[node])
    return actual


def token_sets(bank: Treebank, sentence: int) -> list[tuple[str, frozenset[int]]]:
    """Label and tokens of every node of a sentence, found the slow way."""
    labels = bank.vocabulary.decode(bank.nodes.label[bank.nodes.rows(sentence)])
    sets: list[set[int]] = [set() for _ in labels]
    for token in range(len(bank.words(sentence))):
        for node in ancestors(bank, sentence, token):
            sets[node].add(token)
    return [(label, frozenset(tokens)) for label, tokens in zip(labels, sets, strict=True)]


def reversed_order(bank: Treebank) -> Treebank:
    """Return the same sentences, the last one first."""
    return bank.select(np.arange(len(bank))[::-1])
