"""Further heads of words: dependency graphs in the column DEPS of CoNLL-U.

Brants et al. (2004), on coordination in TIGER: material that conjuncts share is in one of them, and a
secondary edge gives its function in another one. So a word gets a second head. Where the head of a
phrase is in another phrase (``HD``), the words of the phrase get it as their head.

Kübler and Telljohann (2002), section 4, item 1, "in contrast to Lin (1998), who relies on the Single Head
Assumption": all conjuncts have the same status, and what a coordination governs depends on each. So the
preposition of *am siebten und achten* depends on both numerals, and the printed score of its partial parse
(section 5) counts two dependencies of it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection

import numpy as np

from crossbank.converters.dependencies.coordination import Coordinated
from crossbank.treebanks import NO_PARENT, UNATTACHED, Treebank
from crossbank.treebanks.arrays import BoolArray, Int32Array

NAME = "dependencies"

MADE, KNOWN, ITSELF = EVENTS = (
    "secondary edges as further heads",
    "secondary edges that the dependencies have already",
    "secondary edges of a word to itself dropped",
)

Arcs = dict[int, set[tuple[int, int]]]
"""Further heads and relations of tokens, by the token's row."""


def with_further_heads(
    bank: Treebank,
    node_function: Int32Array,
    is_punctuation: BoolArray,
    heads: Collection[str],
    no_relation: int,
    known: Arcs,
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
    further: Arcs = defaultdict(set, known)
    for sentence in np.unique(sentence_of).tolist():
        graph = _SharedHeads(bank, sentence, functions, is_punctuation)
        rows = range(*edges.rows(sentence).indices(len(edges)))
        shared = [row for row in rows if bank.vocabulary[int(label[row])] in heads]
        ends = {row: (graph.item(int(edges.child[row])), graph.item(int(edges.parent[row]))) for row in rows}
        for child, parent in (ends[row] for row in shared):
            if parent >= graph.words:  # a word that stands elsewhere becomes the lexical head of the node
                graph.word[parent] = graph.word[child]
        for row in rows:
            (child, parent), relation = ends[row], int(label[row])
            arcs = [(graph.word[child], graph.word[parent], relation)]
            if row in shared:
                arcs = graph.arcs_of_children(parent)
            proper = [arc for arc in arcs if arc[0] != arc[1]]
            new = [arc for arc in proper if (graph.head[arc[0]], graph.relation[arc[0]]) != arc[1:]]
            for word, *arc in new:
                further[graph.begin + word].add((arc[0], arc[1]))
            outcome[MADE if new else KNOWN if proper or row in shared else ITSELF].append(sentence)
    return with_graph(bank, further).with_events(NAME, outcome)


class _SharedHeads:
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
        """Return dependent, head and relation of each child of a node, without punctuation."""
        if parent < self.words:
            return []
        below = np.flatnonzero((self.parent == parent - self.words) & ~self.left_out).tolist()
        return [(self.word[item], self.word[parent], int(self.function[item])) for item in below]


def with_graph(bank: Treebank, further: Arcs) -> Treebank:
    """Write each word's heads as CoNLL-U does, ``4:SB|9:SB``; equal ones are written once."""
    tokens, strings = bank.tokens, bank.vocabulary
    pairs, inverse = np.unique(
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
    deps = codes[inverse]
    deps[rows] = codes[len(pairs) :]
    return bank.replace(vocabulary=vocabulary, tokens=tokens.replace(deps=deps))


def heads_of_all_conjuncts(bank: Treebank, conjuncts: Coordinated) -> Arcs:
    """Return further heads of each word that depends on the head of a coordination, or of a phrase above one.

    Dependencies must have been read off, with heads marked. Conjuncts do not depend on each other, and a
    conjunction depends on one conjunct only. The relation is that of the word's own head.
    """
    token_conjunct, node_conjunct, conjunction = conjuncts
    tokens, nodes = bank.tokens, bank.nodes
    coordinated = np.zeros(len(bank), np.bool_)
    coordinated[nodes.sentence_of_row()[node_conjunct]] = True
    coordinated[tokens.sentence_of_row()[token_conjunct]] = True
    further: Arcs = defaultdict(set)
    for sentence in np.flatnonzero(coordinated).tolist():
        of_tokens, of_nodes = tokens.rows(sentence), nodes.rows(sentence)
        parent, above = nodes.parent[of_nodes].tolist(), tokens.parent[of_tokens].tolist()
        conjoined = (np.flatnonzero(token_conjunct[of_tokens]), np.flatnonzero(node_conjunct[of_nodes]))
        heads = _heads_of_nodes(
            nodes.head[of_nodes].tolist(), parent, above, *(one.tolist() for one in conjoined)
        )
        for token, head in enumerate(tokens.head[of_tokens].tolist()):
            row = of_tokens.start + token
            if head < 0 or conjunction[row]:
                continue
            node = above[token]
            while node != NO_PARENT and head not in heads[node]:
                node = parent[node]
            if node != NO_PARENT and token not in heads[node]:
                relation = int(tokens.relation[row])
                further[row] |= {(other, relation) for other in heads[node] if other != head}
    return {row: arcs for row, arcs in further.items() if arcs}


def _heads_of_nodes(
    lexical: list[int],
    parent: list[int],
    above: list[int],
    token_conjuncts: list[int],
    node_conjuncts: list[int],
) -> list[list[int]]:
    """Return lexical heads of each node of a sentence: those of all conjuncts below it on the path of heads.

    lexical        the one lexical head of each node
    parent, above  the parent of each node and of each token
    """
    heads = [[head] for head in lexical]
    conjuncts_of: dict[int, list[int]] = defaultdict(list)
    for token in token_conjuncts:
        conjuncts_of[above[token]].append(token)
    conjoined = set(node_conjuncts)
    # Children come after their parents, so that all below a node is known when its turn comes.
    for node in range(len(parent) - 1, -1, -1):
        if node in conjuncts_of:
            heads[node] = sorted(set(conjuncts_of[node]))
        up = parent[node]
        if up == NO_PARENT:
            continue
        if node in conjoined:
            conjuncts_of[up] += heads[node]
        elif up not in conjuncts_of and lexical[up] == lexical[node]:
            heads[up] = heads[node]
    return heads
