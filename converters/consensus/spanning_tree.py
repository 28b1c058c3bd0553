"""Maximum spanning tree of a directed graph.

Chu, Yoeng-Jin, and Tseng-Hong Liu (1965): On the Shortest Arborescence of a Directed Graph. Scientia
Sinica 14. Edmonds, Jack (1967): Optimum Branchings. Journal of Research of the NBS 71B.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


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
