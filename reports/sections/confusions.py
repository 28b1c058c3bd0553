"""Names that candidates give instead of gold's, as pairs, the most frequent first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from crossbank.metrics.counting.counts import ARROW, Counts
from crossbank.metrics.counting.presentation import metric_title
from crossbank.reports.results.study import TreebankResults
from crossbank.reports.tables.table import Cell, Column, Table, text_columns, texts

CONFUSION = "confusion"
"""The kind of parts whose names are gold's and the candidate's with ``ARROW`` between them."""

SHOWN = 20
EXAMPLES = 3


@dataclass(frozen=True)
class Confused:
    """A name in gold, the candidate's other name, how often they meet, and in which sentences.

    heads  how many of the words have the right head; None if heads were not counted
    """

    gold: str
    candidate: str
    count: int
    heads: int | None
    sentences: tuple[str, ...]


def confused(counts: Counts) -> list[Confused]:
    """All confusions over the sentences that enter the score, the most frequent first."""
    parts = counts.parts[CONFUSION]()
    entering = counts.rows[parts.sentence]
    amount = np.where(entering, np.maximum(parts.columns["gold"], parts.columns["candidate"]), 0.0)
    totals = np.bincount(parts.key, amount, len(parts.keys))
    heads = parts.columns.get("heads")
    right = (
        np.bincount(parts.key, np.where(entering, heads, 0.0), len(parts.keys)) if heads is not None else None
    )
    order = np.argsort(parts.key, kind="stable")
    begins = np.searchsorted(parts.key[order], np.arange(len(parts.keys) + 1))
    found = []
    for key in np.argsort(-totals, kind="stable").tolist():
        gold, _, candidate = parts.keys[key].partition(ARROW)
        if gold == candidate or not totals[key]:
            continue
        rows = order[begins[key] : begins[key + 1]]
        where = parts.sentence[rows[amount[rows] > 0]].tolist()
        found.append(
            Confused(
                gold,
                candidate,
                int(totals[key]),
                None if right is None else int(right[key]),
                tuple(counts.sentences[sentence] for sentence in where),
            )
        )
    return found


def confusion_table(treebank: TreebankResults, metric: str) -> Table:
    """Return the most frequent confusions of each candidate under a metric that counts them."""
    rows = [
        row for candidate in treebank.candidates for row in _rows(candidate.name, candidate.counts[metric])
    ]
    with_heads = any("heads" in candidate.counts[metric].columns for candidate in treebank.candidates)
    return Table(
        f"{treebank.name}-{metric}-{CONFUSION}",
        f"{treebank.name}: {metric_title(metric)}, confusions",
        f"Names in gold and the candidate's other names: for each candidate the {SHOWN} most frequent "
        "pairs, with the first sentences in which they occur.",
        [
            *text_columns("Candidate", "In gold", "In the candidate"),
            Column("Count"),
            *([Column("Head right")] if with_heads else []),
            Column("Sentences"),
            Column("For instance", numeric=False),
        ],
        rows,
    )


def _rows(candidate: str, counts: Counts) -> Iterator[list[Cell]]:
    for one in confused(counts)[:SHOWN]:
        more = ", ..." if len(one.sentences) > EXAMPLES else ""
        heads = [] if one.heads is None else [one.heads]
        examples = ", ".join(one.sentences[:EXAMPLES]) + more
        yield texts(
            candidate, one.gold or "(none)", one.candidate or "(none)", one.count, *heads,
            len(one.sentences), examples,
        )  # fmt: skip
