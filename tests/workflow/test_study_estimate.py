"""``crossbank check`` estimates the time of a study within a factor of two."""

from __future__ import annotations

import os
import re
import resource
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def processor_seconds(folder: Path, *words: str) -> tuple[float, str]:
    """Return the processor time of a command with all its processes, and what it prints."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "CROSSBANK_THREADS": "1"}
    command = [sys.executable, "-m", "crossbank", *words]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("study", ["three_styles", "farpahc", "german", "conll18"])
def test_the_estimate_is_within_a_factor_of_two(study: str, tmp_path: Path, shared_data: Path) -> None:
    """On one core the time of an idle machine is the processor's; other tests beside it add up to a half."""
    for name in ("config", "examples"):
        shutil.copytree(ROOT / name, tmp_path / "here" / name)
    (tmp_path / "shared").symlink_to(shared_data.parent)
    _, printed = processor_seconds(tmp_path / "here", "check", f"config/{study}.yaml")
    found = re.search(r"^About (\d+) seconds on 1 cores", printed, re.M)
    assert found, printed
    seconds, _ = processor_seconds(tmp_path / "here", "study", f"config/{study}.yaml", "--cores", "1")
    assert seconds / 3 <= int(found[1]) <= seconds * 2
