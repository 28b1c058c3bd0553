"""Files that are dated in the future, since a clock was wrong when they were written, or is wrong now.

Snakemake compares dates. It fails where what a job has just made is older than what it was made of.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

SKEW = 60.0
"""Seconds that the clocks of two machines may differ."""


def is_in_future(path: str | os.PathLike[str]) -> bool:
    """True if a file was last changed later than now."""
    return os.stat(path).st_mtime > time.time() + SKEW


def date_back(folder: Path) -> None:
    """Date the files under a folder back by the same time, so that the latest is of now.

    Nothing is done where no file is dated in the future. The order of the dates stays.
    """
    dates = {
        path: os.lstat(path).st_mtime_ns
        for place, folders, files in os.walk(folder)
        for path in (os.path.join(place, name) for name in (*folders, *files))
    }
    now = time.time_ns()
    ahead = max(dates.values(), default=0) - now
    if ahead <= SKEW * 1e9:
        return
    for path, date in dates.items():
        os.utime(path, ns=(now, date - ahead), follow_symlinks=False)
