"""Time and memory of a study of the size of the whole shared task of CoNLL 2018.

    python benchmarks/conll18_all.py SHARED_TASK FOLDER [--systems 26] [--treebanks 82]

SHARED_TASK is a folder with the results of some systems for some treebanks, and gold in 00-gold-standard. In
FOLDER/data each of their files stands many times, under other names, as a link. The study
config/conll18_all.yaml is run on them from the beginning. Prints seconds on the clock and of all processors,
and the most memory that all processes have at one moment.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path

from scale import ROOT, Cost

GOLD = "00-gold-standard"


def write(source: Path, data: Path, systems: int, treebanks: int) -> int:
    """Link the files of the shared task under so many names, and return how many links there are."""
    names = sorted(path.stem for path in (source / GOLD).glob("*.conllu"))
    known = sorted(path for path in source.iterdir() if path.is_dir() and path.name != GOLD)
    written = 0
    for number in range(treebanks):
        name = names[number % len(names)]
        available = [folder for folder in known if (folder / f"{name}.conllu").is_file()]
        sources = [source / GOLD, *(available[system % len(available)] for system in range(systems))]
        for index, folder in enumerate(sources):
            target = data / (f"system{index:02}" if index else GOLD) / f"{name}_{number:02}.conllu"
            target.parent.mkdir(parents=True, exist_ok=True)
            target.symlink_to((folder / f"{name}.conllu").resolve())
            written += 1
    return written


def main() -> None:
    """Make the folder, run the study and print what it took."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("source", type=Path, metavar="SHARED_TASK")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--systems", type=int, default=26)
    parser.add_argument("--treebanks", type=int, default=82)
    arguments = parser.parse_args()
    for name in ("data", "results", ".snakemake"):
        shutil.rmtree(arguments.folder / name, ignore_errors=True)
    files = write(arguments.source, arguments.folder / "data", arguments.systems, arguments.treebanks)
    command = [sys.executable, "-m", "snakemake", "--snakefile", str(ROOT / "workflow" / "Snakefile")]
    command += ["--configfile", str(ROOT / "config" / "conll18_all.yaml"), "--config", "data=data"]
    cost = Cost([*command, "--cores", "2", "--quiet", "all"], arguments.folder)
    print("| files | seconds | of processors | MiB |\n|---:|---:|---:|---:|")
    print(f"| {files:,} | {cost.seconds:.0f} | {cost.of_processors:.0f} | {cost.megabytes:.0f} |")


if __name__ == "__main__":
    main()
