"""Several heads of a word: what a coordination governs depends on each of its conjuncts.

Kübler and Telljohann (2002), section 4, item 1, "in contrast to Lin (1998), who relies on the Single Head
Assumption": all conjuncts have the same status. So the preposition of *am siebten und achten* depends on both
numerals, and the printed score of its partial parse (section 5) counts two dependencies of it.
"""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from crossbank.converters.dependencies.coordination import Coordinated
from crossbank.treebanks import NO_PARENT, Treebank

Arcs = dict[int, set[tuple[int, int]]]
"""Further heads and relations of tokens, by the token's row."""


def heads_of_all_conjuncts(bank: Treebank, conjuncts: Coordinated) -> Arcs:
    """Further heads of each word that depends on the head of a coordination, or of a phrase above one.

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
    """Lexical heads of each node of a sentence: those of all conjuncts below it on the path of heads.

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
