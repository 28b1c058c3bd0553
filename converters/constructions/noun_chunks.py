"""Noun chunks: what a noun phrase has up to its head noun.

Beil, Franz, et al. (2002): Evaluation of the Gramotron Parser for German. Beyond PARSEVAL, section 3.1, after
Abney, Steven (1996): Chunk Stylebook: a noun chunk excludes complements and adjuncts after the head, and
includes modifiers before it, participles with their own complements among them. Chunks inside prepositional
phrases and inside other chunks are chunks, too (section 6.4).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from crossbank.converters.declaration import transformation
from crossbank.converters.heads.child_types import ChildTypes, child_types
from crossbank.converters.heads.marking import mark_heads
from crossbank.converters.schemes.constructions import ChunkRules, label_matcher
from crossbank.converters.schemes.scheme import Scheme
from crossbank.treebanks import NO_PARENT, UNATTACHED, Treebank
from crossbank.treebanks.arrays import Int32Array, Int64Array
from crossbank.treebanks.errors import RequirementError

NAME = "noun_chunks"

LABEL = "NC"
"""A chunk whose function does not tell the case; ``NC.Nom`` is one in the nominative."""


class ChunkSpans(NamedTuple):
    """Chunks: the sentence, the first token, one past the last, and the case of each."""

    sentence: Int64Array
    start: Int64Array
    end: Int64Array
    case: Int64Array


@transformation(position=240)
def noun_chunks(bank: Treebank, scheme: Scheme | None = None) -> Treebank:
    """Keep only noun chunks: the part of each noun phrase that ends at its head, and nouns on their own.

    The scheme says which nodes are noun phrases, which tokens are nouns and pronouns that may stand without
    one, and which case a function stands for. A noun inside a phrase with such a function, a genitive before
    the head, is a chunk of its own. A conjunct has the function of its coordination. Of a
    phrase with gaps the part without a gap before the head is the chunk. Of several chunks over the same
    words the highest is kept. Phrases without a head that is one of their words are counted.
    """
    if scheme is None or scheme.chunks is None:
        raise RequirementError(NAME, "a scheme with chunks")
    rules = scheme.chunks
    types = child_types(bank, scheme)
    heads = (bank if bank.has_heads else mark_heads(bank, scheme)).nodes.head
    phrase = types.with_category(label_matcher(rules.phrases))[types.node]
    unheaded = phrase & (heads == UNATTACHED)
    cases = ["", *dict.fromkeys(rules.cases.values())]
    case_of_tokens, case_of_nodes = _cases(bank, rules, types, cases)
    rows = np.flatnonzero(phrase & ~unheaded)
    alone = types.with_category(label_matcher(rules.nouns))[types.token]
    # No parent, -1, is the last entry: no phrase.
    alone &= ~np.append(phrase, False)[bank.nodes.parent_rows(bank.tokens)] | (case_of_tokens > 0)
    words = np.flatnonzero(alone)
    sentence, positions = bank.nodes.sentence_of_row(), bank.tokens.indices()[words]
    of_phrases = sentence[rows], _starts(bank, rows, heads), heads[rows] + 1, case_of_nodes[rows]
    of_words = bank.tokens.sentence_of_row()[words], positions, positions + 1, case_of_tokens[words]
    spans = ChunkSpans(
        *(np.concatenate(both).astype(np.int64) for both in zip(of_phrases, of_words, strict=True))
    )
    lost = {"noun phrases without a head dropped": sentence[unheaded]}
    return _only(bank, spans, cases).with_events(NAME, lost)


def _cases(
    bank: Treebank, rules: ChunkRules, types: ChildTypes, cases: list[str]
) -> tuple[Int32Array, Int32Array]:
    """Return the index of the case that the function of each token and node stands for."""
    of_function = np.array([cases.index(rules.cases.get(name, "")) for name in types.functions], np.int32)
    of_tokens, of_nodes = (of_function[types.function][column] for column in (types.token, types.node))
    conjunct = types.serving_as(rules.conjuncts)
    both = (of_nodes, bank.nodes, types.node), (of_tokens, bank.tokens, types.token)
    for column, table, type_of_row in both:
        # Nodes come after their parents, so that those of conjuncts in conjuncts are known.
        parents = bank.nodes.parent_rows(table)
        for row in np.flatnonzero(conjunct[type_of_row] & (parents != NO_PARENT)).tolist():
            column[row] = of_nodes[parents[row]]
    return of_tokens, of_nodes


def _starts(bank: Treebank, rows: Int64Array, heads: Int32Array) -> Int32Array:
    """Return the begin of each phrase's chunk: that of the phrase, or after the last gap before the head."""
    starts = bank.spans.start[rows].copy()
    begins = bank.tokens.begins(bank.nodes)
    parents = bank.nodes.parent_rows(bank.nodes)
    above = bank.nodes.parent_rows(bank.tokens)
    for index in np.flatnonzero(bank.spans.discontinuous[rows]).tolist():
        row = rows[index]
        first = int(heads[row])
        while first > starts[index]:
            over = int(above[begins[row] + first - 1])
            while over > row:  # a node comes after its parent
                over = int(parents[over])
            if over != row:
                break
            first -= 1
        starts[index] = first
    return starts


def _only(bank: Treebank, spans: ChunkSpans, cases: list[str]) -> Treebank:
    """Return the treebank with chunks as its only nodes, each once."""
    vocabulary, codes = bank.vocabulary.extended(f"{LABEL}.{case}" if case else LABEL for case in cases)
    columns = np.stack(spans)[:, np.lexsort((-spans.end, spans.start, spans.sentence))]
    again = np.append(False, (np.diff(columns[:3]) == 0).all(axis=0))[: columns.shape[1]]
    sentence, start, end, case = columns[:, ~again]
    # Chunks come after the nodes that were there, which are left without a word and so go with their edges.
    more, _, new = bank.nodes.extended(sentence, label=codes[case], head=(end - 1).astype(np.int32))
    index = (new - more.offsets[sentence]).astype(np.int32)
    parent = np.full(len(more), NO_PARENT, np.int32)
    token_parent = np.full(len(bank.tokens), NO_PARENT, np.int32)
    for row, (first, last, above) in enumerate(_nested(sentence, start, end)):
        begin = int(bank.tokens.offsets[sentence[row]])
        parent[new[row]] = index[above] if above >= 0 else NO_PARENT
        token_parent[begin + first : begin + last] = index[row]
    tokens = bank.tokens.replace(function=np.zeros(len(bank.tokens), np.int32))
    bank = bank.replace(vocabulary=vocabulary, tokens=tokens)
    return bank.with_structure(token_parent=token_parent, node_parent=parent, nodes=more)


def _nested(sentence: Int64Array, start: Int64Array, end: Int64Array) -> Iterator[tuple[int, int, int]]:
    """Yield the first token of each chunk, one past its last, and the row of the chunk around it, or -1."""
    around: list[tuple[int, int, int]] = []  # sentence, end and row
    for row, (s, first, last) in enumerate(zip(sentence.tolist(), start.tolist(), end.tolist(), strict=True)):
        while around and (around[-1][0] != s or around[-1][1] <= first):
            around.pop()
        yield first, last, around[-1][2] if around else -1
        around.append((s, last, row))
