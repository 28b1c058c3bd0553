"""Configurations associated with errors: their losses, and tests of these against chance.

Sampson, Geoffrey and Anna Babarczy (2003): A Test of the Leaf-Ancestor Metric for Parse Accuracy. Natural
Language Engineering 9(4), section 7: scores of single words show configurations "which are regularly
associated with low scores", such as "when a subordinate S begins with a multi-word NP, the parser tends to
fail". Here this is applied to every metric with a loss for each token or constituent of gold.

Two types of configurations are tested: tree patterns that a user asks about, and local configurations that
are mined. These are properties of a constituent of gold (``PROPERTIES``) and pairs of them.

The test: a sentence's excess is the configuration's loss in it, beyond the average loss of as many tokens
or constituents. If the configuration does not matter, the excess of a sentence might as well have the other
sign, so signs are drawn at random. A sentence as a whole has one sign, since its errors are dependent. All
configurations are tested at once, so their probabilities are corrected by Holm's step-down procedure with the
drawn maxima in place of the sums of probabilities: Westfall, Peter and Stanley Young (1993): Resampling-Based
Multiple Testing, section 2.6.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, combinations, pairwise
from math import ceil, log2
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from crossbank.converters.patterns.matching import NO_POSITION, find
from crossbank.metrics.counting.metric import Losses
from crossbank.metrics.loops.statistics import Cells, Summands, sum_in_sentences, sum_positive
from crossbank.metrics.statistics.bootstrap import WORTH_A_THREAD
from crossbank.metrics.statistics.defaults import SEED
from crossbank.treebanks import NO_PARENT, Treebank
from crossbank.treebanks.arrays import Float64Array, Int32Array, Int64Array, offsets_of
from crossbank.treebanks.ranges import in_ranges

MIN_OCCURRENCES = 20
"""The minimal number of occurrences of a tested configuration."""

MIN_SENTENCES = 10
"""The minimal number of its sentences: with fewer, random signs cannot be significant."""

TRIALS = 1000
"""The number of times that signs are drawn."""

BLOCK = 100
"""The number of trials whose signs are in memory at a time."""

LENGTHS = ((1, "1 token"), (2, "2 tokens"), (5, "3 to 5 tokens"), (10, "6 to 10 tokens"))
LONGEST = "11 tokens or more"
"""The classes of length, each with the largest number of tokens in it."""


@dataclass(frozen=True, eq=False)
class Configuration:
    """A configuration of gold, and its loss under one metric.

    units      the number of gold's tokens or constituents in it
    loss       their average loss, between 0 and 1
    average    the average loss of all of gold's units
    p          probability of at least this excess by chance, corrected for all configurations tested
    where      the sentences in which it occurs, shape ``(sentences,)``
    beyond     the loss in each of them beyond that of as many average units, of the same shape
    """

    name: str
    units: int
    loss: float
    average: float
    p: float
    where: Int32Array
    beyond: Float64Array

    @property
    def excess(self) -> float:
        """Loss beyond that of as many average units, in units."""
        return self.units * (self.loss - self.average)

    @property
    def sentences(self) -> list[int]:
        """Sentences in which it loses, those with the largest excess first."""
        order = np.argsort(-self.beyond, kind="stable")
        sentences: list[int] = self.where[order[: np.count_nonzero(self.beyond > 0)]].tolist()
        return sentences


class ConfigurationUnits(NamedTuple):
    """Occurrences of configurations: which unit is in which configuration.

    names      the configurations
    key, unit  for each occurrence the configuration and the row of the unit, shape ``(occurrences,)``;
               those of one configuration in the order of their rows
    """

    names: Sequence[str]
    key: NDArray[np.int64]
    unit: NDArray[np.int64]


def mined(bank: Treebank, losses: Losses, *, trials: int = TRIALS, seed: int = SEED) -> list[Configuration]:
    """Return the frequent local configurations, in descending order of their excess.

    The units are the constituents themselves if the losses are of constituents, else their tokens. A
    pair of properties with the same occurrences as one of the two is redundant and omitted.
    """
    units = np.flatnonzero(losses.counted)
    nodes = _nodes_of(bank, losses, units)
    units, nodes = units[nodes != NO_PARENT], nodes[nodes != NO_PARENT]
    return _test_configurations(bank, losses, _find_local_configurations(bank, units, nodes), trials, seed)


def match_patterns(
    bank: Treebank, losses: Losses, patterns: Sequence[str], *, trials: int = TRIALS, seed: int = SEED
) -> list[Configuration]:
    """Return the constituents of gold that match tree patterns, and their losses, in the patterns' order.

    A matching constituent counts with all its tokens if tokens lose. A matching tag or word
    counts with its parent if constituents lose. Raises PatternError.
    """
    units_of_patterns = [_matching_units(bank, losses, pattern) for pattern in patterns]
    key = np.repeat(np.arange(len(units_of_patterns)), [len(units) for units in units_of_patterns])
    occurrences = ConfigurationUnits(
        patterns, key, np.concatenate([np.zeros(0, np.int64), *units_of_patterns])
    )
    by_name = {
        one.name: one
        for one in _test_configurations(bank, losses, [occurrences], trials, seed, minimums=(1, 1))
    }
    nowhere = np.zeros(0, np.int32), np.zeros(0)
    return [
        by_name.get(name) or Configuration(name, 0, 0.0, losses.average, 1.0, *nowhere) for name in patterns
    ]


def _nodes_of(bank: Treebank, losses: Losses, units: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return each unit's constituent: itself, or a token's parent; ``NO_PARENT`` for none."""
    if losses.of == "nodes":
        return units
    hangs = bank.tokens.parent[units] != NO_PARENT
    rows = bank.nodes.parent_rows(bank.tokens)[units]
    return np.where(hangs, rows, NO_PARENT).astype(np.int64)


def _find_local_configurations(
    bank: Treebank, units: NDArray[np.int64], nodes: NDArray[np.int64]
) -> Iterator[ConfigurationUnits]:
    """Yield the occurrences of each property, and of each pair of two, that is frequent enough."""
    singles = [_property(bank, name, read(bank)[nodes]) for name, read in PROPERTIES.items()]
    for one in singles:
        yield ConfigurationUnits(one.names, one.code[one.code >= 0], units[one.code >= 0])
    for one, other in combinations(singles, 2):
        size = len(other.names)
        both = np.where((one.code < 0) | (other.code < 0), -1, one.code * size + other.code)
        number = np.bincount(both[both >= 0])
        frequent = np.flatnonzero(number >= MIN_OCCURRENCES)
        first, second = frequent // max(size, 1), frequent % max(size, 1)
        new = (number[frequent] != one.number[first]) & (number[frequent] != other.number[second])
        names = zip(first[new].tolist(), second[new].tolist(), strict=True)
        number_of = np.full(len(number) + 1, -1)  # index -1 (no pair) is the last entry
        number_of[frequent[new]] = np.arange(int(new.sum()))
        key = number_of[both]
        yield ConfigurationUnits(
            [f"{one.names[a]}, {other.names[b]}" for a, b in names], key[key >= 0], units[key >= 0]
        )


class _Property(NamedTuple):
    """One property of each unit: its code, -1 for none or a rare one; the codes' names, and their numbers."""

    code: NDArray[np.int64]
    names: Sequence[str]
    number: NDArray[np.int64]


def _property(bank: Treebank, name: str, values: NDArray[np.int64]) -> _Property:
    number = np.bincount(values + 1)
    read = _LENGTH_NAMES.__getitem__ if name == "length" else bank.vocabulary.__getitem__
    prefix = "" if name in ("label", "length") else f"{name} "
    texts = {value: read(value - 1) for value in np.flatnonzero(number >= MIN_OCCURRENCES).tolist() if value}
    named = [value for value, text in texts.items() if text]
    number_of = np.full(len(number), -1)
    number_of[named] = np.arange(len(named))
    return _Property(number_of[values + 1], [prefix + texts[value] for value in named], number[named])


def _parents(bank: Treebank) -> NDArray[np.int64]:
    """Return the label of the constituent above, -1 for roots."""
    nodes = bank.nodes
    above = nodes.parent_rows(nodes)
    return np.where(nodes.parent == NO_PARENT, -1, nodes.label[above]).astype(np.int64)


def _first_daughters(bank: Treebank) -> NDArray[np.int64]:
    """Return the label or tag of the daughter with the constituent's first token, -1 without daughters."""
    daughters = np.full(len(bank.nodes), -1, np.int64)
    start, tokens, nodes = bank.spans.start, bank.tokens, bank.nodes
    hangs = np.flatnonzero(tokens.parent != NO_PARENT)
    above = nodes.parent_rows(tokens)[hangs]
    position = hangs - tokens.begins(tokens)[hangs]
    first = position == start[above]
    daughters[above[first]] = tokens.pos[hangs[first]]
    below = np.flatnonzero(nodes.parent != NO_PARENT)
    above = nodes.parent_rows(nodes)[below]
    first = (start[below] == start[above]) & (bank.spans.size[below] > 0)
    daughters[above[first]] = nodes.label[below[first]]
    return daughters


def _tag_beside(neighbour: Callable[[Treebank], Int32Array]) -> Callable[[Treebank], NDArray[np.int64]]:
    """Return a function that returns the tag of each constituent's neighbour, -1 outside of the sentence."""

    def read(bank: Treebank) -> NDArray[np.int64]:
        tokens, nodes = bank.tokens, bank.nodes
        sentence = nodes.sentence_of_row()
        beside = neighbour(bank)
        inside = (beside >= 0) & (beside < tokens.lengths()[sentence])
        row = np.where(inside, tokens.offsets[:-1][sentence] + beside, 0)
        return np.where(inside, tokens.pos[row] if len(tokens) else -1, -1).astype(np.int64)

    return read


_LENGTH_NAMES = (*(name for _, name in LENGTHS), LONGEST)

Reader: TypeAlias = Callable[[Treebank], NDArray[np.int64]]

PROPERTIES: dict[str, Reader] = {
    "label": lambda bank: bank.nodes.label.astype(np.int64),
    "under": _parents,
    "beginning with": _first_daughters,
    "length": lambda bank: np.searchsorted([most for most, _ in LENGTHS], bank.spans.size).astype(np.int64),
    "as": lambda bank: bank.nodes.function.astype(np.int64),
    "after": _tag_beside(lambda bank: bank.spans.start - 1),
    "before": _tag_beside(lambda bank: bank.spans.end),
}
"""The features of each constituent: label, parent, first daughter, length, function, tags beside it."""


def _matching_units(bank: Treebank, losses: Losses, pattern: str) -> NDArray[np.int64]:
    """Return the distinct counted units in the constituents that match a pattern."""
    matches = find(pattern, bank)
    layout, rows = matches.positions, matches.rows[:, 0]
    if losses.of == "tokens":
        edges = np.zeros(len(layout) + 1, np.int64)
        np.add.at(edges, rows, 1)
        np.add.at(edges, layout.last[rows] + 1, -1)
        inside = np.cumsum(edges[:-1]) > 0
        units = layout.begin[inside & (layout.last_child == NO_POSITION)]
    else:
        item, sentence = layout.item[rows], matches.sentences
        tokens = bank.tokens.lengths()[sentence]
        on_tokens = np.minimum(item, tokens - 1) + bank.tokens.offsets[:-1][sentence]
        node = np.where(item >= tokens, item - tokens, bank.tokens.parent[on_tokens])
        units = (node + bank.nodes.offsets[:-1][sentence])[node != NO_PARENT]
    units = np.unique(units)
    return np.asarray(units[losses.counted[units]], np.int64)


class _Cells(NamedTuple):
    """Configurations that occur often enough, and the excess of each in each of its sentences.

    names    the configurations
    units    how often each occurs
    loss     the average loss of its occurrences
    spread   the root of the sum of its squared excesses
    lengths  the number of sentences of each
    sentence, excess  each sentence of each configuration, in ascending order, and the configuration's loss in
             it beyond that of as many average units: ``lengths`` says how many rows a configuration has
    """

    names: Sequence[str]
    units: Int64Array
    loss: Float64Array
    spread: Float64Array
    lengths: Int64Array
    sentence: Int32Array
    excess: Float64Array


def _test_configurations(
    bank: Treebank,
    losses: Losses,
    candidates: Iterable[ConfigurationUnits],
    trials: int,
    seed: int,
    minimums: tuple[int, int] = (MIN_OCCURRENCES, MIN_SENTENCES),
) -> list[Configuration]:
    """Return the frequent configurations with their probabilities, in descending order of the excess."""
    table = bank.tokens if losses.of == "tokens" else bank.nodes
    sentence, average = table.sentence_of_row(), losses.average
    names, *columns = zip(
        *(_select_cells(one, losses, average, sentence, minimums) for one in candidates), strict=True
    )
    cells = _Cells(list(chain.from_iterable(names)), *map(np.concatenate, columns))
    rows = pairwise(offsets_of(cells.lengths).tolist())
    corrected = _correct_probabilities(cells, len(bank), trials, seed)
    described = zip(cells.names, cells.units.tolist(), cells.loss.tolist(), corrected, rows, strict=True)
    result = [
        Configuration(name, units, loss, average, p, cells.sentence[begin:end], cells.excess[begin:end])
        for name, units, loss, p, (begin, end) in described
    ]
    return sorted(result, key=lambda one: -one.excess)


def _select_cells(
    occurrences: ConfigurationUnits,
    losses: Losses,
    average: float,
    sentence_of_row: Int32Array,
    minimums: tuple[int, int],
) -> _Cells:
    """Return the configurations that occur often enough and have any excess."""
    size, rows = len(occurrences.names), len(occurrences.key)
    loss = losses.loss[occurrences.unit]
    units = np.bincount(occurrences.key, minlength=size)
    begin = offsets_of(units)
    end, sentence, excess = begin[:-1].copy(), np.empty(rows, np.int32), np.empty(rows)
    cells = Cells(begin, end, sentence, excess)
    sum_in_sentences(
        occurrences.key.astype(np.int32), sentence_of_row[occurrences.unit], loss - average, cells
    )
    key = np.repeat(np.arange(size), units)
    used = np.arange(rows) < end[key]
    lengths = end - begin[:-1]
    spread = np.sqrt(np.bincount(key[used], excess[used] ** 2, size))
    chosen = (units >= minimums[0]) & (lengths >= minimums[1]) & (spread > 0)
    used &= chosen[key]
    names = [occurrences.names[one] for one in np.flatnonzero(chosen).tolist()]
    average_loss = np.bincount(occurrences.key, loss, size)[chosen] / units[chosen]
    columns = units[chosen], average_loss, spread[chosen], lengths[chosen]
    return _Cells(names, *columns, sentence[used], excess[used])


def _correct_probabilities(cells: _Cells, sentences: int, trials: int, seed: int) -> list[float]:
    """Return the corrected probability of each configuration.

    The excess is divided by its spread and rounded to a whole number of parts, so that sums do not depend on
    the order of the summands and two choices of signs with the same sum are equal. The sum of a
    configuration in ``n`` sentences is at most the root of ``n`` (Cauchy and Schwarz), so it has 32 bits.
    """
    parts = 2.0 ** (30 - ceil(log2(max(sentences, 1)) / 2))
    scaled = np.repeat(parts / cells.spread, cells.lengths)
    scaled *= cells.excess
    excess, offsets = np.rint(scaled, out=scaled).astype(np.int32), offsets_of(cells.lengths)
    del scaled
    summands = Summands(offsets, cells.sentence, excess)
    observed = np.add.reduceat(excess, offsets[:-1], dtype=np.int32)
    order = np.argsort(-observed, kind="stable")
    exceedances = np.zeros(len(order), np.int64)
    random = np.random.default_rng(seed)
    for first in range(0, trials, BLOCK):
        number = min(BLOCK, trials - first)
        signs = random.integers(0, 2, (number, sentences), np.int8)
        positive = np.negative(signs.T, dtype=np.int32, order="C")
        sums = np.zeros((len(order), number), np.int32)
        at_least = WORTH_A_THREAD * len(order) // max(len(excess) * number, 1)
        in_ranges(partial(sum_positive, summands, positive, sums), len(order), at_least)
        drawn = sums - (observed[:, None] - sums)
        # Step-down: compare each with the largest drawn sum of the configurations that are not stronger.
        largest = np.maximum.accumulate(drawn[order[::-1]])[::-1]
        exceedances[order] += (largest >= observed[order, None]).sum(axis=1)
    result = np.ones(len(order))
    result[order] = np.maximum.accumulate((1 + exceedances[order]) / (1 + trials))
    return result.tolist()
