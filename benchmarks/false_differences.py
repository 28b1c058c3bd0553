"""The proportion of candidates that are called different although their true difference is zero.

    python benchmarks/false_differences.py [--studies N] [--sentences N] [--candidates N]

Makes studies in which all candidates find a gold bracket with the same probability, sentence by
sentence (some sentences are harder than others, as in a treebank), and tests every pair. Prints for each
test how many studies have a difference at alpha, with the bounds within which that number lies 99 times
in 100 if the test keeps its promise. Leaves with 1 if a number lies above its upper bound.
"""

from __future__ import annotations

import argparse
import sys
from itertools import combinations

import numpy as np
from scipy.stats import binom

from crossbank.metrics.counting.counts import Counts, Status, precision_recall_f1
from crossbank.metrics.counting.signature import Signature
from crossbank.metrics.statistics.significance import holm, paired, unpaired

ALPHA = 0.05
SAMPLES = 500


def candidate(random: np.random.Generator, gold: np.ndarray, ease: np.ndarray) -> Counts:
    matched = random.binomial(gold, ease)
    found = matched + random.binomial(gold, 0.8 * (1 - ease))
    columns = {"gold": gold * 1.0, "candidate": found * 1.0, "matched": matched * 1.0}
    return Counts(
        Signature("simulated", "1.0"),
        precision_recall_f1("gold", "candidate", "matched", "brackets"),
        range(len(gold)),  # type: ignore[arg-type] # numbers serve as identifiers
        np.full(len(gold), Status.SCORED, np.int8),
        columns,
    )


def treebank(random: np.random.Generator, sentences: int) -> tuple[np.ndarray, np.ndarray]:
    return random.negative_binomial(3, 0.2, sentences) + 1, random.beta(8, 2, sentences)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--studies", type=int, default=1000)
    parser.add_argument("--sentences", type=int, default=200)
    parser.add_argument("--candidates", type=int, default=4)
    given = parser.parse_args()
    called = dict.fromkeys(
        (
            "randomisation, one pair",
            "paired bootstrap, one pair",
            "unpaired bootstrap, one pair",
            "randomisation, any pair, uncorrected",
            "randomisation, any pair, Holm",
        ),
        0,
    )
    for seed in range(given.studies):
        random = np.random.default_rng(seed)
        gold, ease = treebank(random, given.sentences)
        candidates = [candidate(random, gold, ease) for _ in range(given.candidates)]
        other = candidate(random, *treebank(random, given.sentences))
        found = [
            paired(*pair, samples=SAMPLES, trials=SAMPLES, seed=seed)["f1"]
            for pair in combinations(candidates, 2)
        ]
        probabilities = [difference.p for difference in found]
        apart = unpaired(candidates[0], other, samples=SAMPLES, seed=seed)["f1"]
        smallest = (
            probabilities[0],
            found[0].bootstrap,
            apart.bootstrap,
            min(probabilities),
            min(holm(probabilities)),
        )
        for test, probability in zip(called, smallest, strict=True):
            called[test] += probability <= ALPHA
    low, high = binom.interval(0.99, given.studies, ALPHA)
    print(
        f"{given.studies} studies of {given.sentences} sentences and {given.candidates} equal candidates;"
        f" alpha {ALPHA}: expected {given.studies * ALPHA:.0f} ({low:.0f} to {high:.0f})\n"
    )
    for test, number in called.items():
        print(f"  {test:<38} {number:>5}  {100 * number / given.studies:5.1f} %")
    kept = [number <= high for test, number in called.items() if "uncorrected" not in test]
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main())
