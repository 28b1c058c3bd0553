"""Time to read and to write CoNLL-U, beside the conllu package.

    python benchmarks/conllu_reading.py [DATA] [--words N]


DATA is the folder of real treebanks (default: ../shared/data); GUM's dependency texts are read once as
they are, and repeated to N words. Each of ours runs once to warm up and then three times; the best time
counts. The package reads and writes the texts as they are once.
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


def seconds(action: Callable[[], object], rounds: int = ROUNDS) -> float:
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        action()
        times.append(time.perf_counter() - start)
    return min(times)


def line(name: str, words: int, size: int, reading: float, writing: float) -> str:
    speeds = f"{size / reading / 1e6:>9.1f}{reading:>10.3f}{writing:>10.3f}"
    return f"{name:<12}{words:>10}{size / 1e6:>8.1f}{speeds}"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("data", nargs="?", type=Path, default=DATA)
    parser.add_argument("--words", type=int, default=1_000_000)
    arguments = parser.parse_args()
    texts = sorted((arguments.data / "gum" / "dep").glob("*.conllu"))
    if not texts:
        parser.exit(2, f"{arguments.data}: there is no gum/dep/*.conllu; the real treebanks are needed\n")
    import conllu as package

    from crossbank.treebanks.formats import conllu

    text = "".join(path.read_text(encoding="utf-8") for path in texts)
    words = len(conllu.loads(text).tokens)
    print(f"{'':<12}{'words':>10}{'MB':>8}{'MB/s':>9}{'read s':>10}{'write s':>10}")
    times_of_ours = []
    with tempfile.TemporaryDirectory() as folder:
        path, written = Path(folder) / "gum.conllu", Path(folder) / "written.conllu"
        for times in (1, -(-arguments.words // words)):
            path.write_text(text * times, encoding="utf-8")
            bank = conllu.load(path)
            reading = seconds(lambda: conllu.load(path))
            writing = seconds(lambda bank=bank: conllu.dump(bank, written))
            assert written.read_bytes() == path.read_bytes()
            print(line("crossbank", words * times, path.stat().st_size, reading, writing))
            times_of_ours.append((reading, writing))
    sentences = package.parse(text)
    reading = seconds(lambda: package.parse(text), 1)
    writing = seconds(lambda: "".join(sentence.serialize() for sentence in sentences), 1)
    print(line("conllu", words, len(text.encode()), reading, writing))
    (our_reading, our_writing), *_ = times_of_ours
    print(compared(f"reading CoNLL-U, {words:,} words", our_reading, "conllu", reading))
    print(compared(f"writing CoNLL-U, {words:,} words", our_writing, "conllu", writing))


if __name__ == "__main__":
    main()
