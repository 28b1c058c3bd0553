"""Dependencies between chunks: a noun chunk is one unit, with the governor of its head.

Kübler, Sandra and Heike Telljohann (2002): Towards a Dependency-Oriented Evaluation for Partial Parsing.
Beyond PARSEVAL, section 5, on Srinivas et al. (1996), who "first convert hierarchical phrasal constituents
into chunks, and then compute the dependencies between these chunks". The structure inside a chunk, on which
grammars differ, is not compared then.
"""

from __future__ import annotations

import numpy as np

from crossbank.converters.constructions.noun_chunks import noun_chunks
from crossbank.converters.declaration import transformation
from crossbank.converters.dependencies.arcs_as_constituents import require_dependencies
from crossbank.converters.schemes.scheme import Scheme
from crossbank.treebanks import NO_PARENT, UNATTACHED, Treebank
from crossbank.treebanks.arrays import Int64Array

NAME = "chunk_dependencies"


@transformation(position=365)
def chunk_dependencies(bank: Treebank, scheme: Scheme | None = None) -> Treebank:
    """Keep the dependencies between noun chunks and the words outside of them.

    Chunks are those of ``noun_chunks`` that are inside no other. A chunk's head has the governor and relation
    of the chunk's highest word, and governs what depends on any word of the chunk; a governor in a chunk is
    the chunk's head. The other words of a chunk have no head, so that metrics do not count them. Words of a
    chunk, beside the highest one, that depend on a word outside of it are counted. ``single_root`` comes
    before this.

    Raises ConversionError if words depend on each other.
    """
    require_dependencies(bank, NAME)
    tokens = bank.tokens
    head_of_chunk = _chunk_heads(bank, scheme)
    begin = tokens.begins(tokens)
    rows = np.arange(len(tokens))
    governor = np.where(tokens.head >= 0, begin + tokens.head, rows)
    leaves = (tokens.head < 0) | (head_of_chunk[governor] != head_of_chunk)
    # The highest word of a chunk is the first on the way up from its head that depends on a word outside.
    highest = rows.copy()
    while (inside := ~leaves[highest]).any():
        highest[inside] = governor[highest[inside]]
    is_head = head_of_chunk == rows
    outer = tokens.head[highest]
    outer = np.where(outer >= 0, head_of_chunk[governor[highest]] - begin, outer)
    head = np.where(is_head, outer, UNATTACHED).astype(np.int32)
    relation = np.where(is_head, tokens.relation[highest], 0).astype(np.int32)
    others = leaves & (highest[head_of_chunk] != rows) & (tokens.head != UNATTACHED)
    dropped = {"dependencies of words inside chunks on words outside": tokens.sentence_of_row()[others]}
    return bank.replace(tokens=tokens.replace(head=head, relation=relation)).with_events(NAME, dropped)


def _chunk_heads(bank: Treebank, scheme: Scheme | None) -> Int64Array:
    """Return the row of the head of each token's chunk, its own outside of chunks; shape ``(tokens,)``."""
    chunks = noun_chunks(bank, scheme)
    heads = np.arange(len(bank.tokens))
    rows = np.flatnonzero(chunks.nodes.parent == NO_PARENT)
    begins = chunks.tokens.begins(chunks.nodes)[rows]
    spans = chunks.spans
    for begin, start, end in zip(
        begins.tolist(), spans.start[rows].tolist(), spans.end[rows].tolist(), strict=True
    ):
        heads[begin + start : begin + end] = begin + end - 1
    return heads
