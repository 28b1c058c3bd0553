"""Unary rules: their order of application, and sums over chains of them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from crossbank.treebanks.arrays import Float64Array, Int32Array, Int64Array, offsets_of
from crossbank.treebanks.errors import CrossbankError


def children_first(unary: Int32Array, symbols: int) -> tuple[NDArray[np.intp], bool]:
    """Return an order of unary rules, each after the rules of its child, and whether there are cycles.

    ``unary`` has the shape ``(rules, 2)``: parent and child. Rules inside a cycle are adjacent.
    """
    rank = np.zeros(symbols, np.int64)
    cyclic = bool((unary[:, 0] == unary[:, 1]).any())
    for index, component in enumerate(components(unary, symbols)):
        rank[component] = index
        cyclic = cyclic or len(component) > 1
    return np.argsort(rank[unary[:, 0]], kind="stable"), cyclic


def components(unary: Int32Array, symbols: int) -> Iterator[list[int]]:
    """Yield the strongly connected components of the graph of unary rules, children first (Tarjan 1972)."""
    children: dict[int, list[int]] = {}
    for parent, child in unary.tolist():
        children.setdefault(parent, []).append(child)
    number = [-1] * symbols
    lowest_reachable = [0] * symbols
    on_stack = [False] * symbols
    stack: list[int] = []
    count = 0
    for first in children:
        if number[first] >= 0:
            continue
        path = [(first, iter(children[first]))]
        number[first] = lowest_reachable[first] = count
        count += 1
        stack.append(first)
        on_stack[first] = True
        while path:
            symbol, remaining = path[-1]
            child = next(remaining, None)
            if child is None:
                path.pop()
                if path:
                    lowest_reachable[path[-1][0]] = min(
                        lowest_reachable[path[-1][0]], lowest_reachable[symbol]
                    )
                if lowest_reachable[symbol] == number[symbol]:
                    index = stack.index(symbol)
                    component = stack[index:]
                    del stack[index:]
                    for member in component:
                        on_stack[member] = False
                    yield component
            elif number[child] < 0:
                number[child] = lowest_reachable[child] = count
                count += 1
                stack.append(child)
                on_stack[child] = True
                path.append((child, iter(children.get(child, ()))))
            elif on_stack[child]:
                lowest_reachable[symbol] = min(lowest_reachable[symbol], number[child])


def chain_sums(
    unary: Int32Array, probability: Float64Array, symbols: int
) -> tuple[Int64Array, Int32Array, Float64Array]:
    """Return for each child the symbols that derive it by unary rules, with the summed probability.

    Returns offsets of shape ``(symbols + 1,)``, the symbols and the sums. A cycle has infinitely many
    derivations; their sum is a geometric series, (I - U)^-1 - I.

    Raises CrossbankError if the series of a cycle diverges, since no other rule leads out of it.
    """
    rules: dict[int, list[tuple[int, float]]] = {}
    for (parent, child), p in zip(unary.tolist(), probability.tolist(), strict=True):
        rules.setdefault(parent, []).append((child, p))
    below: dict[int, dict[int, float]] = {}
    for component in components(unary, symbols):
        member = {symbol: index for index, symbol in enumerate(component)}
        inner = np.zeros((len(component), len(component)))
        outside: list[dict[int, float]] = []
        for index, symbol in enumerate(component):
            sums: dict[int, float] = {}
            for child, p in rules.get(symbol, ()):
                if child in member:
                    inner[index, member[child]] += p
                    continue
                sums[child] = sums.get(child, 0.0) + p
                for descendant, sum_ in below.get(child, {}).items():
                    sums[descendant] = sums.get(descendant, 0.0) + p * sum_
            outside.append(sums)
        if not inner.any():
            below[component[0]] = outside[0]
            continue
        try:
            series = np.linalg.inv(np.eye(len(component)) - inner)
        except np.linalg.LinAlgError:
            series = np.full(inner.shape, -1.0)
        if (series < 0).any() or np.abs(np.linalg.eigvals(inner)).max() >= 1:
            raise CrossbankError("unary rules: no rule leads out of a cycle")
        for index, symbol in enumerate(component):
            sums = {other: float(series[index, n] - (n == index)) for other, n in member.items()}
            for n, entries in enumerate(outside):
                for descendant, sum_ in entries.items():
                    sums[descendant] = sums.get(descendant, 0.0) + float(series[index, n]) * sum_
            below[symbol] = {child: sum_ for child, sum_ in sums.items() if sum_ > 0.0}
    pairs = sorted((child, parent, sum_) for parent, sums in below.items() for child, sum_ in sums.items())
    offsets = offsets_of(np.bincount(np.array([c for c, _, _ in pairs], np.int64), minlength=symbols))
    return (
        offsets,
        np.array([parent for _, parent, _ in pairs], np.int32),
        np.array([sum_ for _, _, sum_ in pairs], np.float64),
    )
