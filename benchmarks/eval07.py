"""Time of the modes eval07 and conllx, beside the scorers in Perl where they are there.

    python benchmarks/eval07.py [DATA] [--sentences N] [--eval07 eval07.pl] [--conllx eval.pl]

DATA is the folder of real treebanks (default: ../shared/data); GUM's dependency texts are repeated to N
sentences and scored against a copy with wrong heads and relations: whole processes with the whole report,
the loops compiled before.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from pathlib import Path

from comparison import compared
from whole_process import measure, table

from crossbank.treebanks.formats import conllu, conllx

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
WRONG = 0.1


def with_errors(text: str) -> str:
    """Return the same text with another head, and another relation, in one word of ten."""
    chance = random.Random(7)
    lines = []
    for line in text.split("\n"):
        columns = line.split("\t")
        if len(columns) == 10:
            if chance.random() < WRONG:
                columns[6] = str(max(0, int(columns[6]) + chance.choice((-2, -1, 1, 2))))
            if chance.random() < WRONG:
                columns[7] = chance.choice(("nsubj", "obj", "obl", "nmod", "dep"))
        lines.append("\t".join(columns))
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("data", nargs="?", type=Path, default=DATA)
    parser.add_argument("--sentences", type=int, default=50_000)
    parser.add_argument("--eval07", type=Path)
    parser.add_argument("--conllx", type=Path)
    arguments = parser.parse_args()
    texts = sorted((arguments.data / "gum" / "dep").glob("*.conllu"))
    if not texts:
        parser.exit(2, f"{arguments.data}: there is no gum/dep/*.conllu; the real treebanks are needed\n")
    bank = conllu.loads("".join(path.read_text(encoding="utf-8") for path in texts))
    text = conllx.dumps(bank)
    times = -(-arguments.sentences // len(bank))
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        gold, system = (str(Path(folder) / f"{side}.conll") for side in ("gold", "system"))
        for path, side in ((gold, text), (system, with_errors(text))):
            Path(path).write_text(side * times, encoding="utf-8")
        for mode, script in (("eval07", arguments.eval07), ("conllx", arguments.conllx)):
            command = [sys.executable, "-m", "crossbank", "score", "--mode", mode, gold, system]
            computed = measure(command, runs=3)
            rows.append((f"crossbank {mode}", f"{computed.seconds:.2f}", f"{computed.megabytes:.0f}", ""))
            if script is not None:
                reference = measure(["perl", str(script), "-g", gold, "-s", system], runs=1)
                ratio = f"{reference.seconds / computed.seconds:.1f}"
                rows.append((script.name, f"{reference.seconds:.2f}", f"{reference.megabytes:.0f}", ratio))
                work = f"mode {mode}, {times * len(bank):,} sentences"
                print(compared(work, computed.seconds, script.name, reference.seconds))
    print(f"{times * len(bank)} sentences of GUM, {times * len(bank.tokens)} words")
    print(table(rows, ("", "seconds", "MB", "times ours")))


if __name__ == "__main__":
    main()
