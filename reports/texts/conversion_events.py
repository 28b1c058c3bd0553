"""Events of conversions, with the sentences in which they happened."""

from __future__ import annotations

import re
from os import PathLike

import numpy as np

from crossbank.reports.tables.csv_cells import as_csv
from crossbank.treebanks import Treebank
from crossbank.treebanks.files import write_text
from crossbank.treebanks.quantities import quantity
from crossbank.treebanks.readings import first_of_each

BY_RULE = re.compile("^mark_heads: .*: head by (?!default$)")

EXAMPLES = 3
"""The number of sentences that a line names."""


def as_lines(bank: Treebank) -> list[str]:
    """A line for each finding of the diagnosis, with the first sentences concerned.

    Head rules that decided are one line: ``crossbank heads`` tells of each.
    """
    shown = []
    by_rule = [found for found in bank.diagnosis if BY_RULE.search(f"{found.step}: {found.event}")]
    if by_rule:
        counts = np.sum([found.counts for found in by_rule], axis=0)
        sentences = quantity(len(first_of_each(bank, np.flatnonzero(counts))), "sentence")
        shown.append(f"mark_heads: heads by rule: {counts.sum()} in {sentences}")
    for found in bank.diagnosis:
        if found in by_rule:
            continue
        where = first_of_each(bank, found.sentences())
        named = " ".join(bank.sentence_id(sentence) for sentence in where[:EXAMPLES].tolist())
        more = " ..." if len(where) > EXAMPLES else ""
        listed = f"{quantity(len(where), 'sentence')} ({named}{more})"
        shown.append(f"{found.step}: {found.event}: {found.total} in {listed}")
    return shown


def write_diagnosis(bank: Treebank, path: str | PathLike[str]) -> None:
    """Write a CSV file with a row for each finding and sentence: step, event, file, sentence, times."""
    rows: list[list[object]] = [["step", "event", "file", "sentence", "times"]]
    for found in bank.diagnosis:
        for sentence in found.sentences().tolist():
            file, times = bank.vocabulary[int(bank.sentences.source[sentence])], int(found.counts[sentence])
            rows.append([found.step, found.event, file, bank.sentence_id(sentence), times])
    write_text(path, as_csv(rows))
