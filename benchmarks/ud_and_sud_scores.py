"""What the scheme does to attachment scores: systems of CoNLL 2018 in UD and in SUD, by construction.

    python benchmarks/ud_and_sud_scores.py [DATA]

DATA is the folder of real treebanks (default: ../shared/data). Relations are compared without subtypes of UD
and extensions of SUD, as in `config/ud_sud.yaml`, over gold's words. A construction is that of the word
in UD: a function word together with what it introduces, else the word's relation. Scores are means over the
systems that have a file for both treebanks; `points` is what the construction contributes to the difference.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from crossbank.treebanks import Treebank
    from crossbank.treebanks.arrays import BoolArray

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
GOLD = "00-gold-standard"
SYSTEMS = ("HIT-SCIR-18", "Phoenix", "Stanford-18", "TurkuNLP-18", "UDPipe-Future", "conll18-baseline")
UD = ("ud_without_subtypes",)
SUD = ("ud_without_subtypes", "ud_to_sud", "sud_without_extensions")
INTRODUCED = {
    "conj": "conjuncts",
    "mark": "conjunctions and their clauses",
    "aux": "auxiliaries and their verbs",
    "cop": "copulas and their predicates",
    "case": "adpositions and their nouns",
}
"""Relations of function words and of conjuncts, with the construction; of several the last one counts."""

MIN_WORDS = 50


def main() -> None:
    """Print a table for each treebank."""
    arguments = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    arguments.add_argument("data", nargs="?", type=Path, default=DATA)
    folder = arguments.parse_args().data / "conll18"
    if not folder.is_dir():
        print(f"{folder}: no such folder: nothing is measured")
        return
    for treebank in ("de_gsd", "en_pud"):
        print_table(folder, treebank)


def print_table(folder: Path, treebank: str) -> None:
    """Print UAS and LAS in both schemes by construction, the most frequent first."""
    import crossbank

    gold = crossbank.read(folder / GOLD / f"{treebank}.conllu")
    by_scheme = [rewritten(gold, rules) for rules in (UD, SUD)]
    right = np.zeros((4, len(gold.tokens)))
    for system in SYSTEMS:
        bank = crossbank.read(folder / system / f"{treebank}.conllu")
        for i, (own, rules) in enumerate(zip(by_scheme, (UD, SUD), strict=True)):
            heads, arcs = right_words(own, rewritten(bank, rules))
            right[i] += heads
            right[2 + i] += arcs
    right *= 100 / len(SYSTEMS)
    names = constructions(by_scheme[0])
    scores = "".join(f"{f'{one} UD':>8}{'SUD':>7}{'points':>8}" for one in ("UAS", "LAS"))
    print(f"\n{treebank:<32}{'words':>7}{scores}")
    of_names = {
        name: names == name for name in sorted(set(names.tolist()), key=lambda one: -sum(names == one))
    }
    for name, chosen in {"all words": np.ones(len(names), np.bool_), **of_names}.items():
        if chosen.sum() < MIN_WORDS:
            continue
        uas, sud_uas, las, sud_las = right[:, chosen].mean(axis=1)
        share = chosen.mean()
        print(
            f"{name:<32}{chosen.sum():>7,}{uas:>8.2f}{sud_uas:>7.2f}{(sud_uas - uas) * share:>+8.2f}"
            f"{las:>8.2f}{sud_las:>7.2f}{(sud_las - las) * share:>+8.2f}"
        )


def rewritten(bank: Treebank, rules: tuple[str, ...]) -> Treebank:
    """Return a treebank after conversions."""
    from crossbank.converters.transformations import transform

    return transform(bank, [{"rewrite_dependencies": {"rules": name}} for name in rules])


def right_words(gold: Treebank, candidate: Treebank) -> tuple[BoolArray, BoolArray]:
    """Return which of gold's words have the right head, and which the right head and relation."""
    from crossbank.compat.conll18.conll18_metric import Conll18

    aligned = Conll18.pair(gold, candidate).candidate
    heads = gold.tokens.head == aligned.tokens.head
    names = [np.array(one.vocabulary.decode(one.tokens.relation), object) for one in (gold, aligned)]
    return heads, heads & (names[0] == names[1])


def constructions(bank: Treebank) -> np.ndarray:
    """Return the construction of each word of a treebank in UD."""
    tokens = bank.tokens
    relation = np.array(bank.vocabulary.decode(tokens.relation), object)
    names = relation.copy()
    head = np.where(tokens.head < 0, -1, tokens.head + tokens.begins(tokens))
    for introducing, name in INTRODUCED.items():
        words = relation == introducing
        names[words] = name
        if introducing != "conj":
            names[head[words & (head >= 0)]] = name
    return names


if __name__ == "__main__":
    main()
