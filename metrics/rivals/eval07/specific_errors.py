"""Most frequent errors, each with the local contexts in which it occurs most often.

An error is a distance between the wrong head and the right one, where both stand, and a wrong relation for
a right one. A local context has tag and word before the error, its own word and tag, and tag and word
after it, with ``*`` for those that may be any: so every error has 64 of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import TypeAlias

import numpy as np

from crossbank.metrics.rivals.eval07.error_kinds import SEPARATOR, Kind, kinds_of
from crossbank.metrics.rivals.eval07.names import by_count, commonest, distinct, groups, padded, widest
from crossbank.metrics.rivals.eval07.tokens import ANY, Tokens
from crossbank.treebanks.arrays import Int32Array, Int64Array

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


def specific_errors(tokens: Tokens, scored: Int64Array) -> str:
    """Return the most frequent errors with their contexts, and the contexts that several of them have."""
    wrong = scored[tokens.wrong[scored]]
    codes, kinds = kinds_of(tokens, wrong)
    keys = [kind.key for kind in kinds]
    counts: dict[str, int] = {}
    for key, count in zip(keys, np.bincount(codes, minlength=len(keys)).tolist(), strict=True):
        counts[key] = counts.get(key, 0) + count
    found: dict[Kind, Counts] = {}
    for key in commonest(counts, ERRORS):
        having = np.array([one == key for one in keys], np.bool_)
        found[kinds[keys.index(key)]] = local_contexts(tokens, wrong[having[codes]])
    tags = [tokens.strings[code] for code in np.unique(tokens.pos[scored]).tolist()]
    layout = Layout([context for table in found.values() for context in table], tags)
    described = {kind: f"{number:2d}. {kind.description()}" for number, kind in enumerate(found, 1)}
    return (
        f"\n\n  Specific errors, {len(found)} most frequent errors:\n  {'=' * 41}\n"
        + "".join(
            f"\n  {described[kind]} : {counts[kind.key]} times\n{layout.table(table)}"
            for kind, table in found.items()
        )
        + f"\n\n  Local contexts involved in several frequent errors:\n  {'=' * 51}\n\n\n"
        + _shared(found, described, layout)
    )


def _shared(found: Mapping[Kind, Counts], described: Mapping[Kind, str], layout: Layout) -> str:
    """Return the local contexts of several errors, those of most errors first."""
    kinds = {kind.key: kind for kind in found}
    shared: dict[Context, dict[str, int]] = {}
    for kind, table in found.items():
        for context, count in table.items():
            if context != EVERYWHERE:
                shared.setdefault(context, {})[kind.key] = count
    several = [context for context, counts in shared.items() if len(counts) > 1]
    several.sort(key=lambda context: (-len(shared[context]), SEPARATOR.join(context)))
    parts = []
    for context in several:
        counts = shared[context]
        errors = [f"  {described[kinds[key]]} : {counts[key]} times\n" for key in by_count(counts)]
        parts.append(f"{layout.single(context)}{''.join(errors)}\n")
    return "".join(parts)


def local_contexts(tokens: Tokens, rows: Int64Array) -> Counts:
    """Return the local contexts in which an error, that of some tokens, occurs most often."""
    columns = (
        tokens.neighbour(tokens.pos, rows, -1),
        tokens.neighbour(tokens.word, rows, -1),
        tokens.word[rows],
        tokens.pos[rows],
        tokens.neighbour(tokens.pos, rows, 1),
        tokens.neighbour(tokens.word, rows, 1),
    )
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
    found, counts = distinct(*(code[which].ravel() for code, which in zip(codes, chosen, strict=True)))
    for count in np.unique(counts)[::-1].tolist():
        same = np.flatnonzero(counts == count)
        cells = [
            column[code[same]].tolist() for pair, code in zip(pairs, found, strict=True) for column in pair
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
            named = [place for place, what in enumerate(context) if what != ANY]
            for places in (*combinations(named, 1), *combinations(named, 2)):
                left.discard(tuple(ANY if place in places else what for place, what in enumerate(context)))
    return left


class Layout:
    """Widths of the columns of local contexts: the same in all tables, from all contexts in them."""

    def __init__(self, contexts: Sequence[Context], tags: Sequence[str]) -> None:
        before, own, behind = (
            widest(["word", *(context[place] for context in contexts)]) for place in (1, 2, 5)
        )
        tag = max(map(len, ["CPOS", *(context[place] for context in contexts for place in (0, 4))]))
        own_tag = max(map(len, ["CPOS", *tags]))
        self.widths = (tag, before, own_tag, own, tag, behind)
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
        tag, before, own_tag, own, _, behind = self.widths
        return (
            f"  {'  Before':<{tag + before + 3}} | {'   Focus':<{own + own_tag + 3}} | "
            f"{'  After':<{tag + behind + 3}}{first}\n"
            f"  {'CPOS':<{tag}}   {'word':<{before}} | {'CPOS':<{own_tag}}   {'word':<{own}} | "
            f"{'CPOS':<{tag}}   {'word':<{behind}}{second}\n"
        )

    def _row(self, context: Context) -> str:
        """A line; any asterisk is a blank there, a word's own as well."""
        before_tag, before, own, own_tag, behind_tag, behind = (what.replace(ANY, " ") for what in context)
        cells = (before_tag, before, own_tag, own, behind_tag, behind)
        return "  " + " | ".join(
            padded(cell, width) if place % 2 else f"{cell:<{width}}"
            for place, (cell, width) in enumerate(zip(cells, self.widths, strict=True))
        )
