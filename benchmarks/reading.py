"""Time to read bracketed trees, beside other readers, and trees in other formats.

    python benchmarks/reading.py [DATA] [--trees N] [--damaged PERCENT]

DATA is the folder of real treebanks (default: ../shared/data); its IcePaHC texts are repeated to N
trees. Each reader runs once to warm up on a small part and then three times; the best time counts.
Readers that are not installed are named and left out. Other formats are read from real files as they are.
With --damaged, so many of a hundred sentences lack their last third; the processor time is compared with
that of the clean file, read before and after the damaged one.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from comparison import compared

from crossbank.treebanks.tables import ROOT

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
ROUNDS = 3
PAIRS = 5

DAMAGED = ("bracket", "conllu", "conllx", "discbracket", "export", "tigerxml")
"""The formats whose damaged files are timed."""


def crossbank(path: Path) -> int:
    from crossbank.treebanks.formats import bracket

    return len(bracket.load(path))


def nltk(path: Path) -> int:
    from nltk import Tree

    with path.open(encoding="utf-8") as lines:
        return len([Tree.fromstring(line) for line in lines])


def disco_dop(path: Path) -> int:
    from discodop.treebank import BracketCorpusReader

    return sum(1 for _ in BracketCorpusReader(str(path)).itertrees())


READERS: dict[str, Callable[[Path], int]] = {"crossbank": crossbank, "nltk": nltk, "disco-dop": disco_dop}


def repeated(texts: list[Path], trees: int) -> str:
    """Return at least one round of the texts, cut to so many trees, one on each line."""
    from crossbank.treebanks.formats import bracket

    lines = [line for text in texts for line in bracket.dumps(bracket.load(text)).splitlines()]
    return "".join(f"{lines[i % len(lines)]}\n" for i in range(trees))


def seconds(reader: Callable[[Path], int], path: Path) -> tuple[float, int]:
    times, actual = [], 0
    for _ in range(ROUNDS):
        start = time.perf_counter()
        actual = reader(path)
        times.append(time.perf_counter() - start)
    return min(times), actual


FORMATS = {
    "export": "tuebadz-masked/test.negra",
    "tigerxml": "tiger-pcc/syntax/*.xml",
    "exportxml": "tuebadz-masked/exportxml-example.xml",
}
"""Formats other than brackets, and real files in them."""


def read_formats(data: Path) -> None:
    from crossbank.treebanks.formats import read

    print(f"\n{'format':<12}{'seconds':>9}{'MB/s':>9}{'sentences':>11}{'a second':>10}")
    for format, pattern in FORMATS.items():
        files = sorted(data.glob(pattern))
        if not files:
            print(f"{format:<12}  {data / pattern} is not there: left out")
            continue
        times = []
        for _ in range(1 + ROUNDS):
            start = time.perf_counter()
            sentences = sum(len(read(path, format)) for path in files)
            times.append(time.perf_counter() - start)
        best, size = min(times), sum(path.stat().st_size for path in files) / 1e6
        print(f"{format:<12}{best:>9.3f}{size / best:>9.1f}{sentences:>11}{sentences / best:>10,.0f}")


def damage(format: str, blocks: list[str], percent: float) -> list[str]:
    """Return sentences of which some lack their end; their last line ends are those of the others."""
    every = max(round(100 / percent), 1)
    damaged = []
    for index, block in enumerate(blocks):
        text = block.rstrip("\n")
        is_damaged = index % every == 0 and len(text) > 20
        damaged.append(text[: -len(text) // 3] + block[len(text) :] if is_damaged else block)
    return damaged


def read_damaged_files(texts: list[Path], trees: int, percent: float) -> None:
    from statistics import median

    from crossbank.treebanks.damage.reading import rules_of
    from crossbank.treebanks.formats import REGISTRY, bracket, read

    bank = bracket.loads(repeated(texts, trees))
    heads = np.where(bank.tokens.indices() == 0, ROOT, bank.tokens.indices() - 1).astype(np.int32)
    columns = bank.replace(tokens=bank.tokens.replace(head=heads))
    print(f"{percent:g} % of {trees} sentences damaged, processor time, median of {PAIRS} pairs")
    print(f"{'format':<12}{'clean':>9}{'skip':>9}{'repair':>9}{'skip/clean':>12}{'repair/clean':>14}")
    with tempfile.TemporaryDirectory() as folder:
        for name in DAMAGED:
            module = REGISTRY.load(name)
            rules = rules_of(module)
            assert rules is not None
            text = module.dumps(columns if name.startswith("conll") else bank)
            blocks = rules.split(text)
            begin, end = rules.frames[0], len(blocks) - rules.frames[1]
            clean, damaged = Path(folder) / "clean", Path(folder) / "damaged"
            clean.write_text(text, encoding="utf-8")
            broken = damage(name, blocks[begin:end], percent)
            damaged.write_text("".join([*blocks[:begin], *broken, *blocks[end:]]), encoding="utf-8")
            rows = []
            for _ in range(PAIRS):
                row = []
                for path, policy in (
                    (clean, "skip"),
                    (damaged, "skip"),
                    (damaged, "repair"),
                    (clean, "skip"),
                ):
                    start = time.process_time()
                    read(path, name, damaged=policy)
                    row.append(time.process_time() - start)
                rows.append(row)
            before, skip, repair, after = zip(*rows, strict=True)
            times = [(one + other) / 2 for one, other in zip(before, after, strict=True)]
            ratios = [
                median(one / time for one, time in zip(column, times, strict=True))
                for column in (skip, repair)
            ]
            print(
                f"{name:<12}{median(times):>9.3f}{median(skip):>9.3f}{median(repair):>9.3f}"
                f"{ratios[0]:>12.2f}{ratios[1]:>14.2f}"
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("data", nargs="?", type=Path, default=DATA)
    parser.add_argument("--trees", type=int, default=50_000)
    parser.add_argument("--damaged", type=float, metavar="PERCENT")
    arguments = parser.parse_args()
    texts = sorted((arguments.data / "icepahc" / "psd").glob("*.psd"))
    if not texts:
        parser.exit(2, f"{arguments.data}: there is no icepahc/psd/*.psd; the real treebanks are needed\n")
    if arguments.damaged:
        read_damaged_files(texts, arguments.trees, arguments.damaged)
        return
    with tempfile.TemporaryDirectory() as folder:
        path, small = Path(folder) / "trees.mrg", Path(folder) / "small.mrg"
        path.write_text(repeated(texts, arguments.trees), encoding="utf-8")
        small.write_text(repeated(texts[:1], 100), encoding="utf-8")
        size = path.stat().st_size / 1e6
        print(f"{arguments.trees} trees of IcePaHC, {size:.1f} MB, best of {ROUNDS}")
        print(f"{'reader':<12}{'seconds':>9}{'MB/s':>9}{'times':>8}{'trees':>9}")
        first = 0.0
        programs: list[str] = []
        for name, reader in READERS.items():
            try:
                reader(small)
            except ImportError:
                print(f"{name:<12}  is not installed: left out")
                continue
            best, actual = seconds(reader, path)
            first = first or best
            if name != "crossbank":
                programs.append(compared(f"reading {arguments.trees:,} bracketed trees", first, name, best))
            print(f"{name:<12}{best:>9.3f}{size / best:>9.1f}{best / first:>8.1f}{actual:>9}")
    read_formats(arguments.data)
    print("\n".join(programs))


if __name__ == "__main__":
    main()
