"""Files that are dated in the future, since a clock was wrong when they were written, or is wrong now.

Snakemake compares dates. It fails where the output of a job is older than its input.
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


def first_in_future(folder: Path) -> Path | None:
    """Return the first file under a folder that is dated in the future; None without one."""
    return next((path for path in sorted(folder.rglob("*")) if path.is_file() and is_in_future(path)), None)
