"""Where the time of a study goes: its jobs, and Snakemake itself.

    python benchmarks/study_time.py [--study config/tiger_vs_tuba.yaml] [--cores 2]

The study on the embedded corpora is run from nothing in a folder of its own, then once more with nothing
to do, then with one input touched. A job's seconds are its own work, without the start of its process.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path

from whole_process import table

ROOT = Path(__file__).resolve().parents[1]
JOB = re.compile(r"^(\w+)[ :].*done in ([\d.]+) s$", re.M)


def run(study: str, cores: int, folder: Path) -> tuple[float, str]:
    """Return the seconds of a run, and what it printed."""
    began = time.perf_counter()
    snakefile = str(ROOT / "workflow" / "Snakefile")
    command = [sys.executable, "-m", "snakemake", "--snakefile", snakefile]
    command += ["--configfile", study, "--cores", str(cores)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stdout + done.stderr)
    return time.perf_counter() - began, done.stdout + done.stderr


def main() -> None:
    """Print the seconds by kind of job, and of three runs."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--study", default="config/tiger_vs_tuba.yaml")
    parser.add_argument("--cores", type=int, default=2)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for part in ("config", "examples"):
            shutil.copytree(ROOT / part, folder / part)
        whole, printed = run(arguments.study, arguments.cores, folder)
        jobs = defaultdict(list)
        for kind, seconds in JOB.findall(printed):
            jobs[kind].append(float(seconds))
        rows = [(kind, len(actual), f"{sum(actual):.1f}") for kind, actual in jobs.items()]
        print(table(rows, ("job", "number", "seconds of work")))
        nothing, _ = run(arguments.study, arguments.cores, folder)
        edited = next((folder / "examples").rglob("*.export"), next((folder / "examples").rglob("*.mrg")))
        edited.write_bytes(edited.read_bytes() + b"\n")
        again, _ = run(arguments.study, arguments.cores, folder)
        print(f"\nall to do {whole:.1f} s, nothing to do {nothing:.1f} s, one file edited {again:.1f} s")


if __name__ == "__main__":
    main()
