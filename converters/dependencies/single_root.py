"""Give each sentence's dependencies one root, as CoNLL-U requires."""

from __future__ import annotations

import numpy as np

from crossbank.converters.declaration import transformation
from crossbank.converters.dependencies.arcs_as_constituents import require_dependencies
from crossbank.converters.schemes.scheme import Scheme
from crossbank.treebanks import ROOT, Treebank
from crossbank.treebanks.arrays import BoolArray, Int32Array, Int64Array
from crossbank.treebanks.tables import whole_number

NAME = "single_root"

NO_RELATION = "dep"

NAMES = ("root", NO_RELATION, "punct")
"""The relations of roots, of words whose constituent has no function, and of punctuation without one."""


@transformation(position=360)
def single_root(bank: Treebank, scheme: Scheme | None = None) -> Treebank:
    """Attach all other roots, and words without a head, to the root that dominates most words.

    They get the relation ``dep``, or ``punct`` if they are the scheme's punctuation, also in the graph
    (DEPS). Punctuation is the root only of sentences of punctuation. Raises ConversionError if there are
    no dependencies, or where they have a cycle.
    """
    require_dependencies(bank, NAME)
    tokens = bank.tokens
    vocabulary, (root, dep, punct) = bank.vocabulary.extended(NAMES)
    is_punctuation = np.zeros(len(tokens), np.bool_) if scheme is None else scheme.is_punctuation(bank)
    main = np.repeat(roots_over_most_words(tokens.offsets, tokens.head, is_punctuation), tokens.lengths())
    is_main = tokens.indices() == main
    further = (tokens.head < 0) & ~is_main
    head = np.where(is_main, ROOT, np.where(further, main, tokens.head)).astype(np.int32)
    relation = np.where(further, np.where(is_punctuation, punct, dep), tokens.relation)
    relation = np.where(is_main, root, relation).astype(np.int32)
    bank = bank.replace(vocabulary=vocabulary, tokens=tokens.replace(head=head, relation=relation))
    bank = _in_graph(bank, (head != tokens.head) | (relation != tokens.relation))
    return bank.with_events(NAME, {"roots attached to the main root": tokens.sentence_of_row()[further]})


def roots_over_most_words(offsets: Int64Array, head: Int32Array, is_punctuation: BoolArray) -> Int32Array:
    """Return the root of each sentence that dominates most words, shape ``(sentences,)``; -1 without words.

    A word without a head is a root. Punctuation is the main root only of sentences of punctuation. The words
    of a cycle have no root.
    """
    lengths = np.diff(offsets)
    root = np.where(head < 0, np.arange(len(head)), head + np.repeat(offsets[:-1], lengths))
    # Each round goes twice as far up as the one before.
    for _ in range(int(lengths.max(initial=0)).bit_length()):
        root = root[root]
    tops = np.flatnonzero(head < 0)
    words = np.bincount(root, minlength=len(head))[tops]
    sentence = np.repeat(np.arange(len(lengths)), lengths)[tops]
    order = np.lexsort((-words, is_punctuation[tops], sentence))
    rooted, first = np.unique(sentence[order], return_index=True)
    chosen_roots = np.full(len(lengths), -1, np.int32)
    chosen_roots[rooted] = tops[order[first]] - offsets[rooted]
    return chosen_roots


def _in_graph(bank: Treebank, changed: BoolArray) -> Treebank:
    """Replace the roots in the column DEPS by the heads of changed words, where the column is filled."""
    tokens, strings = bank.tokens, bank.vocabulary
    rows = np.flatnonzero(changed & (tokens.deps > 0))
    written = []
    for row in rows.tolist():
        arcs = {arc for arc in strings[int(tokens.deps[row])].split("|") if not arc.startswith("0:")}
        arcs.add(f"{tokens.head[row] + 1}:{strings[int(tokens.relation[row])]}")
        written.append("|".join(sorted(arcs, key=arc_sort_key)))
    return bank.with_columns("tokens", rows, deps=written)


def arc_sort_key(arc: str) -> tuple[list[int], str]:
    """Return the sort key of an arc: ``5.1:nsubj`` (an empty node) comes after ``5:nsubj``.

    An arc without a number, as files may have it, comes first.
    """
    head, _, relation = arc.partition(":")
    numbers = head.split(".")
    return [whole_number(number) for number in numbers if number.isdecimal()], relation
