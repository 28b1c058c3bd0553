"""Universal Dependencies from the trees of GUM beside another converter's, and sentences a second.

    python benchmarks/universal.py [DATA] [--sentences N] [--corenlp CLASSES]

DATA is the folder of real treebanks (default: ../shared/data). No rule was chosen on the texts whose
sentences are counted: every second one by name, the second among them, of GUM's four genres in gum and of its
eleven others in gum-genres. The output of CoreNLP's converter for
the same trees is in DATA; its program is not run. Percentages: tags of all words (UPOS); heads (UAS),
relations with their subtypes (LAS) and enhanced edges (ELAS, F1) without gold's punctuation. Speed is that
of trees in memory, repeated to N sentences, on one core; compiled loops are warm, and the best of three runs
counts. A whole process converts the same N sentences from `.mrg` to `.conllu`, on all cores: its time is
that of the processor, its memory the most that it held. With CLASSES, a folder with CoreNLP's compiled
classes, its converter does the same in the same run.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from crossbank.treebanks import Treebank

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
MEASURES = ("UPOS", "UAS", "LAS", "ELAS")
ENHANCED = {"universal_dependencies": {"representation": "enhanced"}}


def main() -> None:
    """Print the table and the speed."""
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("data", nargs="?", type=Path, default=DATA)
    arguments.add_argument("--sentences", type=int, default=100_000)
    arguments.add_argument("--corenlp", metavar="CLASSES", type=Path)
    options = arguments.parse_args()
    os.environ["CROSSBANK_THREADS"] = "1"
    if not (options.data / "gum").is_dir():
        print(f"{options.data}: there is no gum: nothing is measured")
        return
    from crossbank.converters.scheme_files import load_scheme
    from crossbank.converters.transformations import transform
    from crossbank.treebanks import Treebank
    from crossbank.treebanks.formats import read

    ptb = load_scheme("ptb")
    trees, gold, held_out = halves(options.data)
    other = read(options.data / "ud-converter" / "gum.corenlp.conllu")
    for texts, (bank, right, second) in {
        "GUM's four genres": (trees, gold, held_out),
        "its eleven others": other_genres(options.data),
    }.items():
        for name, part in (("rules were", [not one for one in second]), ("no rule was", second)):
            print(f"{texts}, {sum(part):,} sentences of texts on which {name} chosen")
            print(f"{'':<28}{''.join(f'{name:>8}' for name in MEASURES)}")
            rows = {"CoreNLP (basic)": other.select(part)} if len(other) == len(bank) else {}
            chosen = bank.select(part)
            rows["trees without functions"] = transform(chosen, ["strip_functions", ENHANCED], ptb)
            rows["trees with functions"] = transform(chosen, [ENHANCED], ptb)
            for row, actual in rows.items():
                numbers = agreement(actual, right.select(part))
                displayed = (f"{numbers[m]:8.2f}" if numbers[m] else f"{'-':>8}" for m in MEASURES)
                print(f"{row:<28}{''.join(displayed)}")
    bank = Treebank.concatenate([trees] * -(-options.sentences // len(trees)))
    for steps in (["universal_dependencies"], [ENHANCED]):
        seconds = []
        for _ in range(3):
            begin = time.process_time()
            transform(bank, steps, ptb)
            seconds.append(time.process_time() - begin)
        kind = "basic" if isinstance(steps[0], str) else "enhanced"
        print(f"{kind}: {len(bank) / min(seconds):,.0f} sentences a second of processor")
    whole_processes(bank[: options.sentences], options.corenlp)


def whole_processes(bank: Treebank, corenlp: Path | None) -> None:
    """Print what processes take that convert sentences from one file into another."""
    from crossbank.treebanks.formats import write

    environment = {name: value for name, value in os.environ.items() if name != "CROSSBANK_THREADS"}
    with tempfile.TemporaryDirectory() as folder:
        source, target = f"{folder}/trees.mrg", f"{folder}/trees.conllu"
        write(bank, source)
        own = [sys.executable, "-m", "crossbank", "convert", source, target, "--scheme", "ptb", "--ud"]
        commands = {"Crossbank": own}
        if corenlp is not None:
            converter = "edu.stanford.nlp.trees.ud.UniversalDependenciesConverter"
            commands["CoreNLP"] = ["java", "-cp", str(corenlp), converter, "-treeFile", source]
        for name, command in commands.items():
            with open(f"{folder}/{name}", "w", encoding="utf-8") as stream:
                process = subprocess.Popen(command, stdout=stream, stderr=subprocess.DEVNULL, env=environment)
                _, status, used = os.wait4(process.pid, 0)
                process.returncode = os.waitstatus_to_exitcode(status)
            if process.returncode:
                print(f"{name} ended with status {process.returncode}")
                continue
            spent = f"{used.ru_utime + used.ru_stime:.1f} s of processor, {used.ru_maxrss / 1024:,.0f} MB"
            print(f"{name}, {len(bank):,} sentences from file to file: {spent}")


def halves(data: Path) -> tuple[Treebank, Treebank, list[bool]]:
    """Return GUM's trees and dependencies, and a mask of the sentences on whose texts no rule was chosen."""
    from crossbank.treebanks import Treebank
    from crossbank.treebanks.formats import read

    trees = [read(path, "bracket") for path in sorted((data / "gum" / "const").glob("*.ptb"))]
    gold = [read(path, "conllu") for path in sorted((data / "gum" / "dep").glob("*.conllu"))]
    held_out = [index % 2 == 1 for index, bank in enumerate(trees) for _ in range(len(bank))]
    return Treebank.concatenate(trees), Treebank.concatenate(gold), held_out


def other_genres(data: Path) -> tuple[Treebank, Treebank, list[bool]]:
    """The same of GUM's other genres, of which one file has all sentences."""
    from crossbank.treebanks.formats import read

    trees = read(data / "gum-genres" / "gum-genres.mrg", "bracket")
    gold = read(data / "gum-genres" / "gum-genres.gold.conllu")
    texts = [gold.sentence_id(index).rpartition("-")[0] for index in range(len(gold))]
    second = set(sorted(set(texts))[1::2])
    return trees, gold, [text in second for text in texts]


def agreement(actual: Treebank, gold: Treebank) -> dict[str, float]:
    """Return the percentages of ``MEASURES``; enhanced edges are 0 where there are none."""
    tags, computed, edges = _columns(actual, "pos", "relation", "deps")
    gold_tags, reference, gold_edges = _columns(gold, "pos", "relation", "deps")
    counts: Counter[str] = Counter()
    counts["UPOS"] = sum(a == b for a, b in zip(tags, gold_tags, strict=True))
    same_head = (actual.tokens.head == gold.tokens.head).tolist()
    for same, our, their, edge, gold_edge in zip(
        same_head, computed, reference, edges, gold_edges, strict=True
    ):
        if their == "punct":
            continue
        counts["words"] += 1
        counts["UAS"] += same
        counts["LAS"] += same and our == their
        mine, right = set(edge.split("|")) - {""}, set(gold_edge.split("|"))
        counts["ELAS"] += 2 * len(mine & right)
        counts["edges"] += len(mine) + len(right)
    whole = {"UPOS": len(tags), "UAS": counts["words"], "LAS": counts["words"], "ELAS": counts["edges"]}
    return {name: 100 * counts[name] / whole[name] for name in MEASURES}


def _columns(bank: Treebank, *names: str) -> list[list[str]]:
    return [bank.vocabulary.decode(getattr(bank.tokens, name)) for name in names]


if __name__ == "__main__":
    main()
