"""Tree distance: against a naive recursion, its options and the laws of a distance."""

from functools import cache
from pathlib import Path
from typing import Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossbank.metrics.counting.metric import metric
from crossbank.metrics.pairing.pair import pair
from crossbank.metrics.tree_distance import TreeDistance
from crossbank.treebanks import Treebank
from crossbank.treebanks.errors import OptionError, RequirementError
from tests.errors import raises
from tests.metrics.trees import (
    continuous,
    deep,
    discontinuous,
    from_parents,
    labelled,
    pairs,
    reversed_order,
)

Node = tuple[str, tuple["Node", ...]]
"""A label and its children."""

Leaves = Literal["words", "tags", "none"]


def distance(gold: Treebank, candidate: Treebank, **options: object) -> list[float]:
    counts = metric("tree_distance", options).counts(pair(gold, candidate))
    actual: list[float] = counts.columns["distance"].tolist()
    return actual


def forest(bank: Treebank, sentence: int, leaves: Leaves = "words") -> tuple[Node, ...]:
    """Return the trees of a sentence, children in the order of their first words."""
    one = bank.select([sentence])
    below: dict[int, list[tuple[int, int]]] = {node: [] for node in range(-1, len(one.nodes))}
    for node, (parent, start) in enumerate(zip(one.nodes.parent, one.spans.start, strict=True)):
        below[int(parent)].append((int(start), node))
    for token, parent in enumerate(one.tokens.parent if leaves != "none" else []):
        below[int(parent)].append((token, -1 - token))

    def tree(item: int) -> Node:
        if item < 0:
            word = one.words(0)[-1 - item]
            return (word if leaves == "words" else f"{tags[-1 - item]} {-1 - item}", ())
        return one.vocabulary[int(one.nodes.label[item])], children(item)

    def children(item: int) -> tuple[Node, ...]:
        return tuple(tree(child) for _, child in sorted(below[item], key=lambda pair: pair[0]))

    tags = one.vocabulary.decode(one.tokens.pos)
    return children(-1)


@cache
def size(trees: tuple[Node, ...]) -> int:
    return sum(1 + size(children) for _, children in trees)


@cache
def naive(a: tuple[Node, ...], b: tuple[Node, ...], first_letter: bool = False) -> float:
    """Return the distance of two forests, by recursion over their last trees (Zhang and Shasha, lemma 3)."""
    if not a or not b:
        return size(a) + size(b)
    (label, children), (other, other_children) = a[-1], b[-1]
    replaced = 0.0 if label == other else 0.25 if first_letter and label[0] == other[0] in "ABC" else 1.0
    return min(
        naive(a[:-1] + children, b, first_letter) + 1,
        naive(a, b[:-1] + other_children, first_letter) + 1,
        naive(a[:-1], b[:-1], first_letter) + naive(children, other_children, first_letter) + replaced,
    )


def test_the_example_of_zhang_and_shasha() -> None:
    """Figure 4: f(d(a, c(b)), e) and f(c(d(a, b)), e), distance 2."""
    first = from_parents([([1, 3, 4], [("f", -1), ("a", 2), ("d", 0), ("b", 5), ("e", 0), ("c", 2)])])
    second = from_parents([([1, 2, 4], [("f", -1), ("a", 3), ("b", 3), ("d", 5), ("e", 0), ("c", 0)])])
    assert distance(first, second, leaves="none") == [2]
    assert distance(second, first, leaves="none") == [2]


def test_an_attachment_error_costs_a_node_or_two() -> None:
    gold = labelled("[S she [VP saw [NP him ] [PP with [NP it ] ] ] ]")
    candidate = labelled("[S she [VP saw [NP [NP him ] [PP with [NP it ] ] ] ] ]")
    counts = TreeDistance().counts(pair(gold, candidate))
    assert {name: column.tolist() for name, column in counts.columns.items()} == {
        "gold": [10],
        "candidate": [11],
        "distance": [1],
    }
    assert counts.values() == {"similarity": 1 - 1 / 21, "distance": 1}
    (added,) = [item for item in TreeDistance().items(pair(gold, candidate), 0) if not item.matched]
    assert (added.label, added.side) == ("NP", "candidate")


def test_a_relabelled_node_has_a_partner() -> None:
    gold, candidate = labelled("[S [NP a ] [VP b ] ]", "[S a ]"), labelled("[S [NP a ] [NP b ] ]", "")
    items = TreeDistance().items(pair(gold, candidate), 0)
    assert [(item.gold, item.candidate, item.score, item.tokens) for item in items] == [
        ("S", "S", 1, (0, 1)),
        ("NP", "NP", 1, (0,)),
        ("VP", "NP", 0, (1,)),
    ]
    (unscored,) = TreeDistance().items(pair(gold, candidate), 1)
    assert (unscored.side, unscored.matched) == ("gold", False)


def test_leaves() -> None:
    gold, candidate = labelled("[S a/X b/Y c/Z ]"), labelled("[S [A a/X ] b/Y c/V ]")
    for leaves, expected in {"words": (4, 5, 1), "tags": (4, 5, 2), "none": (1, 2, 1)}.items():
        counts = metric("tree_distance", {"leaves": leaves}).counts(pair(gold, candidate))
        actual = [counts.columns[name][0] for name in ("gold", "candidate", "distance")]
        assert tuple(actual) == expected


def test_costs_of_labels(tmp_path: Path) -> None:
    table = tmp_path / "costs.csv"
    table.write_text("NP,N1,0.5\n")
    gold, candidate = labelled("[S [NP a ] ]", "[NP-SBJ a ]"), labelled("[S [N1 a ] ]", "[NP a ]")
    assert distance(gold, candidate) == [1, 1]
    assert distance(gold, candidate, cost=str(table)) == [0.25, 1]
    assert distance(gold, candidate, cost="first_letter") == [0.25, 0.25]
    assert distance(gold, candidate, function_cost="0.5") == [1, 0.5]


def test_unscored_sentences() -> None:
    counts = TreeDistance().counts(pair(labelled("[S a b ]", "[S a ]"), labelled("", "[S a ]")))
    assert counts.values() == {"similarity": 1 - 3 / 7, "distance": 1.5}
    assert counts.under("skip").values() == {"similarity": 1, "distance": 0}


def test_wrong_leaves_and_gold_without_nodes() -> None:
    with raises(OptionError, kind="option leaves", value="x"):
        metric("tree_distance", {"leaves": "x"})
    with raises(RequirementError, name="tree_distance", required="phrasal nodes"):
        TreeDistance().counts(pair(labelled("a"), labelled("[S a ]")))


def test_deep_trees_either_way() -> None:
    gold, candidate = deep(600, labels="AB"), deep(600, labels="ABA")
    assert distance(gold, gold) == [0]
    assert 0 < distance(gold, candidate)[0] <= 600


@given(pairs(), st.sampled_from(["words", "tags", "none"]), st.booleans())
def test_distance_is_that_of_the_naive_recursion(
    banks: tuple[Treebank, Treebank], leaves: Leaves, first_letter: bool
) -> None:
    both = pair(*banks)
    actual = TreeDistance(cost="first_letter" if first_letter else "exact", leaves=leaves)
    counted = actual.counts(both).columns["distance"]
    for sentence in np.flatnonzero(both.scored).tolist():
        a, b = (forest(bank, sentence, leaves) for bank in banks)
        assert counted[sentence] == pytest.approx(naive(a, b, first_letter))


@given(pairs())
def test_distance_is_that_of_apted(banks: tuple[Treebank, Treebank]) -> None:
    apted = pytest.importorskip("apted")
    both = pair(*banks)
    counted = TreeDistance().counts(both).columns["distance"]
    for sentence in np.flatnonzero(both.scored).tolist():
        trees = [apted.helpers.Tree("", *map(to_apted, forest(bank, sentence))) for bank in banks]
        assert counted[sentence] == apted.APTED(*trees).compute_edit_distance()


def to_apted(tree: Node) -> object:
    from apted.helpers import Tree

    return Tree(tree[0], *map(to_apted, tree[1]))


@st.composite
def three_parses(draw: st.DrawFn) -> list[Treebank]:
    length = draw(st.integers(1, 6))
    same: tuple[list[int], list[tuple[str, int]]] = ([0], [("A", -1)])
    return [
        from_parents([same, draw(st.one_of(continuous(length), discontinuous(length)))]) for _ in range(3)
    ]


@given(three_parses(), st.sampled_from(["exact", "first_letter"]), st.sampled_from(["words", "tags", "none"]))
def test_it_is_a_distance(banks: list[Treebank], cost: str, leaves: Leaves) -> None:
    """The prices of ``first_letter`` obey the triangle inequality themselves."""
    a, b, c = banks
    options = {"cost": cost, "leaves": leaves}
    assert distance(a, a, **options) == [0, 0]
    assert distance(a, b, **options) == distance(b, a, **options)
    assert distance(a, c, **options)[1] <= distance(a, b, **options)[1] + distance(b, c, **options)[1] + 1e-9


@given(pairs(), st.sampled_from(["exact", "first_letter"]), st.sampled_from(["words", "tags", "none"]))
def test_items_are_worth_the_distance(banks: tuple[Treebank, Treebank], cost: str, leaves: Leaves) -> None:
    """Where leaves have no price of their own: all are there, and in trees without gaps in the same order."""
    both = pair(*banks)
    actual = TreeDistance(cost=cost, leaves=leaves)
    counts = actual.counts(both)
    assert ((counts.by_sentence("similarity") >= 0) & (counts.by_sentence("similarity") <= 1)).all()
    for sentence in range(len(both)):
        items = actual.items(both, sentence)
        assert sum(1 - item.score for item in items) <= counts.columns["distance"][sentence] + 1e-9
        if leaves == "none":
            assert sum(1 - item.score for item in items) == pytest.approx(
                counts.columns["distance"][sentence]
            )
    backwards = actual.counts(pair(reversed_order(banks[0]), reversed_order(banks[1])))
    assert backwards.columns["distance"].tolist() == counts.columns["distance"].tolist()[::-1]
