"""EVALB's messages on stderr, in its words: one line for each error, with the number of the line."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import repeat

import numpy as np

from crossbank.metrics.rivals.evalb.lines import Lines, flawed
from crossbank.metrics.rivals.evalb.loops.reading import SECOND_WORD, TEXT_OUTSIDE, UNBALANCED
from crossbank.metrics.rivals.evalb.loops.scoring import LENGTHS_DIFFER, SHORT_WORD_DIFFERS, WORD_DIFFERS
from crossbank.metrics.rivals.evalb.scoring import Rows
from crossbank.treebanks.vocabulary import Vocabulary


def complaints(
    gold: Lines, candidate: Lines, rows: Rows, vocabulary: Vocabulary, *, endless: bool
) -> Iterator[tuple[int, str]]:
    """All errors in their order: the line, from 1, and the message.

    ``endless``: at text outside brackets EVALB repeats its message for ever, until there are too many errors.
    Otherwise such a line is one error.
    """
    both = len(rows.status)
    wrong = flawed(gold)[:both] | flawed(candidate)[:both]
    wrong |= np.isin(rows.outcome, (LENGTHS_DIFFER, WORD_DIFFERS, SHORT_WORD_DIFFERS))
    for row in np.flatnonzero(wrong).tolist():
        for lines in (gold, candidate):
            for message in _about_reading(lines, row, endless):
                yield row + 1, message
        if rows.outcome[row] == LENGTHS_DIFFER:
            yield row + 1, f"Length unmatch ({rows.gold_words[row]}|{rows.candidate_words[row]})"
        elif rows.outcome[row] in (WORD_DIFFERS, SHORT_WORD_DIFFERS):
            words = vocabulary[int(rows.gold_word[row])], vocabulary[int(rows.candidate_word[row])]
            yield row + 1, "Words unmatch ({}|{})".format(*words)
    if len(gold.flaw) > both:
        for message in _about_reading(gold, both, endless):
            yield both + 1, message
        yield both + 1, "Number of lines unmatch (too many lines in gold file)"
    elif len(candidate.flaw) > both:
        yield both + 1, "Number of lines unmatch (too many lines in test file)"


def _about_reading(lines: Lines, row: int, endless: bool) -> Iterator[str]:
    yield from repeat("Bracketing unbalance (too many close bracket)", int(lines.overclosed[row]))
    flaw = int(lines.flaw[row])
    if flaw == SECOND_WORD:
        yield "More than two elements in a bracket"
    if flaw in (SECOND_WORD, TEXT_OUTSIDE):
        yield from repeat("Reading sentence") if endless else repeat("Reading sentence", 1)
    if flaw == UNBALANCED:
        yield "Bracketing is unbalanced (too many open bracket)"
