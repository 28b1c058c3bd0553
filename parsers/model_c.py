"""Eisner's model C of order zero: every head generates its dependents, each by itself, on either side.

Eisner, Jason (1996): Three New Probabilistic Models for Dependency Parsing. COLING. Musillo and Sima'an
(2002, section 4.3) take it without the condition on the preceding child: it is their basic generative
model of dependencies. On each side a head generates words until it generates the end; the root generates
one word.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import log, log2
from typing import Any, Literal

import numpy as np

from crossbank.parsers.dependency_trees import (
    RelationsOfArcs,
    as_treebank,
    dependencies_of,
    heads_of,
    words_to_parse,
)
from crossbank.parsers.loops.eisner import best_heads, inside
from crossbank.parsers.parsed import Inside, Parsed
from crossbank.parsers.unknown_words import (
    UNKNOWN,
    UNKNOWN_SHARE,
    UnknownWords,
    learn_unknown_words,
    normal_form,
)
from crossbank.treebanks import OptionError, Treebank
from crossbank.treebanks.arrays import Float64Array, Int32Array
from crossbank.treebanks.memory import require
from crossbank.treebanks.named_arguments import argument
from crossbank.treebanks.quantities import quantity
from crossbank.treebanks.ranges import for_each

SIDES = 2
LOG_ZERO = -1e300
"""The logarithm of the probability of impossible events, below all others."""

IMPOSSIBLE = LOG_ZERO / 2

BYTES_OF_A_DEPENDENCY = 64
"""The bytes of a dependency's score and of the entries of Eisner's algorithm for its span."""


@dataclass(frozen=True)
class ModelCOptions:
    """Options of the generative model.

    input      ``words``, rare ones as their signatures, ``tags``, or ``xpos``: the tags of that column
    rare       words seen at most this many times are seen as their signatures
    smoothing  whether relative frequencies given the head are mixed with those given the side alone (Witten
               and Bell 1991), so that a head may have a dependent that it was never seen with
    """

    input: Literal["words", "tags", "xpos"] = "tags"
    rare: int = 1
    smoothing: bool = True

    @property
    def smoothed(self) -> bool:
        """Return whether every sentence has a probability."""
        return self.smoothing


@dataclass(frozen=True, eq=False)
class ModelC:
    """A trained model.

    terminals  the words or tags; the code after the last one, in ``events``, is the end
    events     how often each head (the root after the last terminal) generated what on which side:
               head, side, event, count; shape ``(rows, 4)``
    """

    terminals: tuple[str, ...]
    events: Float64Array
    relations: RelationsOfArcs
    options: ModelCOptions
    scheme: str | None = None
    unknown: UnknownWords | None = None

    name = "model_c"
    position = 30
    output = "dependencies"
    probabilities = True
    options_class = ModelCOptions

    @classmethod
    def train(cls, bank: Treebank, scheme: str | None, options: ModelCOptions) -> ModelC:
        """Count the dependents of heads. Raises ConversionError if there are no dependencies."""
        dependencies = dependencies_of(bank, scheme)
        unknown = None
        if options.input == "words":
            unknown = learn_unknown_words(
                (dependencies.words(s) for s in range(len(dependencies))), options.rare
            )
        codes: dict[str, int] = {}
        sentences = []
        for sentence in range(len(dependencies)):
            terminals = _terminals(dependencies, sentence, unknown, options.input)
            sentences.append([codes.setdefault(terminal, len(codes)) for terminal in terminals])
        if unknown is not None:
            codes.setdefault(UNKNOWN, len(codes))
        end = root = len(codes)
        rare = None
        if unknown is not None:
            rare = {code for terminal, code in codes.items() if terminal not in unknown.words}
        counts: dict[tuple[int, int, int], float] = {}

        def count(head: int, side: int, event: int, weight: float = 1.0) -> None:
            key = (head, side, event)
            counts[key] = counts.get(key, 0.0) + weight

        for sentence, end_states in enumerate(sentences):
            heads = heads_of(dependencies, sentence).tolist()[1:]
            for token, head in enumerate(heads):
                for side in range(SIDES):
                    count(end_states[token], side, end)
                if head < 0:
                    continue
                above = root if head == 0 else end_states[head - 1]
                side = 1 if head == 0 or head - 1 < token else 0
                if rare is not None and end_states[token] in rare:
                    count(above, side, end_states[token], 1 - UNKNOWN_SHARE)
                    count(above, side, codes[UNKNOWN], UNKNOWN_SHARE)
                else:
                    count(above, side, end_states[token])
        rows = np.array([(*key, weight) for key, weight in sorted(counts.items())]).reshape(-1, 4)
        relations = RelationsOfArcs.learn(dependencies)
        return cls(tuple(codes), rows, relations, options, scheme, unknown)

    def describe(self) -> str:
        """Return the result of training, in a line."""
        return f"{len(self.terminals)} terminals, {len(self.events)} kinds of events"

    @cached_property
    def _codes(self) -> Mapping[str, int]:
        return {terminal: code for code, terminal in enumerate(self.terminals)}

    @cached_property
    def _tables(self) -> tuple[Mapping[tuple[int, int, int], float], Float64Array, Float64Array]:
        """Counts by event, and for each head and side the sum of counts and the number of distinct events."""
        size = len(self.terminals) + 1
        sums, event_types = np.zeros((size, SIDES)), np.zeros((size, SIDES))
        counts = {}
        for head, side, event, count in self.events.tolist():
            counts[int(head), int(side), int(event)] = count
            sums[int(head), int(side)] += count
            event_types[int(head), int(side)] += 1
        return counts, sums, event_types

    @cached_property
    def _of_sides(self) -> Float64Array:
        """Relative frequency of each event on each side over all heads, shape ``(events, 2)``."""
        size = len(self.terminals) + 1
        totals = np.zeros((size, SIDES))
        inner = self.events[self.events[:, 0] < size - 1]
        np.add.at(totals, (inner[:, 2].astype(int), inner[:, 1].astype(int)), inner[:, 3])
        probabilities: Float64Array = totals / np.maximum(totals.sum(axis=0), 1e-300)
        return probabilities

    def probability(self, head: int, side: int, event: int) -> float:
        """Return the probability that a head generates a terminal, or the end, on one of its sides."""
        counts, sums, event_types = self._tables
        seen, total = counts.get((head, side, event), 0.0), float(sums[head, side])
        if not self.options.smoothing or head == len(self.terminals):
            return seen / total if total else 0.0
        new, of_side = float(event_types[head, side]), float(self._of_sides[event, side])
        return (seen + new * of_side) / (total + new) if total else of_side

    def scores(self, codes: list[int]) -> tuple[Float64Array, Float64Array]:
        """Return the logarithms of the probabilities of all dependencies of a sentence, including STOP."""
        all_codes = [len(self.terminals), *codes]
        arc, stop = np.full((len(all_codes), len(all_codes)), LOG_ZERO), np.zeros((len(all_codes), SIDES))
        cache: dict[tuple[int, int, int], float] = {}
        for head, above in enumerate(all_codes):
            for token, below in enumerate(all_codes):
                if token in (0, head):
                    continue
                key = (above, int(token > head), below)
                if key not in cache:
                    cache[key] = _log(self.probability(*key))
                arc[head, token] = cache[key]
            for side in range(SIDES):
                if head:
                    stop[head, side] = _log(self.probability(above, side, len(self.terminals)))
        return arc, stop

    def _each(self, words: Treebank, inner: Any) -> list[str]:
        """Call ``inner(sentence, arc, stop)`` for each sentence; return the reasons for missing parses."""

        def one(sentence: int, _: None) -> str:
            terminals = _terminals(words, sentence, self.unknown, self.options.input)
            codes = [self._codes.get(terminal, -1) for terminal in terminals]
            if not codes:
                return "no tokens"
            if -1 in codes:
                return f"token {codes.index(-1) + 1} is not in the model"
            require_memory(len(codes), words.where(sentence))
            return "" if inner(sentence, *self.scores(codes)) else "the model has no derivation"

        _ = self._tables, self._of_sides, self._codes
        return for_each(range(len(words)), lambda: None, one, 4)

    def parse(self, bank: Treebank, best: int = 1) -> Parsed:
        """Return the best projective tree of each sentence."""
        refuse_several(self.name, best)
        words = words_to_parse(bank, self.scheme)
        head_lists: list[Int32Array | None] = [None] * len(words)
        log2 = np.full(len(words), -np.inf)

        def parse_one(sentence: int, arc: Float64Array, stop: Float64Array) -> bool:
            heads = np.zeros(len(arc), np.int32)
            score = best_heads(arc, stop, heads)
            if score <= IMPOSSIBLE:
                return False
            head_lists[sentence], log2[sentence] = heads, score / log(2)
            return True

        reasons = self._each(words, parse_one)
        return Parsed(as_treebank(words, head_lists, self.relations), words, log2, reasons)

    def inside(self, bank: Treebank, *, spelled: bool = True) -> Inside:
        """Return the probability of each sentence."""
        words = words_to_parse(bank, self.scheme)
        log2 = np.full(len(words), -np.inf)

        def add_up(sentence: int, arc: Float64Array, stop: Float64Array) -> bool:
            total = inside(arc, stop)
            if total > IMPOSSIBLE:
                log2[sentence] = total / log(2) + (self._spelled(words, sentence) if spelled else 0.0)
            return bool(total > IMPOSSIBLE)

        return Inside(log2, self._each(words, add_up), words)

    def _spelled(self, words: Treebank, sentence: int) -> float:
        """Return the logarithm (base 2) of the probability of the unknown words' spelling.

        Each is spelled by its own signature alone, so that the probabilities of all sentences add up to less
        than one.
        """
        if self.unknown is None:
            return 0.0
        strings = map(normal_form, words.words(sentence))
        pairs = zip(_terminals(words, sentence, self.unknown, self.options.input), strings, strict=True)
        spelling = self.unknown.spelling
        return sum(log2(spelling.probability(*pair)) for pair in pairs if pair[1] not in self.unknown.words)

    def content(self) -> dict[str, Any]:
        """Return the model as plain lists."""
        return {
            "terminals": list(self.terminals),
            "events": self.events.tolist(),
            "relations": self.relations.content(),
            "unknown": None if self.unknown is None else self.unknown.content(),
        }

    @classmethod
    def of(cls, content: Mapping[str, Any], options: ModelCOptions, scheme: str | None, where: str) -> ModelC:
        """Return a model from plain lists.

        Raises ValueError for events of terminals or sides that do not exist.
        """
        events = np.array(content["events"], np.float64).reshape(-1, 4)
        highest = len(content["terminals"])
        for column, most in enumerate((highest, SIDES - 1, highest, np.finfo(np.float64).max)):
            if not ((events[:, column] >= 0) & (events[:, column] <= most)).all():
                raise ValueError(f"an event with a number that is not from 0 to {most}")
        relations = RelationsOfArcs.of(content["relations"])
        unknown = None if content["unknown"] is None else UnknownWords.of(content["unknown"])
        return cls(tuple(content["terminals"]), events, relations, options, scheme, unknown)


def require_memory(tokens: int, where: str) -> None:
    """Raise MemoryLimitError if there is no memory for the tables of a sentence's dependencies."""
    size = BYTES_OF_A_DEPENDENCY * (tokens + 1) ** 2
    require(size, where, f"a sentence of {quantity(tokens, 'token')} to parse")


def refuse_several(name: str, best: int) -> None:
    """Raise OptionError if more than the best parse is requested."""
    if best != 1:
        raise OptionError(f"{argument('best', in_python='best')} of {name}", best, "1")


def _terminals(bank: Treebank, sentence: int, unknown: UnknownWords | None, input: str) -> list[str]:
    rows = bank.tokens.rows(sentence)
    if unknown is None:
        tags = bank.tokens.xpos if input == "xpos" else bank.tokens.pos
        column = tags if (tags != 0).any() else bank.tokens.form
        return bank.vocabulary.decode(column[rows])
    return [unknown.terminal(word, index == 0) for index, word in enumerate(bank.words(sentence))]


def _log(probability: float) -> float:
    return log(probability) if probability > 0 else LOG_ZERO
