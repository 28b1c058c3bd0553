"""Snakemake's own time in a study of many candidates: 2,000 tiny ones, whose jobs have next to nothing to do.

    python benchmarks/many_jobs.py [--candidates 2000] [--treebanks 1] [--cores 2] [--dry-run]

Times are of the processor, so that others who are at work do not count: of Snakemake's own process, and of
all jobs with the start of their processes. Three runs are measured: the plan (a dry run), the whole study,
and the same command with nothing to do.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from whole_process import table

ROOT = Path(__file__).resolve().parents[1]
SENTENCES = "(S (NP (PRP She)) (VP (VBD slept)) (. .))\n" * 3
STUDY = """\
study: many
treebanks: {path: "gold/{treebank}.mrg", scheme: ptb}
candidates: {path: "parsed/{treebank}/{candidate}.mrg"}
metrics: [parseval]
bootstrap: {samples: 0}
tests: {trials: 1}
"""
JOBS = re.compile(r"^total +(\d+)$", re.M)
MEASURED = """\
import atexit, resource, sys
from snakemake.cli import main

def tell():
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    print("measured", *(each.ru_utime + each.ru_stime for each in used))

atexit.register(tell)
main()
"""


def measured(folder: Path, *arguments: str) -> tuple[float, float, str]:
    """Return the processor's seconds of Snakemake itself and of its jobs, and what it printed."""
    snakefile = str(ROOT / "workflow" / "Snakefile")
    command = [sys.executable, "-c", MEASURED, "--snakefile", snakefile, "--configfile", "study.yaml"]
    done = subprocess.run([*command, *arguments], cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stdout + done.stderr)
    (own, jobs) = re.findall(r"^measured (\S+) (\S+)$", done.stdout, re.M)[-1]
    return float(own), float(jobs), done.stdout + done.stderr


def write(folder: Path, candidates: int, treebanks: int) -> None:
    """Write a study of so many candidates of so many treebanks, with three sentences each."""
    (folder / "study.yaml").write_text(STUDY, encoding="utf-8")
    (folder / "gold").mkdir()
    for treebank in range(treebanks):
        (folder / "gold" / f"t{treebank}.mrg").write_text(SENTENCES, encoding="utf-8")
        parsed = folder / "parsed" / f"t{treebank}"
        parsed.mkdir(parents=True)
        for candidate in range(candidates // treebanks):
            (parsed / f"c{candidate}.mrg").write_text(SENTENCES, encoding="utf-8")


def main() -> None:
    """Print the times as a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--candidates", type=int, default=2000, help="of all treebanks together")
    parser.add_argument("--treebanks", type=int, default=1)
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--dry-run", action="store_true", help="plan the study and do not run it")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder, cores = Path(name), ["--cores", str(arguments.cores)]
        write(folder, arguments.candidates, arguments.treebanks)
        own, work, printed = measured(folder, *cores, "--dry-run", "--quiet", "rules")
        jobs = int(JOBS.findall(printed)[0])
        rows = [("plan (dry run)", f"{own:.1f}", f"{work:.1f}")]
        if not arguments.dry_run:
            for run in ("whole study", "nothing to do"):
                own, work, _ = measured(folder, *cores)
                rows.append((run, f"{own:.1f}", f"{work:.1f}"))
        print(f"{arguments.candidates} candidates of {arguments.treebanks} treebanks: {jobs} jobs\n")
        print(table(rows, ("run", "Snakemake, seconds", "jobs, seconds")))


if __name__ == "__main__":
    main()
