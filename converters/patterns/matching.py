"""Search treebanks with tree patterns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from crossbank.converters.patterns.engine import MAX_PROGRAMS, Begins, Machine, run
from crossbank.converters.patterns.positions import PreOrderPositions, laid_out, positions_of
from crossbank.converters.patterns.program import PatternProgram, compile_pattern
from crossbank.converters.patterns.syntax import Label
from crossbank.treebanks.arrays import BoolArray, Int32Array, Int64Array
from crossbank.treebanks.errors import CrossbankError, MissingAnnotationError
from crossbank.treebanks.in_memory.elements import named
from crossbank.treebanks.named_arguments import argument
from crossbank.treebanks.ranges import in_ranges
from crossbank.treebanks.tables import UNATTACHED
from crossbank.treebanks.treebank import Treebank

NO_POSITION = -1
"""No position."""

CHUNK_SENTENCES = 1000
"""Number of sentences whose positions are in memory at a time."""


@dataclass(frozen=True)
class MatchedNode:
    """A matched node, tag or word.

    sentence  the sentence, from 0
    preorder  its index in the tree in pre-order, tags and words included: the position
              ``tree.treepositions()[preorder]`` of the sentence's ``nltk.Tree``
    node      the row among its sentence's nodes, None for tags and words
    token     the row among its sentence's tokens, None for nodes
    label     category, tag or form
    words     the forms below it
    tokens    their rows among its sentence's tokens
    """

    sentence: int
    preorder: int
    node: int | None
    token: int | None
    label: str
    words: tuple[str, ...]
    tokens: tuple[int, ...]


@dataclass(frozen=True)
class Match(MatchedNode):
    """A node that a pattern matches, with the nodes that the pattern names."""

    names: Mapping[str, MatchedNode] = field(default_factory=dict)


class Matches:
    """Matches in the order of the treebank, each built on access."""

    def __init__(
        self, bank: Treebank, layout: PreOrderPositions, names: tuple[str, ...], rows: Int32Array
    ) -> None:
        self.bank, self.positions, self.names, self.rows = bank, layout, names, rows
        self.sentences = np.searchsorted(layout.offsets, rows[:, 0], side="right") - 1

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, number: int) -> Match:
        sentence, row = int(self.sentences[number]), self.rows[number].tolist()
        named = zip(self.names, row[1:], strict=True)
        names = {
            name: MatchedNode(**self._node(sentence, index)) for name, index in named if index != NO_POSITION
        }
        return Match(**self._node(sentence, row[0]), names=names)

    def __iter__(self) -> Iterator[Match]:
        return map(self.__getitem__, range(len(self)))

    def _node(self, sentence: int, index: int) -> dict[str, Any]:
        layout, decode = self.positions, self.bank.vocabulary.decode
        rows = self.bank.tokens.rows(sentence)
        item, length = int(layout.item[index]), rows.stop - rows.start
        below = slice(index, int(layout.last[index]) + 1)
        tokens = np.sort(layout.begin[below][layout.last_child[below] == NO_POSITION])
        return {
            "sentence": sentence,
            "preorder": index - int(layout.offsets[sentence]),
            "node": item - length if item >= length else None,
            "token": item if item < length else None,
            "label": self.bank.vocabulary[int(layout.label[index])],
            "words": tuple(decode(self.bank.tokens.form[tokens])),
            "tokens": tuple((tokens - rows.start).tolist()),
        }


def find(pattern: str | PatternProgram, bank: Treebank) -> Matches:
    """Return all nodes, tags and words of a treebank that a pattern matches, each once.

    Raises PatternError for a pattern that cannot be parsed, ConversionError if it asks for lexical
    heads and none are marked.

    >>> [match.words for match in find("NP < PP", bank)]  # doctest: +SKIP
    """
    if not isinstance(pattern, (str, PatternProgram)):
        raise CrossbankError(f"pattern: found {named(pattern)}, expected a tree pattern, such as NP < PP")
    program = compile_pattern(pattern) if isinstance(pattern, str) else pattern
    if len(bank.nodes) and (bank.nodes.head == UNATTACHED).all() and (relations := program.heads()):
        hint = f"(name a scheme with head rules with {argument('scheme')})"
        purpose = f"for {' and '.join(relations)} in the pattern {hint}"
        raise MissingAnnotationError(bank.where(0), "lexical heads", purpose)
    layout = positions_of(bank)
    rows = match(program, layout, program.sets(bank.vocabulary, layout.known), first_only=True)
    return Matches(bank, layout, program.names, rows)


def named_rows(
    programs: Sequence[PatternProgram], bank: Treebank, names: Sequence[tuple[str, ...]]
) -> list[Int64Array]:
    """Return the named nodes of each match of each pattern, each of shape ``(matches, names)``.

    ``names`` are those of each pattern, as many of one as of another. Rows count all tokens and, after them,
    all nodes. Ways in which one of the nodes is missing are omitted.
    """
    known: dict[Label, BoolArray] = {}
    return [
        rows
        for begin in range(0, len(programs), MAX_PROGRAMS)
        for rows in _named_rows(
            programs[begin : begin + MAX_PROGRAMS], bank, names[begin : begin + MAX_PROGRAMS], known
        )
    ]


def _named_rows(
    programs: Sequence[PatternProgram],
    bank: Treebank,
    names: Sequence[tuple[str, ...]],
    known: dict[Label, BoolArray],
) -> Iterator[Int64Array]:
    """Yield the same for as many patterns as are searched for together.

    Trees are laid out and searched chunk by chunk: each stays in the processor's cache until it is done.
    """
    program = PatternProgram.together(programs)
    search = _search(program, program.sets(bank.vocabulary, known), first_only=False)
    column = np.array(
        [[2 + one.names.index(name) for name in of_one] for one, of_one in zip(programs, names, strict=True)]
    )
    matched: dict[int, tuple[Int32Array, Int64Array, Int32Array]] = {}

    def search_range(first: int, last: int) -> None:
        for begin in range(first, max(last, 1), CHUNK_SENTENCES):
            layout = laid_out(bank, begin, min(begin + CHUNK_SENTENCES, last))
            matches = search(layout, 0, len(layout.offsets) - 1)
            number = matches[:, 0]
            named = np.take_along_axis(matches, column[number], axis=1)
            there = (named != NO_POSITION).all(axis=1)
            named = named[there]
            sentence = np.searchsorted(layout.offsets, named, side="right") - 1 + begin
            matched[begin] = number[there], sentence, layout.item[named]

    in_ranges(search_range, len(bank))
    number, sentence, item = (
        np.concatenate(columns)
        for columns in zip(*(matched[begin] for begin in sorted(matched)), strict=True)
    )
    rows = bank.rows_of_items(sentence, item)
    for index in range(len(programs)):
        yield rows[number == index]


def match(
    program: PatternProgram, layout: PreOrderPositions, sets: NDArray[np.bool_], *, first_only: bool
) -> Int32Array:
    """Return the positions that a program matches, and those it names, shape ``(matches, 1 + names)``.

    ``sets`` are ``program.sets`` of the treebank's vocabulary. With ``first_only`` each place is found
    once, with the first places to fit the names; without, once for each choice of them.
    """
    matched: dict[int, Int32Array] = {}
    search = _search(program, sets, first_only=first_only)

    def search_range(first: int, last: int) -> None:
        matched[first] = search(layout, first, last)[:, 1:]

    in_ranges(search_range, len(layout.offsets) - 1)
    return np.concatenate([matched[first] for first in sorted(matched)])


def _search(
    program: PatternProgram, sets: NDArray[np.bool_], *, first_only: bool
) -> Callable[[PreOrderPositions, int, int], Int32Array]:
    """Run a program, or several together, on a range of sentences."""
    own, above, some, every = np.full((4, sets.shape[1]), (1 << len(program.begins)) - 1, np.int64)
    some[:], with_parent, with_child = 0, 0, 0
    for bit, begin in ((1 << number, begin) for number, begin in enumerate(program.begins)):
        for relation, accepted in program.asks(begin):
            if relation == "<":
                # Of several matching children the first is examined.
                some[sets[accepted]] |= 0 if with_child & bit else bit
                with_child |= bit
            else:
                with_parent |= bit if relation == ">" else 0
                refused = sets[accepted] if relation == "!<" else ~sets[accepted]
                {"": own, ">": above, "!<": every}[relation][refused] &= ~bit
    first = np.array(program.begins, np.int32)
    begins = Begins(first, own, above, some, every, ~with_parent, ~with_child)

    def search(layout: PreOrderPositions, first: int, last: int) -> Int32Array:
        machine = Machine(program.code, sets, program.registers, len(program.names))
        return run(machine, layout.loops, begins, first_only, first, last)

    return search
