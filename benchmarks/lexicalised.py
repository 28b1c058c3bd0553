"""Speed of head-lexicalised grammars: sentences a second and core by length, with pruning and without.

    python benchmarks/lexicalised.py ../shared/data/tiger-pcc/syntax/*.xml --scheme tiger

The grammar is read off the first thousand trees, with tags and functions, and re-estimated for two rounds
without heads and one with heads. The sentences are the same, since all of them have a parse. The cost by
length is fitted as a power of it.
"""

import argparse
import os
import time
from collections.abc import Callable, Sequence

import numpy as np

from crossbank.parsers.chart_parsing import MEMORY
from crossbank.parsers.lexicalised import LexicalisedOptions, LexicalisedPcfg
from crossbank.parsers.lexicalised_estimation import CodedSentence, best_derivations, expected_counts
from crossbank.parsers.packed_forests import Packer
from crossbank.treebanks.formats import read_all


def seconds(call: Callable[[], object]) -> float:
    """Return the seconds of processor time that a call takes."""
    start = time.process_time()
    call()
    return time.process_time() - start


def by_length(parser: LexicalisedPcfg, sentences: Sequence[CodedSentence], prune: float) -> None:
    packer = Packer(parser.model.headed, prune, MEMORY)
    points = []
    for length in (5, 10, 15, 20, 30, 40):
        chosen = [s for s in sentences if abs(len(s.heads) - length) <= max(1, length // 10)][:20]
        if len(chosen) < 5:
            continue
        parse = seconds(lambda chosen=chosen: best_derivations(parser.model, packer, chosen)) / len(chosen)
        learn = seconds(lambda chosen=chosen: expected_counts(parser.model, packer, chosen)) / len(chosen)
        print(f"prune {prune:g}: {length:>3} tokens {1 / parse:>7.1f} parsed {1 / learn:>7.1f} learned from")
        points.append((length, learn))
    long_enough = np.log([point for point in points if point[0] >= 10])
    print(f"cost by length: exponent {np.polyfit(long_enough[:, 0], long_enough[:, 1], 1)[0]:.2f}")


def main() -> None:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("paths", nargs="+")
    arguments.add_argument("--scheme", required=True)
    settings = arguments.parse_args()
    os.environ["CROSSBANK_THREADS"] = "1"
    bank = read_all(settings.paths, None)
    options = LexicalisedOptions(input="tags", functions=True, horizontal="0", iterations=3)
    bank = bank.select(np.arange(1000))
    parser = LexicalisedPcfg.train(bank, settings.scheme, options)
    print(f"{parser.describe()}")
    sentences = parser.sentences(parser.pcfg.words(bank))
    for prune in (0.0, 0.0001):
        by_length(parser, sentences, prune)


if __name__ == "__main__":
    main()
