"""Worst sentences of each candidate under each metric, with pictures for as many as a page can hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby

import numpy as np

from crossbank.converters.schemes.views import OF_DEPENDENCIES
from crossbank.metrics.counting.counts import Counts, shown
from crossbank.metrics.counting.metric import Item, Metric
from crossbank.metrics.counting.presentation import headline, measure_title
from crossbank.metrics.pairing.pair import Pair, Status
from crossbank.reports.results.differences import Arc, Mark, arcs, node_marks, tag_marks
from crossbank.reports.results.study_results import CandidateResults, StudyResults
from crossbank.reports.sections.section import Section
from crossbank.reports.tables.table import sentences_link
from crossbank.treebanks.pictures.drawing import SIGNS, svg
from crossbank.treebanks.pictures.tree_layout import draw_tree

PICTURED_BYTES = 500_000
"""Trees and tables of single sentences are drawn until they fill this number of bytes."""

PICTURED_ALONE = 40_000
"""The same on a candidate's own page, of which there may be many; the page of all sentences draws all."""


class WorstSentences(Section):
    """Worst sentences of each candidate under each metric."""

    key, heading = "worst", "Worst sentences"
    single = "alone"
    template = "worst.html.j2"
    large = "worst sentences"

    @cached_property
    def found(self) -> tuple[list[WorstList], list[Card]]:
        """All lists, and the cards that they refer to."""
        return worst_lists(self.study)

    def wanted(self) -> bool:
        """True if any candidate was scored, in a study that is not large."""
        return bool(self.found[0])

    @property
    def groups(self) -> list[tuple[str, list[WorstList]]]:
        """Lists of each candidate."""
        return [(place, list(found)) for place, found in groupby(self.found[0], lambda of: of.place)]

    @property
    def cards(self) -> list[Card]:
        """Sentences that are shown with their trees."""
        return self.found[1]

    @property
    def undrawn(self) -> int:
        """Number of sentences that are only listed."""
        return sum(not sentence.card for found in self.found[0] for sentence in found.sentences)

    @property
    def signs(self) -> dict[str, str]:
        """Sign of each kind of difference."""
        return {str(mark): SIGNS[mark].strip() for mark in Mark if mark is not Mark.SAME}


@dataclass(frozen=True)
class Ranked:
    """A sentence among the worst: its row in the counts, its score as printed, and its card if it has one.

    ``link`` leads to the sentence on the page of all.
    """

    row: int
    sentence: str
    score: str
    words: str = ""
    card: str = ""
    link: str = ""


@dataclass(frozen=True)
class WorstList:
    """Worst sentences of a candidate under one metric, the worst first."""

    treebank: str
    candidate: str
    heading: str
    perfect: int
    scored: int
    sentences: Sequence[Ranked] = ()

    @property
    def place(self) -> str:
        """Treebank and candidate as a heading."""
        return f"{self.treebank} · {self.candidate}"


@dataclass
class Card:
    """One sentence of one candidate: its scores, trees, lineages and arcs."""

    key: str
    treebank: str
    candidate: str
    sentence: str
    words: str
    scores: list[tuple[str, str]]
    gold_tree: str = ""
    candidate_tree: str = ""
    differing: dict[str, int] = field(default_factory=dict)
    lineages: list[Item] = field(default_factory=list)
    arcs: list[Arc] = field(default_factory=list)
    arcs_same: int = 0

    @property
    def place(self) -> str:
        """Treebank and candidate as a heading."""
        return f"{self.treebank} · {self.candidate}"

    def size(self) -> int:
        """About how many bytes the card takes on the page."""
        rows = len(self.lineages) + len(self.arcs)
        return len(self.gold_tree) + len(self.candidate_tree) + 160 * rows + 500


def worst_rows(counts: Counts, limit: int) -> list[int]:
    """Return the scored, imperfect sentences with the worst scores; among equals the longest gold first."""
    measure = headline(counts)
    values = counts.by_sentence(measure.name)
    loss = -values if measure.better == "more" else values
    best = -1.0 if measure.better == "more" else 0.0
    size = counts.columns.get("gold", np.zeros(len(counts)))
    rows = np.flatnonzero((counts.status == Status.SCORED) & (loss > best))
    order = np.lexsort((rows, -size[rows], -loss[rows]))
    return [int(row) for row in rows[order[:limit]]]


def worst_lists(study: StudyResults) -> tuple[list[WorstList], list[Card]]:
    """All lists of worst sentences, and the cards that they refer to.

    Cards are made for the worst sentence of every list first, then for the second worst, until they
    fill the space; a sentence that several metrics find bad has one card. A large study has none.
    """
    if study.large:
        return [], []
    rankings = [(*found, worst_rows(found[3], study.worst)) for found in study.counted()]
    wanted: dict[tuple[str, str], dict[int, None]] = {}
    for treebank, candidate, _, _, rows in rankings:
        wanted.setdefault((treebank.name, candidate.name), {}).update(dict.fromkeys(rows))
    excerpts: dict[tuple[str, str], Excerpt] = {}
    for treebank, candidate, *_ in rankings:
        of = treebank.name, candidate.name
        if of not in excerpts:
            chosen = list(wanted[of])
            pairs = {}
            if study.pair_of is not None and chosen:
                pairs = {metric: study.pair_of(*of, metric, rows=chosen) for metric in candidate.counts}
            excerpts[of] = Excerpt(treebank.name, candidate, chosen, pairs, study.metrics)
    cards: dict[tuple[str, str, int], Card] = {}
    space = PICTURED_ALONE if study.single else PICTURED_BYTES
    for rank in range(study.worst):
        for treebank, candidate, _, _, rows in rankings:
            excerpt = excerpts[treebank.name, candidate.name]
            place = (treebank.name, candidate.name, rows[rank]) if rank < len(rows) else None
            if place is None or place in cards or not excerpt.pairs:
                continue
            card = excerpt.card(rows[rank])
            space -= card.size()
            if space > 0:
                cards[place] = card
    lists = [
        excerpts[treebank.name, candidate.name].listed(metric, rows, cards)
        for treebank, candidate, metric, _, rows in rankings
    ]
    return lists, [
        cards[treebank, candidate, row]
        for (treebank, candidate), rows_of in wanted.items()
        for row in sorted(rows_of)
        if (treebank, candidate, row) in cards
    ]


@dataclass(frozen=True)
class Excerpt:
    """Some sentences of a candidate with gold, as each metric saw them.

    ``rows`` are their rows in the counts.
    """

    treebank: str
    candidate: CandidateResults
    rows: Sequence[int]
    pairs: Mapping[str, Pair]
    metrics: Mapping[str, Metric]

    def words(self, row: int) -> str:
        """A sentence's words as one text; the empty string without trees."""
        for pair in self.pairs.values():
            return " ".join(pair.gold.words(self.rows.index(row)))
        return ""

    def listed(
        self, metric: str, rows: Sequence[int], cards: Mapping[tuple[str, str, int], Card]
    ) -> WorstList:
        """Return the list of the worst sentences under a metric, whose rows in the counts are given."""
        counts, of = self.candidate.counts[metric], (self.treebank, self.candidate.name)
        measure = headline(counts)
        values, scored = counts.by_sentence(measure.name), int((counts.status == Status.SCORED).sum())
        sentences = []
        for row in rows:
            card, name = cards.get((*of, row)), counts.sentences[row]
            score, link = shown(float(values[row]), measure), sentences_link(*of, text=name)
            sentences.append(Ranked(row, name, score, self.words(row), card.key if card else "", link))
        perfect = scored - len(worst_rows(counts, len(counts)))
        return WorstList(*of, measure_title(metric, measure), perfect, scored, sentences)

    def card(self, row: int) -> Card:
        """A sentence's trees, lineages and arcs, if the study's metrics look at them."""
        place = self.rows.index(row)
        counts = self.candidate.counts
        scores = []
        for name, of_metric in counts.items():
            if of_metric.status[row] == Status.SCORED:
                measure = headline(of_metric)
                value = shown(float(of_metric.by_sentence(measure.name)[row]), measure)
                scores.append((measure_title(name, measure), value))
        sentence = next(iter(counts.values())).sentences[row]
        key = f"{self.treebank}-{self.candidate.name}-{row + 1}"
        card = Card(key, self.treebank, self.candidate.name, sentence, self.words(row), scores)
        for name, pair in self.pairs.items():
            if pair.status[place] != Status.SCORED:
                continue
            if self.metrics[name].view in OF_DEPENDENCIES:
                found = arcs(pair, place)
                card.arcs = [arc for arc in found if arc.verdict != "same"]
                card.arcs_same = len(found) - len(card.arcs)
                continue
            items = self.metrics[name].items(pair, place)
            card.lineages = card.lineages or [item for item in items if item.kind == "word"]
            if not card.gold_tree:
                gold_marks, candidate_marks = node_marks(pair, place)
                wrong = tag_marks(pair, place)
                drawn = draw_tree(pair.gold, place, gold_marks)
                other = draw_tree(pair.candidate, place, candidate_marks, wrong)
                card.gold_tree = svg(drawn, title=f"Gold tree of {sentence}")
                card.candidate_tree = svg(other, title=f"Candidate tree of {sentence}")
                found_marks = Counter([*gold_marks, *(m for m in candidate_marks if m is Mark.ADDITIONAL)])
                differing = (mark for mark in Mark if mark is not Mark.SAME and found_marks[mark])
                card.differing = {str(mark): found_marks[mark] for mark in differing}
                if any(wrong):
                    card.differing["tag"] = sum(wrong)
        return card
