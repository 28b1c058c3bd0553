"""How long the mode conll18 takes, beside the official script where it is there.

    python benchmarks/conll18.py [DATA] [--sentences N] [--script conll18_ud_eval.py]

DATA is the folder of real treebanks (default: ../shared/data); GUM's dependency texts are repeated to N
sentences and scored against a copy with wrong tags and relations: whole processes, the loops compiled
before. The script scores a tenth of the sentences; its time is multiplied by ten.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from treebanks import conllu

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
WRONG = 0.1


def perturbed(text: str) -> str:
    """The same text with another tag or relation in one word of ten."""
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


def seconds(*command: str | Path) -> tuple[float, float]:
    """By the clock, and of the processors, which other programs on the machine disturb less."""
    start = time.perf_counter()
    process = subprocess.Popen([sys.executable, *map(str, command)], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{command}: exit code {process.returncode}")
    return time.perf_counter() - start, usage.ru_utime + usage.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("data", nargs="?", type=Path, default=DATA)
    parser.add_argument("--sentences", type=int, default=50_000)
    parser.add_argument("--script", type=Path)
    arguments = parser.parse_args()
    texts = sorted((arguments.data / "gum" / "dep").glob("*.conllu"))
    if not texts:
        parser.exit(2, f"{arguments.data}: found no gum/dep/*.conllu, expected the real treebanks there\n")
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

        command = ("-m", "workflow.cli", "score", "--mode", "conll18", gold, system)
        write(once)
        seconds(*command)
        total = write(arguments.sentences)
        ours = min(seconds(*command) for _ in range(3))
        print("                            seconds  of processors  sentences/s")
        print(f"crossbank  {total:>7} sentences {ours[0]:8.2f} {ours[1]:14.2f} {total / ours[0]:>12.0f}")
        if arguments.script is None:
            print("conll18_ud_eval.py: left out (--script)")
            return
        part = write(arguments.sentences // 10)
        theirs = [found * total / part for found in seconds(arguments.script, "-v", gold, system)]
        print(
            f"the script {total:>7} sentences {theirs[0]:8.2f} {theirs[1]:14.2f} {total / theirs[0]:>12.0f}"
            f"  (from {part})"
        )
        print(f"ratio {theirs[0] / ours[0]:.1f} by the clock, {theirs[1] / ours[1]:.1f} of the processors")


if __name__ == "__main__":
    main()
