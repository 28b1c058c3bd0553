"""Processor time of a call on trees in memory, beside other scorers, and that of starting EVALB.

    python benchmarks/in_memory.py [--evalb PROGRAM] [--sentences N]

The trees are drawn: sentences of 15 words, every third with another label. Each way is called again and again
for a second, and the best of five such runs counts; a started program's time is its own and ours. PYEVALB and
NLTK are compared where they are installed. One sentence by itself, as rewards need it, is scored against
gold that a ``Scorer`` has: a thousand different ones, and the mean of their times. ``PlainParseval`` is what
a training script does without a library, for one sentence and for ``--sentences`` of them.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

LABELS = ("NP", "VP", "PP", "S", "SBAR")


def tree(words: int, draw: random.Random) -> str:
    if words == 1:
        return f"(NN w{draw.randrange(2000)})"
    cut = draw.randrange(1, words)
    return f"({draw.choice(LABELS)} {tree(cut, draw)} {tree(words - cut, draw)})"


def dependencies(words: int, draw: random.Random) -> str:
    lines = (
        f"{index}\tw{draw.randrange(2000)}\tl\tNOUN\tNN\t_\t{index - 1}\tnsubj\t_\t_\n"
        for index in range(1, words + 1)
    )
    return "".join(lines) + "\n"


def milliseconds(call: Callable[[], object]) -> float:
    """Return the processor time of a call and of the programs that it starts."""
    call()
    best = float("inf")
    for _ in range(5):
        begun, calls, stop = os.times(), 0, time.monotonic() + 1
        while not calls or time.monotonic() < stop:
            call()
            calls += 1
        ended = os.times()
        best = min(best, sum(ended[:4]) / calls - sum(begun[:4]) / calls)
    return 1000 * best


def milliseconds_of_one(call: Callable[[int], object], sentences: int = 1000) -> float:
    """Return the time of a call on one of a thousand different sentences: the best mean of five."""
    best = float("inf")
    for _ in range(6):
        begun = time.process_time()
        for sentence in range(sentences):
            call(sentence)
        best = min(best, time.process_time() - begun)
    return 1000 * best / sentences


class PlainParseval:
    """Parseval of bracketed strings in plain Python, with gold's brackets prepared."""

    WORDS = re.compile(r"[()]|[^()\s]+")

    def __init__(self, gold: list[str]) -> None:
        self.gold = [self.brackets(tree) for tree in gold]

    def brackets(self, tree: str) -> Counter[tuple[str, int, int]]:
        """Return the brackets over phrases, without the root and without tags."""
        brackets: Counter[tuple[str, int, int]] = Counter()
        open_nodes: list[tuple[str, int]] = []
        position, before = 0, ""
        for word in self.WORDS.findall(tree):
            if word == ")":
                label, start = open_nodes.pop()
                # The bracket that closes after a word is a tag.
                if before == ")" and open_nodes:
                    brackets[label, start, position] += 1
            elif word != "(":
                if before == "(":
                    open_nodes.append((word, position))
                else:
                    position += 1
            before = word
        return brackets

    def f1(self, candidate: list[str]) -> float:
        """Return F1 over all sentences."""
        matched = total = 0
        for gold, tree in zip(self.gold, candidate, strict=True):
            brackets = self.brackets(tree)
            matched += (gold & brackets).total()
            total += gold.total() + brackets.total()
        return 2 * matched / total


def print_single_sentences(sentences: int) -> None:
    """Print the times of one sentence, with diagnostics and F1, and of several, beside plain Python."""
    import crossbank

    draw = random.Random(2)
    gold = [f"(TOP {tree(15, draw)})" for _ in range(1000)]
    candidate = [one.replace("(VP", "(NP", 1) if i % 3 == 0 else one for i, one in enumerate(gold)]
    scorers = [crossbank.Scorer(scheme="ptb", gold=[one]) for one in gold]
    banks = [crossbank.Treebank([one]) for one in candidate]
    plain = [PlainParseval([one]) for one in gold]
    for scorer, other, string in zip(scorers, plain, candidate, strict=True):
        assert abs(scorer.score([string])["f1"] - other.f1([string])) < 1e-9
    ways = {
        "a string": lambda i: scorers[i].score([candidate[i]])["f1"],
        "a Treebank": lambda i: scorers[i].score(banks[i])["f1"],
        "reference: plain Python, from a string": lambda i: plain[i].f1([candidate[i]]),
    }
    print("one sentence of 15 words, a prepared Scorer, milliseconds of processor time")
    for name, way in ways.items():
        print(f"{name:<40} {milliseconds_of_one(way):8.3f}")
    several, strings = gold[:sentences], candidate[:sentences]
    scorer, other = crossbank.Scorer(scheme="ptb", gold=several), PlainParseval(several)
    time_of_scorer = milliseconds(lambda: scorer.score(strings)["f1"])
    time_of_python = milliseconds(lambda: other.f1(strings))
    print(
        f"{sentences} sentences, strings, a prepared Scorer: {time_of_scorer:.2f}, "
        f"{time_of_scorer / time_of_python:.2f} of plain Python's {time_of_python:.2f}"
    )


def naive(gold: list[object], candidate: list[object]) -> float:
    """Return Parseval's scores by a few lines over NLTK's trees, as many a training script has them."""
    matched = total = 0

    def spans(actual: object) -> Counter[tuple[str, int, int]]:
        counted: Counter[tuple[str, int, int]] = Counter()

        def walk(node: object, start: int) -> int:
            if isinstance(node, str):
                return start + 1
            end = start
            for child in node:  # type: ignore[attr-defined]
                end = walk(child, end)
            if len(node) > 1 or not isinstance(node[0], str):  # type: ignore[arg-type, index]
                counted[node.label(), start, end] += 1  # type: ignore[attr-defined]
            return end

        walk(actual, 0)
        return counted

    for one, other in zip(gold, candidate, strict=True):
        own, others = spans(one), spans(other)
        matched += (own & others).total()
        total += own.total() + others.total()
    return 2 * matched / total


def main() -> None:
    """Print a line for each way."""
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("--evalb", help="EVALB's program")
    arguments.add_argument("--sentences", type=int, default=100)
    options = arguments.parse_args()
    os.environ["CROSSBANK_THREADS"] = "1"
    import crossbank

    draw = random.Random(1)
    gold = [f"(TOP {tree(15, draw)})" for _ in range(options.sentences)]
    candidate = [one.replace("(VP", "(NP", 1) if i % 3 == 0 else one for i, one in enumerate(gold)]
    scorer = crossbank.Scorer(scheme="ptb", gold=gold)
    ways: dict[str, Callable[[], object]] = {
        "strings, a prepared Scorer": lambda: scorer.score(candidate),
        "strings": lambda: crossbank.score(gold, candidate, scheme="ptb"),
    }
    try:
        from nltk import Tree
    except ImportError:
        print("nltk: not installed, left out")
    else:
        trees = [[Tree.fromstring(one) for one in side] for side in (gold, candidate)]
        ways["nltk.Tree, a prepared Scorer"] = lambda: scorer.score(trees[1])
        ways["nltk.Tree"] = lambda: crossbank.score(*trees, scheme="ptb")
        ways["reference: Parseval in Python, nltk.Tree"] = lambda: naive(*trees)
        ways["reference: the same from strings"] = lambda: naive(
            *([Tree.fromstring(one) for one in side] for side in (gold, candidate))
        )
    try:
        from PYEVALB.parser import create_from_bracket_string
        from PYEVALB.scorer import Scorer as Pyevalb
    except ImportError:
        print("PYEVALB: not installed, left out")
    else:
        ways["reference: PYEVALB"] = lambda: [
            Pyevalb().score_trees(*map(create_from_bracket_string, pair))
            for pair in zip(gold, candidate, strict=True)
        ]
    import conllu

    text = "".join(dependencies(15, draw) for _ in range(options.sentences))
    lists = [conllu.parse(text), conllu.parse(text.replace("nsubj", "obj", 5))]
    ways["conllu.TokenList"] = lambda: crossbank.score(*lists, "dependencies")
    ways["conllu's own parsing of one side"] = lambda: conllu.parse(text)
    with tempfile.TemporaryDirectory() as folder:
        if options.evalb:
            import subprocess

            def evalb() -> None:
                for name, side in (("gold", gold), ("candidate", candidate)):
                    Path(folder, name).write_text("\n".join(side) + "\n", encoding="utf-8")
                command = [options.evalb, f"{folder}/gold", f"{folder}/candidate"]
                subprocess.run(command, check=True, capture_output=True)

            ways["reference: EVALB, started"] = evalb
        else:
            print("EVALB: no program named, left out")
        print(f"{options.sentences} sentences of 15 words, milliseconds of processor time for a call")
        for name, way in ways.items():
            print(f"{name:<40} {milliseconds(way):8.2f}")
    print_single_sentences(options.sentences)


if __name__ == "__main__":
    main()
