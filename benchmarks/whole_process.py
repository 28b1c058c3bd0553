"""A command as a whole process: seconds and peak memory of several runs, for the benchmarks' tables."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median


@dataclass(frozen=True)
class Timing:
    """Median wall-clock seconds of several runs, and the largest peak of memory in MB.

    processors  median seconds of the processors, which other programs on the machine disturb less
    """

    seconds: float
    megabytes: float
    processors: float


def measure(command: Sequence[str], runs: int = 5, *, warm: bool = True) -> Timing:
    """Run a command ``runs`` times; what it prints is thrown away.

    warm  whether it runs once more before, without being measured
    """
    return measure_in_turn({"": command}, runs, warm=warm)[""]


def measure_in_turn(
    commands: Mapping[str, Sequence[str]], runs: int = 5, *, warm: bool = True
) -> dict[str, Timing]:
    """Run commands one after the other, and all of them ``runs`` times."""
    measured: dict[str, list[tuple[float, float, float]]] = {name: [] for name in commands}
    for run in range(0 if warm else 1, runs + 1):
        for name, command in commands.items():
            start = time.perf_counter()
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            if process.returncode not in (0, 1):
                sys.exit(f"{' '.join(command)}: exit code {process.returncode}")
            seconds = time.perf_counter() - start
            if run:
                measured[name].append((seconds, usage.ru_maxrss / 1024, usage.ru_utime + usage.ru_stime))
    timings = {}
    for name, runs_of_one in measured.items():
        clock, peaks, processors = zip(*runs_of_one, strict=True)
        timings[name] = Timing(median(clock), max(peaks), median(processors))
    return timings


def table(rows: Sequence[Sequence[object]], header: Sequence[str]) -> str:
    """Return rows as aligned text, the first column left and the others right."""
    cells = [[str(cell) for cell in row] for row in (header, *rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(header))]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if column else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in cells
    )
