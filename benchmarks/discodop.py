"""Time of the mode discodop, beside disco-dop where it is there.

    python benchmarks/discodop.py [DATA] [--sentences N] [--program discodop]

DATA is the folder of real treebanks (default: ../shared/data); TüBa-D/Z's 500 sentences are repeated to N, as
discontinuous brackets, and scored against a copy in which one label in ten is another: whole processes,
breakdowns printed too. The program scores a tenth of the sentences; its time is multiplied by ten.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from pathlib import Path

from comparison import compared
from whole_process import measure, table

from crossbank.treebanks.formats import discbracket, export

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
WRONG = 0.1


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("data", nargs="?", type=Path, default=DATA)
    parser.add_argument("--sentences", type=int, default=20_000)
    parser.add_argument("--program", type=Path)
    arguments = parser.parse_args()
    source = arguments.data / "tuebadz-masked" / "test.negra"
    if not source.is_file():
        parser.exit(2, f"{source}: no such file; the real treebanks are needed\n")
    bank = export.load(source)
    chance = random.Random(4)
    label = bank.nodes.label.copy()
    for node in range(len(label)):
        if chance.random() < WRONG:
            label[node] = bank.nodes.label[chance.randrange(len(label))]
    texts = [discbracket.dumps(side) for side in (bank, bank.replace(nodes=bank.nodes.replace(label=label)))]
    with tempfile.TemporaryDirectory() as folder:
        files = [str(Path(folder) / f"{name}.dbr") for name in ("gold", "candidate")]

        def write(sentences: int) -> int:
            times = -(-sentences // len(bank))
            for path, text in zip(files, texts, strict=True):
                Path(path).write_text(text * times, encoding="utf-8")
            return times * len(bank)

        total = write(arguments.sentences)
        command = [sys.executable, "-m", "crossbank", "score", "--mode", "discodop", *files]
        computed = measure(command, runs=3)
        rows = [("crossbank", total, f"{computed.seconds:.2f}", f"{computed.processors:.2f}", "", "")]
        if arguments.program is not None:
            part = write(arguments.sentences // 10)
            reference = measure([str(arguments.program), "eval", *files, "--fmt=discbracket"], runs=1)
            clock, processors = (
                actual * total / part for actual in (reference.seconds, reference.processors)
            )
            ratios = f"{clock / computed.seconds:.1f}", f"{processors / computed.processors:.1f}"
            name = f"{arguments.program.name} (from {part})"
            rows.append((name, total, f"{clock:.2f}", f"{processors:.2f}", *ratios))
    print(table(rows, ("", "sentences", "seconds", "of processors", "times ours", "by processors")))
    if arguments.program is not None:
        print(
            compared(f"mode discodop, {total:,} sentences", computed.seconds, arguments.program.name, clock)
        )


if __name__ == "__main__":
    main()
