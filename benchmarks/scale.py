"""Time and memory of a study's stages, and of ``crossbank score``, as a treebank grows.

    python benchmarks/scale.py FOLDER [SENTENCES ...] [--candidates 1 2] [--only command]

Writes treebanks of so many sentences to FOLDER (10,000, 100,000 and 1,000,000 of them by default), which are
the trees of ``examples/`` again and again, every tenth sentence with a word of its own. Prints a table in
Markdown: seconds on the clock and of all processors, and the most memory that all processes of a stage have
at one moment.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from itertools import islice
from math import log10
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
STAGES = {"convert": ["--until", "constituents"], "score": ["--until", "score"], "report": []}
"""The stages, and the arguments for Snakemake that end with each."""

STUDY = """\
study: scale
treebanks:
  - name: t
    scheme: tuebadz
    gold: {{path: {gold}}}
    candidates: [{candidates}]
metrics: [parseval, leaf_ancestor]
"""


def trees(name: str) -> list[str]:
    """Return the trees of one of the project's own files."""
    return (ROOT / "examples" / name).read_text(encoding="utf-8").splitlines()


def grown(lines: list[str], sentences: int) -> Iterator[str]:
    """Yield trees for so many sentences; every tenth has a first word that no other has."""
    for index in range(sentences):
        line = lines[index % len(lines)]
        if index % 10 == 0 and line != "(())":
            before, bracket, after = line.partition(")")
            line = f"{before}{index}{bracket}{after}"
        yield line + "\n"


def write(folder: Path, sentences: int) -> dict[str, Path]:
    """Return gold and two candidates, unless they are there already."""
    gold, other = trees("tuebadz.alpha.mrg"), trees("tuebadz.beta.mrg")
    same = [one if index % 2 else two for index, (one, two) in enumerate(zip(gold, other, strict=True))]
    paths = {}
    for name, lines in (("gold", gold), ("one", other), ("two", same)):
        paths[name] = folder / f"{name}.{sentences}.mrg"
        if not paths[name].is_file():
            folder.mkdir(parents=True, exist_ok=True)
            with paths[name].open("w", encoding="utf-8") as stream:
                written = grown(lines, sentences)
                while some := list(islice(written, 10_000)):
                    stream.writelines(some)
    return paths


class Cost:
    """Seconds and megabytes of a command with all that it starts."""

    def __init__(self, command: list[str], folder: Path) -> None:
        import psutil

        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        began = time.monotonic()
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=-3, stderr=subprocess.PIPE)
        messages: list[bytes] = []
        reading = threading.Thread(
            target=lambda: messages.append(process.stderr.read() if process.stderr else b"")
        )
        reading.start()
        self.megabytes = 0.0
        while process.poll() is None:
            try:
                top = psutil.Process(process.pid)
                actual = sum(_resident(one) for one in (top, *top.children(recursive=True)))
            except psutil.Error:
                actual = 0
            self.megabytes = max(self.megabytes, actual / 2**20)
            time.sleep(0.1)
        reading.join()
        if process.returncode:
            sys.exit(messages[0].decode()[-2000:])
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.seconds = time.monotonic() - began
        self.of_processors = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _resident(process: object) -> int:
    import psutil

    try:
        return int(process.memory_info().rss)  # type: ignore[attr-defined]
    except psutil.Error:
        return 0


def stages(folder: Path, sentences: int, candidates: int) -> Iterator[tuple[str, Cost]]:
    """Yield the stages of a study, each after the one before."""
    paths = write(folder, sentences)
    names = ("one", "two")[:candidates]
    index = folder / f"study.{sentences}.{candidates}"
    index.mkdir(exist_ok=True)
    listed = ", ".join(f"{{name: {name}, path: {paths[name]}}}" for name in names)
    (index / "study.yaml").write_text(STUDY.format(gold=paths["gold"], candidates=listed), encoding="utf-8")
    run = [sys.executable, "-m", "snakemake", "--snakefile", str(ROOT / "workflow" / "Snakefile")]
    run += ["--configfile", "study.yaml", "--quiet", "all", "--cores", "2"]
    subprocess.run(["rm", "-rf", str(index / "results")], check=True)
    for stage, arguments in STAGES.items():
        yield stage, Cost([*run, *arguments], index)


def command(folder: Path, sentences: int) -> Cost:
    """Return the command ``crossbank score``."""
    paths = write(folder, sentences)
    arguments = ["score", str(paths["gold"]), str(paths["one"]), "--scheme", "tuebadz"]
    return Cost([sys.executable, "-m", "crossbank", *arguments], folder)


def main() -> None:
    """Print the table, and how fast memory and time grow from the second largest size to the largest."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("sentences", type=int, nargs="*", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--candidates", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--only", choices=("study", "command"))
    arguments = parser.parse_args()
    print("| stage | candidates | sentences | seconds | of processors | MiB | exponent |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    before: dict[tuple[str, int], tuple[int, Cost]] = {}

    def row(stage: str, candidates: int, sentences: int, cost: Cost) -> None:
        exponent = ""
        if earlier := before.get((stage, candidates)):
            smaller, than = earlier
            growth = log10(cost.of_processors / than.of_processors) / log10(sentences / smaller)
            exponent = f"{growth:.2f}"
        before[stage, candidates] = sentences, cost
        numbers = f"{cost.seconds:.1f} | {cost.of_processors:.1f} | {cost.megabytes:.0f} | {exponent}"
        print(f"| {stage} | {candidates} | {sentences:,} | {numbers} |", flush=True)

    for sentences in arguments.sentences:
        if arguments.only != "study":
            row("crossbank score", 1, sentences, command(arguments.folder, sentences))
        for candidates in arguments.candidates if arguments.only != "command" else ():
            for stage, cost in stages(arguments.folder, sentences, candidates):
                row(stage, candidates, sentences, cost)


if __name__ == "__main__":
    main()
