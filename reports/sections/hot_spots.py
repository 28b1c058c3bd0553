"""Hot spots: words, tags, labels and constructions that regularly have low leaf-ancestor scores.

Sampson, Geoffrey and Anna Babarczy (2003): A Test of the Leaf-Ancestor Metric for Parse Accuracy. Natural
Language Engineering 9(4), section 7: scores of single words locate errors, and show configurations that are
"regularly associated with low scores".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from crossbank.metrics.counting.counts import Counts
from crossbank.metrics.counting.presentation import metric_title, part_title
from crossbank.metrics.pairing.pair import Status
from crossbank.reports.results.study_results import StudyResults
from crossbank.reports.sections.configurations import configuration_tables
from crossbank.reports.sections.section import Section
from crossbank.reports.tables.table import Cell, Column, Table, cells

LEAST = 5
"""The number of occurrences from which on something is regular."""

SHOWN = 12
EXAMPLES = 3

OF_WORDS = {"words", "similarity"}
"""The columns of counts, and of their parts, that say how similar words are."""


@dataclass(frozen=True)
class HotSpot:
    """Something whose words score lower than the average word.

    words     how many words
    mean      their mean score
    loss      by how much their scores together are lower than as many average ones
    examples  identifiers of the sentences in which they lose most
    """

    kind: str
    name: str
    words: int
    mean: float
    loss: float
    examples: tuple[str, ...]


def spots_of(counts: Counts, kind: str, *, least: int = LEAST, most: int = SHOWN) -> list[HotSpot]:
    """Return the hot spots of one kind of parts, those that lose most first.

    Only what occurs ``least`` times in scored sentences: one without a parse says nothing about words.
    """
    parts = counts.parts[kind]()
    scored = (counts.status == Status.SCORED)[parts.sentence]
    words, similarity = (np.where(scored, parts.columns[name], 0.0) for name in ("words", "similarity"))
    total = words.sum()
    average = similarity.sum() / total if total else 0.0
    size = len(parts.keys)
    words_of = np.bincount(parts.key, words, size)
    similarity_of = np.bincount(parts.key, similarity, size)
    loss = average * words_of - similarity_of
    order = np.lexsort((np.arange(size), -loss))
    chosen = [key for key in order.tolist() if words_of[key] >= least and loss[key] > 0][:most]
    spots = []
    for key in chosen:
        rows = np.flatnonzero((parts.key == key) & (words > 0))
        worst = rows[np.argsort(similarity[rows] - words[rows], kind="stable")][:EXAMPLES]
        examples = tuple(counts.sentences[sentence] for sentence in parts.sentence[worst].tolist())
        mean = float(similarity_of[key] / words_of[key])
        spots.append(HotSpot(kind, parts.keys[key], int(words_of[key]), mean, float(loss[key]), examples))
    return spots


def hot_spot_tables(study: StudyResults) -> Iterator[Table]:
    """One table of hot spots for each candidate and each metric that says how similar words are."""
    for treebank, candidate, name, counts in study.counted():
        if not counts.columns.keys() >= OF_WORDS:
            continue
        spots = [spot for kind in counts.parts for spot in spots_of(counts, kind)]
        yield Table(
            f"{treebank.name}-{candidate.name}-{name}-hot-spots",
            f"{treebank.name}, {candidate.name}: hot spots of {metric_title(name)}",
            f"Labels, tags and constructions that occur at least {LEAST} times and score below the average "
            f"token, per cent; the {SHOWN} of each kind that cost most. A construction is the label of the "
            "node that a token hangs on, with the node's first token.",
            Column.texts("Kind", "What")
            + Column.numbers("Words", "Mean", "Loss")
            + Column.texts("Sentences"),
            [
                cells(
                    *(part_title(counts, spot.kind), spot.name or "(none)", spot.words),
                    *(Cell.per_cent(spot.mean, 2), spot.loss, ", ".join(spot.examples)),
                )
                for spot in spots
            ],
            definitions=[
                ("Loss", "words × (mean of all words − their mean): as if so many words were all wrong")
            ],
        )


class HotSpots(Section):
    """Companions of errors: the study's patterns, mined configurations, and hot spots of metrics."""

    key, heading = "hot-spots", "Hot spots"
    position = 150
    single = "alone"
    large = "hot spots, configurations with errors"

    def parts(self) -> Iterable[Table]:
        """Tables for each candidate; in a large study only those of its patterns."""
        mined = configuration_tables(self.study, mine=not self.study.large)
        yield from (replace(table, among="Configurations") for table in mined)
        if not self.study.large:
            yield from (replace(table, among="Hot spots") for table in hot_spot_tables(self.study))
