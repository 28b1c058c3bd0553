"""Universal Dependencies and Surface-Syntactic UD: agreement with treebanks in both, round trips, and speed.

    python benchmarks/ud_and_sud.py [DATA] [--sentences N]

DATA is the folder of real treebanks (default: ../shared/data), of which `sud/` has the same sentences in
both schemes: French GSD (dev) and two texts of Naija NSC. Rules were chosen on every second block of ten
sentences (chosen); the others are the test. UAS and LAS are of all words, with punctuation and subtypes.
A round trip leads from UD to SUD and back, and is compared with the UD that it began with. Speed is that of
treebanks in memory, repeated to N sentences, on one core; the best of three runs counts.
"""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from crossbank.treebanks import Treebank

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
BLOCK = 10
LANGUAGES = {"French GSD": "ud_to_sud_fr", "Naija NSC": "ud_to_sud_pcm"}
BOTH_SCHEMES = {"French GSD": ("fr_gsd-dev",), "Naija NSC": ("pcm_nsc-BEN_02", "pcm_nsc-ENU_33")}
ROUND_TRIPS = {
    "GUM": "gum/dep/*.conllu",
    "German GSD": "conll18/00-gold-standard/de_gsd.conllu",
    "English PUD": "conll18/00-gold-standard/en_pud.conllu",
    "FarPaHC": "farpahc/ud/*.conllu",
}


def main() -> None:
    """Print the tables and the speed."""
    arguments = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    arguments.add_argument("data", nargs="?", type=Path, default=DATA)
    arguments.add_argument("--sentences", type=int, default=30_000)
    options = arguments.parse_args()
    os.environ["CROSSBANK_THREADS"] = "1"
    if not (options.data / "sud").is_dir():
        print(f"{options.data}: there is no sud: nothing is measured")
        return
    print(f"{'':<14}{'':<16}{'sentences':>10}{'half':>8}{'UAS':>8}{'LAS':>8}")
    for name, files in BOTH_SCHEMES.items():
        for source, target, rules in (
            ("sud", "ud", "sud_to_ud"), ("ud", "sud", "ud_to_sud"), ("ud", "sud", LANGUAGES[name])
        ):  # fmt: skip
            bank, gold = (
                read_all(options.data, [f"sud/{file}.{of}.conllu" for file in files])
                for of in (source, target)
            )
            for half, rows in halves(len(bank)).items():
                part, expected = bank.select(rows), gold.select(rows)
                uas, las = agreement(converted(part, rules), expected)
                print(f"{name:<14}{rules:<16}{len(part):>10,}{half:>8}{uas:>8.2f}{las:>8.2f}")
    print("\nround trip from UD to SUD and back")
    for name, pattern in ROUND_TRIPS.items():
        bank = read_all(options.data, [pattern])
        uas, las = agreement(converted(converted(bank, "ud_to_sud"), "sud_to_ud"), bank)
        print(f"{name:<26}{len(bank):>10,}{'':>8}{uas:>8.2f}{las:>8.2f}")
    measure_speed(read_all(options.data, ["gum/dep/*.conllu"]), options.sentences)


def read_all(data: Path, patterns: list[str]) -> Treebank:
    """Return the treebanks of some files as one."""
    import crossbank
    from crossbank.treebanks import Treebank

    return Treebank.concatenate([crossbank.read(path) for one in patterns for path in sorted(data.glob(one))])


def halves(sentences: int) -> dict[str, list[int]]:
    """Return the sentences on which rules were chosen, and the others."""
    return {
        "chosen": [i for i in range(sentences) if i // BLOCK % 2 == 0],
        "test": [i for i in range(sentences) if i // BLOCK % 2],
    }


def converted(bank: Treebank, rules: str) -> Treebank:
    """Return a treebank in the other scheme."""
    from crossbank.converters.transformations import transform

    return transform(bank, [{"rewrite_dependencies": {"rules": rules}}])


def agreement(bank: Treebank, gold: Treebank) -> tuple[float, float]:
    """Return the percentage of words with the right head, and with the right head and relation."""
    head = bank.tokens.head == gold.tokens.head
    names = [one.vocabulary.decode(one.tokens.relation) for one in (bank, gold)]
    same = [one == other for one, other in zip(*names, strict=True)]
    return 100 * float(head.mean()), 100 * float((head & same).mean())


def measure_speed(bank: Treebank, sentences: int) -> None:
    """Print sentences a second of processor, both ways."""
    from crossbank.treebanks import Treebank

    repeated = Treebank.concatenate([bank] * -(-sentences // len(bank)))
    print()
    for rules in ("ud_to_sud", "sud_to_ud"):
        seconds = []
        for _ in range(3):
            begin = time.process_time()
            result = converted(repeated, rules)
            seconds.append(time.process_time() - begin)
        print(f"{rules}: {len(repeated) / min(seconds):,.0f} sentences a second of processor")
        repeated = result


if __name__ == "__main__":
    main()
