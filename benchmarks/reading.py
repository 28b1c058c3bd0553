"""Time to read bracketed trees, beside other readers, and trees in other formats.

    python benchmarks/reading.py [DATA] [--trees N]


DATA is the folder of real treebanks (default: ../shared/data); its IcePaHC texts are repeated to N
trees. Each reader runs once to warm up on a small part and then three times; the best time counts.
Readers that are not installed are named and left out. Other formats are read from real files as they are.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from comparison import compared

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
ROUNDS = 3


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
    """At least one round of the texts, cut to so many trees, one on each line."""
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


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("data", nargs="?", type=Path, default=DATA)
    parser.add_argument("--trees", type=int, default=50_000)
    arguments = parser.parse_args()
    texts = sorted((arguments.data / "icepahc" / "psd").glob("*.psd"))
    if not texts:
        parser.exit(2, f"{arguments.data}: there is no icepahc/psd/*.psd; the real treebanks are needed\n")
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
