"""Majority parse: the common part of most of several analyses of the same sentences.

Black, Ezra, et al. (1991): A Procedure for Quantitatively Comparing the Syntactic Coverage of English
Grammars: the "majority parse" of each sentence, computed from the candidates, was their gold standard.
Brackets that more than half of the candidates have never cross each other: some candidate has both.

Maximum spanning trees: Chu, Yoeng-Jin, and Tseng-Hong Liu (1965): On the Shortest Arborescence of a Directed
Graph. Scientia Sinica 14. Edmonds, Jack (1967): Optimum Branchings. Journal of Research of the NBS 71B.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from crossbank.treebanks import NO_PARENT, ROOT, UNATTACHED, ConversionError, Treebank
from crossbank.treebanks.formats.losses import amounts
from crossbank.treebanks.relations.relation import Relation, relations_of, with_relations

NAME = "consensus"

Bracket: TypeAlias = tuple[int, str, int]
"""Tokens as bits, label, and how many brackets of the candidate with both of these came before, from 0."""


def consensus(banks: Sequence[Treebank], *, labels: bool = True) -> Treebank:
    """Return the majority parse of each sentence: brackets, dependencies, grammatical relations, and tags.

    labels  whether brackets must agree in their labels; otherwise brackets over the same words are one
            bracket, which gets the label that most candidates give it

    A candidate votes on a sentence if it has a parse of the same words. The words are those of the first
    candidate that has any. A bracket needs more than half of the votes. Dependencies are the maximum
    spanning tree over the votes for each arc; their labels and tags are those with most votes. In a tie the
    earlier candidate wins. A grammatical relation, such as a dependency of CCG, needs more than half of the
    votes. Forms, lemmas, multiword tokens and all other columns are the first candidate's; there are no
    functions, secondary edges or features of nodes.

    Raises ConversionError if the numbers of sentences differ.
    """
    if len({len(bank) for bank in banks}) != 1:
        lengths = ", ".join(f"{len(bank):,}" for bank in banks)
        raise ConversionError(f"{NAME}: the candidates have {lengths} sentences; all need the same number")
    missing: list[int] = []
    voters: list[list[int]] = []
    for sentence in range(len(banks[0])):
        words = next((bank.words(sentence) for bank in banks if bank.tokens.lengths()[sentence]), [])
        voting = [i for i, bank in enumerate(banks) if words and bank.words(sentence) == words]
        voters.append(voting)
        missing += [sentence] * (len(banks) - len(voting))
    base = _words(banks, voters)
    tags, heads, relations, token_parents = list[str](), list[int](), list[str](), list[int]()
    sentences, node_labels, node_parents = list[int](), list[str](), list[int]()
    loose: list[int] = []
    for sentence, voting in enumerate(voters):
        length = int(base.tokens.lengths()[sentence])
        sides = [banks[i] for i in voting]
        of_sides = (side.vocabulary.decode(side.tokens.pos[side.tokens.rows(sentence)]) for side in sides)
        tags += map(_most, zip(*of_sides, strict=True))
        brackets = _majority([_brackets(side, sentence) for side in sides], labels)
        parents, over = _tree(brackets, length)
        sentences += [sentence] * len(brackets)
        node_labels += [label for _, label, _ in brackets]
        node_parents += parents
        token_parents += over
        governed = _dependencies([_arcs(side, sentence) for side in sides], length)
        heads += [head for head, _ in governed]
        relations += [relation for _, relation in governed]
        if base.has_dependencies:
            loose += [sentence] * sum(head == UNATTACHED for head, _ in governed)
    vocabulary, codes = base.vocabulary.extended([*tags, *relations, *node_labels])
    pos, relation, label = np.split(codes, [len(tags), 2 * len(tags)])
    tokens = base.tokens.replace(
        pos=pos,
        relation=relation,
        head=np.array(heads, np.int32),
        parent=np.full(len(tags), NO_PARENT, np.int32),
    )
    bank = base.replace(vocabulary=vocabulary, tokens=tokens)
    more, _, _ = bank.nodes.extended(
        np.array(sentences, np.intp), label=label, parent=np.array(node_parents, np.int32)
    )
    majority = bank.with_structure(token_parent=np.array(token_parents, np.int32), nodes=more)
    if any(candidate.has_relations for candidate in banks):
        majority = with_relations(majority, _majority_relations(banks, voters))
    events: dict[str, Any] = {"candidates without a vote": missing, "words without a head": loose}
    for name, counts in amounts(banks[0], ("functions", "secondary edges", "features of nodes")):
        events[f"{name} dropped"] = np.repeat(np.arange(len(bank)), counts)
    return majority.with_events(NAME, events).replace(history=(*bank.history, NAME)).compact()


def _majority_relations(banks: Sequence[Treebank], voters: Sequence[Sequence[int]]) -> list[list[Relation]]:
    """Return each sentence's relations that more than half of its voters have.

    They are in the first voter's order.
    """
    agreed = []
    for sentence, voting in enumerate(voters):
        votes: Counter[Relation] = Counter()
        for voter in voting:
            votes.update(list(dict.fromkeys(relations_of(banks[voter], sentence))))
        agreed.append([relation for relation, count in votes.items() if 2 * count > len(voting)])
    return agreed


def _words(banks: Sequence[Treebank], voters: Sequence[Sequence[int]]) -> Treebank:
    """Return each sentence of the first candidate that votes on it, without nodes and secondary edges."""
    plain = []
    for bank in banks:
        tokens = bank.tokens.replace(function=np.zeros_like(bank.tokens.function))
        parts = {"multiword": bank.multiword, "empty": bank.empty}
        plain.append(Treebank.of_tables(bank.vocabulary, bank.sentences, tokens, **parts))
    joined = Treebank.concatenate(plain)
    sentences = np.array([len(banks[0]) * (v[0] if v else 0) + i for i, v in enumerate(voters)], np.intp)
    return joined.select(sentences)


def _arcs(bank: Treebank, sentence: int) -> list[tuple[int, str]]:
    """Return the head and relation of each word of a sentence."""
    rows = bank.tokens.rows(sentence)
    relations = bank.vocabulary.decode(bank.tokens.relation[rows])
    return list(zip(bank.tokens.head[rows].tolist(), relations, strict=True))


def _brackets(bank: Treebank, sentence: int) -> list[Bracket]:
    """Return the brackets of a sentence in pre-order."""
    seen: Counter[tuple[int, str]] = Counter()
    majority = []
    for key in zip(bank.yields(sentence), bank.labels(sentence), strict=True):
        majority.append((*key, seen[key]))
        seen[key] += 1
    return majority


def _most(votes: Sequence[str]) -> str:
    """Return the most frequent vote; the first in a tie."""
    return Counter(votes).most_common(1)[0][0]


def _majority(candidates: Sequence[Sequence[Bracket]], labels: bool) -> list[Bracket]:
    """Return the brackets of more than half of the candidates, each after those that contain it."""
    votes: Counter[Bracket] = Counter()
    names: dict[int, list[str]] = {}
    for brackets in candidates:
        for tokens, label, number in brackets if labels else _unlabelled(brackets):
            votes[tokens, label if labels else "", number] += 1
            names.setdefault(tokens, []).append(label)
    chosen = [bracket for bracket, count in votes.items() if 2 * count > len(candidates)]
    if not labels:
        chosen = [(tokens, _most(names[tokens]), number) for tokens, _, number in chosen]
    # Brackets over the same words keep the order that the earlier candidates give them.
    return sorted(chosen, key=lambda bracket: -bracket[0].bit_count())


def _unlabelled(brackets: Sequence[Bracket]) -> list[Bracket]:
    """Return one bracket for each set of words, with the label of the highest."""
    highest: dict[int, Bracket] = {}
    for tokens, label, _ in brackets:
        highest.setdefault(tokens, (tokens, label, 0))
    return list(highest.values())


def _tree(brackets: Sequence[Bracket], length: int) -> tuple[list[int], list[int]]:
    """Return the parent of each bracket, and the lowest bracket over each word."""
    over = [NO_PARENT] * length
    parents = []
    for index, (tokens, _, _) in enumerate(brackets):
        words = [token for token in range(length) if tokens >> token & 1]
        parents.append(over[words[0]])
        for token in words:
            over[token] = index
    return parents, over


def _dependencies(candidates: Sequence[Sequence[tuple[int, str]]], length: int) -> list[tuple[int, str]]:
    """Head and relation of each word: the maximum spanning tree over the votes for arcs."""
    votes: Counter[tuple[int, int]] = Counter()
    for arcs in candidates:
        votes.update((head + 1, word + 1) for word, (head, _) in enumerate(arcs) if head >= ROOT)
    if not votes:
        return [(UNATTACHED, "")] * length
    weights: dict[tuple[int, int], float] = dict(votes)
    for word in range(1, length + 1):
        weights.setdefault((0, word), -1.0)  # a word without a governor; it is taken apart again below
    sources = maximum_spanning_tree(weights, length + 1)
    majority = []
    for word in range(length):
        head = sources[word + 1] - 1
        names = [arcs[word][1] for arcs in candidates if arcs[word][0] == head]
        majority.append((head, _most(names)) if names else (UNATTACHED, ""))
    return majority


class Arc(NamedTuple):
    """An arc of a graph that may be contracted: ``below`` is its index among the arcs before that."""

    source: int
    target: int
    weight: float
    below: int


def maximum_spanning_tree(weights: Mapping[tuple[int, int], float], nodes: int) -> dict[int, int]:
    """Return the source of the arc that enters each node in the maximum spanning tree from node 0.

    ``weights`` has the weight of each arc, by source and target; every one of the ``nodes`` nodes must be
    reachable from node 0. Of trees of equal weight, the one whose arcs come first in ``weights`` is taken.

    >>> maximum_spanning_tree({(0, 1): 1, (0, 2): 1, (1, 2): 5, (2, 1): 6}, 3)
    {1: 2, 2: 0}
    """
    arcs = [Arc(source, target, weight, i) for i, ((source, target), weight) in enumerate(weights.items())]
    levels: list[tuple[list[Arc], dict[int, int], list[int]]] = []
    while True:
        best = _best_entering(arcs)
        component, cycles = _contracted(best, arcs, nodes)
        levels.append((arcs, best, component))
        if not cycles:
            break
        in_cycle = [component.count(number) > 1 for number in component]
        above = []
        for index, arc in enumerate(arcs):
            source, target = component[arc.source], component[arc.target]
            if source != target and arc.target != 0:
                gain = arc.weight - arcs[best[arc.target]].weight if in_cycle[arc.target] else arc.weight
                above.append(Arc(source, target, gain, index))
        arcs, nodes = above, max(component) + 1
    arcs, chosen, _ = levels.pop()
    while levels:  # an arc that enters a cycle replaces one arc of it
        entering = {index.below for index in (arcs[i] for i in chosen.values())}
        arcs, best, _ = levels.pop()
        chosen = {**best, **{arcs[i].target: i for i in entering}}
    return {target: arcs[i].source for target, i in sorted(chosen.items())}


def _best_entering(arcs: list[Arc]) -> dict[int, int]:
    """Return the position of the heaviest arc that enters each node, apart from the root."""
    best: dict[int, int] = {}
    for index, arc in enumerate(arcs):
        if arc.target != 0 and (arc.target not in best or arc.weight > arcs[best[arc.target]].weight):
            best[arc.target] = index
    return best


def _contracted(best: Mapping[int, int], arcs: list[Arc], nodes: int) -> tuple[list[int], int]:
    """Return a new number for each node, the same for all nodes of a cycle, and the number of cycles."""
    component = [-1] * nodes
    component[0] = 0
    numbers, cycles = 1, 0
    seen = [0] * nodes
    for start in range(1, nodes):
        path = []
        node = start
        while node != 0 and not seen[node]:
            seen[node] = start
            path.append(node)
            node = arcs[best[node]].source
        if node != 0 and seen[node] == start and component[node] < 0:
            cycles += 1
            cycle = path[path.index(node) :]
            for member in cycle:
                component[member] = numbers
            numbers += 1
        for member in path:
            if component[member] < 0:
                component[member] = numbers
                numbers += 1
    return component, cycles
