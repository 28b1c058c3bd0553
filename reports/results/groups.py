"""Counts broken down by groups of sentences: by length, by file, by the attributes in gold's comments.

A metric's counts are sums over sentences, so the sums over any sentences have the same scores.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from crossbank.metrics.counting.counts import Breakdown, Counts
from crossbank.reports.results.sentence_facts import (
    MAX_VALUES,
    Grouping,
    group_by_comments,
    group_by_length,
    shorten_paths,
)
from crossbank.treebanks import Treebank

LENGTH, FILE = "length", "file"
"""The groups that all treebanks have."""


def group_sentences(gold: Treebank) -> dict[str, Grouping]:
    """Return the groups of gold's sentences by length and by every attribute in comments.

    Attributes that name each sentence, such as its text, group nothing and are omitted.
    """
    gold = gold.only_chosen()
    by_comments = {
        name: grouping
        for name, grouping in group_by_comments(gold).items()
        if len(grouping.groups) < max(len(gold), MAX_VALUES)
    }
    return {LENGTH: group_by_length(gold.tokens.lengths().astype(np.int32)), **by_comments}


def group_by_file(files: Sequence[str], lengths: Sequence[int]) -> Grouping:
    """Return the sentences of several files, one group each.

    files    the names; without their folders where the names alone are different
    lengths  the number of sentences of each
    """
    names = shorten_paths(files)
    group = np.repeat(np.arange(len(names), dtype=np.int32), lengths)
    return Grouping(tuple(names), group, ordered=True)


def add_groupings(counts: Counts, groupings: Mapping[str, Grouping]) -> Counts:
    """Return the counts with further breakdowns: a row for each sentence, under the key of its group.

    A breakdown that the metric has itself stays. Groups of another number of sentences are omitted.
    """
    further = {
        name: partial(_break_down, counts, grouping)
        for name, grouping in groupings.items()
        if name not in counts.breakdowns and len(grouping.group) == len(counts)
    }
    return replace(counts, breakdowns={**counts.breakdowns, **further})


def _break_down(counts: Counts, grouping: Grouping) -> Breakdown:
    sentences = np.arange(len(counts), dtype=np.int32)
    columns = {"rows": np.ones(len(counts)), **counts.columns}
    return Breakdown(grouping.groups, sentences, grouping.group, columns, grouping.ordered, whole=True)
