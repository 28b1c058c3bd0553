"""Packed forests of the derivations under an unlexicalised grammar, for weights of a lexicalised one.

Every derivation of the lexicalised grammar is also one of the unlexicalised grammar. So a sentence is first
parsed with the unlexicalised grammar, and items without a derivation are omitted, on request also improbable
items. The most probable derivation of the unlexicalised grammar is always included.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from crossbank.parsers.chart_parsing import (
    ChartPair,
    best_derivation,
    chart_pair,
    inside_probability,
    posteriors,
)
from crossbank.parsers.headed_grammar import HeadedGrammar
from crossbank.parsers.loops.chart import Rules
from crossbank.parsers.loops.lexicalised_sums import PackedForest
from crossbank.parsers.loops.packing import PackedEdges, fill_edges
from crossbank.parsers.probabilistic_grammar import rules as rules_of
from crossbank.treebanks.arrays import BoolMatrix, Int32Array, offsets_of
from crossbank.treebanks.quantities import quantity

BYTES_OF_AN_EDGE = 40
"""The memory of an edge of a packed forest while the forest is made."""

BYTES_OF_A_CELL_AND_SYMBOL = 16
"""Bytes of memory of each pair of a cell and a symbol while the forest is made."""

BYTES_OF_A_CHOICE = 16
"""The memory of a pair of categories for each two tokens: the weight of a choice, and its expected count."""


class Packed(NamedTuple):
    """Forest of a sentence, with the symbols, rules and pairs that its numbers refer to.

    symbol, start, end  symbol and span of each item
    rules   the rules of the forest, as numbers of the headed grammar
    pairs   the pairs of categories of the forest, as numbers of the headed grammar
    root    the item of the start symbol over the whole sentence
    cells, values, hooked  array sizes
    """

    forest: PackedForest
    symbol: Int32Array
    start: Int32Array
    end: Int32Array
    rules: Int32Array
    pairs: Int32Array
    root: int
    cells: int
    values: int
    hooked: int


class Packer:
    """Makes the forests of one sentence after another.

    threshold  expected number under the unlexicalised grammar below which constituents are omitted; 0 omits
               none
    limit      bytes that the chart, and then the forest, of a sentence may take
    """

    def __init__(self, headed: HeadedGrammar, threshold: float, limit: int) -> None:
        self.headed, self.threshold, self.limit = headed, threshold, limit
        grammar = headed.grammar
        self._own = np.arange(len(grammar.symbols), dtype=np.int32)
        self._sums: Rules = rules_of(grammar, logarithms=False, group=self._own)
        by_left, unary, by_terminal = grammar.orders
        self._rule = by_left.astype(np.int32)
        self._unary_rule = (len(by_left) + unary).astype(np.int32)
        self._tag = np.ascontiguousarray(grammar.lexicon[by_terminal, 0])
        terminals = np.bincount(grammar.lexicon[:, 1], minlength=len(grammar.terminals))
        self._tag_offsets = offsets_of(terminals)
        self._tag_weight = np.ascontiguousarray(headed.of_words_given_tags[by_terminal])
        self._right_head = headed.heads[by_left] == 1 if len(by_left) else np.zeros(0, np.bool_)
        self._pair = headed.pair[by_left]
        _ = grammar.best

    def allocate(self) -> ChartPair:
        """Return the charts that a thread needs."""
        return chart_pair(self.headed.grammar, self.headed.grammar, self.limit)

    def pack(self, words: Int32Array, charts: ChartPair) -> tuple[Packed | None, str]:
        """Return the forest of a sentence, given as the indices of its terminals; or why it has none."""
        grammar = self.headed.grammar
        sums, logarithms = charts
        _, reason = inside_probability(self._sums, grammar.start, words, sums)
        if reason:
            return None, reason
        cells = len(words) * (len(words) + 1) // 2
        if too_large := self._describe_excess(
            len(words), cells * len(self._own) * BYTES_OF_A_CELL_AND_SYMBOL
        ):
            return None, too_large
        posterior = posteriors(grammar, self._sums, words, sums, len(self._own))
        if not self.threshold:
            return self._build_forest(words, posterior > 0)
        remaining = posterior >= self.threshold
        best = best_derivation(grammar.best, grammar.start, words, logarithms)
        if best.nodes is not None:
            symbol, start, end = best.nodes
            remaining[(end - 1) * end // 2 + end - 1 - start, symbol] = True
        return self._build_forest(words, remaining)

    def _describe_excess(self, length: int, size: int) -> str:
        if size <= self.limit:
            return ""
        return (
            f"too long: the forest of {quantity(length, 'token')} needs more than {size >> 20} MB, "
            f"the limit is {self.limit >> 20} MB"
        )

    def _build_forest(self, words: Int32Array, remaining: BoolMatrix) -> tuple[Packed | None, str]:
        """Return the forest of the items in a mask of shape ``(cells, symbols)``, or why it is too large."""
        length, headed = len(words), self.headed
        cell, symbol = (column.astype(np.int32) for column in np.nonzero(remaining))
        begin = offsets_of(remaining.sum(axis=1))
        item_of = np.full(remaining.shape, -1, np.int32)
        item_of[remaining] = np.arange(len(symbol), dtype=np.int32)
        ends = np.repeat(np.arange(1, length + 1, dtype=np.int32), np.arange(1, length + 1))
        starts = np.concatenate([np.arange(end - 1, -1, -1, dtype=np.int32) for end in range(1, length + 1)])
        start, end = starts[cell], ends[cell]
        edge_begin, unary_begin = (np.zeros(len(remaining) + 1, np.int64) for _ in range(2))
        edges, unary_edges = np.empty((0, 4), np.int32), np.empty((0, 3), np.int32)

        def fill() -> tuple[int, int]:
            own = PackedEdges(edge_begin, edges, unary_begin, unary_edges)
            return fill_edges(self._sums, begin, symbol, item_of, own)

        edge_count, unary_count = fill()
        if too_large := self._describe_excess(length, edge_count * BYTES_OF_AN_EDGE):
            return None, too_large
        edges, unary_edges = np.empty((edge_count, 4), np.int32), np.empty((unary_count, 3), np.int32)
        if edge_count or unary_count:
            fill()
        on_right = self._right_head[edges[:, 3]]
        other = np.where(on_right, edges[:, 1], edges[:, 2])
        hooks, hook = np.unique(
            other.astype(np.int64) * len(headed.pool_of_pair) + self._pair[edges[:, 3]], return_inverse=True
        )
        of_hook, pair = np.divmod(hooks, len(headed.pool_of_pair))
        pairs, local_pair = np.unique(pair, return_inverse=True)
        if too_large := self._describe_excess(length, len(pairs) * length**2 * BYTES_OF_A_CHOICE):
            return None, too_large
        first, last = self._tag_offsets[words], self._tag_offsets[words + 1]
        tag_begin = offsets_of(last - first)
        entry = np.arange(tag_begin[-1]) + np.repeat(first - tag_begin[:-1], last - first)
        after = np.repeat(np.arange(1, length + 1), np.diff(tag_begin))  # the token
        tag = item_of[(after - 1) * after // 2, self._tag[entry]]
        has_item = tag >= 0
        tag_begin, tag, entry = np.append(0, np.cumsum(has_item))[tag_begin], tag[has_item], entry[has_item]
        used = [
            self._rule[edges[:, 3]],
            self._unary_rule[unary_edges[:, 2]],
            (headed.first_of_words + self._tag[entry]).astype(np.int32),
        ]
        rules, local = np.unique(np.concatenate(used), return_inverse=True)
        of_edges, of_unary, of_tags = np.split(local.astype(np.int32), np.cumsum([len(u) for u in used])[:-1])
        values = offsets_of(end - start)
        head = np.where(on_right, edges[:, 2], edges[:, 1])
        binary = edge_begin, edges[:, 0].copy(), head, other, hook.astype(np.int32), of_edges
        unary = unary_begin, unary_edges[:, 0].copy(), unary_edges[:, 1].copy(), of_unary
        tags = tag_begin, tag, of_tags, self._tag_weight[entry]
        hooked = offsets_of(np.bincount(of_hook, minlength=len(symbol))), local_pair.astype(np.int32)
        items = length, begin, start, end, cell, values
        forest = PackedForest(*items, *binary, *unary, headed.grammar.has_cycles, *tags, *hooked)
        root = int(item_of[len(remaining) - 1, headed.grammar.start])
        sizes = int(values[-1]), len(hooks) * length
        return Packed(
            forest, symbol, start, end, rules, pairs.astype(np.int32), root, len(remaining), *sizes
        ), ""
