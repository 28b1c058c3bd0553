"""Events of conversions, with the sentences in which they happened."""

from __future__ import annotations

import re
from os import PathLike

import numpy as np

from crossbank.reports.tables.table_files import format_csv
from crossbank.treebanks import Treebank
from crossbank.treebanks.files import write_text
from crossbank.treebanks.quantities import quantity
from crossbank.treebanks.readings import first_of_each

BY_RULE = re.compile("^mark_heads: .*: head by (?!default$)")

MAX_EXAMPLES = 3
"""The number of sentences that a line names."""


def format_diagnosis(bank: Treebank) -> list[str]:
    """Return a line for each finding of the diagnosis, with the first sentences concerned.

    Head rules that decided are one line: ``crossbank heads`` tells of each.
    """
    lines = []
    by_rule = [entry for entry in bank.diagnosis if BY_RULE.search(f"{entry.step}: {entry.event}")]
    if by_rule:
        counts = np.sum([entry.counts for entry in by_rule], axis=0)
        sentences = quantity(len(first_of_each(bank, np.flatnonzero(counts))), "sentence")
        lines.append(f"mark_heads: heads by rule: {counts.sum()} in {sentences}")
    for entry in bank.diagnosis:
        if entry in by_rule:
            continue
        where = first_of_each(bank, entry.sentences())
        named = " ".join(bank.sentence_id(sentence) for sentence in where[:MAX_EXAMPLES].tolist())
        more = " ..." if len(where) > MAX_EXAMPLES else ""
        listed = f"{quantity(len(where), 'sentence')} ({named}{more})"
        lines.append(f"{entry.step}: {entry.event}: {entry.total} in {listed}")
    return lines


def write_diagnosis(bank: Treebank, path: str | PathLike[str]) -> None:
    """Write a CSV file with a row for each finding and sentence: step, event, file, sentence, times."""
    rows: list[list[object]] = [["step", "event", "file", "sentence", "times"]]
    for entry in bank.diagnosis:
        for sentence in entry.sentences().tolist():
            file, times = bank.vocabulary[int(bank.sentences.source[sentence])], int(entry.counts[sentence])
            rows.append([entry.step, entry.event, file, bank.sentence_id(sentence), times])
    write_text(path, format_csv(rows))
