"""Findings: what a transformation dropped, moved, defaulted or could not decide in each sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from crossbank.treebanks.arrays import Int32Array

FAILED_PARSES = "failed parses"
"""The event of readers for sentences instead of which a file has a parser's mark of a failed parse."""

BLANK_LINES = "blank lines between trees"
"""The event of readers for blank lines before a sentence, where they separate trees or are failed parses."""

MARGIN = "brackets at the margin inside a tree"
"""The event of readers for brackets that begin a line inside a tree, which may be two damaged ones."""

UNORDERED = "sentences in any order"
"""The event of readers for sentences that are matched with those of gold: see ``sentence_matching``."""

NO_PARSE_MESSAGES = "messages that there is no parse"
"""The event of readers for a parser's message instead of a parse, in a sentence with words."""


CHOICES = "choices of the reader"
"""The step of findings about sentences that could be read in several ways, which a comparison reports."""


@dataclass(frozen=True, eq=False)
class Finding:
    """Number of times that one thing happened in each sentence.

    step    the transformation, by the name under which a study lists it; ``read`` for a reader
    event   what happened, as a short phrase: ``punctuation deleted``
    counts  shape ``(sentences,)``
    """

    step: str
    event: str
    counts: Int32Array

    @property
    def total(self) -> int:
        """Number of occurrences in all sentences."""
        return int(self.counts.sum())

    def sentences(self) -> NDArray[np.intp]:
        """Return the sentences in which the event occurred."""
        return np.flatnonzero(self.counts)


Diagnosis: TypeAlias = tuple[Finding, ...]
"""All findings about a treebank, in the order of the transformations it went through."""


def finding(step: str, event: str, sentences: Sequence[int] | NDArray[np.integer], total: int) -> Diagnosis:
    """Return one finding from the sentence of each occurrence, or none if there is no occurrence.

    total  the number of sentences of the treebank
    """
    if len(sentences) == 0:
        return ()
    return (Finding(step, event, np.bincount(sentences, minlength=total).astype(np.int32)),)


def select_findings(diagnosis: Diagnosis, sentences: NDArray[np.integer] | slice) -> Diagnosis:
    """Return the findings about some of the sentences, in the order given."""
    return tuple(Finding(f.step, f.event, f.counts[sentences]) for f in diagnosis)


def merged_findings(diagnosis: Diagnosis) -> Diagnosis:
    """Return the findings, those of one step and event added up: a transformation in rounds makes several."""
    counts: dict[tuple[str, str], Int32Array] = {}
    for finding in diagnosis:
        key = finding.step, finding.event
        counts[key] = counts[key] + finding.counts if key in counts else finding.counts
    return tuple(Finding(step, event, added) for (step, event), added in counts.items())


def concatenate_findings(parts: Sequence[tuple[Diagnosis, int]]) -> Diagnosis:
    """Return the findings of treebanks laid end to end; each part comes with its number of sentences."""
    names: list[tuple[str, str]] = []
    for diagnosis, _ in parts:
        # What only a later part has comes after what it follows there: the steps stay in their order.
        index = 0
        for f in diagnosis:
            if (f.step, f.event) not in names:
                names.insert(index, (f.step, f.event))
            index = max(index, names.index((f.step, f.event)) + 1)
    joined = []
    for step, event in names:
        counts = []
        for diagnosis, sentences in parts:
            same = (f.counts for f in diagnosis if (f.step, f.event) == (step, event))
            counts.append(sum(same, np.zeros(sentences, np.int32)))
        joined.append(Finding(step, event, np.concatenate(counts)))
    return tuple(joined)
