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
from crossbank.metrics.counting.presentation import breakdown_title, metric_title
from crossbank.metrics.pairing.pair import Status
from crossbank.reports.results.study_results import StudyResults
from crossbank.reports.sections.configurations import build_configuration_tables
from crossbank.reports.sections.section import Section
from crossbank.reports.tables.table import Cell, Column, ReportTable, make_cells

MIN_OCCURRENCES = 5
"""Minimal number of occurrences of a hot spot."""

MAX_HOT_SPOTS = 12
MAX_EXAMPLES = 3

SIMILARITY_COLUMNS = {"words", "similarity"}
"""The columns of counts, and of their breakdowns, that say how similar words are."""


@dataclass(frozen=True)
class HotSpot:
    """A label, tag or construction whose words score lower than the average word.

    words     how many words
    mean      their mean score
    loss      the sum of their scores, subtracted from that of as many words with the average score
    examples  identifiers of the sentences in which they lose most
    """

    breakdown: str
    name: str
    words: int
    mean: float
    loss: float
    examples: tuple[str, ...]


def find_hot_spots(
    counts: Counts, breakdown: str, *, min_occurrences: int = MIN_OCCURRENCES, max_spots: int = MAX_HOT_SPOTS
) -> list[HotSpot]:
    """Return the hot spots of one breakdown, in descending order of their losses.

    Keys with fewer than ``min_occurrences`` words in scored sentences are omitted.
    """
    table = counts.breakdowns[breakdown]()
    scored = (counts.status == Status.SCORED)[table.sentence]
    words, similarity = (np.where(scored, table.columns[name], 0.0) for name in ("words", "similarity"))
    total = words.sum()
    average = similarity.sum() / total if total else 0.0
    size = len(table.keys)
    words_of = np.bincount(table.key, words, size)
    similarity_of = np.bincount(table.key, similarity, size)
    loss = average * words_of - similarity_of
    order = np.lexsort((np.arange(size), -loss))
    chosen = [key for key in order.tolist() if words_of[key] >= min_occurrences and loss[key] > 0][:max_spots]
    spots = []
    for key in chosen:
        rows = np.flatnonzero((table.key == key) & (words > 0))
        worst = rows[np.argsort(similarity[rows] - words[rows], kind="stable")][:MAX_EXAMPLES]
        examples = tuple(counts.sentences[sentence] for sentence in table.sentence[worst].tolist())
        mean = float(similarity_of[key] / words_of[key])
        spots.append(
            HotSpot(breakdown, table.keys[key], int(words_of[key]), mean, float(loss[key]), examples)
        )
    return spots


def build_hot_spot_tables(study: StudyResults) -> Iterator[ReportTable]:
    """Yield one table of hot spots for each candidate and each metric that says how similar words are."""
    for treebank, candidate, name, counts in study.counted():
        if not counts.columns.keys() >= SIMILARITY_COLUMNS:
            continue
        spots = [spot for breakdown in counts.breakdowns for spot in find_hot_spots(counts, breakdown)]
        yield ReportTable(
            f"{treebank.name}-{candidate.name}-{name}-hot-spots",
            f"{treebank.name}, {candidate.name}: hot spots of {metric_title(name)}",
            f"Labels, tags and constructions that occur at least {MIN_OCCURRENCES} times and score below "
            f"the average token, per cent; the {MAX_HOT_SPOTS} of each kind that cost most. A construction "
            "is the label of the node that a token hangs on, with the node's first token.",
            Column.texts("Kind", "What")
            + Column.numbers("Words", "Mean", "Loss")
            + Column.texts("Sentences"),
            [
                make_cells(
                    *(breakdown_title(counts, spot.breakdown), spot.name or "(none)", spot.words),
                    *(Cell.per_cent(spot.mean, 2), spot.loss, ", ".join(spot.examples)),
                )
                for spot in spots
            ],
            definitions=[
                ("Loss", "words × (mean of all words − their mean): as if so many words were all wrong")
            ],
        )


class HotSpotsSection(Section):
    """Causes of errors: the study's patterns, mined configurations, and hot spots of metrics."""

    key, heading = "hot-spots", "Hot spots"
    position = 150
    on_candidate_page = "alone"
    omitted_if_large = "hot spots, configurations with errors"

    def build_content(self) -> Iterable[ReportTable]:
        """Yield tables for each candidate; in a large study only those of its patterns."""
        mined = build_configuration_tables(self.study, mine=not self.study.is_large)
        yield from (replace(table, among="Configurations") for table in mined)
        if not self.study.is_large:
            yield from (replace(table, among="Hot spots") for table in build_hot_spot_tables(self.study))
