"""A large treebank in shards: ranges of its sentences that are worked on one after the other.

Memory then depends on the size of a shard and not on that of the treebank. Everything that is counted
sentence by sentence comes out the same, whatever the size of a shard. A treebank with several analyses of a
sentence stays whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from crossbank.treebanks.errors import CrossbankError
from crossbank.treebanks.nbest import has_several_analyses
from crossbank.treebanks.treebank import Treebank

SHARD = 50_000
"""The default number of sentences of a shard."""


class UnlikeShardsError(CrossbankError):
    """Shards that cannot be joined: one of them lacks what decides how the others are treated."""


def cut(banks: Iterable[Treebank], size: int) -> Iterator[Treebank]:
    """The sentences of some treebanks in shards of ``size``, the last one smaller; at least one shard.

    Where a treebank has several analyses of a sentence, all that is left is one shard.
    """
    held: list[Treebank] = []
    number = 0
    whole = False
    for bank in banks:
        held.append(bank)
        number += len(bank)
        whole = whole or has_several_analyses(bank)
        if whole or number <= size:
            continue
        joined = Treebank.concatenate(held)
        first = 0
        while number - first > size:
            yield joined.select(np.arange(first, first + size)).compact()
            first += size
        held, number = [joined.select(np.arange(first, number))], number - first
    yield Treebank.concatenate(held)
