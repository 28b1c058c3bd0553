"""Tables of scores by label, relation, tag, position of the head, and the other breakdowns of metrics.

One breakdown is that of confusions: names that candidates give instead of gold's, as pairs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from crossbank.metrics.counting.counts import ARROW, Counts
from crossbank.metrics.counting.presentation import (
    breakdown_title,
    compared,
    headline,
    measures_of_breakdown,
    metric_title,
)
from crossbank.reports.estimates.questions import LABELS, describe_family
from crossbank.reports.estimates.table import estimates_of
from crossbank.reports.results.study_results import StudyResults, TreebankResults
from crossbank.reports.sections.comparisons import build_estimate_table
from crossbank.reports.sections.section import Section
from crossbank.reports.tables.table import Cell, Column, ReportTable, list_first_sentences, make_cells

MAX_KEYS = 50

CONFUSION = "confusion"
"""The breakdown whose keys are gold's and the candidate's with ``ARROW`` between them."""

MAX_CONFUSIONS, MAX_EXAMPLES = 20, 3
"""The number of confusions of a candidate in a table, and of the sentences named for each."""


def build_breakdown_tables(study: StudyResults) -> Iterator[ReportTable]:
    """Yield one table for each treebank, metric and breakdown; none in a very large study."""
    for treebank in () if study.is_very_large else study.treebanks:
        names = dict.fromkeys(
            (name, breakdown)
            for candidate in treebank.candidates
            for name, counts in candidate.counts.items()
            for breakdown in counts.breakdowns
        )
        for metric, breakdown in names:
            counted_candidates = [
                one for one in treebank.candidates if breakdown in one.counts[metric].breakdowns
            ]
            of = replace(treebank, candidates=counted_candidates)
            made = (
                build_confusion_table(of, metric)
                if breakdown == CONFUSION
                else _build_breakdown_table(of, metric, breakdown)
            )
            yield replace(made, among="Scores by label, relation and so on")


def _build_breakdown_table(treebank: TreebankResults, metric: str, breakdown: str) -> ReportTable:
    scores: dict[str, dict[str, dict[str, float]]] = {}
    totals: dict[str, float] = {}
    ordered, of_sentences = False, False
    alone = min((c.counts[metric] for c in treebank.candidates), key=lambda counts: len(counts.measures))
    # Those of the comparison, or the first three.
    columns = (
        measures_of_breakdown(alone, breakdown, compared(alone))
        or measures_of_breakdown(alone, breakdown)[:3]
    )
    with_kinds = any(m.name == "kind_recall" for m in columns)
    # A breakdown may have numbers alone, without a measure.
    columns = columns[:1] and ((headline(alone, columns),) if len(treebank.candidates) > 4 else columns)
    for candidate in treebank.candidates:
        counts = candidate.counts[metric]
        table = counts.breakdowns[breakdown]()
        ordered, of_sentences = table.ordered, "rows" in table.columns
        sums = table.sums(counts.rows)
        of = {m.name: np.broadcast_to(m.score(sums), len(table.keys)).tolist() for m in columns}
        scores[candidate.name] = {name: dict(zip(table.keys, of[name], strict=True)) for name in of}
        total = sums["rows"] if of_sentences else sums.get("gold", next(iter(sums.values())))
        for key, number in zip(table.keys, total.tolist(), strict=True):
            totals[key] = max(totals.get(key, 0.0), number)
    keys = list(totals) if ordered else sorted(totals, key=lambda key: (-totals[key], key))
    rows = []
    for key in keys[:MAX_KEYS]:
        values = ((of.get(m.name, {}).get(key), m) for of in scores.values() for m in columns)
        rows.append(make_cells(key or "(none)", int(totals[key]), *(Cell.score(*value) for value in values)))
    title = breakdown_title(counts, breakdown)
    order = "per cent" if ordered else "the most frequent in gold first; per cent"
    cut_note = f" The {MAX_KEYS} most frequent of {len(keys)} are shown." if len(keys) > len(rows) else ""
    without = " “Without head” counts words of the same key in gold and candidate; their heads may differ."
    return ReportTable(
        f"{treebank.name}-{metric}-{breakdown}",
        f"{treebank.name}: {metric_title(metric)} by {title}",
        f"Over all sentences that enter the scores, {order}.{cut_note}{without * with_kinds}",
        [
            *Column.texts(title.capitalize()),
            *Column.numbers("Sentences" if of_sentences else "In gold"),
            *(Column(measure.heading, name) for name in scores for measure in columns),
        ],
        rows,
    )


@dataclass(frozen=True)
class NameConfusion:
    """A name in gold, the candidate's other name, the number of confusions, and their sentences.

    heads  how many of the words have the right head; None if heads were not counted
    """

    gold: str
    candidate: str
    count: int
    heads: int | None
    sentences: tuple[str, ...]


def count_confusions(counts: Counts) -> list[NameConfusion]:
    """Return all confusions over the sentences that enter the score, the most frequent first."""
    table = counts.breakdowns[CONFUSION]()
    entering = counts.rows[table.sentence]
    amount = np.where(entering, np.maximum(table.columns["gold"], table.columns["candidate"]), 0.0)
    totals = np.bincount(table.key, amount, len(table.keys))
    heads = table.columns.get("heads")
    right = None if heads is None else np.bincount(table.key, np.where(entering, heads, 0.0), len(table.keys))
    order = np.argsort(table.key, kind="stable")
    begins = np.searchsorted(table.key[order], np.arange(len(table.keys) + 1))
    confusions = []
    for key in np.argsort(-totals, kind="stable").tolist():
        gold, _, candidate = table.keys[key].partition(ARROW)
        if gold == candidate or not totals[key]:
            continue
        rows = order[begins[key] : begins[key + 1]]
        where = table.sentence[rows[amount[rows] > 0]].tolist()
        right_heads = None if right is None else int(right[key])
        sentences = tuple(counts.sentences[sentence] for sentence in where)
        confusions.append(NameConfusion(gold, candidate, int(totals[key]), right_heads, sentences))
    return confusions


def build_confusion_table(treebank: TreebankResults, metric: str) -> ReportTable:
    """Return the most frequent confusions of each candidate under a metric that counts them."""
    with_heads = any("heads" in candidate.counts[metric].columns for candidate in treebank.candidates)
    rows = [
        make_cells(
            *(candidate.name, one.gold or "(none)", one.candidate or "(none)", one.count),
            *([] if one.heads is None else [one.heads]),
            *(len(one.sentences), list_first_sentences(one.sentences, MAX_EXAMPLES)),
        )
        for candidate in treebank.candidates
        for one in count_confusions(candidate.counts[metric])[:MAX_CONFUSIONS]
    ]
    return ReportTable(
        f"{treebank.name}-{metric}-{CONFUSION}",
        f"{treebank.name}: {metric_title(metric)}, confusions",
        f"Names in gold and the candidate's other names: for each candidate the {MAX_CONFUSIONS} most "
        "frequent pairs, with the first sentences in which they occur.",
        Column.texts("Candidate", "In gold", "In the candidate")
        + Column.numbers("Count", *["Head right"] * with_heads, "Sentences")
        + Column.texts("For instance"),
        rows,
    )


def build_label_differences_table(study: StudyResults) -> ReportTable:
    """Return the differences of candidates by label, those that are significant."""
    rows = [row for row in estimates_of(study).of(LABELS) if row.significant]
    return build_estimate_table(
        study,
        rows,
        "label-differences",
        "Significant differences by label",
        "The first candidate's score of a label minus the second's, where the difference is significant; "
        f"all are in estimates.csv. {describe_family(LABELS, study)}",
    )


class LabelScoresSection(Section):
    """Scores by label, relation and so on."""

    key, heading = "parts", "By label and relation"
    position = 140
    builders = (build_breakdown_tables, build_label_differences_table)
    on_candidate_page = True
    omitted_if_very_large = "scores by label"
