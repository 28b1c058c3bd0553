"""Dependencies to learn from, and parses as a treebank."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from crossbank.converters.scheme_files import load_scheme
from crossbank.converters.transformations import transform
from crossbank.parsers.grammar_views import without_trees
from crossbank.parsers.relations_of_arcs import RelationsOfArcs
from crossbank.treebanks import ROOT, UNATTACHED, ConversionError, Treebank
from crossbank.treebanks.arrays import Int32Array


def dependencies_of(bank: Treebank, scheme: str | None) -> Treebank:
    """A treebank with one root for each sentence: its own dependencies, or those of its trees.

    Raises ConversionError where it has neither.
    """
    loaded = load_scheme(scheme) if scheme is not None else None
    made = bank
    if bank.has_constituents and not bank.has_dependencies:
        steps = loaded.views.get("dependencies", ()) if loaded is not None else ()
        made = transform(bank, [*steps, "single_root"], loaded)
    if not made.has_dependencies:
        where = bank.where(0) if len(bank) else "training set"
        raise ConversionError(
            f"{where}: there are no dependencies to train on (a scheme makes them of trees)"
        )
    return made.replace(history=bank.history, diagnosis=bank.diagnosis)


def words_to_parse(bank: Treebank, scheme: str | None) -> Treebank:
    """Return the tokens to be parsed; of trees those that their view of dependencies leaves."""
    if bank.has_constituents and not bank.has_dependencies:
        bank = dependencies_of(bank, scheme)
    return without_trees(bank)


def heads_of(bank: Treebank, sentence: int) -> Int32Array:
    """Return the heads of a sentence's tokens for the loops: place 0 is the root, tokens count from 1.

    Shape ``(tokens + 1,)``; a token without a head has -1.
    """
    head = bank.tokens.head[bank.tokens.rows(sentence)]
    heads = np.where(head == UNATTACHED, -1, np.where(head == ROOT, 0, head + 1))
    return np.concatenate(([-1], heads)).astype(np.int32)


def as_treebank(words: Treebank, heads: Sequence[Int32Array | None], relations: RelationsOfArcs) -> Treebank:
    """Return the sentences with heads and relations; a sentence without heads has no tokens."""
    head = np.full(len(words.tokens), UNATTACHED, np.int32)
    names = [""] * len(words.tokens)
    for sentence, found in enumerate(heads):
        if found is None:
            continue
        rows = words.tokens.rows(sentence)
        head[rows] = found[1:] - 1
        pos = words.vocabulary.decode(words.tokens.pos[rows])
        for token, above in enumerate((found[1:] - 1).tolist()):
            names[rows.start + token] = relations.relation(pos, token, above)
    vocabulary, relation = words.vocabulary.extended(names)
    tokens = words.tokens.replace(head=head, relation=relation)
    parsed = np.array([found is not None for found in heads], np.bool_)
    return Treebank.of_tables(vocabulary, words.sentences, tokens.take(np.repeat(parsed, tokens.lengths())))
