"""What disco-dop compares in a sentence: brackets, function tags, tags and lineages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from functools import lru_cache
from itertools import chain
from typing import NamedTuple, TypeAlias

from crossbank.metrics.rivals.discodop.parameters import Parameters
from crossbank.treebanks import NO_PARENT, Treebank

Bracket: TypeAlias = tuple[str, int]
"""A label and the words below it, a bit for each."""

Lineage: TypeAlias = tuple[str, ...]
"""Labels from the root to a word, with marks where nodes or their parts begin and end."""


class Sentence(NamedTuple):
    """One side of a sentence, from a treebank that ``trees.transformed`` made.

    nodes, parents  label and words of each node in pre-order, the root first, and the node above
    places          the node above each word
    tags            the words' tags as they are compared
    words           each word as if it were a node: its tag, or what stands for it, and its bit
    functions       of each node, then of each word
    brackets        the nodes that count
    root            whether the root counts
    """

    nodes: list[Bracket]
    parents: list[int]
    places: list[int]
    tags: list[str]
    words: list[Bracket]
    functions: list[str]
    brackets: Counter[Bracket]
    root: bool


def sentence_of(bank: Treebank, number: int, parameters: Parameters) -> Sentence:
    """One sentence of a treebank."""
    tokens, rows = bank.tokens, bank.nodes
    token_rows, node_rows = tokens.rows(number), rows.rows(number)
    places, parents = tokens.parent[token_rows].tolist(), rows.parent[node_rows].tolist()
    covered = [0] * len(parents)
    for word, place in enumerate(places):
        if place != NO_PARENT:
            covered[place] |= 1 << word
    for node in range(len(parents) - 1, 0, -1):
        covered[parents[node]] |= covered[node]
    labels, tags = (
        bank.vocabulary.decode(codes) for codes in (rows.label[node_rows], tokens.pos[token_rows])
    )
    functions = bank.vocabulary.decode(rows.function[node_rows])
    functions += bank.vocabulary.decode(tokens.function[token_rows])
    nodes = list(zip(labels, covered, strict=True))
    root = bool(nodes) and labels[0] not in parameters.delete_label
    counted = (
        (label if parameters.labeled else "", words)
        for label, words in (nodes if root else nodes[1:])
        if not parameters.disconly or is_discontinuous(words)
    )
    return Sentence(
        nodes,
        parents,
        places,
        tags,
        [(parameters.eq_label.get(tag, tag), 1 << word) for word, tag in enumerate(tags)],
        functions,
        Counter(counted),
        root,
    )


def is_discontinuous(words: int) -> bool:
    """Whether a set of words has gaps: whether adding its lowest bit leaves more than a carry."""
    return bool((words + (words & -words)) & words)


def function_tags(side: Sentence, other: Sentence) -> Counter[tuple[Bracket, str]]:
    """The function tags of nodes that the other side brackets too, and of words that it tags alike."""
    found: Counter[tuple[Bracket, str]] = Counter()
    for place, (item, function) in enumerate(zip(chain(side.nodes, side.words), side.functions, strict=True)):
        if not function:
            continue
        word = place - len(side.nodes)
        if item in other.brackets or (word >= 0 and other.tags[word] == item[0]):
            found.update((item, tag) for tag in function.split("-"))
    return found


def leaf_ancestor(gold: Sentence, candidate: Sentence) -> Decimal:
    """The mean similarity of the words' lineages."""
    scores = [similarity(*pair) for pair in zip(lineages(gold), lineages(candidate), strict=True)]
    return sum(scores, Decimal(0)) / len(scores)


def lineages(side: Sentence) -> Iterator[Lineage]:
    """The lineage of every word, tags excluded.

    A node is marked ``(`` and ``)`` at its ends and ``[`` and ``]`` at those of its parts, unless a node
    above has put the same mark there.
    """
    for word, place in enumerate(side.places):
        above = []
        while place != NO_PARENT and (place > 0 or side.root):
            above.append(side.nodes[place])
            place = side.parents[place]
        lineage: list[str] = []
        for label, words in reversed(above):
            here = words >> word
            if not here & 2:
                mark = ")" if here == 1 else "]"
                if mark not in lineage:
                    lineage.append(mark)
            lineage.append(label)
            if word == 0 or not words >> (word - 1) & 1:
                mark = "(" if not words & ((1 << word) - 1) else "["
                if mark not in lineage:
                    lineage.append(mark)
        yield tuple(lineage)


@lru_cache(maxsize=1 << 16)
def similarity(gold: Lineage, candidate: Lineage) -> Decimal:
    """1 - edits / length of both; replacing a symbol is one edit, like inserting or deleting one."""
    row = list(range(len(gold) + 1))
    for i, symbol in enumerate(candidate):
        before, row[0] = row[0], i + 1
        for j, other in enumerate(gold):
            before, row[j + 1] = row[j + 1], min(row[j + 1] + 1, row[j] + 1, before + (symbol != other))
    return 1 - Decimal(row[-1]) / max(len(gold) + len(candidate), 1)
