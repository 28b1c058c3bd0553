"""Secondary edges as further heads of words: dependency graphs in the column DEPS of CoNLL-U.

Brants et al. (2004), on coordination in TIGER: material that conjuncts share is in one of them, and a
secondary edge gives its function in another one. So a word gets a second head. Where the head of a
phrase is in another phrase (``HD``), the words of the phrase get it as their head.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping

import numpy as np

from crossbank.treebanks import UNATTACHED, Treebank
from crossbank.treebanks.arrays import BoolArray, Int32Array

NAME = "dependencies"

MADE, KNOWN, ITSELF = EVENTS = (
    "secondary edges as further heads",
    "secondary edges that the dependencies have already",
    "secondary edges of a word to itself left out",
)


def with_further_heads(
    bank: Treebank,
    node_function: Int32Array,
    is_punctuation: BoolArray,
    heads: Collection[str],
    no_relation: int,
    known: Mapping[int, set[tuple[int, int]]],
) -> Treebank:
    """Return the treebank with all heads of every word in ``tokens.deps``; heads must be marked.

    node_function   the function of every node, shape ``(nodes,)``
    is_punctuation  tokens that get no further heads, shape ``(tokens,)``
    heads           functions of heads
    no_relation     the code of the relation for edges without a function
    known           further heads and relations that words have already, by row

    Each word has its head and those that secondary edges give it, ordered by position. The diagnosis counts
    the fate of each edge.
    """
    edges = bank.secondary
    label = np.where(edges.label > 0, edges.label, no_relation)
    functions = tuple(
        np.where(f > 0, f, no_relation).astype(np.int32) for f in (bank.tokens.function, node_function)
    )
    sentence_of = edges.sentence_of_row()
    outcome: dict[str, list[int]] = {event: [] for event in EVENTS}
    further: dict[int, set[tuple[int, int]]] = defaultdict(set, known)
    for sentence in np.unique(sentence_of).tolist():
        graph = _Sentence(bank, sentence, functions, is_punctuation)
        rows = range(*edges.rows(sentence).indices(len(edges)))
        shared = [row for row in rows if bank.vocabulary[int(label[row])] in heads]
        ends = {row: (graph.item(int(edges.child[row])), graph.item(int(edges.parent[row]))) for row in rows}
        for child, parent in (ends[row] for row in shared):
            if parent >= graph.words:  # a word that stands elsewhere becomes the lexical head of the node
                graph.word[parent] = graph.word[child]
        for row in rows:
            (child, parent), relation = ends[row], int(label[row])
            found = [(graph.word[child], graph.word[parent], relation)]
            if row in shared:
                found = graph.arcs_of_children(parent)
            proper = [arc for arc in found if arc[0] != arc[1]]
            new = [arc for arc in proper if (graph.head[arc[0]], graph.relation[arc[0]]) != arc[1:]]
            for word, *arc in new:
                further[graph.begin + word].add((arc[0], arc[1]))
            outcome[MADE if new else KNOWN if proper or row in shared else ITSELF].append(sentence)
    return with_graph(bank, further).with_events(NAME, outcome)


class _Sentence:
    """Dependencies of a sentence, and the heads that phrases share; items as in ``treebanks.forest``."""

    def __init__(
        self, bank: Treebank, sentence: int, functions: tuple[Int32Array, ...], is_punctuation: BoolArray
    ) -> None:
        tokens, nodes = bank.tokens.rows(sentence), bank.nodes.rows(sentence)
        self.begin = tokens.start
        self.head, self.relation = bank.tokens.head[tokens], bank.tokens.relation[tokens]
        self.words = tokens.stop - tokens.start
        self.parent = np.concatenate((bank.tokens.parent[tokens], bank.nodes.parent[nodes]))
        self.function = np.concatenate((functions[0][tokens], functions[1][nodes]))
        self.left_out = np.concatenate((is_punctuation[tokens], np.zeros(nodes.stop - nodes.start, np.bool_)))
        # The word that stands for each item.
        self.word = [*range(self.words), *bank.nodes.head[nodes].tolist()]

    def item(self, end: int) -> int:
        """Return the item that is an end of a secondary edge."""
        return end if end >= 0 else self.words - 1 - end

    def arcs_of_children(self, parent: int) -> list[tuple[int, int, int]]:
        """Dependent, head and relation of each child of a node, without punctuation."""
        if parent < self.words:
            return []
        below = np.flatnonzero((self.parent == parent - self.words) & ~self.left_out).tolist()
        return [(self.word[item], self.word[parent], int(self.function[item])) for item in below]


def with_graph(bank: Treebank, further: Mapping[int, set[tuple[int, int]]]) -> Treebank:
    """Write each word's heads as CoNLL-U does, ``4:SB|9:SB``; equal ones are written once."""
    tokens, strings = bank.tokens, bank.vocabulary
    pairs, place = np.unique(
        tokens.head.astype(np.int64) * len(strings) + tokens.relation, return_inverse=True
    )
    written = [
        "" if head == UNATTACHED else f"{head + 1}:{strings[relation]}"
        for head, relation in (divmod(pair, len(strings)) for pair in pairs.tolist())
    ]
    rows = sorted(further)
    for row in rows:
        basic = (int(tokens.head[row]), int(tokens.relation[row]))
        heads = sorted((head, strings[relation]) for head, relation in {basic, *further[row]})
        written.append("|".join(f"{head + 1}:{relation}" for head, relation in heads if head != UNATTACHED))
    vocabulary, codes = strings.extended(written)
    deps = codes[place]
    deps[rows] = codes[len(pairs) :]
    return bank.replace(vocabulary=vocabulary, tokens=tokens.replace(deps=deps))
