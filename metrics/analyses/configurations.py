"""Configurations that go with errors: their losses, and whether these are larger than chance explains.

Sampson, Geoffrey and Anna Babarczy (2003): A Test of the Leaf-Ancestor Metric for Parse Accuracy. Natural
Language Engineering 9(4), section 7: scores of single words show configurations "which are regularly
associated with low scores", such as "when a subordinate S begins with a multi-word NP, the parser tends to
fail". Here the same is asked of every metric that gives the loss of each token or constituent of gold.

Two kinds of configurations are tested: tree patterns that a user asks about, and local configurations that
are mined. These are properties of a constituent of gold (``PROPERTIES``) and pairs of them.

The test: a sentence's excess is the configuration's loss in it, beyond the average loss of as many tokens
or constituents. If the configuration does not matter, the excess of a sentence might as well have the other
sign, so signs are drawn at random. A sentence as a whole has one sign, since its errors hang together. All
configurations are tested at once, so their probabilities are corrected by Holm's step-down procedure with the
drawn maxima in place of the sums of probabilities: Westfall, Peter and Stanley Young (1993): Resampling-Based
Multiple Testing, section 2.6.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from crossbank.converters.patterns.matching import NOTHING, find
from crossbank.metrics.counting.metric import Losses
from crossbank.metrics.statistics.defaults import SEED
from crossbank.treebanks import NO_PARENT, Treebank
from crossbank.treebanks.arrays import Int32Array

LEAST = 20
"""The number of occurrences from which on a configuration is tested."""

LEAST_SENTENCES = 10
"""In how many sentences it must occur: random signs of fewer cannot tell it from chance."""

TRIALS = 1000
"""The number of times that signs are drawn."""

BLOCK = 100
"""The number of trials whose signs are held at a time."""

LENGTHS = ((1, "1 token"), (2, "2 tokens"), (5, "3 to 5 tokens"), (10, "6 to 10 tokens"))
LONGEST = "11 tokens or more"
"""The classes of length, each with the largest number of tokens in it."""


@dataclass(frozen=True)
class Configuration:
    """A configuration of gold, and its loss under one metric.

    units      how many tokens or constituents of gold stand in it
    loss       their average loss, between 0 and 1
    average    the average loss of all of gold's units
    p          probability of so much excess by chance, corrected for all configurations that were tested
    sentences  the sentences in which it loses, those with the largest excess first
    """

    name: str
    units: int
    loss: float
    average: float
    p: float
    sentences: Sequence[int]

    @property
    def excess(self) -> float:
        """The loss beyond that of as many average units, in units."""
        return self.units * (self.loss - self.average)


class Found(NamedTuple):
    """Units in configurations.

    names      the configurations
    key, unit  for each occurrence the configuration and the row of the unit, shape ``(occurrences,)``
    """

    names: Sequence[str]
    key: NDArray[np.int64]
    unit: NDArray[np.int64]


def mined(bank: Treebank, losses: Losses, *, trials: int = TRIALS, seed: int = SEED) -> list[Configuration]:
    """The local configurations that occur often enough, those with the largest excess first.

    A constituent stands for itself where constituents lose, and for the tokens that hang on it where tokens
    do. A pair of properties that occurs where one of them does says nothing new and is left out.
    """
    units = np.flatnonzero(losses.counted)
    nodes = _nodes_of(bank, losses, units)
    units, nodes = units[nodes != NO_PARENT], nodes[nodes != NO_PARENT]
    return _tested(bank, losses, _local(bank, units, nodes), trials, seed)


def asked(
    bank: Treebank, losses: Losses, patterns: Sequence[str], *, trials: int = TRIALS, seed: int = SEED
) -> list[Configuration]:
    """The constituents that tree patterns find in gold and their losses, in the order of the patterns.

    A constituent that is found counts with all its tokens where tokens lose. A tag or word that is found
    counts with the constituent that it hangs on where constituents do. Raises PatternError.
    """
    found = [_units_found(bank, losses, pattern) for pattern in patterns]
    key = np.repeat(np.arange(len(found)), [len(units) for units in found])
    occurrences = Found(patterns, key, np.concatenate([np.zeros(0, np.int64), *found]))
    of = {one.name: one for one in _tested(bank, losses, occurrences, trials, seed, least=(1, 1))}
    return [of.get(name) or Configuration(name, 0, 0.0, losses.average, 1.0, ()) for name in patterns]


def _nodes_of(bank: Treebank, losses: Losses, units: NDArray[np.int64]) -> NDArray[np.int64]:
    """The constituent of each unit: itself, or the one that a token hangs on; ``NO_PARENT`` for none."""
    if losses.of == "nodes":
        return units
    hangs = bank.tokens.parent[units] != NO_PARENT
    rows = bank.nodes.parent_rows(bank.tokens)[units]
    return np.where(hangs, rows, NO_PARENT).astype(np.int64)


def _local(bank: Treebank, units: NDArray[np.int64], nodes: NDArray[np.int64]) -> Found:
    """The occurrences of all properties and of all pairs of them."""
    singles = [_property(bank, name, read(bank)[nodes]) for name, read in PROPERTIES.items()]
    names: list[str] = []
    keys, rows = [], []
    for chosen in (*((one,) for one in singles), *combinations(singles, 2)):
        code, labels = _joined(chosen)
        number = np.bincount(code[code >= 0], minlength=len(labels))
        kept = number >= LEAST
        if len(chosen) == 2:
            for one in chosen:
                kept &= number != _largest(code, one.number[one.code], len(labels))
        place = np.cumsum(kept) - 1
        inside = np.flatnonzero(code >= 0)
        inside = inside[kept[code[inside]]]
        keys.append(place[code[inside]] + len(names))
        rows.append(units[inside])
        names += [labels[label] for label in np.flatnonzero(kept).tolist()]
    return Found(names, np.concatenate(keys), np.concatenate(rows))


class _Property(NamedTuple):
    """One property of each unit: its code, -1 for none; the codes' names, and how often each occurs."""

    code: NDArray[np.int64]
    names: Sequence[str]
    number: NDArray[np.int64]


def _property(bank: Treebank, name: str, values: NDArray[np.int64]) -> _Property:
    used, code = np.unique(values, return_inverse=True)
    read = _LENGTH_NAMES.__getitem__ if name == "length" else bank.vocabulary.__getitem__
    texts = [read(value) if value >= 0 else "" for value in used.tolist()]
    number = np.bincount(code, minlength=len(used))
    code = np.where(np.array([text != "" for text in texts], np.bool_)[code], code, -1)
    prefix = "" if name in ("label", "length") else f"{name} "
    return _Property(code.astype(np.int64), [prefix + text for text in texts], number)


def _joined(chosen: Sequence[_Property]) -> tuple[NDArray[np.int64], list[str]]:
    """A code for each combination of properties that occurs, -1 where one is missing, and their names."""
    if len(chosen) == 1:
        return chosen[0].code, list(chosen[0].names)
    one, other = chosen
    both = np.where((one.code < 0) | (other.code < 0), -1, one.code * len(other.names) + other.code)
    used, code = np.unique(both, return_inverse=True)
    names = [
        f"{one.names[c // len(other.names)]}, {other.names[c % len(other.names)]}" for c in used.tolist()
    ]
    missing = int(len(used) > 0 and used[0] == -1)
    return code.astype(np.int64) - missing, names[missing:]


def _largest(code: NDArray[np.int64], number: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """For each combination how often the given one of its properties occurs."""
    found = np.zeros(size, np.int64)
    there = code >= 0
    found[code[there]] = number[there]
    return found


def _labels(bank: Treebank) -> NDArray[np.int64]:
    return bank.nodes.label.astype(np.int64)


def _functions(bank: Treebank) -> NDArray[np.int64]:
    return bank.nodes.function.astype(np.int64)


def _parents(bank: Treebank) -> NDArray[np.int64]:
    """The label of the constituent above, -1 for roots."""
    nodes = bank.nodes
    above = nodes.parent_rows(nodes)
    return np.where(nodes.parent == NO_PARENT, -1, nodes.label[above]).astype(np.int64)


def _first_daughters(bank: Treebank) -> NDArray[np.int64]:
    """The label or tag of the daughter with the constituent's first token, -1 where nothing is below."""
    found = np.full(len(bank.nodes), -1, np.int64)
    start, tokens, nodes = bank.spans.start, bank.tokens, bank.nodes
    hangs = np.flatnonzero(tokens.parent != NO_PARENT)
    above = nodes.parent_rows(tokens)[hangs]
    place = hangs - tokens.begins(tokens)[hangs]
    first = place == start[above]
    found[above[first]] = tokens.pos[hangs[first]]
    below = np.flatnonzero(nodes.parent != NO_PARENT)
    above = nodes.parent_rows(nodes)[below]
    first = (start[below] == start[above]) & (bank.spans.size[below] > 0)
    found[above[first]] = nodes.label[below[first]]
    return found


def _lengths(bank: Treebank) -> NDArray[np.int64]:
    """The class of length, a place in ``LENGTHS``."""
    return np.searchsorted([most for most, _ in LENGTHS], bank.spans.size).astype(np.int64)


def _tag_beside(place: Callable[[Treebank], Int32Array]) -> Callable[[Treebank], NDArray[np.int64]]:
    """Read the tag of the token at a place beside each constituent, -1 outside the sentence."""

    def read(bank: Treebank) -> NDArray[np.int64]:
        tokens, nodes = bank.tokens, bank.nodes
        sentence = nodes.sentence_of_row()
        beside = place(bank)
        inside = (beside >= 0) & (beside < tokens.lengths()[sentence])
        row = np.where(inside, tokens.offsets[:-1][sentence] + beside, 0)
        return np.where(inside, tokens.pos[row] if len(tokens) else -1, -1).astype(np.int64)

    return read


_LENGTH_NAMES = (*(name for _, name in LENGTHS), LONGEST)

Reader: TypeAlias = Callable[[Treebank], NDArray[np.int64]]

PROPERTIES: dict[str, Reader] = {
    "label": _labels,
    "under": _parents,
    "beginning with": _first_daughters,
    "length": _lengths,
    "as": _functions,
    "after": _tag_beside(lambda bank: bank.spans.start - 1),
    "before": _tag_beside(lambda bank: bank.spans.end),
}
"""The features of each constituent: label, parent, first daughter, length, function, tags beside it."""


def _units_found(bank: Treebank, losses: Losses, pattern: str) -> NDArray[np.int64]:
    """The counted units in the constituents that a pattern finds, each once."""
    found = find(pattern, bank)
    places, rows = found.places, found.rows[:, 0]
    if losses.of == "tokens":
        edges = np.zeros(len(places) + 1, np.int64)
        np.add.at(edges, rows, 1)
        np.add.at(edges, places.last[rows] + 1, -1)
        inside = np.cumsum(edges[:-1]) > 0
        units = places.begin[inside & (places.last_child == NOTHING)]
    else:
        item, sentence = places.item[rows], found.sentences
        tokens = bank.tokens.lengths()[sentence]
        on_tokens = np.minimum(item, tokens - 1) + bank.tokens.offsets[:-1][sentence]
        node = np.where(item >= tokens, item - tokens, bank.tokens.parent[on_tokens])
        units = (node + bank.nodes.offsets[:-1][sentence])[node != NO_PARENT]
    units = np.unique(units)
    return np.asarray(units[losses.counted[units]], np.int64)


def _tested(
    bank: Treebank,
    losses: Losses,
    found: Found,
    trials: int,
    seed: int,
    least: tuple[int, int] = (LEAST, LEAST_SENTENCES),
) -> list[Configuration]:
    """The configurations that occur often enough with their probabilities, the largest excess first."""
    table = bank.tokens if losses.of == "tokens" else bank.nodes
    sentence = table.sentence_of_row()[found.unit].astype(np.int64)
    average = losses.average
    size = len(found.names)
    excess = losses.loss[found.unit] - average
    cells, cell = np.unique(found.key * len(bank) + sentence, return_inverse=True)
    cell_excess = np.bincount(cell, excess, len(cells))
    cell_key, cell_sentence = cells // max(len(bank), 1), cells % max(len(bank), 1)
    units = np.bincount(found.key, minlength=size)
    spread = np.sqrt(np.bincount(cell_key, cell_excess**2, size))
    in_sentences = np.bincount(cell_key, minlength=size)
    chosen = np.flatnonzero((units >= least[0]) & (in_sentences >= least[1]) & (spread > 0))
    place = np.full(size, -1, np.int64)
    place[chosen] = np.arange(len(chosen))
    inside = place[cell_key] >= 0
    cell_key, cell_sentence, cell_excess = (
        column[inside] for column in (place[cell_key], cell_sentence, cell_excess)
    )
    scaled = cell_excess / spread[chosen][cell_key]
    probability = _corrected(cell_key, cell_sentence, scaled, len(chosen), len(bank), trials, seed)
    total = np.bincount(found.key, losses.loss[found.unit], size)
    order = np.lexsort((cell_excess * -1.0, cell_key)) if len(cell_key) else np.zeros(0, np.int64)
    bounds = np.searchsorted(cell_key[order], np.arange(len(chosen) + 1))
    result = []
    for at, key in enumerate(chosen.tolist()):
        rows = order[bounds[at] : bounds[at + 1]]
        losing = rows[cell_excess[rows] > 0]
        result.append(
            Configuration(
                found.names[key],
                int(units[key]),
                float(total[key] / units[key]),
                average,
                float(probability[at]),
                cell_sentence[losing].tolist(),
            )
        )
    return sorted(result, key=lambda one: -one.excess)


def _corrected(
    key: NDArray[np.int64],
    sentence: NDArray[np.int64],
    scaled: NDArray[np.float64],
    size: int,
    sentences: int,
    trials: int,
    seed: int,
) -> NDArray[np.float64]:
    """The corrected probability of each configuration, from its scaled excess in each sentence."""
    observed = np.bincount(key, scaled, size)
    order = np.argsort(-observed, kind="stable")
    beyond = np.zeros(size, np.int64)
    random = np.random.default_rng(seed)
    for first in range(0, trials, BLOCK):
        number = min(BLOCK, trials - first)
        signs = random.integers(0, 2, (number, sentences), np.int8) * 2 - 1
        drawn = _drawn_sums(signs, key, sentence, scaled, size)
        # Step-down: each is compared with the largest of those that are no stronger than itself.
        largest = np.maximum.accumulate(drawn[:, order[::-1]], axis=1)[:, ::-1]
        beyond[order] += (largest >= observed[order]).sum(axis=0)
    stepped = np.maximum.accumulate((1 + beyond[order]) / (1 + trials))
    result = np.ones(size)
    result[order] = stepped
    return result


COLUMNS = 200
"""The number of configurations whose excess is held as a matrix at a time."""


def _drawn_sums(
    signs: NDArray[np.int8],
    key: NDArray[np.int64],
    sentence: NDArray[np.int64],
    scaled: NDArray[np.float64],
    size: int,
) -> NDArray[np.float64]:
    """The sum of each configuration's excess under each choice of signs, shape ``(trials, size)``."""
    drawn = np.zeros((len(signs), size))
    for first in range(0, size, COLUMNS):
        inside = (key >= first) & (key < first + COLUMNS)
        width = min(COLUMNS, size - first)
        excess = np.zeros((signs.shape[1], width), np.float32)
        excess[sentence[inside], key[inside] - first] = scaled[inside]
        drawn[:, first : first + width] = signs.astype(np.float32) @ excess
    return drawn
