"""Time and memory from a thousand to a million sentences, and how they grow.

    python benchmarks/growth.py [DATA] [--sizes 1000 10000 100000 1000000]

DATA is the folder of real treebanks (default: ../shared/data); its IcePaHC texts are repeated to the
sizes, with a perturbed copy. Whole processes, each once. After the seconds stands the exponent of growth
between two sizes, without the time of the smallest, which is mostly that of starting: 1 is linear.
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
import tempfile
from pathlib import Path

from score import icepahc_trees, write_trees
from whole_process import measure, table

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
STAGES = {
    "info": ["info", "{gold}", "--scheme", "ppche"],
    "convert to dependencies": ["convert", "{gold}", "{folder}/out.conllu", "--scheme", "ppche"],
    "score parseval": ["score", "{gold}", "{candidate}"],
    "score leaf_ancestor": ["score", "{gold}", "{candidate}", "--metric", "leaf_ancestor"],
    "score dependencies": ["score", "{gold}", "{candidate}", "--metric", "dependencies", "--scheme", "ppche"],
}
"""What is measured: the arguments of ``crossbank``."""


def main() -> None:
    """Print a table with a row for each stage."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("data", nargs="?", type=Path, default=DATA)
    parser.add_argument("--sizes", nargs="+", type=int, default=[1000, 10_000, 100_000, 1_000_000])
    arguments = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        # In a process of its own: a child's peak of memory is never below its parent's.
        maker = multiprocessing.get_context("spawn").Process(
            target=write_trees, args=(icepahc_trees, arguments.data, folder, arguments.sizes)
        )
        maker.start()
        maker.join()
        for name, written in STAGES.items():
            timings = []
            for size in arguments.sizes:
                files = {side: str(Path(folder, f"{side}{size}.mrg")) for side in ("gold", "candidate")}
                command = ["crossbank", *(part.format(folder=folder, **files) for part in written)]
                timings.append(measure(command, runs=1, warm=size == arguments.sizes[0]))
            start = timings[0].seconds
            cells = [f"{start:.2f}"]
            for index in range(1, len(timings)):
                cell = f"{timings[index].seconds:.2f}"
                before = timings[index - 1].seconds - start
                if index > 1 and before > 0:
                    growth = math.log(
                        (timings[index].seconds - start) / before,
                        arguments.sizes[index] / arguments.sizes[index - 1],
                    )
                    cell += f" ({growth:.2f})"
                cells.append(cell)
            largest = Path(folder, f"gold{arguments.sizes[-1]}.mrg").stat().st_size / 2**20
            peak = timings[-1].megabytes
            rows.append((name, *cells, f"{peak:.0f}", f"{peak / largest:.1f}"))
    sizes = [f"{size:,}" for size in arguments.sizes]
    print(table(rows, ("seconds for so many sentences", *sizes, "peak MB", "peak / file")))


if __name__ == "__main__":
    main()
