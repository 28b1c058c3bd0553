"""Time to read grammatical relations off trees.

    python benchmarks/relations.py [DATA] [--trees N]

DATA is the folder of real treebanks (default: ../shared/data); its GUM trees and their dependencies are
repeated to N sentences. Words per minute without reading the files, beside the 170,000 of the prototype
of 2002 (30 million words in about three hours: Briscoe et al. 2002, section 5).
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from whole_process import table

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
PROTOTYPE = 30_000_000 / 180
ROUNDS = 3


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("data", nargs="?", type=Path, default=DATA)
    arguments.add_argument("--trees", type=int, default=50_000)
    options = arguments.parse_args()
    from crossbank.converters.relations.relations_from_trees import relations_from_trees
    from crossbank.converters.scheme_files import load_scheme
    from crossbank.treebanks import Treebank
    from crossbank.treebanks.formats import read

    rows = []
    for scheme, pattern in (("ptb", "const/*.ptb"), ("ud", "dep/*.conllu")):
        files = sorted((options.data / "gum").glob(pattern))
        gum = Treebank.concatenate([read(path) for path in files])
        bank = gum.select([i % len(gum) for i in range(options.trees)])
        relations_from_trees(gum, load_scheme(scheme))
        seconds = []
        for _ in range(ROUNDS):
            start = time.perf_counter()
            read_off = relations_from_trees(bank.replace(), load_scheme(scheme))
            seconds.append(time.perf_counter() - start)
        speed = len(bank.tokens) / min(seconds) * 60
        rows.append(
            (
                scheme,
                len(bank.tokens),
                len(read_off.relations),
                f"{min(seconds):.2f}",
                f"{speed:,.0f}",
                f"{speed / PROTOTYPE:.0f}",
            )
        )
    print(table(rows, ("rules", "words", "relations", "seconds", "words a minute", "times the prototype")))


if __name__ == "__main__":
    main()
