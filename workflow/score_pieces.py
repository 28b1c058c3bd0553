"""Counts of two large files, which are read in step and compared piece by piece.

Memory then depends on the size of a piece and not on that of the files; what is counted is the same. Faults
of the comparison are looked for in each piece. Where a piece shows one, or cannot be compared as all
sentences together are, nothing is returned: then all sentences are compared at once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from crossbank.metrics.counting.counts import Counts
from crossbank.metrics.counting.scoring import Scoring, counts_and_pairs
from crossbank.metrics.traps import told_traps
from crossbank.treebanks.errors import CrossbankError
from crossbank.treebanks.ranges import side_by_side
from crossbank.treebanks.shards import kinds_of
from crossbank.treebanks.treebank import Treebank

if TYPE_CHECKING:
    from crossbank.converters.schemes.scheme import Scheme


def counts_in_pieces(
    gold: Iterator[Treebank],
    candidate: Iterator[Treebank],
    scoring: Scoring,
    scheme: Scheme | None,
    by: Collection[str],
) -> list[Counts] | None:
    """Return the counts of each metric; None where all sentences must be compared at once.

    gold, candidate  the pieces of the two files (``treebanks.formats.read_pieces``)
    by               the kinds of parts that are wanted: the others cannot be asked for

    Raises UnscoredError where ``unscored`` is ``fail`` and a sentence cannot be scored.
    """
    found: list[list[Counts]] = [[] for _ in scoring.metrics]
    kinds = set()
    try:
        for sides in in_step(gold, candidate):
            kinds.add(tuple(map(kinds_of, sides)))
            if len(kinds) > 1 or any(side.has_several_analyses for side in sides):
                return None
            scored = counts_and_pairs(*sides, replace(scoring, unscored="empty"), scheme)
            if told_traps(scored, *sides, scoring, scheme):
                return None
            for pieces, (counts, _) in zip(found, scored, strict=True):
                pieces.append(counts.detached(by))
            del sides, scored
        joined = [Counts.joined(pieces, with_parts=True) for pieces in found]
    except CrossbankError:
        return None
    return [counts.under(scoring.unscored) for counts in joined]


def in_step(gold: Iterator[Treebank], candidate: Iterator[Treebank]) -> Iterator[tuple[Treebank, Treebank]]:
    """Pieces of two treebanks with the same numbers of sentences.

    Raises CrossbankError where one of the two has more.
    """
    sources = (gold, candidate)
    held: list[Treebank | None] = [None, None]
    usual = [0, 0]
    while True:
        # What is left of a piece is not compared by itself if it is small.
        sizes = [0 if bank is None else len(bank) for bank in held]
        short = [side for side in (0, 1) if sizes[side] <= usual[side] // 2]
        read = side_by_side([partial(next, sources[side], None) for side in short])
        for side, bank in zip(short, read, strict=True):
            if bank is not None:
                before = held[side]
                usual[side] = len(bank)
                held[side] = bank if before is None else Treebank.concatenate([before, bank])
                del before
        del read
        one, other = held
        if one is None and other is None:
            return
        if one is None or other is None:
            raise CrossbankError("gold and candidate: one side has more sentences")
        count = min(len(one), len(other))
        held = [bank[count:].compact() if len(bank) > count else None for bank in (one, other)]
        both = one[:count] if len(one) > count else one, other[:count] if len(other) > count else other
        del bank, one, other
        yield both
        del both
