"""Chart parsing of many sentences on all cores: best derivations and inside probabilities.

Parsing is exact: the chart has every constituent that the grammar derives. It takes 20 bytes for each of
them, and 8 bytes for each token and symbol, since one column of cells is spread out over all symbols. A
sentence whose chart would need more than the limit has no parse, and the reason says so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from crossbank.parsers.loops.chart import Chart, Rules
from crossbank.parsers.loops.inside import fill_inside, inside_score
from crossbank.parsers.loops.outside import Uses, fill_posteriors, group_posteriors
from crossbank.parsers.loops.viterbi import best_score, derivation, fill_best
from crossbank.parsers.probabilistic_grammar import Grammar
from crossbank.treebanks.arrays import BoolMatrix, Float64Array, Float64Matrix, Int32Array, Int32Matrix
from crossbank.treebanks.quantities import quantity
from crossbank.treebanks.ranges import for_each

MEMORY = 1 << 30
"""The bytes that the chart of one sentence may take; each thread has one chart at a time."""

BYTES_OF_AN_ITEM = 20
"""A row of a chart, of best derivations or of sums."""

FULL = -1
"""The value that a loop returns when a chart is full."""

NO_DERIVATION = "the grammar has no derivation"
"""The reason of a sentence that the grammar does not derive, or the beam leaves nothing of."""

SENTENCES_WORTH_A_THREAD = 4

MINUS_INFINITY = float("-inf")

UNMASKED: BoolMatrix = np.zeros((0, 0), np.bool_)
NO_GAIN: Float64Matrix = np.zeros((0, 0), np.float64)


class DerivationNodes(NamedTuple):
    """A derivation in pre-order: the symbol, the first token and one past the last token of each node."""

    symbol: Int32Array
    start: Int32Array
    end: Int32Array


class Best(NamedTuple):
    """Best derivation of a sentence.

    log2    the logarithm of its probability; minus infinity if there is none
    nodes   the derivation, or None
    reason  why there is none; empty if there is one
    fragments  the number of constituents that no tree of the grammar joins; 0 for a derivation of the grammar
    """

    log2: float
    nodes: DerivationNodes | None
    reason: str
    fragments: int = 0


ChartPair: TypeAlias = tuple["ChartArrays", "ChartArrays"]
"""Charts for sums and for best derivations."""


class TooLargeError(Exception):
    """A chart that would need more memory than the limit; the message says how much."""


@dataclass
class ChartArrays:
    """A chart for one sentence after another, made anew when a sentence needs a larger one.

    limit  bytes that the chart may take
    """

    symbols: int
    sums: bool
    limit: int = MEMORY
    _chart: Chart | None = field(default=None, repr=False)
    _length: int = 0
    _items: int = 0

    def fill(self, length: int, loop: Callable[[Chart], int]) -> Chart:
        """Return the chart after ``loop`` has filled it for a sentence of ``length`` tokens.

        Raises TooLargeError if it does not fit into the limit.
        """
        if self._chart is None or length > self._length:
            self._length = max(length, self._length)
            self._make(max(self._items, 64 * length * (length + 1) // 2))
        while self._chart is not None and loop(self._chart) == FULL:
            self._make(2 * self._items)
        assert self._chart is not None
        return self._chart

    @property
    def filled(self) -> Chart:
        """Chart of the last sentence."""
        assert self._chart is not None
        return self._chart

    def _make(self, items: int) -> None:
        self._chart = None
        fixed = (2 if self.sums else 1) * 8 * self._length * self.symbols
        most = (self.limit - fixed) // BYTES_OF_AN_ITEM
        if most < min(items, self._length):
            raise self._too_large(fixed)
        if items > most:
            if self._items >= most:
                raise self._too_large(fixed + items * BYTES_OF_AN_ITEM)
            items = most
        self._items = items
        self._chart = Chart(self.symbols, self._length, items, sums=self.sums)

    def _too_large(self, size: int) -> TooLargeError:
        length, self._length, self._items = self._length, 0, 0
        return TooLargeError(
            f"too long: the chart of {quantity(length, 'token')} needs more than {size >> 20} MB, "
            f"the limit is {self.limit >> 20} MB"
        )


def chart_pair(of_sums: Grammar, of_best: Grammar, limit: int) -> ChartPair:
    """Return a thread's charts for sums and for best derivations."""
    sums = ChartArrays(len(of_sums.symbols), sums=True, limit=limit)
    return sums, ChartArrays(len(of_best.symbols), sums=False, limit=limit)


def best_derivations(grammar: Grammar, sentences: Sequence[Int32Array], *, limit: int = MEMORY) -> list[Best]:
    """Return the best derivation of each sentence.

    sentences  indices of terminals, shape ``(tokens,)``; -1 for words that are not in the grammar
    """
    allocate = partial(ChartArrays, len(grammar.symbols), sums=False, limit=limit)
    best = partial(best_derivation, grammar.best, grammar.start)
    return for_each(sentences, allocate, best, SENTENCES_WORTH_A_THREAD)


def best_derivation(
    rules: Rules,
    start: int,
    words: Int32Array,
    arrays: ChartArrays,
    allowed: BoolMatrix = UNMASKED,
    gain: Float64Matrix = NO_GAIN,
) -> Best:
    """Return the best derivation of one sentence: see ``fill_best`` for the arguments."""
    chart = chart_of(arrays, words, lambda chart: fill_best(rules, chart, words, allowed, gain))
    if isinstance(chart, str):
        return Best(MINUS_INFINITY, None, chart)
    score = best_score(chart, start, len(words))
    if score == MINUS_INFINITY:
        return Best(MINUS_INFINITY, None, NO_DERIVATION)
    nodes = written(len(words), lambda nodes: derivation(rules, chart, start, len(words), nodes))
    return Best(score, nodes, "")


def written(length: int, loop: Callable[[Int32Matrix], int]) -> DerivationNodes:
    """Return the nodes of a derivation of ``length`` tokens, which a loop writes into large arrays."""
    size = 8 * length
    while True:
        nodes = np.empty((3, size), np.int32)
        count = loop(nodes)
        if count != FULL:
            return DerivationNodes(*nodes[:, :count].copy())
        size *= 2


def chart_of(arrays: ChartArrays, words: Int32Array, loop: Callable[[Chart], int]) -> Chart | str:
    """Return a sentence's chart after ``loop`` has filled it, or the reason why there is none."""
    if len(words) == 0:
        return "no tokens"
    unknown = np.flatnonzero(words < 0)
    if len(unknown):
        return f"token {int(unknown[0]) + 1} is not in the grammar"
    try:
        return arrays.fill(len(words), loop)
    except TooLargeError as error:
        return str(error)


def inside_probabilities(
    grammar: Grammar, sentences: Sequence[Int32Array], *, limit: int = MEMORY
) -> tuple[Float64Array, list[str]]:
    """Return the logarithm (base 2) of each sentence's probability, and why it is zero.

    The probability is summed over all derivations.

    Shape ``(sentences,)``; minus infinity if there is no derivation.
    """
    allocate = partial(ChartArrays, len(grammar.symbols), sums=True, limit=limit)
    inside = partial(inside_probability, grammar.total, grammar.start)
    results = for_each(sentences, allocate, inside, SENTENCES_WORTH_A_THREAD)
    return np.array([log2 for log2, _ in results], np.float64), [reason for _, reason in results]


def posteriors(
    grammar: Grammar, rules: Rules, words: Int32Array, arrays: ChartArrays, groups: int
) -> NDArray[np.float64]:
    """Return the expected number of constituents of each group of symbols, shape ``(cells, groups)``.

    After ``inside_probability`` of the sentence by these rules of the grammar, which is above zero.
    """
    unused = Uses(*(np.zeros(len(table)) for table in (grammar.binary, grammar.unary, grammar.lexicon)))
    fill_posteriors(rules, arrays.filled, words, grammar.start, unused)
    sums = np.zeros((len(words) * (len(words) + 1) // 2, groups))
    group_posteriors(rules, arrays.filled, sums)
    return sums


def inside_probability(
    rules: Rules, start: int, words: Int32Array, arrays: ChartArrays, allowed: BoolMatrix = UNMASKED
) -> tuple[float, str]:
    """Return the logarithm (base 2) of a sentence's probability, and why it is zero: see ``fill_inside``."""
    chart = chart_of(arrays, words, lambda chart: fill_inside(rules, chart, words, allowed))
    if isinstance(chart, str):
        return MINUS_INFINITY, chart
    number, exponent = inside_score(chart, start, len(words))
    if number == 0.0:
        return MINUS_INFINITY, NO_DERIVATION
    return float(np.log2(number)) + exponent, ""
