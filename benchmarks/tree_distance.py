"""Time for the distances between parses, the tree distance beside the package apted.

    python benchmarks/tree_distance.py [DATA] [--pairs N] [--sentences N]

DATA is the folder of real treebanks (default: ../shared/data): FarPaHC's gold trees and what the
Berkeley parser made of them. For the tree distance both programs get the same trees in their own form,
N pairs that differ, of up to 40 words, and must find the same distances; apted is left out where it is
not installed. For the other distances the sentences that could be parsed are repeated to N. Reading
and compiling are not counted; the best time of three counts, of apted, which is slow, the only one.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from comparison import compared

if TYPE_CHECKING:
    from crossbank.metrics.pairing.pair import Pair
    from crossbank.treebanks import Treebank

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
LONGEST = 40
ROUNDS = 3


def parsed(data: Path) -> Pair:
    """Return gold and parser output of all sentences that have a parse."""
    from crossbank.metrics.pairing.pair import pair
    from crossbank.treebanks import Treebank
    from crossbank.treebanks.formats import bracket

    folder = data / "farpahc" / "parsers" / "e1"
    gold, candidate = (
        Treebank.concatenate([bracket.load(path) for path in sorted((folder / name).glob("*.psd"))])
        for name in ("corpus", "output")
    )
    both = pair(gold, candidate)
    return both.select(np.flatnonzero(both.scored))


def apted_trees(bank: Treebank) -> list[Any]:
    """Return the trees in apted's form, under a root that all have; each word is a leaf."""
    from apted.helpers import Tree

    actual = []
    for sentence in range(len(bank)):
        nodes, tokens, words = bank.nodes.rows(sentence), bank.tokens.rows(sentence), bank.words(sentence)
        trees = [Tree(label) for label in bank.vocabulary.decode(bank.nodes.label[nodes])]
        hung = list(zip(bank.spans.start[nodes], bank.nodes.parent[nodes], trees, strict=True))
        hung += zip(range(len(words)), bank.tokens.parent[tokens], map(Tree, words), strict=True)
        trees.append(Tree(""))
        for _, parent, child in sorted(hung, key=lambda child: child[0]):
            trees[parent].children.append(child)
        actual.append(trees[-1])
    return actual


def apted_distances(both: Pair) -> tuple[float, list[float]]:
    """Return seconds, and the distance of each pair. Raises ImportError where apted is not installed."""
    from apted import APTED

    pairs = list(zip(apted_trees(both.gold), apted_trees(both.candidate), strict=True))
    start = time.perf_counter()
    actual = [float(APTED(gold, candidate).compute_edit_distance()) for gold, candidate in pairs]
    return time.perf_counter() - start, actual


def seconds(count: Callable[[], Any]) -> tuple[float, Any]:
    """Return the best time of some rounds after a first one, and the last result."""
    actual, times = count(), []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        actual = count()
        times.append(time.perf_counter() - start)
    return min(times), actual


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("data", nargs="?", type=Path, default=DATA)
    parser.add_argument("--pairs", type=int, default=2000)
    parser.add_argument("--sentences", type=int, default=50_000)
    arguments = parser.parse_args()
    if not (arguments.data / "farpahc").is_dir():
        parser.exit(2, f"{arguments.data}: there is no farpahc; the real treebanks are needed\n")
    from crossbank.metrics.counting.metric import metric

    both = parsed(arguments.data)
    tree = metric("tree_distance")
    differ = tree.counts(both).columns["distance"] > 0
    chosen = np.flatnonzero(differ & (both.gold.tokens.lengths() <= LONGEST))
    pairs = both.select(np.resize(chosen, arguments.pairs))
    best, counts = seconds(lambda: tree.counts(pairs))
    print(f"tree distance, {len(pairs)} pairs of different trees of up to {LONGEST} words")
    print(f"  crossbank {best:9.3f} s")
    try:
        reference, distances = apted_distances(pairs)
    except ImportError:
        print("  apted is not installed: left out")
    else:
        same = counts.columns["distance"].tolist() == distances
        print(f"  apted     {reference:9.3f} s, {reference / best:.0f} times as long")
        print(compared(f"tree distance of {len(pairs):,} pairs", best, "apted", reference))
        print(f"  the same distances: {'yes' if same else 'NO'}")

    many = both.select(np.resize(np.arange(len(both)), arguments.sentences))
    print(f"sentences a second, {len(many)} of FarPaHC, {len(many.gold.tokens) / len(many):.1f} words each")
    for name in ("rule_distance", "span_distance", "bracketing_distance", "tree_distance", "tedeval"):
        for options in ({}, {"cost": "first_letter"}) if name.endswith("distance") else ({},):
            scorer = metric(name, options)
            best, _ = seconds(lambda scorer=scorer: scorer.counts(many))  # type: ignore[misc]  # bound now
            print(f"  {name:<20} {options.get('cost', 'exact'):<13}{len(many) / best:>10.0f}")


if __name__ == "__main__":
    main()
