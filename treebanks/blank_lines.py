"""Blank lines of a candidate: separators between its trees, or sentences without a parse.

Where each blank line is between two trees of one line and no two trees are neighbours, a file cannot tell
which of the two they are. Readers count them in the diagnosis, and the number of gold's sentences decides:
where gold has as many sentences as the candidate has trees and blank lines, each blank line is a sentence
without a parse.
"""

from __future__ import annotations

import numpy as np

from crossbank.treebanks.arrays import offsets_of
from crossbank.treebanks.diagnosis import BLANK_LINES, FAILED_PARSES, Finding
from crossbank.treebanks.tables import TABLES
from crossbank.treebanks.treebank import Treebank


def number_of_blank_lines(bank: Treebank) -> int:
    """Return the number of blank lines of which the file does not tell what they are."""
    return sum(one.total for one in bank.diagnosis if one.event == BLANK_LINES)


def candidate_beside(candidate: Treebank, sentences: int) -> Treebank:
    """Return a candidate beside so many sentences of gold: with its blank lines if these are sentences."""
    blank_lines = number_of_blank_lines(candidate)
    are_sentences = blank_lines and len(candidate) + blank_lines == sentences
    return with_blank_lines(candidate) if are_sentences else candidate


def with_blank_lines(bank: Treebank) -> Treebank:
    """Return a treebank whose blank lines are sentences without a parse, counted as failed parses."""
    counts = [one.counts for one in bank.diagnosis if one.event == BLANK_LINES]
    before = np.sum(counts, axis=0, dtype=np.int64)
    following = np.repeat(np.arange(len(bank)), before + 1)
    trees = np.arange(len(bank)) + np.cumsum(before)
    distance = trees[following] - np.arange(len(following))

    def spread(values: np.ndarray) -> np.ndarray:
        """Return one value for each sentence, which is 0 for blank lines."""
        return np.where(distance == 0, values[following], 0).astype(values.dtype)

    tables = {}
    for name in TABLES:
        table = getattr(bank, name)
        if name != "sentences":
            columns = {column: getattr(table, column) for column in table.known()}
            tables[name] = type(table).of(offsets_of(spread(table.lengths())), **columns)
    sentences = bank.sentences.select(following)
    line = sentences.line - distance.astype(np.int32)
    is_by_line = np.isin(sentences.source, bank.sentences.source[before > 0])
    sentences = sentences.replace(
        id=spread(bank.sentences.id),
        comments=spread(bank.sentences.comments),
        line=line,
        ordinal=np.where(is_by_line, line, sentences.ordinal),
    )
    diagnosis = [
        Finding(one.step, one.event, spread(one.counts)) for one in bank.diagnosis if one.event != BLANK_LINES
    ]
    failed = Finding("read", FAILED_PARSES, (distance > 0).astype(np.int32))
    return bank.replace(sentences=sentences, diagnosis=(*diagnosis, failed), **tables)
