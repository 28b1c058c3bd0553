"""Most frequent errors, each with the local contexts in which it occurs most often.

An error is a distance between the wrong head and the right one, where both stand, and a wrong relation for
a right one. A local context has tag and word before the error, its own word and tag, and tag and word
after it, with ``*`` for those that may be any: so every error has 64 of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple, TypeAlias

import numpy as np

from crossbank.compat.eval07.names import by_count, commonest, distinct, groups, padded, widest
from crossbank.compat.eval07.tokens import ANY, ParallelTokens
from crossbank.treebanks.arrays import Int32Array, Int64Array

SEPARATOR = "0x01"
"""The four characters that the scorer puts between the parts of a key; they decide the order of ties."""

RIGHT = "-"
"""The sign for a right head and for a right relation."""

SIDES = "0eba"
"""The sides of a head: at the root, at the word itself, before it, after it."""

WHERE = {"0": "0", "e": "the focus word", "b": "before the focus word", "a": "after the focus word"}
"""The same in the scorer's words."""

NUMBERS = {"1": "one word", "2": "two words", "3": "three words", "4": "four words"}

ERRORS = 10
"""The number of errors that are listed; those as frequent as the last of them are listed too."""

CONTEXTS = 8
"""The same for the local contexts of an error."""

RARE = 5
"""If the last of these contexts occurs less often than this, the second most frequent one is the last."""

EVERYWHERE = (ANY,) * 6

Context: TypeAlias = tuple[str, ...]
"""Tag and word before, word and tag of the error, tag and word after; of bytes."""

Counts: TypeAlias = dict[Context, int]
"""The number of occurrences of an error in its local contexts."""


def specific_errors(tokens: ParallelTokens, scored: Int64Array) -> str:
    """Return the most frequent errors with their contexts, and the contexts that several of them have."""
    wrong = scored[tokens.wrong[scored]]
    codes, kinds = kinds_of(tokens, wrong)
    keys = [kind.key for kind in kinds]
    counts: dict[str, int] = {}
    for key, count in zip(keys, np.bincount(codes, minlength=len(keys)).tolist(), strict=True):
        counts[key] = counts.get(key, 0) + count
    contexts_by_kind: dict[ErrorKind, Counts] = {}
    for key in commonest(counts, ERRORS):
        having = np.array([one == key for one in keys], np.bool_)
        contexts_by_kind[kinds[keys.index(key)]] = local_contexts(tokens, wrong[having[codes]])
    tags = [tokens.strings[code] for code in np.unique(tokens.pos[scored]).tolist()]
    layout = Layout([context for table in contexts_by_kind.values() for context in table], tags)
    described = {
        kind: f"{number:2d}. {kind.description()}" for number, kind in enumerate(contexts_by_kind, 1)
    }
    return (
        f"\n\n  Specific errors, {len(contexts_by_kind)} most frequent errors:\n  {'=' * 41}\n"
        + "".join(
            f"\n  {described[kind]} : {counts[kind.key]} times\n{layout.table(table)}"
            for kind, table in contexts_by_kind.items()
        )
        + f"\n\n  Local contexts involved in several frequent errors:\n  {'=' * 51}\n\n\n"
        + _shared(contexts_by_kind, described, layout)
    )


def _shared(
    contexts_by_kind: Mapping[ErrorKind, Counts], described: Mapping[ErrorKind, str], layout: Layout
) -> str:
    """Return the local contexts of several errors, those of most errors first."""
    kinds = {kind.key: kind for kind in contexts_by_kind}
    shared: dict[Context, dict[str, int]] = {}
    for kind, table in contexts_by_kind.items():
        for context, count in table.items():
            if context != EVERYWHERE:
                shared.setdefault(context, {})[kind.key] = count
    several = [context for context, counts in shared.items() if len(counts) > 1]
    several.sort(key=lambda context: (-len(shared[context]), SEPARATOR.join(context)))
    made = ""
    for context in several:
        counts = shared[context]
        errors = [f"  {described[kinds[key]]} : {counts[key]} times\n" for key in by_count(counts)]
        made += f"{layout.single(context)}{''.join(errors)}\n"
    return made


def local_contexts(tokens: ParallelTokens, rows: Int64Array) -> Counts:
    """Return the local contexts in which an error, that of some tokens, occurs most often."""
    before, after = (
        [tokens.neighbour(column, rows, step) for column in (tokens.pos, tokens.word)] for step in (-1, 1)
    )
    columns = (*before, tokens.word[rows], tokens.pos[rows], *after)
    left: Counts = {}
    for count, contexts in _by_frequency(tokens.strings, columns):
        # There may be very many rare contexts, and they matter only where there are hardly any others.
        if len(left) >= (CONTEXTS if count >= RARE else 2):
            break
        left |= dict.fromkeys(without_general(contexts), count)
    counts = sorted(left.values(), reverse=True)
    last = counts[CONTEXTS - 1] if len(counts) >= CONTEXTS else 0
    if last < RARE:
        last = counts[1] if len(counts) > 1 else 0
    return {context: count for context, count in left.items() if count >= last}


def _by_frequency(
    strings: Sequence[str], columns: Sequence[Int32Array]
) -> Iterator[tuple[int, list[Context]]]:
    """Local contexts of some tokens, from six columns of codes, by how often they occur, from the top."""
    size, any_code = len(columns[0]), strings.index(ANY)
    anything = np.full(size, any_code, np.int32)
    pairs, codes = [], []
    for first, second in (columns[:2], columns[2:4], columns[4:]):
        pair = (
            np.concatenate((first, first, anything, anything)),
            np.concatenate((second, anything, second, anything)),
        )
        group, examples = groups(*pair)
        pairs.append([column[examples] for column in pair])
        codes.append(group.reshape(4, size))
    chosen = np.indices((4, 4, 4)).reshape(3, 64)
    distinct_codes, counts = distinct(
        *(code[which].ravel() for code, which in zip(codes, chosen, strict=True))
    )
    for count in np.unique(counts)[::-1].tolist():
        same = np.flatnonzero(counts == count)
        cells = [
            column[code[same]].tolist()
            for pair, code in zip(pairs, distinct_codes, strict=True)
            for column in pair
        ]
        yield count, [tuple(strings[cell] for cell in context) for context in zip(*cells, strict=True)]


def without_general(contexts: Iterable[Context]) -> set[Context]:
    """Contexts of equal frequency, without those that are more general than another one.

    Each context that is still there removes those that have ``*`` in one or two more places. The order
    makes a difference; the scorer's order changes from run to run.
    """
    ordered = sorted(contexts, key=SEPARATOR.join)
    left = set(ordered)
    for context in ordered:
        if context in left:
            named = [index for index, what in enumerate(context) if what != ANY]
            for indices in (*combinations(named, 1), *combinations(named, 2)):
                left.discard(tuple(ANY if index in indices else what for index, what in enumerate(context)))
    return left


class Layout:
    """Widths of the columns of local contexts: the same in all tables, from all contexts in them."""

    def __init__(self, contexts: Sequence[Context], tags: Sequence[str]) -> None:
        before, own, after = (
            widest(["word", *(context[index] for context in contexts)]) for index in (1, 2, 5)
        )
        tag = max(map(len, ["CPOS", *(context[index] for context in contexts for index in (0, 4))]))
        own_tag = max(map(len, ["CPOS", *tags]))
        self.widths = (tag, before, own_tag, own, tag, after)
        self.rule = "  " + "-+-".join("-" * width for width in self.widths)

    def table(self, contexts: Counts) -> str:
        """Return the contexts of an error, the most frequent first."""
        named = {SEPARATOR.join(context): context for context in contexts if context != EVERYWHERE}
        order = by_count({key: contexts[context] for key, context in named.items()})
        rows = [f"{self._row(named[key])} | {contexts[named[key]]:3d}\n" for key in order]
        rule = f"{self.rule}-+------\n"
        return rule + self._head(" | Count", " |") + rule + "".join(rows) + rule

    def single(self, context: Context) -> str:
        """One context."""
        rule = f"{self.rule}-\n"
        return rule + self._head(" ", " ") + rule + f"{self._row(context)} \n" + rule

    def _head(self, first: str, second: str) -> str:
        tag, before, own_tag, own, _, after = self.widths
        return (
            f"  {'  Before':<{tag + before + 3}} | {'   Focus':<{own + own_tag + 3}} | "
            f"{'  After':<{tag + after + 3}}{first}\n"
            f"  {'CPOS':<{tag}}   {'word':<{before}} | {'CPOS':<{own_tag}}   {'word':<{own}} | "
            f"{'CPOS':<{tag}}   {'word':<{after}}{second}\n"
        )

    def _row(self, context: Context) -> str:
        """A line; any asterisk is a blank there, a word's own as well."""
        before_tag, before, own, own_tag, after_tag, after = (what.replace(ANY, " ") for what in context)
        cells = (before_tag, before, own_tag, own, after_tag, after)
        return "  " + " | ".join(
            padded(cell, width) if index % 2 else f"{cell:<{width}}"
            for index, (cell, width) in enumerate(zip(cells, self.widths, strict=True))
        )


class ErrorKind(NamedTuple):
    """A kind of error.

    moved        how far the wrong head is from the right one, 0 if it is the root; or ``RIGHT``
    gold, system where the heads stand, of ``SIDES``
    relations    gold's and the system's with an arrow between, or ``RIGHT``
    """

    moved: str
    gold: str
    system: str
    relations: str

    @property
    def key(self) -> str:
        """The scorer's key of the error."""
        return SEPARATOR.join((self.moved, self.gold + self.system, self.relations))

    def description(self) -> str:
        """Return the error in the scorer's words."""
        if self.relations == RIGHT:
            return f"{self._heads()}, correct dependency"
        gold, _, system = self.relations.rpartition("->")
        return f'{self._heads()}, dependency "{system}" instead of "{gold}"'

    def _heads(self) -> str:
        side = {"b": "before ", "a": "after "}
        if self.moved == RIGHT:
            return f"correct head ({WHERE[self.system]})"
        if self.system == "0":
            return f"head = 0 instead of {side.get(self.gold, '')}the focus word"
        if self.gold == "0":
            # The scorer asks for the position of gold's head here too, and there is none.
            return "head is the focus word instead of 0"
        distance = self.moved.removeprefix("-")
        distance = NUMBERS.get(distance, f"{distance} words")
        way = "before" if self.moved.startswith("-") else "after"
        # It says twice where the system's head stands.
        where = WHERE[self.system]
        instead = "" if self.gold == self.system else f" instead of{where}"
        return f"head {distance} {way} the correct head ({where}{instead})"


def kinds_of(tokens: ParallelTokens, wrong: Int64Array) -> tuple[Int64Array, list[ErrorKind]]:
    """Return the kinds of error of some tokens, in codes, and the kinds by code."""
    gold_side, side = (_sides(tokens, column[wrong], wrong) for column in (tokens.gold_head, tokens.head))
    numbers = (tokens.numbers[column[wrong]] for column in (tokens.head, tokens.gold_head))
    distances = np.subtract(*numbers)
    distances[side == 0] = 0.0
    known, moved = np.unique(distances, return_inverse=True)
    moved = np.where(tokens.wrong_head[wrong], moved + 1, 0)
    relations = [
        np.where(tokens.wrong_relation[wrong], column[wrong] + 1, 0)
        for column in (tokens.gold_relation, tokens.relation)
    ]
    codes, examples = groups(moved, gold_side, side, *relations)
    kinds = [
        ErrorKind(
            f"{known[distance - 1]:.15g}" if distance else RIGHT,
            SIDES[own],
            SIDES[other],
            f"{tokens.strings[one - 1]}->{tokens.strings[two - 1]}" if one else RIGHT,
        )
        for distance, own, other, one, two in zip(
            *(column[examples].tolist() for column in (moved, gold_side, side, *relations)), strict=True
        )
    ]
    return codes, kinds


def _sides(tokens: ParallelTokens, heads: Int32Array, rows: Int64Array) -> Int64Array:
    """Return the sides of the heads of some tokens, as indices into ``SIDES``."""
    number, head = tokens.number[rows], tokens.numbers[heads]
    # 0 and the word itself are compared as written: 01 is before the second word.
    plain = np.array([s.isdecimal() and (s == "0" or not s.startswith("0")) for s in tokens.strings])[heads]
    return np.asarray(
        np.select([plain & (head == 0), plain & (head == number), head <= number], [0, 1, 2], 3)
    )
