"""Numbers in the text of files, and those that tell a sentence's nodes apart: NEGRA export and TIGER-XML.

Terminals are counted from 1, phrasal nodes from 500 (Brants 1997, The NEGRA Export Format), so that
children have lower numbers than their parents.
"""

from __future__ import annotations

import re

from crossbank.treebanks.tables import whole_number
from crossbank.treebanks.treebank import Treebank

FIRST = 500
"""The lowest number of a phrasal node."""


def node_names(bank: Treebank, allowed: re.Pattern[str], above: dict[int, int] | None = None) -> list[str]:
    """Return a name for every node, none twice in a sentence, shape ``(nodes,)``.

    A sentence's nodes keep their names if all of them match ``allowed``, no two are the same, and none is the
    number of a token. Otherwise they are numbered from 500, lowest level first (from after the last token
    in sentences with 500 tokens and more). ``above`` has, for some sentences, a number that all nodes must
    exceed.
    """
    names = bank.vocabulary.decode(bank.nodes.name)
    fits = bank.vocabulary.matching(allowed.fullmatch)[bank.nodes.name].tolist()
    offsets = bank.nodes.offsets.tolist()
    lengths = bank.tokens.lengths().tolist()
    above = above or {}
    for sentence, tokens in enumerate(lengths):
        begin, end = offsets[sentence], offsets[sentence + 1]
        names_of_sentence = names[begin:end]
        floor = max(tokens, above.get(sentence, 0))
        may_stay = len(set(names_of_sentence)) == len(names_of_sentence) and all(fits[begin:end])
        if may_stay and all(not name.isdecimal() or whole_number(name) > floor for name in names_of_sentence):
            continue
        first = max(FIRST, floor + 1)
        for number, node in enumerate(bottom_up(bank.nodes.parent[begin:end].tolist()), first):
            names[begin + node] = str(number)
    return names


def bottom_up(parents: list[int]) -> list[int]:
    """Return the nodes of a sentence by height, then from left to right; ``parents`` are in pre-order."""
    height = [0] * len(parents)
    for node in range(len(parents) - 1, -1, -1):
        above = parents[node]
        if above >= 0:
            height[above] = max(height[above], height[node] + 1)
    return sorted(range(len(parents)), key=height.__getitem__)
