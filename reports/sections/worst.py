"""Worst sentences of each candidate under each metric, with pictures for as many as a page can hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from crossbank.converters.schemes.views import OF_DEPENDENCIES
from crossbank.metrics.counting.counts import Counts, format_value
from crossbank.metrics.counting.items import ItemMetric
from crossbank.metrics.counting.metric import Item, Metric
from crossbank.metrics.counting.presentation import headline, measure_title
from crossbank.metrics.pairing.pair import Pair, Status
from crossbank.reports.results.differences import ComparedArc, Mark, compare_arcs, mark_nodes, mark_tags
from crossbank.reports.results.study_results import CandidateResults, StudyResults
from crossbank.reports.sections.section import Section
from crossbank.reports.tables.table import sentences_link
from crossbank.treebanks.pictures.drawing import SIGNS, svg
from crossbank.treebanks.pictures.layout import draw_tree

MAX_PICTURE_BYTES = 40_000
"""Trees and tables of single sentences are drawn until they fill this number of bytes, on each page."""


class WorstSentencesSection(Section):
    """Worst sentences of each candidate under each metric."""

    key, heading = "worst", "Worst sentences"
    position = 180
    on_candidate_page = "alone"
    template = "worst.html.j2"
    omitted_if_large = "worst sentences"

    @cached_property
    def excerpts(self) -> list[Excerpt]:
        """Each candidate's worst sentences, with the cards of those that are drawn."""
        return select_excerpts(self.study)

    def has_content(self) -> bool:
        """Return whether any candidate was scored, in a study that is not large."""
        return any(excerpt.worst for excerpt in self.excerpts)

    @cached_property
    def groups(self) -> list[tuple[str, list[WorstList]]]:
        """Lists of each candidate, under its treebank and name."""
        chosen = [excerpt for excerpt in self.excerpts if excerpt.worst]
        return [
            (excerpt.heading, [excerpt.build_list(metric) for metric in excerpt.worst]) for excerpt in chosen
        ]

    @property
    def cards(self) -> list[SentenceCard]:
        """Sentences that are shown with their trees."""
        return [excerpt.cards[row] for excerpt in self.excerpts for row in sorted(excerpt.cards)]

    @property
    def undrawn(self) -> int:
        """Number of sentences that are only listed."""
        return sum(not sentence.card for _, lists in self.groups for of in lists for sentence in of.sentences)

    @property
    def signs(self) -> dict[str, str]:
        """Sign of each kind of difference."""
        return {str(mark): SIGNS[mark].strip() for mark in Mark if mark is not Mark.SAME}


@dataclass(frozen=True)
class RankedSentence:
    """A sentence among the worst: its score as printed, and its card if it has one.

    ``link`` is the address of the sentence on the page of all sentences.
    """

    sentence: str
    score: str
    words: str
    card: str
    link: str


@dataclass(frozen=True)
class WorstList:
    """Worst sentences of a candidate under one metric, the worst first; ``scored`` is the number of all."""

    heading: str
    scored: int
    sentences: Sequence[RankedSentence]


@dataclass
class SentenceCard:
    """One sentence of one candidate: its scores, trees, lineages and arcs.

    heading  treebank and candidate as a heading
    """

    key: str
    heading: str
    candidate: str
    sentence: str
    words: str
    scores: list[tuple[str, str]]
    gold_tree: str = ""
    candidate_tree: str = ""
    differing: dict[str, int] = field(default_factory=dict)
    lineages: list[Item] = field(default_factory=list)
    arcs: list[ComparedArc] = field(default_factory=list)
    arcs_same: int = 0

    def size(self) -> int:
        """Return about how many bytes the card takes on the page."""
        rows = len(self.lineages) + len(self.arcs)
        return len(self.gold_tree) + len(self.candidate_tree) + 160 * rows + 500


def select_worst_rows(counts: Counts, limit: int) -> list[int]:
    """Return the scored, imperfect sentences with the worst scores; among equals the longest gold first."""
    measure = headline(counts)
    values = counts.by_sentence(measure.name)
    loss = -values if measure.better == "more" else values
    best = -1.0 if measure.better == "more" else 0.0
    size = counts.columns.get("gold", np.zeros(len(counts)))
    rows = np.flatnonzero((counts.status == Status.SCORED) & (loss > best))
    order = np.lexsort((rows, -size[rows], -loss[rows]))
    return [int(row) for row in rows[order[:limit]]]


def select_excerpts(study: StudyResults) -> list[Excerpt]:
    """Return the worst sentences of each candidate; none of a large study.

    Cards are made for the worst sentence of every list first, then for the second worst, until they have
    ``MAX_PICTURE_BYTES``. A sentence in the lists of several metrics has one card.
    """
    treebanks = () if study.is_large else study.treebanks
    all_excerpts = [
        Excerpt.of(study, treebank.name, one) for treebank in treebanks for one in treebank.candidates
    ]
    remaining_bytes = MAX_PICTURE_BYTES
    for rank in range(study.worst):
        for excerpt in all_excerpts:
            for rows in excerpt.worst.values() if excerpt.pairs else ():
                if rank < len(rows) and rows[rank] not in excerpt.cards:
                    card = excerpt.card(rows[rank])
                    remaining_bytes -= card.size()
                    if remaining_bytes <= 0:
                        return all_excerpts
                    excerpt.cards[rows[rank]] = card
    return all_excerpts


@dataclass(frozen=True)
class Excerpt:
    """Worst sentences of a candidate and gold, in the view of each metric.

    worst  the rows of the worst sentences in the counts, by metric
    rows   all of these rows, in the order of ``pairs``
    cards  the sentences that are drawn, by row
    """

    treebank: str
    candidate: CandidateResults
    worst: Mapping[str, Sequence[int]]
    rows: Sequence[int]
    pairs: Mapping[str, Pair]
    metrics: Mapping[str, Metric]
    cards: dict[int, SentenceCard] = field(default_factory=dict)

    @classmethod
    def of(cls, study: StudyResults, treebank: str, candidate: CandidateResults) -> Excerpt:
        """Return the worst sentences of a candidate under each metric."""
        worst = {
            metric: select_worst_rows(counts, study.worst) for metric, counts in candidate.counts.items()
        }
        rows = list(dict.fromkeys(row for of_metric in worst.values() for row in of_metric))
        pairs = {}
        if study.pair_of is not None and rows:
            pairs = {name: study.pair_of(treebank, candidate.name, name, rows=rows) for name in worst}
        return cls(treebank, candidate, worst, rows, pairs, study.metrics)

    @property
    def heading(self) -> str:
        """Treebank and candidate as a heading."""
        return f"{self.treebank} · {self.candidate.name}"

    def words(self, row: int) -> str:
        """Return a sentence's words as one text; the empty string without trees."""
        for pair in self.pairs.values():
            return " ".join(pair.gold.words(self.rows.index(row)))
        return ""

    def build_list(self, metric: str) -> WorstList:
        """Return the list of the worst sentences under a metric."""
        counts = self.candidate.counts[metric]
        measure = headline(counts)
        values, scored = counts.by_sentence(measure.name), int((counts.status == Status.SCORED).sum())
        sentences = []
        for row in self.worst[metric]:
            name, card = counts.sentences[row], self.cards[row].key if row in self.cards else ""
            link = sentences_link(self.treebank, self.candidate.name, text=name)
            sentences.append(
                RankedSentence(name, format_value(float(values[row]), measure), self.words(row), card, link)
            )
        return WorstList(measure_title(metric, measure), scored, sentences)

    def card(self, row: int) -> SentenceCard:
        """Return a sentence's trees, lineages and arcs, if the study's metrics compare them."""
        index = self.rows.index(row)
        counts = self.candidate.counts
        scores = []
        for name, of_metric in counts.items():
            if of_metric.status[row] == Status.SCORED:
                measure = headline(of_metric)
                value = format_value(float(of_metric.by_sentence(measure.name)[row]), measure)
                scores.append((measure_title(name, measure), value))
        sentence = next(iter(counts.values())).sentences[row]
        key = f"{self.treebank}-{self.candidate.name}-{row + 1}"
        card = SentenceCard(key, self.heading, self.candidate.name, sentence, self.words(row), scores)
        for name, pair in self.pairs.items():
            if pair.status[index] != Status.SCORED:
                continue
            if self.metrics[name].view in OF_DEPENDENCIES:
                all_arcs = compare_arcs(pair, index)
                card.arcs = [arc for arc in all_arcs if arc.verdict != "same"]
                card.arcs_same = len(all_arcs) - len(card.arcs)
                continue
            metric = self.metrics[name]
            if not card.lineages and not isinstance(metric, ItemMetric):  # these have no items for words
                card.lineages = [item for item in metric.items(pair, index) if item.type == "word"]
            if not card.gold_tree:
                gold_marks, candidate_marks = mark_nodes(pair, index)
                wrong = mark_tags(pair, index)
                drawn = draw_tree(pair.gold, index, gold_marks)
                other = draw_tree(pair.candidate, index, candidate_marks, wrong)
                card.gold_tree = svg(drawn, title=f"Gold tree of {sentence}")
                card.candidate_tree = svg(other, title=f"Candidate tree of {sentence}")
                mark_counts = Counter([*gold_marks, *(m for m in candidate_marks if m is Mark.ADDITIONAL)])
                differing = (mark for mark in Mark if mark is not Mark.SAME and mark_counts[mark])
                card.differing = {str(mark): mark_counts[mark] for mark in differing}
                if any(wrong):
                    card.differing["tag"] = sum(wrong)
        return card
