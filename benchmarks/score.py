"""`crossbank score` against EVALB, as whole processes, on real trees and a perturbed copy of them.

    python benchmarks/score.py [DATA] [--sizes 50000 500000] [--evalb PROGRAM ...] [--parameters FILE.prm]

DATA is the folder of the real treebanks (default ../shared/data); the sample of the Wall Street Journal there
is repeated to the sizes. EVALB is the program `evalb` on the path, or those that --evalb or $EVALB names,
such as one that its Makefile builds, without optimisation, and one of `gcc -O3`. Without it its rows are left
out. The commands are run in turn, so that other programs on the machine disturb all of them alike, and
disturb seconds of the processors least.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import random
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from comparison import compared
from whole_process import Timing, measure_in_turn, table

LABELS = ["NP", "PP", "ADVP", "IP-SUB", "CP-REL"]


def icepahc_trees(data: Path) -> list[str]:
    """Return the trees of the IcePaHC texts."""
    return _one_line_trees(sorted((data / "icepahc" / "psd").glob("*.psd")))


def wsj_trees(data: Path) -> list[str]:
    """Return the trees of the sample of the Wall Street Journal."""
    return _one_line_trees(sorted((data / "wsj-sample" / "trees").glob("*.mrg")))


def _one_line_trees(paths: list[Path]) -> list[str]:
    """Return trees, one line each, none longer than EVALB can read."""
    from crossbank.treebanks.formats import bracket

    trees = [tree for path in paths for tree in bracket.dumps(bracket.load(path)).splitlines()]
    # EVALB reads 5,000 bytes, 200 words and 200 brackets a line; more would crash it.
    return [tree for tree in trees if len(tree.encode()) < 4000 and tree.count("(") < 190]


def perturbed(tree: str, random: random.Random) -> str:
    """Return the tree with one label changed or one node taken out, where it has one to take."""
    nodes = [index for index in range(len(tree)) if tree[index] == "(" and _is_phrase(tree, index)]
    if len(nodes) < 2:
        return tree
    index = random.choice(nodes[1:])
    end = tree.index(" ", index)
    if random.random() < 0.5:
        return tree[: index + 1] + random.choice(LABELS) + tree[end:]
    depth, close = 0, index
    for close in range(index, len(tree)):
        depth += (tree[close] == "(") - (tree[close] == ")")
        if depth == 0:
            break
    return tree[:index] + tree[end + 1 : close] + tree[close + 1 :]


def _is_phrase(tree: str, index: int) -> bool:
    end = tree.find(" ", index)
    return end > index + 1 and tree[end + 1 : end + 2] == "("


def write_trees(trees_of: Callable[[Path], list[str]], data: Path, folder: str, sizes: list[int]) -> None:
    """Write files of so many trees each, gold and a perturbed copy."""
    trees = trees_of(data)
    chance = random.Random(1)
    changed = [perturbed(tree, chance) for tree in trees]
    for size in sizes:
        for name, lines in (("gold", trees), ("candidate", changed)):
            repeated = (lines * (size // len(lines) + 1))[:size]
            Path(folder, f"{name}{size}.mrg").write_text("\n".join(repeated) + "\n", encoding="utf-8")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("data", nargs="?", default="../shared/data", type=Path)
    arguments.add_argument("--sizes", nargs="+", type=int, default=[50_000])
    arguments.add_argument("--runs", type=int, default=5)
    actual = os.environ.get("EVALB") or shutil.which("evalb")
    arguments.add_argument("--evalb", nargs="+", default=[actual] if actual else [])
    arguments.add_argument("--parameters", metavar="FILE.prm")
    options = arguments.parse_args()
    crossbank = shutil.which("crossbank") or sys.exit("crossbank is not installed: make env")
    rows: list[tuple[object, ...]] = []
    lines: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        # In a process of its own: a child's peak of memory is never below its parent's.
        maker = multiprocessing.get_context("spawn").Process(
            target=write_trees, args=(wsj_trees, options.data, folder, [100, *options.sizes])
        )
        maker.start()
        maker.join()
        few = str(Path(folder, "gold100.mrg"))
        parameters = ["--parameters", options.parameters] if options.parameters else []
        for size in options.sizes:
            gold, candidate = Path(folder, f"gold{size}.mrg"), Path(folder, f"candidate{size}.mrg")
            score = [crossbank, "score", str(gold), str(candidate)]
            commands = {
                "--mode evalb": [*score, "--mode", "evalb", *parameters],
                "--scheme ptb": [*score, "--scheme", "ptb"],
                "leaf_ancestor": [*score, "--metric", "leaf_ancestor"],
            }
            with_parameters = ["-p", options.parameters] if options.parameters else []
            programs = {name: [name, *with_parameters, *score[2:]] for name in options.evalb}
            timings = measure_in_turn(commands | programs, options.runs)
            rows += _rows(size, timings, options.evalb)
            lines += [
                compared(work.format(size), timings[name].seconds, Path(other).name, timings[other].seconds)
                for other in options.evalb
                for name, work in (
                    ("--scheme ptb", "Parseval, {:,} trees"),
                    ("--mode evalb", "mode evalb, {:,} trees"),
                )
            ]
        small = {
            "import numpy": [sys.executable, "-c", "import numpy"],
            "--help": [crossbank, "--help"],
            "--mode evalb, 100": [crossbank, "score", few, few, "--mode", "evalb", *parameters],
            "--scheme ptb, 100": [crossbank, "score", few, few, "--scheme", "ptb"],
        }
        for name, timing in measure_in_turn(small, options.runs).items():
            clock, processors = f"{timing.seconds:.2f}", f"{timing.processors:.2f}"
            rows.append(
                (name, "", clock, processors, f"{timing.megabytes:.0f}", *("" for _ in options.evalb))
            )
    ratios = [f"processors / {Path(program).name}" for program in options.evalb]
    print(table(rows, ("", "trees", "seconds", "of processors", "peak MB", *ratios)))
    print("\n".join(lines))
    if not options.evalb:
        print("EVALB: not found, left out (put it on the path, or name it with --evalb)")


def _rows(size: int, timings: dict[str, Timing], programs: list[str]) -> list[tuple[object, ...]]:
    return [
        (
            Path(name).name,
            size,
            f"{timing.seconds:.2f}",
            f"{timing.processors:.2f}",
            f"{timing.megabytes:.0f}",
            *(f"{timing.processors / timings[program].processors:.2f}" for program in programs),
        )
        for name, timing in timings.items()
    ]


if __name__ == "__main__":
    main()
