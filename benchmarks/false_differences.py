"""How often a difference is claimed where there is none, and how often a real one is shown.

    python benchmarks/false_differences.py [--studies N] [--sentences N] [--candidates N] [--draws N]

Simulates studies in which all candidates match a gold bracket with the same probability, sentence by sentence
(some sentences are harder than others, as in a treebank), and studies in which one of them is worse by five
points of F1. All pairs of candidates are one family, as in a report. Prints in how many studies a difference
is claimed, with the bound that a test of level alpha exceeds once in 100 runs of this benchmark. Exits with 1
if more differences are claimed, or if the worse candidate is shown to be behind the best in fewer than 95 of
100 studies.
"""

from __future__ import annotations

import argparse
import sys
import time
from itertools import combinations

import numpy as np
from scipy.stats import binom

from crossbank.metrics.counting.counts import Counts, Signature, precision_recall_f1
from crossbank.metrics.pairing.pair import Status
from crossbank.metrics.statistics.defaults import ALPHA, TRIALS
from crossbank.metrics.statistics.estimates import CandidateRun, Contrast, Estimate, Family, estimates

LOWER_PROBABILITY = 0.053
"""A probability of matching that is lower by this is five points of F1 less."""

MIN_SHOWN = 0.95
"""The worse candidate is shown to be behind the best in at least this proportion of the studies."""

WORSE = "c0"


def simulate_counts(random: np.random.Generator, gold: np.ndarray, probability: np.ndarray) -> Counts:
    """Return counts of brackets of one candidate, for gold's brackets of each sentence."""
    matched = random.binomial(gold, probability)
    brackets = matched + random.binomial(gold, 0.8 * (1 - probability))
    numbers = {"gold": gold, "candidate": brackets, "matched": matched}
    columns = {name: column.astype(np.float64) for name, column in numbers.items()}
    return Counts(
        Signature("simulated", "1.0"),
        precision_recall_f1("gold", "candidate", "matched", "brackets")[2:],
        range(len(gold)),  # type: ignore[arg-type] # numbers serve as identifiers
        np.full(len(gold), Status.SCORED, np.int8),
        columns,
    )


def simulate_family(seed: int, sentences: int, candidates: int, lower_probability: float) -> Family:
    """Return the differences of all pairs of candidates of one simulated study."""
    random = np.random.default_rng(seed)
    gold = random.negative_binomial(3, 0.2, sentences) + 1
    probability = random.beta(8, 2, sentences)
    runs = []
    for number in range(candidates):
        lowered = np.maximum(probability - (lower_probability if number == 0 else 0), 0)
        runs.append(CandidateRun("gold", f"c{number}", simulate_counts(random, gold, lowered), "gold"))
    measure = runs[0].counts.measure("f1")
    contrasts = [
        Contrast(
            "simulated", measure, ((1, one), (-1, other)), "gold", one.candidate, "gold", other.candidate
        )
        for one, other in combinations(runs, 2)
    ]
    return Family("candidates", "gold", contrasts)


def count_claims(arguments: argparse.Namespace, first_seed: int, lower_probability: float) -> dict[str, int]:
    """Return in how many studies a difference of each kind is claimed."""
    kinds = ("of equal candidates", "of equal candidates, uncorrected", "of the worse from the best")
    claims = dict.fromkeys(kinds, 0)
    for seed in range(first_seed, first_seed + arguments.studies):
        family = simulate_family(seed, arguments.sentences, arguments.candidates, lower_probability)
        rows = estimates([family], trials=arguments.draws, seed=seed)
        equal = [row for row in rows if not (lower_probability and WORSE in (row.candidate, row.other))]
        claims["of equal candidates"] += any(row.significant for row in equal)
        claims["of equal candidates, uncorrected"] += any(row.p <= ALPHA for row in equal)
        claims["of the worse from the best"] += shows_worse_behind_best(family, rows)
    return claims


def shows_worse_behind_best(family: Family, rows: list[Estimate]) -> bool:
    """Return whether the worse candidate differs significantly from the one of the highest score."""
    scores = {
        run.candidate: run.counts.value("f1") for contrast in family.contrasts for _, run in contrast.terms
    }
    best = max(scores, key=scores.__getitem__)
    return any(row.significant and {row.candidate, row.other} == {WORSE, best} for row in rows)


def main() -> int:
    """Simulate the studies and print in how many of them differences are claimed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--studies", type=int, default=500)
    parser.add_argument("--sentences", type=int, default=500)
    parser.add_argument("--candidates", type=int, default=40)
    parser.add_argument("--draws", type=int, default=TRIALS)
    arguments = parser.parse_args()
    begin = time.perf_counter()
    max_false = int(binom.ppf(0.99, arguments.studies, ALPHA))
    print(
        f"{arguments.studies:,} studies each, {arguments.sentences} sentences, "
        f"{arguments.candidates} candidates, {arguments.draws:,} draws, alpha {ALPHA}"
    )
    passed = True
    for heading, first_seed, lower_probability in (
        ("all candidates equal", 0, 0.0),
        ("one 5 points behind", 10**6, LOWER_PROBABILITY),
    ):
        claims = count_claims(arguments, first_seed, lower_probability)
        print(f"\n{heading}: studies in which a difference is claimed")
        for kind, number in claims.items():
            bound = f"at most {max_false}" if kind == "of equal candidates" else ""
            print(f"  {kind:<34} {number:>5}  {100 * number / arguments.studies:5.1f} %  {bound}".rstrip())
        passed &= claims["of equal candidates"] <= max_false
        if lower_probability:
            passed &= claims["of the worse from the best"] >= MIN_SHOWN * arguments.studies
    print(f"\n{time.perf_counter() - begin:.0f} seconds")
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
