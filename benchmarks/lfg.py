"""Time to read and score packed f-structures.

    python benchmarks/lfg.py [DATA] [--copies N]

DATA is the folder of real treebanks (default: ../shared/data). The 107 Norwegian files are read with all
their solutions and written as triples; the treebank is then repeated, and the chosen analyses are scored
against all of them. Wall-clock seconds of this process.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from time import perf_counter

from whole_process import table

from crossbank.formalisms.lfg.formats import triples
from crossbank.metrics.counting.scoring import score, scoring_of
from crossbank.treebanks import Treebank
from crossbank.treebanks.formats import read

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("data", nargs="?", type=Path, default=DATA)
    arguments.add_argument("--copies", type=int, default=5)
    options = arguments.parse_args()
    files = sorted((options.data / "xle-fstructures" / "mrs" / "nb").glob("*.pl"))
    rows = []
    begin = perf_counter()
    bank = Treebank.concatenate([read(path, "xle") for path in files])
    rows.append(("read xle", len(bank), perf_counter() - begin))
    begin = perf_counter()
    written = triples.dumps(bank)
    rows.append(("write triples", len(bank), perf_counter() - begin))
    begin = perf_counter()
    triples.loads(written)
    rows.append(("read triples", len(bank), perf_counter() - begin))
    many = Treebank.concatenate([bank] * options.copies)
    gold = many.only_chosen()
    for features in ("preds_only", "all"):
        begin = perf_counter()
        score(gold, many, scoring_of(["fstructure"], {"features": features, "best": "random"}))
        rows.append((f"score, features={features}", len(many), perf_counter() - begin))
    print(f"{len(files)} files, {len(bank)} analyses, {len(bank.relations):,} feature specifications")
    print(
        table(
            [(what, str(count), f"{seconds:.2f}", f"{count / seconds:.0f}") for what, count, seconds in rows],
            ("what", "analyses", "seconds", "analyses a second"),
        )
    )


if __name__ == "__main__":
    main()
