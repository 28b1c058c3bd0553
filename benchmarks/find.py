"""Time to find nodes with tree patterns, beside NLTK's tgrep.

    python benchmarks/find.py [DATA] [--trees N]

DATA is the folder of real treebanks (default: ../shared/data); its GUM trees are repeated to N. Both
search trees that are in memory already; ours are laid out for searching once, which is timed apart.
NLTK's time is that for a twentieth of the trees, times twenty. Both must find as many nodes there.
"""

from __future__ import annotations

import argparse
import time
import warnings
from pathlib import Path

from comparison import compared
from whole_process import table

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
PATTERNS = (
    "NP < (NP $.. PP)",
    "/^NP-SBJ/ $.. (VP << VBN)",
    "S < (/^NP/ !<< DT) !> SBAR",
    "IN , NN . DT",
    "NN .. (VBD .. NP)",
    'VP <1 (/^VB/ < i@"is") | <<# NN',
)
NLTK_SHARE = 20


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("data", nargs="?", type=Path, default=DATA)
    arguments.add_argument("--trees", type=int, default=20_000)
    options = arguments.parse_args()
    from nltk import ParentedTree

    from crossbank.converters.heads.marking import mark_heads
    from crossbank.converters.patterns.matching import find
    from crossbank.converters.patterns.positions import positions_of
    from crossbank.converters.scheme_files import load_scheme
    from crossbank.treebanks import Treebank
    from crossbank.treebanks.formats import bracket

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from nltk.tgrep import tgrep_positions
    texts = [bracket.load(path) for path in sorted((options.data / "gum" / "const").glob("*.ptb"))]
    gum = mark_heads(Treebank.concatenate(texts), load_scheme("ptb"))
    bank = gum.select([i % len(gum) for i in range(options.trees)])
    sample = bank.select(range(options.trees // NLTK_SHARE))
    trees = [ParentedTree.convert(sample.tree(i)) for i in range(len(sample))]
    find("X", sample)
    start = time.perf_counter()
    positions_of(bank)
    rows: list[tuple[object, ...]] = [
        ("laying out the trees", "-", f"{time.perf_counter() - start:.3f}", "-", "-")
    ]
    for pattern in PATTERNS:
        find(pattern, sample)
        start = time.perf_counter()
        matches = find(pattern, bank)
        computed = time.perf_counter() - start
        if "#" in pattern:  # NLTK has no heads
            rows.append((pattern, len(matches), f"{computed:.3f}", "-", "-"))
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            start = time.perf_counter()
            reference = sum(len(positions) for positions in tgrep_positions(pattern, trees))
            seconds = (time.perf_counter() - start) * NLTK_SHARE
        assert reference == len(find(pattern, sample)), pattern
        rows.append((pattern, len(matches), f"{computed:.3f}", f"{seconds:.1f}", f"{seconds / computed:.0f}"))
        print(compared(f"find {pattern} in {len(bank):,} trees", computed, "nltk.tgrep", seconds))
    print(f"{len(bank)} trees, {len(bank.tokens)} words")
    print(table(rows, ("pattern", "found", "crossbank s", "nltk s", "ratio")))


if __name__ == "__main__":
    main()
