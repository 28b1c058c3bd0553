"""Studies from counts drawn at random, without treebanks: for statistics over many sentences."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from crossbank.metrics.counting.counts import Counts, Measure, Policy, Signature, precision_recall_f1, ratio
from crossbank.metrics.pairing.pair import Status
from crossbank.reports.results.study_results import CandidateResults, StudyResults, TreebankResults
from crossbank.reports.results.summary import compute_scores
from crossbank.reports.study.model import Settings
from crossbank.treebanks.ratios import Ratios

SIZE = 120

RATIOS: Ratios = {
    "sentences": SIZE, "tokens": 1200, "nodes": 600, "tokens_per_sentence": 10.0,
    "nodes_per_sentence": 5.0, "nodes_per_token": 0.5, "discontinuous_sentences": 0,
}  # fmt: skip

BRACKETS = precision_recall_f1("gold", "candidate", "matched", "brackets")
LINEAGES = (
    Measure(
        "mean", lambda sums: ratio(sums["mean"], sums["rows"]), "mean of the sentences' means", title="Avg."
    ),
)


def brackets(
    right: float, seed: int = 1, *, size: int = SIZE, gold_seed: int = 0, policy: Policy = "empty"
) -> Counts:
    """Return a candidate that finds each gold bracket with the same probability."""
    gold = np.random.default_rng(gold_seed).integers(1, 12, size)
    random = np.random.default_rng(seed)
    matched = random.binomial(gold, right)
    columns = {"gold": gold, "candidate": matched + random.binomial(gold, 1 - right), "matched": matched}
    return Counts(
        Signature("brackets", "1.0"),
        BRACKETS,
        [f"s{sentence}" for sentence in range(1, size + 1)],
        np.full(size, Status.SCORED, np.int8),
        {name: column.astype(np.float64) for name, column in columns.items()},
        policy=policy,
    )


def lineages(like: Counts, *, noise: float = 0.1, seed: int = 1) -> Counts:
    """Return another metric of the same candidate: near the proportion of its brackets that are right."""
    random = np.random.default_rng(seed)
    mean = np.clip(like.by_sentence("f1") + noise * random.standard_normal(len(like)), 0, 1)
    return Counts(
        Signature("lineages", "1.0"),
        LINEAGES,
        like.sentences,
        like.status,
        {"mean": mean},
        policy=like.policy,
    )


def both(right: float, seed: int = 1, **options: Any) -> dict[str, Counts]:
    """Return both metrics of one candidate."""
    actual = brackets(right, seed, **options)
    return {"brackets": actual, "lineages": lineages(actual, seed=seed)}


def study_of(
    scored: Mapping[str, Mapping[str, Mapping[str, Counts]]],
    attributes: Mapping[str, Mapping[str, Any]] | None = None,
    systems: Mapping[str, str] | None = None,
    **options: Any,
) -> StudyResults:
    """Return a study from counts by treebank, candidate and metric; attributes and systems by candidate.

    The attribute ``system`` names the system, too, as in study files.
    """
    treebanks = tuple(
        TreebankResults(
            treebank,
            "tiger",
            {"as read": RATIOS},
            tuple(
                CandidateResults(
                    name,
                    counts,
                    attributes=(attributes or {}).get(name, {}),
                    system=(systems or {}).get(name) or (attributes or {}).get(name, {}).get("system", ""),
                )
                for name, counts in candidates.items()
            ),
        )
        for treebank, candidates in scored.items()
    )
    scores = [
        score
        for treebank, candidates in scored.items()
        for candidate, counts in candidates.items()
        for metric, actual in counts.items()
        for score in compute_scores(actual, Settings("counted", samples=100), treebank, candidate, metric)
    ]
    return StudyResults("counted", treebanks, scores, samples=200, trials=500, **options)
