"""Search treebanks with tree patterns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from crossbank.converters.patterns.engine import Machine, run
from crossbank.converters.patterns.places import Places, places_of
from crossbank.converters.patterns.program import Program, compile_pattern
from crossbank.treebanks.arrays import Int32Array, Int64Array
from crossbank.treebanks.errors import ConversionError
from crossbank.treebanks.ranges import in_ranges
from crossbank.treebanks.tables import UNATTACHED
from crossbank.treebanks.treebank import Treebank

NOTHING = -1
"""No place."""


@dataclass(frozen=True)
class FoundNode:
    """A node, tag or word that was found.

    sentence  the sentence, from 0
    place     its place in the tree in pre-order from 0, tags and words included: the position
              ``tree.treepositions()[place]`` of the sentence's ``nltk.Tree``
    node      the row among its sentence's nodes, None for tags and words
    token     the row among its sentence's tokens, None for nodes
    label     category, tag or form
    words     the forms below it
    tokens    their rows among its sentence's tokens
    """

    sentence: int
    place: int
    node: int | None
    token: int | None
    label: str
    words: tuple[str, ...]
    tokens: tuple[int, ...]


@dataclass(frozen=True)
class Match(FoundNode):
    """A node that a pattern fits, with the nodes that the pattern names."""

    names: Mapping[str, FoundNode] = field(default_factory=dict)


class Matches:
    """The matches in the order of the treebank; each is made when it is asked for."""

    def __init__(self, bank: Treebank, places: Places, names: tuple[str, ...], rows: Int32Array) -> None:
        self.bank, self.places, self.names, self.rows = bank, places, names, rows
        self.sentences = np.searchsorted(places.offsets, rows[:, 0], side="right") - 1

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, number: int) -> Match:
        sentence, row = int(self.sentences[number]), self.rows[number].tolist()
        named = zip(self.names, row[1:], strict=True)
        names = {name: FoundNode(**self._node(sentence, place)) for name, place in named if place != NOTHING}
        return Match(**self._node(sentence, row[0]), names=names)

    def __iter__(self) -> Iterator[Match]:
        return map(self.__getitem__, range(len(self)))

    def _node(self, sentence: int, place: int) -> dict[str, Any]:
        places, decode = self.places, self.bank.vocabulary.decode
        rows = self.bank.tokens.rows(sentence)
        item, length = int(places.item[place]), rows.stop - rows.start
        below = slice(place, int(places.last[place]) + 1)
        tokens = np.sort(places.begin[below][places.last_child[below] == NOTHING])
        return {
            "sentence": sentence,
            "place": place - int(places.offsets[sentence]),
            "node": item - length if item >= length else None,
            "token": item if item < length else None,
            "label": self.bank.vocabulary[int(places.label[place])],
            "words": tuple(decode(self.bank.tokens.form[tokens])),
            "tokens": tuple((tokens - rows.start).tolist()),
        }


def find(pattern: str | Program, bank: Treebank) -> Matches:
    """All nodes, tags and words of a treebank that a pattern fits, each once.

    Raises PatternError for a pattern that cannot be parsed, ConversionError where it asks for lexical
    heads and none are marked.

    >>> [match.words for match in find("NP < PP", bank)]  # doctest: +SKIP
    """
    program = compile_pattern(pattern) if isinstance(pattern, str) else pattern
    if len(bank.nodes) and (bank.nodes.head == UNATTACHED).all() and (asked := program.heads()):
        raise ConversionError(
            f"{bank.where(0)}: there are no lexical heads, which a scheme's head rules mark: "
            f"{' and '.join(asked)} in the pattern asks for them"
        )
    places = places_of(bank)
    rows = match(program, places, program.sets(bank.vocabulary, places.known), first_only=True)
    return Matches(bank, places, program.names, rows)


def named_rows(program: Program, bank: Treebank, names: tuple[str, ...]) -> Int64Array:
    """The nodes that a pattern names in each way to match it, shape ``(matches, names)``.

    Rows count all tokens and, behind them, all nodes. Ways in which one of the nodes is missing are left out.
    """
    places = places_of(bank)
    found = match(program, places, program.sets(bank.vocabulary, places.known), first_only=False)
    columns = found[:, [1 + program.names.index(name) for name in names]]
    columns = columns[(columns != NOTHING).all(axis=1)]
    sentence = np.searchsorted(places.offsets, columns, side="right") - 1
    return bank.rows_of_items(sentence, places.item[columns])


def match(program: Program, places: Places, sets: NDArray[np.bool_], *, first_only: bool) -> Int32Array:
    """The places that a program fits, with the places it names, shape ``(matches, 1 + names)``.

    ``sets`` are ``program.sets`` of the treebank's vocabulary. With ``first_only`` each place is found
    once, with the first places to fit the names; without, once for each choice of them.
    """
    found: dict[int, Int32Array] = {}

    def search(first: int, last: int) -> None:
        machine = Machine(program.code, sets, program.registers, len(program.names))
        found[first] = run(machine, places.loops, first_only, first, last)

    in_ranges(search, len(places.crossing))
    return np.concatenate([found[first] for first in sorted(found)])
