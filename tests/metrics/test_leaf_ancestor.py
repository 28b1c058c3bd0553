"""Leaf-ancestor: lineages, their distance and the means, against the definition."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossbank.metrics.counting.counts import Counts
from crossbank.metrics.counting.metric import metric
from crossbank.metrics.leaf_ancestor import LeafAncestor, lineages
from crossbank.metrics.pairing.pair import pair
from crossbank.treebanks import CrossbankError, Treebank
from crossbank.treebanks.errors import OptionError
from tests.assumptions import assume
from tests.errors import raises
from tests.metrics.trees import (
    ancestors,
    deep,
    from_parents,
    labelled,
    pairs,
    reversed_order,
    token_sets,
)


def score(gold: Treebank, candidate: Treebank, cost: str = "exact", root: bool = True) -> Counts:
    return LeafAncestor(cost, root).counts(pair(gold, candidate))


def written(bank: Treebank, *, root: bool = True) -> list[str]:
    return [" ".join(lineage) for lineage in lineages(bank, 0, root=root)]


def test_boundary_markers_stand_at_the_highest_node() -> None:
    assert written(labelled("[S [NP [NP a b ] [PP c ] ] d ]")) == [
        "NP NP [ S",
        "NP ] NP S",
        "[ PP NP ] S",
        "S ]",
    ]


def test_a_one_word_sentence_carries_both_markers() -> None:
    assert written(labelled("[S [NP a ] ]")) == ["NP [ S ]"]
    assert written(labelled("[S [NP a ] ]"), root=False) == ["[ NP ]"]
    assert written(labelled("a")) == [""]


def test_a_discontinuous_node_begins_at_its_first_and_ends_at_its_last_word() -> None:
    bank = from_parents([([0, 1, 0, 1, 0], [("S", -1), ("VP", 0)])])
    assert written(bank) == ["[ S", "[ VP S", "S", "VP ] S", "S ]"]


def test_both_means() -> None:
    gold = labelled("[S a ]", "[S [NP a b ] c ]")
    counts = score(gold, labelled("[X a ]", "[S [NP a b ] c ]"))
    assert counts.columns["similarity"].tolist() == [1 - 2 / 6, 3]
    assert counts.value("mean") == pytest.approx((2 / 3 + 1) / 2)
    assert counts.value("word_mean") == pytest.approx((2 / 3 + 3) / 4)
    assert counts.by_breakdown("label")["NP"] == {"words": 2, "similarity": 2}
    assert set(counts.by_breakdown("form")) == {"a", "b", "c"}


def test_words_without_any_lineage_are_alike() -> None:
    assert score(labelled("a [S b ]"), labelled("a [S b ]")).value("mean") == 1
    assert score(labelled("[S a b ]"), labelled("[X a b ]"), root=False).value("mean") == 1


def test_sentences_that_are_not_scored_lower_the_mean_or_are_left_out() -> None:
    counts = score(labelled("[S a b ]", "[S a ]"), labelled("", "[S a ]"))
    assert counts.columns["words"].tolist() == [2, 1]
    assert counts.values() == {"mean": 0.5, "word_mean": 1 / 3}
    assert counts.under("skip").values() == {"mean": 1, "word_mean": 1}


def test_items_are_words_with_both_lineages() -> None:
    both = pair(labelled("[S [NP a ] b ]", "[S a ]"), labelled("[S a b ]", ""))
    first, second = LeafAncestor().items(both, 0)
    assert (first.label, first.gold, first.candidate, first.matched) == ("a", "NP ] [ S", "[ S", False)
    assert (first.score, second.score, second.matched) == (pytest.approx(4 / 6), 1, True)
    (unscored,) = LeafAncestor().items(both, 1)
    assert (unscored.side, unscored.gold, unscored.candidate, unscored.score) == ("gold", "[ S ]", "", 0)


# Costs


def test_first_letter() -> None:
    gold, candidate = labelled("[NP a ]"), labelled("[N1 a ]")
    assert score(gold, candidate).value("mean") == pytest.approx(1 - 2 / 6)
    assert score(gold, candidate, "first_letter").value("mean") == pytest.approx(1 - 0.5 / 6)


def test_a_label_that_looks_like_a_marker_is_a_label() -> None:
    bank = from_parents([([0], [("[", -1)])])
    assert score(bank, labelled("[[X w0 ]"), "first_letter").value("mean") == pytest.approx(1 - 0.5 / 6)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("t.yaml", "NP: {N1: 0.25}\n"),
        ("t.yaml", "NP: {N1: 0.25}\nN1: {NP: 0.25, N1: 0}\n"),
        ("t.csv", "NP,N1,0.25\n"),
        ("t.csv", ",NP,N1,PP\nNP,0,.25,2\nN1,.25,0,2\n"),
    ],
)
def test_cost_tables(tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / name
    path.write_text(text)
    gold = labelled("[NP a ]", "[PP a ]")
    counts = score(gold, labelled("[N1 a ]", "[NP a ]"), str(path))
    assert counts.columns["mean"].tolist() == pytest.approx([1 - 0.25 / 6, 1 - 2 / 6])
    assert f"|cost:{name}#" in str(counts.signature)
    assert str(tmp_path) not in str(counts.signature)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("t.yaml", "NP: {N1: 2.5}", r"t\.yaml:1: NP\.N1: found '2\.5', expected a number from 0 to 2"),
        ("t.yaml", "NP: {N1: cheap}", r"NP\.N1: found 'cheap', expected a number"),
        ("t.yaml", "NP: {N1: .nan}", r"t.yaml:1: found .nan, expected a number"),
        (
            "t.yaml",
            "NP: {N1: 1}\nN1: {NP: 0.5}",
            r"t\.yaml:2: N1\.NP: found 0\.5 for N1 and NP, expected 1 as for NP and N1",
        ),
        ("t.yaml", "NP: {NP: 1}", r"found 1 for NP and itself, expected 0"),
        ("t.yaml", "NP: 1", r"t\.yaml:1: NP: found 1, expected a mapping from labels to costs"),
        ("t.yaml", "NO: {NP: 1}", r"found False, expected a label \(in quotes\)"),
        ("t.yaml", "- NP", r"t\.yaml: the file is no mapping"),
        ("t.csv", "NP,N1,3", r"t\.csv:1: found '3', expected a number from 0 to 2"),
        ("t.csv", "NP,N1,1\nN1,NP,2", r"t\.csv:2: found 2 for N1 and NP, expected 1 as for NP and N1"),
        ("t.csv", ",NP,N1\nNP,0,1\nN1,2,0", r"t\.csv:3: found 2 for N1 and NP, expected 1"),
        ("t.csv", ",NP,N1\nNP,0", r"t\.csv:2: found 2 fields, expected 3"),
        ("t.csv", "NP,N1", r"t\.csv:1: found 2 fields, expected label,label,cost"),
    ],
)
def test_wrong_cost_tables_are_named_in_one_line(tmp_path: Path, name: str, text: str, message: str) -> None:
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(CrossbankError, match=message) as raised:
        metric("leaf_ancestor", {"cost": str(path)})
    assert "\n" not in str(raised.value)


def test_an_unknown_cost_is_named() -> None:
    with raises(
        OptionError,
        kind="option cost",
        value="exakt",
        allowed="exact, first_letter, none or the path of a cost table (a YAML or CSV file)",
    ):
        metric("leaf_ancestor", {"cost": "exakt"})


# Against the definition


def naive_lineages(bank: Treebank, sentence: int) -> list[list[str]]:
    sets = token_sets(bank, sentence)
    actual = []
    for word in range(len(bank.words(sentence))):
        above = ancestors(bank, sentence, word)
        begins = [node for node in above if min(sets[node][1]) == word]
        ends = [node for node in above if max(sets[node][1]) == word]
        lineage: list[str] = []
        for node in above:
            lineage += ["["] * (node in begins[-1:]) + [sets[node][0]] + ["]"] * (node in ends[-1:])
        actual.append(lineage)
    return actual


def naive_distance(a: list[str], b: list[str], cost: str) -> float:
    table = np.zeros((len(a) + 1, len(b) + 1))
    table[:, 0], table[0, :] = np.arange(len(a) + 1), np.arange(len(b) + 1)
    for i, x in enumerate(a, 1):
        for j, y in enumerate(b, 1):
            related = cost == "first_letter" and x[0] == y[0] and x not in "[]"
            replace = 0 if x == y else 0.5 if related else 2
            table[i, j] = min(table[i - 1, j] + 1, table[i, j - 1] + 1, table[i - 1, j - 1] + replace)
    return float(table[-1, -1])


@given(pairs(), st.sampled_from(["exact", "first_letter"]))
def test_it_is_what_the_definition_says(banks: tuple[Treebank, Treebank], cost: str) -> None:
    gold, candidate = banks
    both = pair(gold, candidate)
    counts = LeafAncestor(cost).counts(both)
    for sentence in np.flatnonzero(both.scored).tolist():
        computed, reference = naive_lineages(gold, sentence), naive_lineages(candidate, sentence)
        expected = [
            1 - naive_distance(g, c, cost) / (len(g) + len(c)) if g or c else 1
            for g, c in zip(computed, reference, strict=True)
        ]
        items = LeafAncestor(cost).items(both, sentence)
        assert [item.score for item in items] == pytest.approx(expected)
        assert [item.gold.split() for item in items] == computed
        assert [item.candidate.split() for item in items] == reference
        assert counts.columns["mean"][sentence] == pytest.approx(np.mean(expected))


@given(pairs())
def test_identity_order_and_parts(banks: tuple[Treebank, Treebank]) -> None:
    gold, candidate = banks
    assert score(gold, gold).values() == {"mean": 1, "word_mean": 1}
    counts = score(gold, candidate)
    assert all(0 <= value <= 1 for value in counts.values().values())
    again = score(reversed_order(gold), reversed_order(candidate)).values()
    assert again == pytest.approx(counts.values())
    for part in ("form", "pos", "label"):
        sums = counts.by_breakdown(part).values()
        for name in ("words", "similarity"):
            assert sum(row[name] for row in sums) == pytest.approx(float(counts.sums()[name]))


def test_deep_trees() -> None:
    gold = deep(10_000)
    assert score(gold, gold).value("mean") == 1
    one_word, other = deep(10_000, branching=False), deep(10_000, labels="XY", branching=False)
    assert score(one_word, other).value("mean") == pytest.approx(1 - 10_000 / 20_004)


@given(pairs())
def test_gold_and_candidate_may_be_exchanged(banks: tuple[Treebank, Treebank]) -> None:
    gold, candidate = banks
    assume(pair(gold, candidate).scored.all())
    assert score(candidate, gold).values() == pytest.approx(score(gold, candidate).values())
