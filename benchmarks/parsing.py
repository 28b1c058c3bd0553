"""Speed of parsing: sentences a second and core by length, against NLTK, and the memory of charts.

    python benchmarks/parsing.py ../shared/data/tiger-pcc/syntax/*.xml --scheme tiger

The grammar is read off the trees, and the sentences are their tags. The cost by length is fitted as a
power of it, for relative frequencies, and for the smoothed grammar within its beam as ``crossbank parse`` has
it. All else is of relative frequencies. NLTK's Viterbi parser gets the same grammar and the shortest
sentences, since it takes minutes for others.
"""

import argparse
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from comparison import compared

from crossbank.parsers.chart_parsing import (
    BYTES_OF_AN_ITEM,
    MEMORY,
    NO_GAIN,
    UNMASKED,
    ChartArrays,
    best_derivations,
    inside_probabilities,
)
from crossbank.parsers.coarse_to_fine import CoarseToFine
from crossbank.parsers.inside_outside import expected_counts
from crossbank.parsers.loops.chart import Chart
from crossbank.parsers.loops.viterbi import fill_best
from crossbank.parsers.nltk_grammars import to_nltk
from crossbank.parsers.other_parses import k_best_derivations, maximum_bracket_parses
from crossbank.parsers.pcfg import Pcfg, PcfgOptions
from crossbank.parsers.probabilistic_grammar import Grammar
from crossbank.treebanks.arrays import Int32Array
from crossbank.treebanks.formats import read_all


def seconds(call: Callable[[], object]) -> float:
    """Return the shortest of three runs, in seconds of processor time."""
    times = []
    for _ in range(3):
        start = time.process_time()
        call()
        times.append(time.process_time() - start)
    return min(times)


def by_length(grammar: Grammar, sentences: Sequence[Int32Array]) -> None:
    print(f"{'tokens':>6} {'sentences/s':>11} {'items':>8} {'chart':>8}")
    points = []
    for length in (5, 10, 15, 20, 25, 30, 40, 50):
        chosen = [words for words in sentences if abs(len(words) - length) <= max(1, length // 10)][:100]
        if len(chosen) < 5:
            continue
        each = seconds(lambda chosen=chosen: best_derivations(grammar, chosen)) / len(chosen)
        arrays = ChartArrays(len(grammar.symbols), sums=False)
        items: list[int] = []

        def counted(chart: Chart, words: Int32Array, items: list[int] = items) -> int:
            items.append(fill_best(grammar.best, chart, words, UNMASKED, NO_GAIN))
            return items[-1]

        for words in chosen:
            arrays.fill(len(words), lambda chart, words=words, counted=counted: counted(chart, words))
        size = max(items) * BYTES_OF_AN_ITEM + 8 * length * len(grammar.symbols)
        print(f"{length:>6} {1 / each:>11.0f} {max(items):>8} {size / 2**20:>5.1f} MB")
        points.append((length, each))
    long_enough = np.log([point for point in points if point[0] >= 10])
    print(f"cost by length: exponent {np.polyfit(long_enough[:, 0], long_enough[:, 1], 1)[0]:.2f}")


def against_nltk(model: Pcfg, sentences: Sequence[Int32Array], number: int) -> None:
    from nltk import ViterbiParser

    parser = ViterbiParser(to_nltk(model.grammar))
    chosen = sorted((words for words in sentences if len(words) >= 5), key=len)[:number]
    terminals = model.grammar.terminals
    start = time.process_time()
    trees = [next(iter(parser.parse([terminals[code] for code in words])), None) for words in chosen]
    reference = time.process_time() - start
    computed = seconds(lambda: best_derivations(model.grammar, chosen))
    actual = best_derivations(model.grammar, chosen)
    pairs = [(best, tree) for best, tree in zip(actual, trees, strict=True) if tree is not None]
    separate = max((abs(2**best.log2 - tree.prob()) for best, tree in pairs), default=0.0)
    print(f"{len(chosen)} sentences of {len(chosen[0])} to {len(chosen[-1])} tokens:")
    print(f"NLTK {reference:.2f} s, here {computed:.4f} s: {reference / computed:.0f} times")
    print(
        compared(
            f"parsing {len(chosen)} short sentences with a PCFG", computed, "nltk.ViterbiParser", reference
        )
    )
    print(f"largest difference of a probability: {separate:.1e}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--scheme", required=True)
    parser.add_argument("--vertical", default="1")
    parser.add_argument("--horizontal", default="1")
    parser.add_argument("--nltk", type=int, default=20, help="how many sentences NLTK parses")
    arguments = parser.parse_args()
    os.environ["CROSSBANK_THREADS"] = "1"
    bank = read_all(arguments.files)
    options = PcfgOptions(input="tags", vertical=arguments.vertical, horizontal=arguments.horizontal)
    for one in (options, replace(options, smoothing="none")):
        training = seconds(lambda one=one: Pcfg.train(bank, arguments.scheme, one))
        model = Pcfg.train(bank, arguments.scheme, one)
        sentences = model.sentences(model.words(bank))
        print(
            f"smoothing={one.smoothing}: {model.describe()}; "
            f"read off {len(bank)} sentences in {training:.2f} s"
        )
        grammar = replace(model.grammar, beam=one.beam) if one.smoothed else model.grammar
        by_length(grammar, sentences)
    twenty = [words for words in sentences if 18 <= len(words) <= 22][:100]
    pruning = CoarseToFine.of(grammar, 1e-4)
    for name, call in (
        ("best", lambda: best_derivations(grammar, twenty)),
        ("inside", lambda: inside_probabilities(grammar, twenty)),
        ("inside-outside", lambda: expected_counts(grammar, twenty)),
        ("maximum brackets", lambda: maximum_bracket_parses(grammar, twenty, limit=MEMORY)),
        ("10 best", lambda: k_best_derivations(grammar, twenty, 10, limit=MEMORY)),
        ("pruned at 0.0001", lambda: pruning.best_derivations(twenty, limit=MEMORY)),
    ):
        print(f"{name:<18} {len(twenty) / seconds(call):>8.0f} sentences of 20 tokens a second and core")
    print(pruning.loss(twenty, pruning.best_derivations(twenty, limit=MEMORY), limit=MEMORY))
    if arguments.nltk:
        against_nltk(model, sentences, arguments.nltk)


if __name__ == "__main__":
    main()
