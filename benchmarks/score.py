"""`crossbank score` against EVALB, as whole processes, on real trees and a perturbed copy of them.

    python benchmarks/score.py [DATA] [--sizes 50000 500000] [--evalb PROGRAM ...]

DATA is the folder of the real treebanks (default ../shared/data); its IcePaHC texts are repeated to
the sizes. EVALB is the program `evalb` on the path, or those that --evalb or $EVALB names, such as one
that its Makefile builds, without optimisation, and one of `gcc -O3`. Without it the rival's rows are left
out. Seconds of the processors are told as well: other programs on the machine disturb them less.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import random
import shutil
import sys
import tempfile
from pathlib import Path

from comparison import compared
from whole_process import Timing, measure, table

LABELS = ["NP", "PP", "ADVP", "IP-SUB", "CP-REL"]


def one_line_trees(data: Path) -> list[str]:
    """Return the trees of the IcePaHC texts, one line each, none longer than EVALB can read."""
    from crossbank.treebanks.formats import bracket

    trees: list[str] = []
    for path in sorted((data / "icepahc" / "psd").glob("*.psd")):
        trees += bracket.dumps(bracket.load(path)).splitlines()
    # EVALB reads 5,000 bytes, 200 words and 200 brackets a line; more would crash it.
    return [tree for tree in trees if len(tree.encode()) < 4000 and tree.count("(") < 190]


def perturbed(tree: str, random: random.Random) -> str:
    """Return the tree with one label changed or one node taken out, where it has one to take."""
    nodes = [place for place in range(len(tree)) if tree[place] == "(" and _is_phrase(tree, place)]
    if len(nodes) < 2:
        return tree
    place = random.choice(nodes[1:])
    end = tree.index(" ", place)
    if random.random() < 0.5:
        return tree[: place + 1] + random.choice(LABELS) + tree[end:]
    depth, close = 0, place
    for close in range(place, len(tree)):
        depth += (tree[close] == "(") - (tree[close] == ")")
        if depth == 0:
            break
    return tree[:place] + tree[end + 1 : close] + tree[close + 1 :]


def _is_phrase(tree: str, place: int) -> bool:
    end = tree.find(" ", place)
    return end > place + 1 and tree[end + 1 : end + 2] == "("


def write_trees(data: Path, folder: str, sizes: list[int]) -> None:
    """Files of so many trees each, gold and a perturbed copy."""
    trees = one_line_trees(data)
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
    found = os.environ.get("EVALB") or shutil.which("evalb")
    arguments.add_argument("--evalb", nargs="+", default=[found] if found else [])
    given = arguments.parse_args()
    crossbank = shutil.which("crossbank") or sys.exit("crossbank is not installed: make env")
    rows: list[tuple[object, ...]] = []
    lines: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        # In a process of its own: a child's peak of memory is never below its parent's.
        maker = multiprocessing.get_context("spawn").Process(
            target=write_trees, args=(given.data, folder, [100, *given.sizes])
        )
        maker.start()
        maker.join()
        for size in given.sizes:
            gold, candidate = Path(folder, f"gold{size}.mrg"), Path(folder, f"candidate{size}.mrg")
            files = [str(gold), str(candidate)]
            commands = {
                "parseval": [crossbank, "score", *files],
                "leaf_ancestor": [crossbank, "score", *files, "--metric", "leaf_ancestor"],
            }
            rivals = {program: [program, *files] for program in given.evalb}
            timings = {name: measure(command, given.runs) for name, command in (commands | rivals).items()}
            rows += _rows(size, gold.stat().st_size / 2**20, timings, given.evalb)
            lines += [
                compared(
                    f"Parseval, {size:,} trees",
                    timings["parseval"].seconds,
                    Path(rival).name,
                    timings[rival].seconds,
                )
                for rival in given.evalb
            ]
        few = Path(folder, "gold100.mrg")
        small = {
            "import numpy": [sys.executable, "-c", "import numpy"],
            "--help": [crossbank, "--help"],
            "parseval, 100": [crossbank, "score", str(few), str(few)],
        }
        for name, command in small.items():
            timing = measure(command, given.runs)
            clock, processors = f"{timing.seconds:.2f}", f"{timing.processors:.2f}"
            rows.append(
                (name, "", clock, processors, f"{timing.megabytes:.0f}", "", *("" for _ in given.evalb))
            )
    ratios = [f"ratio to {Path(program).name}" for program in given.evalb]
    print(table(rows, ("", "trees", "seconds", "of processors", "peak MB", "peak / file", *ratios)))
    print("\n".join(lines))
    if not given.evalb:
        print("EVALB: not found, left out (put it on the path, or name it with --evalb)")


def _rows(
    size: int, megabytes: float, timings: dict[str, Timing], rivals: list[str]
) -> list[tuple[object, ...]]:
    return [
        (
            Path(name).name,
            size,
            f"{timing.seconds:.2f}",
            f"{timing.processors:.2f}",
            f"{timing.megabytes:.0f}",
            f"{timing.megabytes / megabytes:.1f}",
            *(f"{timing.seconds / timings[rival].seconds:.2f}" for rival in rivals),
        )
        for name, timing in timings.items()
    ]


if __name__ == "__main__":
    main()
