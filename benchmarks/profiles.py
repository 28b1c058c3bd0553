"""Time to read profiles of [incr tsdb()], and to score elementary dependencies, beside ``delphin edm``.

    python benchmarks/profiles.py [DATA]

DATA is the folder of real treebanks (default: ../shared/data); its profile ``csli`` of the English Resource
Grammar has 1,348 items, 921 of them with a result. Whole processes; wall-clock seconds, seconds of the
processors, peak of memory.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from comparison import compared
from whole_process import measure, table

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
ITEMS = 1348


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("data", nargs="?", type=Path, default=DATA)
    profile = str(arguments.parse_args().data / "erg" / "csli")
    rows, timings = [], []
    for command, profiles in (
        (["crossbank", "info", profile], 1),
        (["crossbank", "score", profile, profile, "--metric", "edm"], 2),
        (["crossbank", "score", profile, profile, "--metric", "parseval,edm", "--scheme", "redwoods"], 2),
        (["delphin", "edm", profile, profile], 2),
    ):
        timing = measure(command, runs=1)
        timings.append(timing.seconds)
        rows.append(
            (
                " ".join(part for part in command if part != profile),
                f"{timing.seconds:.2f}",
                f"{timing.processors:.2f}",
                f"{profiles * ITEMS / timing.processors:.0f}",
                f"{timing.megabytes:.0f}",
            )
        )
    print(table(rows, ("command", "seconds", "processor seconds", "items a second", "MB")))
    _, computed, _, reference = timings
    print(compared(f"elementary dependencies, {ITEMS:,} items", computed, "delphin edm", reference))


if __name__ == "__main__":
    main()
