"""TIGER sentences a second that become dependencies, without the time to read them.

    python benchmarks/conversion.py [DATA] [--sentences N]

DATA is the folder of real treebanks (default: ../shared/data); the commentaries of tiger-pcc are repeated
to N sentences. Compiled loops are warm; the best of three runs counts.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("data", nargs="?", type=Path, default=DATA)
    arguments.add_argument("--sentences", type=int, default=20_000)
    options = arguments.parse_args()
    from crossbank.converters.scheme_files import load_scheme
    from crossbank.converters.transformations import transform
    from crossbank.treebanks import Treebank
    from crossbank.treebanks.formats import read

    files = sorted(options.data.glob("tiger-pcc/syntax/*.xml"))
    if not files:
        print(f"{options.data}: there is no tiger-pcc: nothing is measured")
        return
    once = Treebank.concatenate([read(path, "tigerxml") for path in files])
    bank = Treebank.concatenate([once] * -(-options.sentences // len(once)))
    scheme = load_scheme("tiger")
    for coordination in ("first", "all"):
        steps = ["insert_flat_phrases", f"dependencies:coordination={coordination}"]
        transform(once, steps, scheme)
        seconds = []
        for _ in range(3):
            begin = time.perf_counter()
            transform(bank, steps, scheme)
            seconds.append(time.perf_counter() - begin)
        print(f"coordination={coordination:<6}{len(bank) / min(seconds):>10,.0f} sentences a second")


if __name__ == "__main__":
    main()
