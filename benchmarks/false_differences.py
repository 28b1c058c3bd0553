"""How often a difference is claimed that is not there, and how often one is found that is.

    python benchmarks/false_differences.py [--studies N] [--sentences N] [--candidates N] [--draws N]

Makes studies in which all candidates find a gold bracket with the same probability, sentence by sentence
(some sentences are harder than others, as in a treebank), and studies in which one of them is worse by five
points of F1. All pairs are tested under F1 as a study does by default: with the same draws, the same
correction and the same level. Prints in how many studies a difference is claimed, with the upper bound of
what a test that keeps its promise claims 99 times in 100. Leaves with 1 if more differences are claimed than
that, or if the worse candidate is found in fewer than 95 of 100 studies.
"""

from __future__ import annotations

import argparse
import sys
import time

import numpy as np
from scipy.stats import binom

from crossbank.metrics.counting.counts import Counts, Signature, precision_recall_f1
from crossbank.metrics.pairing.pair import Status
from crossbank.metrics.statistics.defaults import ALPHA, TRIALS
from crossbank.metrics.statistics.significance import number_of_tests
from crossbank.reports.results import candidate_pairs
from crossbank.reports.results.candidate_pairs import Comparison, Scored

BEHIND = 0.053
"""A lower probability of each gold bracket by this much is five points of F1 less."""

FOUND = 0.95
"""The worse candidate is to be found in this proportion of the studies."""

WORSE = "c0"


def candidate(random: np.random.Generator, gold: np.ndarray, ease: np.ndarray) -> Counts:
    matched = random.binomial(gold, ease)
    found = matched + random.binomial(gold, 0.8 * (1 - ease))
    columns = {"gold": gold * 1.0, "candidate": found * 1.0, "matched": matched * 1.0}
    return Counts(
        Signature("simulated", "1.0"),
        precision_recall_f1("gold", "candidate", "matched", "brackets")[2:],
        range(len(gold)),  # type: ignore[arg-type] # numbers serve as identifiers
        np.full(len(gold), Status.SCORED, np.int8),
        columns,
    )


def study(seed: int, sentences: int, candidates: int, behind: float) -> Scored:
    random = np.random.default_rng(seed)
    gold, ease = random.negative_binomial(3, 0.2, sentences) + 1, random.beta(8, 2, sentences)
    parsers = {
        f"c{number}": candidate(random, gold, np.maximum(ease - (behind if number == 0 else 0), 0))
        for number in range(candidates)
    }
    return {"treebank": {name: {"simulated": counts} for name, counts in parsers.items()}}


def claimed(found: list[Comparison], *, uncorrected: bool = False) -> list[Comparison]:
    """Return the comparisons in which a difference is claimed."""
    return [c for c in found if (c.difference.p if uncorrected else c.difference.corrected) <= ALPHA]


def equal_candidates(given: argparse.Namespace) -> dict[str, int]:
    """Return the number of studies of equal candidates in which some difference is claimed."""
    names = ("some difference", "some difference, uncorrected", "some difference to the best")
    called = dict.fromkeys(names, 0)
    for seed in range(given.studies):
        scored = study(seed, given.sentences, given.candidates, 0.0)
        found, _ = candidate_pairs.every_pair(scored, samples=0, trials=given.draws, seed=seed)
        called["some difference"] += bool(claimed(found))
        called["some difference, uncorrected"] += bool(claimed(found, uncorrected=True))
        main = {"simulated": next(iter(scored["treebank"].values()))["simulated"].measure("f1")}
        asked = candidate_pairs.with_the_best(scored, main)
        answered = candidate_pairs.answers(asked, samples=0, trials=given.draws, seed=seed)
        called["some difference to the best"] += bool(
            claimed(candidate_pairs.comparisons(scored, asked, answered))
        )
    return called


def one_behind(given: argparse.Namespace) -> dict[str, int]:
    """Number of studies in which the worse candidate is found, and others are claimed to differ."""
    names = ("it differs from the best", "it differs from every other", "some other two differ")
    called = dict.fromkeys(names, 0)
    for seed in range(given.studies):
        scored = study(10**6 + seed, given.sentences, given.candidates, BEHIND)
        found, _ = candidate_pairs.every_pair(scored, samples=0, trials=given.draws, seed=seed)
        values = {name: of["simulated"].value("f1") for name, of in scored["treebank"].items()}
        best = max(values, key=values.__getitem__)
        real = claimed(found)
        pairs = [{c.candidate, c.other} for c in real]
        called["it differs from the best"] += {WORSE, best} in pairs
        called["it differs from every other"] += sum(WORSE in pair for pair in pairs) == given.candidates - 1
        called["some other two differ"] += any(WORSE not in (c.candidate, c.other) for c in real)
    return called


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--studies", type=int, default=500)
    parser.add_argument("--sentences", type=int, default=500)
    parser.add_argument("--candidates", type=int, default=40)
    parser.add_argument("--draws", type=int, default=TRIALS)
    given = parser.parse_args()
    begin = time.perf_counter()
    tests = number_of_tests(
        list(candidate_pairs.within_treebanks(study(0, 2, given.candidates, 0.0)).values())
    )
    most = int(binom.ppf(0.99, given.studies, ALPHA))
    print(
        f"{given.studies:,} studies each, {given.sentences} sentences, {given.candidates} candidates; "
        f"{tests:,} tests in a family, {given.draws:,} draws, alpha {ALPHA}"
    )
    kept = True
    for heading, simulate, bounds in (
        (
            "all candidates equal",
            equal_candidates,
            {"some difference": most, "some difference to the best": most},
        ),
        ("one 5 points behind", one_behind, {"some other two differ": most}),
    ):
        called = simulate(given)
        print(f"\n{heading}")
        for what, number in called.items():
            bound = f"at most {bounds[what]}" if what in bounds else ""
            print(f"  {what:<34} {number:>5}  {100 * number / given.studies:5.1f} %  {bound}".rstrip())
            kept &= number <= bounds.get(what, number)
        kept &= called.get("it differs from the best", given.studies) >= FOUND * given.studies
    print(f"\n{time.perf_counter() - begin:.0f} seconds")
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
