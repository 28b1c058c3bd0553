"""Trees as tree patterns see them: nodes, tags and words in pre-order, each at a position of its own.

A word hangs on its tag, and the tag on its node; a word without a tag hangs on its node, as in NLTK's
trees. Sisters are ordered by their first word, and roots are sisters. Positions below a position are right
after it, also where constituents are discontinuous.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

import numpy as np

from crossbank.converters.loops.preorder import PreOrder, PreOrderColumns, count_positions, lay_out
from crossbank.converters.patterns.syntax import Label
from crossbank.treebanks.arrays import BoolArray, Int32Array, Int64Array, offsets_of
from crossbank.treebanks.forest import Forest
from crossbank.treebanks.ranges import in_ranges
from crossbank.treebanks.treebank import Treebank

COLUMNS = 10
"""The number of columns with a row for each position."""


@dataclass(frozen=True, eq=False)
class PreOrderPositions:
    """Positions of a treebank's trees: the columns of ``PreOrder`` that Python looks at.

    item   the token or node of its sentence, as in ``treebanks.forest``; tag and word are one item
    loops  all columns, as compiled loops see them
    known  the strings that each label of a pattern accepts, of the patterns so far
    """

    label: Int32Array
    last: Int32Array
    last_child: Int32Array
    begin: Int32Array
    item: Int32Array
    offsets: Int64Array
    token_offsets: Int64Array
    loops: PreOrder
    known: dict[Label, BoolArray] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.label)


_LAID_OUT: WeakKeyDictionary[Treebank, PreOrderPositions] = WeakKeyDictionary()


def positions_of(bank: Treebank) -> PreOrderPositions:
    """Return the positions of a treebank's constituents; they are laid out once for each treebank."""
    if bank not in _LAID_OUT:
        _LAID_OUT[bank] = laid_out(bank, 0, len(bank))
    return _LAID_OUT[bank]


def laid_out(bank: Treebank, first: int, last: int) -> PreOrderPositions:
    """Return the positions of the sentences ``first`` to ``last - 1``, counted from the first's."""
    own_tokens, own_nodes = bank.tokens.offsets[first : last + 1], bank.nodes.offsets[first : last + 1]
    of_tokens, of_nodes = (slice(own[0], own[-1]) for own in (own_tokens, own_nodes))
    own_tokens, own_nodes = own_tokens - own_tokens[0], own_nodes - own_nodes[0]
    forest = Forest(own_tokens, bank.tokens.parent[of_tokens], own_nodes, bank.nodes.parent[of_nodes])
    form, pos, *read = (getattr(bank.tokens, name)[of_tokens] for name in ("form", "pos", "function"))
    read += (getattr(bank.nodes, name)[of_nodes] for name in ("label", "function", "head"))
    read += (bank.spans.start[of_nodes], bank.spans.end[of_nodes])
    size, taken = np.ones(own_nodes[-1], np.int32), np.zeros(last - first, np.int64)
    in_ranges(lambda first, last: count_positions(forest, pos, size, taken, first, last), len(taken))
    offsets = offsets_of(taken)
    columns = np.empty((COLUMNS, int(offsets[-1])), np.int32)
    label, function, parent, last_below, previous, last_child, begin, end, head, item = columns
    own = label, function, parent, last_below, previous, last_child, begin, end, head, item
    crossing = np.zeros(len(taken), np.bool_)
    discontinuous = slice(*np.searchsorted(bank.discontinuous_sentences, (first, last)))
    crossing[bank.discontinuous_sentences[discontinuous] - first] = True
    edge_offsets = bank.secondary.offsets[first : last + 1]
    edges = slice(edge_offsets[0], edge_offsets[-1])
    ends = np.stack([bank.secondary.child[edges], bank.secondary.parent[edges]])
    of_edges = edge_offsets - edge_offsets[0], bank.secondary.label[edges], *ends
    word, taken_over = np.zeros(own_tokens[-1], np.int32), PreOrderColumns(size, form, pos, *read)
    loops = PreOrder(*own, word, offsets, own_tokens, crossing, *of_edges)
    in_ranges(lambda first, last: lay_out(forest, taken_over, loops, first, last), len(taken))
    if ends.size:
        sentence = np.repeat(np.arange(len(taken)), np.diff(edge_offsets))
        items = own_tokens + own_nodes
        # Of a token's two positions the tag's comes first.
        index = np.zeros(items[-1], np.int32)
        of_place = np.repeat(items[:-1], taken) + item
        index[of_place[::-1]] = np.arange(len(item) - 1, -1, -1, dtype=np.int32)
        ends[:] = index[items[sentence] + np.where(ends < 0, np.diff(own_tokens)[sentence] - 1 - ends, ends)]
    return PreOrderPositions(label, last_below, last_child, begin, item, offsets, own_tokens, loops)
