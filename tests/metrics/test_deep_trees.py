"""Trees of great depth: the same similarities in less time, and threads that stop together."""

import random

import numpy as np
import pytest

from crossbank.metrics.counting.scoring import score, scoring_of
from crossbank.metrics.leaf_ancestor import LeafAncestor, lineages
from crossbank.metrics.pairing.pair import pair
from crossbank.treebanks import Treebank
from crossbank.treebanks.formats import bracket
from crossbank.treebanks.ranges import in_ranges


def chain(labels: list[str]) -> Treebank:
    """Return one word below nodes with these labels, from the top down."""
    return bracket.loads("".join(f"({label} " for label in labels) + "(T w)" + ")" * len(labels))


def distance(a: list[str], b: list[str], replaced: float) -> float:
    """Return Wagner and Fischer's table; labels with the same first letter cost ``replaced``."""
    row = np.arange(len(b) + 1.0)
    for i, one in enumerate(a, 1):
        above, row = row, np.empty_like(row)
        row[0] = i
        for j, other in enumerate(b, 1):
            markers = bool({one, other} & {"[", "]"})
            cost = 0.0 if one == other else replaced if one[0] == other[0] and not markers else 2.0
            row[j] = min(above[j - 1] + cost, above[j] + 1, row[j - 1] + 1)
    return float(row[-1])


@pytest.mark.parametrize("cost", ["exact", "first_letter"])
@pytest.mark.parametrize("edits", [0, 5, 60, 400])
def test_deep_lineages_have_the_distance_of_the_whole_table(cost: str, edits: int) -> None:
    own = random.Random(edits)
    gold = [own.choice(["A", "B", "BX", "AX", "C"]) for _ in range(600)]
    parsed = list(gold)
    for _ in range(edits):
        index = own.randrange(len(parsed))
        what = own.randrange(3)
        if what == 0:
            parsed[index] = own.choice(["A", "B", "BX", "AX", "C"])
        elif what == 1:
            del parsed[index]
        else:
            parsed.insert(index, own.choice(["A", "BX", "C"]))
    banks = chain(gold), chain(parsed)
    (similarity,) = LeafAncestor(cost=cost).similarities(pair(*banks))
    computed, reference = (lineages(bank, 0)[0] for bank in banks)
    replaced = 0.5 if cost == "first_letter" else 2.0
    assert similarity == 1 - distance(computed, reference, replaced) / (len(computed) + len(reference))


def test_a_depth_of_a_hundred_thousand_takes_no_table() -> None:
    gold = ["A", "B"] * 50_000
    parsed = ["A", "X", *gold[1:30_000], *gold[30_001:], "Y"]
    (counts,) = score(chain(gold), chain(parsed), scoring_of(["leaf_ancestor"], {}))
    lengths = len(gold) + len(parsed) + 4
    assert counts.columns["mean"][0] == pytest.approx(1 - 3 / lengths)


def zigzag(labels: list[str]) -> Treebank:
    """Return nodes with a word on the one side and then on the other: trees that take longest to compare."""
    text = "(T w)"
    for index, label in enumerate(labels):
        text = f"({label} {text} (T w))" if index % 2 else f"({label} (T w) {text})"
    return bracket.loads(text)


def test_threads_stop_with_the_main_one_and_the_next_call_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CROSSBANK_THREADS", "2")

    def loop(first: int, last: int) -> None:
        if first == 0:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        in_ranges(loop, 100, 1)
    done: list[int] = []
    in_ranges(lambda first, last: done.extend(range(first, last)), 100, 1)
    assert sorted(done) == list(range(100))
