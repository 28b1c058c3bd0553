"""A study that is killed at random moments, again and again, ends with the bytes of one that is left alone.

CROSSBANK_KILLS=40 pytest tests/workflow/test_kills.py
"""

import os
import random
import shutil
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from tests.workflow.test_faults import (
    HUNG,
    folder,
    posix,
    processes_in,
    start,
    tracebacks_of_crossbank,
    wait_for,
)
from tests.workflow.test_study_run import contents

__all__ = ["folder"]

KILLS = int(os.environ.get("CROSSBANK_KILLS", "6"))
VICTIMS = (
    "the command",
    "Snakemake",
    "both",
    "a job",
    "the process group",
    "nobody, but Ctrl-C",
    "nobody, but SIGTERM",
)


def kill(victim: str, command: psutil.Process) -> None:
    """Kill a part of a run with -9, or ask the command to end."""
    snakemakes = command.children()
    jobs = [process for process in command.children(recursive=True) if is_step(process)]
    if victim.startswith("nobody"):
        command.send_signal(signal.SIGINT if victim.endswith("Ctrl-C") else signal.SIGTERM)
    elif victim == "the process group":
        for snakemake in snakemakes:
            with suppress(ProcessLookupError):
                os.killpg(snakemake.pid, signal.SIGKILL)
    else:
        of_victim = {"the command": [command], "Snakemake": snakemakes, "both": [command, *snakemakes]}
        for process in of_victim.get(victim, jobs[:1]):
            with suppress(psutil.NoSuchProcess):
                process.kill()


def is_step(process: psutil.Process) -> bool:
    """Return whether a process is the step of a study."""
    with suppress(psutil.Error):
        return any("crossbank.workflow.steps" in word for word in process.cmdline()[:4])
    return False


@pytest.mark.slow
@posix
def test_kills_at_random_moments_leave_the_same_bytes(folder: Path) -> None:
    chance = random.Random(KILLS)
    began = time.monotonic()
    output, _ = start(folder).communicate(timeout=HUNG)
    latest = time.monotonic() - began
    expected = contents(folder)
    assert "small/report/index.html" in expected, output
    shutil.rmtree(folder / "results")
    kills = [(victim, ignored) for victim in VICTIMS for ignored in (False, True)]
    kills = [kills[number % len(kills)] for number in range(KILLS)]
    chance.shuffle(kills)
    hit = 0
    for victim, ignored in kills:
        process = start(folder, ignored=ignored)
        try:
            process.wait(chance.uniform(0, latest))
        except subprocess.TimeoutExpired:
            kill(victim, psutil.Process(process.pid))
            hit += 1
        output, _ = process.communicate(timeout=HUNG)
        assert tracebacks_of_crossbank(output) == [], output
        # Ctrl-C where it is ignored does nothing. Else nothing of the run is left after SIGKILL's turn.
        wait_for(lambda: processes_in(folder) == [])
        if process.returncode == 0:
            assert contents(folder) == expected, (victim, ignored)
            shutil.rmtree(folder / "results")
    output, _ = (last := start(folder)).communicate(timeout=HUNG)
    assert last.returncode == 0, output
    assert contents(folder) == expected
    print(f"{hit} of {KILLS} runs were killed or interrupted before their end")
