"""All that holds in a sound treebank, also where no loop of the program relies on it."""

from __future__ import annotations

import numpy as np

from crossbank.treebanks.cycles import on_cycle
from crossbank.treebanks.tables import ROOT, UNATTACHED, Tables
from crossbank.treebanks.validation import InvalidSentence, _Checks, _frames


def validate(bank: Tables) -> list[InvalidSentence]:
    """Return all problems of a treebank, sentence by sentence; none where its tables fit together.

    Constituents: every parent exists and comes before its children (so that each token has one path
    to one root, without a cycle), every node dominates a token, nodes are in pre-order. A sentence
    may have several roots. Dependencies: every head exists, there is no cycle, and a sentence with
    any head has one root; tokens without a head are allowed. Lexical heads, secondary edges,
    multiword tokens, empty nodes and relations refer to tokens and nodes that exist, multiword tokens do
    not overlap, and all strings are in the vocabulary. Relations of sentences without tokens may have places.
    """
    if problem := _frames(bank):
        return [InvalidSentence(0, problem)]
    checks = _Checks(bank)
    checks.tables()
    _look_at_dependencies(checks)
    return sorted(checks.problems, key=lambda problem: problem.sentence)


def _look_at_dependencies(checks: _Checks) -> None:
    tokens, count = checks.bank.tokens, len(checks.bank)
    sentence_of = tokens.sentence_of_row()
    roots = np.bincount(sentence_of[tokens.head == ROOT], minlength=count)
    heads = np.bincount(sentence_of[tokens.head != UNATTACHED], minlength=count)
    for sentence in np.flatnonzero((heads > 0) & (roots != 1)).tolist():
        checks.problems.append(
            InvalidSentence(sentence, f"{roots[sentence]} roots of its dependencies, not one")
        )
    if not ((tokens.head < UNATTACHED) | (tokens.head >= tokens.lengths()[sentence_of])).any():
        cyclic = on_cycle(tokens.offsets, tokens.head)
        checks.rows(tokens, cyclic, "it depends on itself, directly or through others", "token")
