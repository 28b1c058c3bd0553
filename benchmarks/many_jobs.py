"""Snakemake's own time in a study of many candidates: 2,000 tiny ones, whose jobs have next to nothing to do.

    python benchmarks/many_jobs.py [--candidates 2000] [--treebanks 1] [--cores 2] [--dry-run]

Four times are printed: of the plan (a dry run), of the whole study, of the work within its jobs as each job
measures it, and of the same command with nothing to do. What is neither work nor the start of the jobs'
processes, measured by starting one that does nothing, is Snakemake's own.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
import time
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
tests: {trials: 0}
"""
DONE = re.compile(r"done in ([\d.]+) s$", re.M)
JOBS = re.compile(r"^total +(\d+)$", re.M)


def timed(folder: Path, *arguments: str) -> tuple[float, str]:
    """The seconds of a command of Snakemake, and what it printed."""
    snakefile = str(ROOT / "workflow" / "Snakefile")
    command = [sys.executable, "-m", "snakemake", "--snakefile", snakefile, "--configfile", "study.yaml"]
    began = time.perf_counter()
    done = subprocess.run([*command, *arguments], cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stdout + done.stderr)
    return time.perf_counter() - began, done.stdout + done.stderr


def start() -> float:
    """The seconds that the process of a job takes to start."""
    began = time.perf_counter()
    command = [sys.executable, "-c", "import crossbank.workflow.steps.score"]
    subprocess.run(command, cwd=ROOT, check=True)
    return time.perf_counter() - began


def main() -> None:
    """Print the times as a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--candidates", type=int, default=2000, help="of all treebanks together")
    parser.add_argument("--treebanks", type=int, default=1)
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--dry-run", action="store_true", help="plan the study and do not run it")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "study.yaml").write_text(STUDY, encoding="utf-8")
        (folder / "gold").mkdir()
        for treebank in range(given.treebanks):
            (folder / "gold" / f"t{treebank}.mrg").write_text(SENTENCES, encoding="utf-8")
            parsed = folder / "parsed" / f"t{treebank}"
            parsed.mkdir(parents=True)
            for candidate in range(given.candidates // given.treebanks):
                (parsed / f"c{candidate}.mrg").write_text(SENTENCES, encoding="utf-8")
        cores = ["--cores", str(given.cores)]
        plan, printed = timed(folder, *cores, "--dry-run", "--quiet", "rules")
        jobs = int(JOBS.findall(printed)[0])
        rows = [("plan (dry run)", f"{plan:.1f}")]
        if not given.dry_run:
            whole, printed = timed(folder, *cores)
            work = sum(map(float, DONE.findall(printed))) / given.cores
            starts = jobs * min(start() for _ in range(3)) / given.cores
            nothing, _ = timed(folder, *cores)
            rows += [
                ("whole study", f"{whole:.1f}"),
                (f"work in jobs, on {given.cores} cores", f"{work:.1f}"),
                (f"start of their processes, on {given.cores} cores", f"{starts:.1f}"),
                ("Snakemake's own", f"{whole - work - starts:.1f}"),
                ("nothing to do", f"{nothing:.1f}"),
            ]
        print(f"{given.candidates} candidates of {given.treebanks} treebanks: {jobs} jobs\n")
        print(table(rows, ("time", "seconds")))


if __name__ == "__main__":
    main()
