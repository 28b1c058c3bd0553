"""Time of the mode conll18, beside the official script where it is there.

    python benchmarks/conll18.py [DATA] [--sentences N] [--script conll18_ud_eval.py]

DATA is the folder of real treebanks (default: ../shared/data); GUM's dependency texts are repeated to N
sentences and scored against a copy with wrong tags and relations: whole processes, the loops compiled
before. The script scores a tenth of the sentences; its time is multiplied by ten.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from pathlib import Path

from comparison import compared
from whole_process import measure, table

from crossbank.treebanks.formats import conllu

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
WRONG = 0.1


def perturbed(text: str) -> str:
    """Return the same text with another tag or relation in one word of ten."""
    chance = random.Random(18)
    lines = []
    for line in text.split("\n"):
        columns = line.split("\t")
        if len(columns) == 10 and columns[0].isdigit() and columns[7] != "root":
            if chance.random() < WRONG:
                columns[3] = "X"
            if chance.random() < WRONG:
                columns[7] = "dep"
        lines.append("\t".join(columns))
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("data", nargs="?", type=Path, default=DATA)
    parser.add_argument("--sentences", type=int, default=50_000)
    parser.add_argument("--script", type=Path)
    arguments = parser.parse_args()
    texts = sorted((arguments.data / "gum" / "dep").glob("*.conllu"))
    if not texts:
        parser.exit(2, f"{arguments.data}: there is no gum/dep/*.conllu; the real treebanks are needed\n")
    text = "".join(path.read_text(encoding="utf-8") for path in texts)
    once = len(conllu.loads(text))
    other = perturbed(text)
    with tempfile.TemporaryDirectory() as folder:
        gold, system = Path(folder) / "gold.conllu", Path(folder) / "system.conllu"

        def write(sentences: int) -> int:
            times = -(-sentences // once)
            gold.write_text(text * times, encoding="utf-8")
            system.write_text(other * times, encoding="utf-8")
            return times * once

        files = str(gold), str(system)
        total = write(arguments.sentences)
        computed = measure([sys.executable, "-m", "crossbank", "score", "--mode", "conll18", *files], runs=3)
        rows = [("crossbank", total, f"{computed.seconds:.2f}", f"{computed.processors:.2f}", "", "")]
        if arguments.script is not None:
            part = write(arguments.sentences // 10)
            reference = measure([sys.executable, str(arguments.script), "-v", *files], runs=1)
            clock, processors = (
                actual * total / part for actual in (reference.seconds, reference.processors)
            )
            ratios = f"{clock / computed.seconds:.1f}", f"{processors / computed.processors:.1f}"
            rows.append(
                (
                    f"{arguments.script.name} (from {part})",
                    total,
                    f"{clock:.2f}",
                    f"{processors:.2f}",
                    *ratios,
                )
            )
    print(table(rows, ("", "sentences", "seconds", "of processors", "times ours", "by processors")))
    if arguments.script is not None:
        print(compared(f"mode conll18, {total:,} sentences", computed.seconds, arguments.script.name, clock))


if __name__ == "__main__":
    main()
