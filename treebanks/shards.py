"""A large treebank in shards: ranges of sentences that are processed one after the other.

So memory depends on the size of a shard, not on that of the treebank. Counts by sentence do not depend on the
size of a shard. A treebank with several analyses of a sentence is one shard.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from crossbank.treebanks.errors import CrossbankError
from crossbank.treebanks.treebank import Treebank

SHARD = 50_000
"""The default number of sentences of a shard."""


class UnlikeShardsError(CrossbankError):
    """Shards that cannot be joined: they have different kinds of analyses."""


def cut(banks: Iterable[Treebank], size: int) -> Iterator[Treebank]:
    """Yield the sentences of some treebanks in shards of ``size``, the last one smaller; at least one shard.

    If a treebank has several analyses of a sentence, the rest is one shard.
    """
    held: list[Treebank] = []
    number = 0
    whole = False
    for bank in banks:
        whole = whole or bank.has_several_analyses
        first = 0
        while not whole and number + len(bank) - first > size:
            last = first + size - number
            if last > first:
                held.append(bank[first:last])
            yield Treebank.concatenate(held).compact()
            held, number, first = [], 0, last
        held.append(bank[first:] if first else bank)
        number += len(bank) - first
        del bank  # it must not stay in memory while the next one is read
    yield Treebank.concatenate(held)


def analyses_of(bank: Treebank) -> tuple[bool, ...]:
    """Return the kinds of analyses that a treebank holds, which decide how it is converted and compared."""
    return (
        bank.has_constituents,
        bank.has_dependencies,
        bank.has_relations,
        bank.has_tags,
        bank.has_heads,
        bool(bank.tokens.relation.any()),
        bank.has_several_analyses,
    )
