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

from crossbank.workflow import study_check
from tests.workflow.test_verification import ESTIMATED, verify_report

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
@pytest.mark.parametrize("study", ESTIMATED)
def test_the_estimate_is_within_a_factor_of_two(study: str, tmp_path: Path, shared_data: Path) -> None:
    """On one core the time of an idle machine is the processor's; other tests beside it add up to a half.

    Seconds are printed without a fraction. The report is verified, as those of all other studies are.
    """
    for name in ("config", "examples"):
        shutil.copytree(ROOT / name, tmp_path / "here" / name)
    (tmp_path / "shared").symlink_to(shared_data.parent)
    _, printed = processor_seconds(tmp_path / "here", "check", f"config/{study}.yaml")
    match = re.search(r"^About (\d+) seconds on 1 cores", printed, re.M)
    assert match, printed
    seconds, _ = processor_seconds(tmp_path / "here", "study", f"config/{study}.yaml", "--cores", "1")
    assert seconds / 3 - 0.5 <= int(match[1]) <= seconds * 2 + 0.5
    verify_report(tmp_path / "here")


@pytest.mark.parametrize("times", [0.5, 1, 2, 4])
def test_the_estimate_is_as_many_times_longer_as_the_machine_is_slower(
    times: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reading is measured on this machine, jobs and scores were measured on another."""
    load = study_check._Workload(reading=2.0 * times, jobs=10, scored=5000)
    monkeypatch.setattr(study_check, "measure_slowness", lambda: 1.0)
    expected = study_check._Workload(reading=2.0, jobs=10, scored=5000).seconds(1)
    monkeypatch.setattr(study_check, "measure_slowness", lambda: times)
    assert load.seconds(1) == pytest.approx(times * expected)


def test_a_machine_is_no_slower_than_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    own = study_check.measure_slowness()
    monkeypatch.setattr(study_check, "LOOP", study_check.LOOP * own)
    assert 0.2 < study_check.measure_slowness() < 5
