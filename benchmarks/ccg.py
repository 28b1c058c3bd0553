"""Time to read and to score CCG derivations.

    python benchmarks/ccg.py [DATA] [--words N]

DATA is the folder of real treebanks (default: ../shared/data); its 62 gold derivations and depccg's of the
same sentences are repeated to N words (default: a million). Whole processes of ``crossbank score``: both
files are read, heads are unified where dependencies are scored. Wall-clock seconds, seconds of the
processors, peak of memory.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from tempfile import TemporaryDirectory

from whole_process import measure, table

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
WORDS = 892
"""The number of words in the derivations of one copy."""

METRICS = ("categories", "parseval", "ccg_dependencies", "categories,parseval,ccg_dependencies")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("data", nargs="?", type=Path, default=DATA)
    arguments.add_argument("--words", type=int, default=1_000_000)
    options = arguments.parse_args()
    copies = -(-options.words // WORDS)
    rows = []
    with TemporaryDirectory() as folder:
        files = []
        for name in ("geo-dev.auto", "geo-dev.depccg_default.auto"):
            text = (options.data / "ccg-geometry" / name).read_text(encoding="utf-8")
            files.append(Path(folder) / name)
            with files[-1].open("w", encoding="utf-8") as target:
                for copy in range(copies):
                    target.write(re.sub(r"ID=(\d+)", rf"ID={copy}.\1", text))
        for metric in METRICS:
            command = ["crossbank", "score", *map(str, files), "--scheme", "ccg", "--metric", metric]
            timing = measure(command, runs=1)
            rows.append(
                (metric, f"{timing.seconds:.2f}", f"{timing.processors:.2f}", f"{timing.megabytes:.0f}")
            )
    print(f"{copies * WORDS:,} words in each of two files")
    print(table(rows, ("metric", "seconds", "processor seconds", "MB")))


if __name__ == "__main__":
    main()
