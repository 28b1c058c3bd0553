"""Parseval: multisets of labels and yields, and brackets that cross, against the definition."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given

from crossbank.metrics.counting.counts import Counts
from crossbank.metrics.counting.metric import metric
from crossbank.metrics.pairing.pair import Status, pair
from crossbank.metrics.parseval import Parseval
from crossbank.treebanks import Treebank
from crossbank.treebanks.errors import RequirementError
from tests.errors import raises
from tests.metrics.trees import deep, from_parents, labelled, pairs, reversed_order, token_sets


def score(gold: Treebank, candidate: Treebank, **options: bool) -> Counts:
    return Parseval(**options).counts(pair(gold, candidate))


def column(counts: Counts, name: str) -> list[float]:
    return counts.columns[name].tolist()


def test_one_wrong_attachment() -> None:
    gold = labelled("[S he [VP saw [NP the man [PP with [NP glasses ] ] ] ] ]")
    candidate = labelled("[S he [VP saw [NP the man ] [PP with [NP glasses ] ] ] ]")
    values = score(gold, candidate).values()
    assert (values["precision"], values["recall"], values["f1"]) == (4 / 5, 4 / 5, 4 / 5)
    assert (values["exact"], values["crossing"], values["no_crossing"]) == (0.0, 0.0, 1.0)


def test_crossing_is_a_share_of_the_candidates_brackets() -> None:
    gold = labelled("[S a [X b c ] d ]", "[S [X a b ] [X c d ] ]")
    candidate = labelled("[S [Y a b ] [Y c d ] ]", "[S a [X b c ] d ]")
    counts = score(gold, candidate)
    assert column(counts, "crossing") == [2, 1]
    assert counts.value("crossing") == 3 / 5
    assert counts.value("crossing_per_sentence") == 1.5
    assert counts.value("no_crossing") == 0
    assert counts.value("two_or_less_crossing") == 1


def test_unary_chains_are_multisets() -> None:
    gold = labelled("[S [NP [NP a ] ] [VP [VP [S b ] ] ] ]")
    candidate = labelled("[S [NP a ] [S [VP [VP [VP b ] ] ] ] ]")
    counts = score(gold, candidate)
    assert (column(counts, "gold"), column(counts, "candidate"), column(counts, "matched")) == ([6], [6], [5])
    assert counts.by_breakdown("label")["NP"] == {"gold": 2, "candidate": 1, "matched": 1, "crossing": 0}


def test_labels_and_root_are_options() -> None:
    gold, candidate = labelled("[S [NP a b ] c ]"), labelled("[X [VP a b ] c ]")
    assert column(score(gold, candidate), "matched") == [0]
    assert column(score(gold, candidate, labels=False), "matched") == [2]
    assert column(score(gold, candidate, labels=False, root=False), "matched") == [1]
    assert column(score(gold, candidate, root=False), "gold") == [1]
    written = metric("parseval", {"labels": "no"}).counts(pair(gold, candidate)).full_signature
    assert str(written) == (
        "parseval|labels:no|root:yes|roots:all|functions:no|discontinuous:all|trivial:yes|duplicates:yes"
        "|conversions:none|unscored:empty:0|v1.1"
    )


def test_a_root_that_is_not_counted_is_not_crossed() -> None:
    gold = labelled("[S a b ] [S c d ]")
    candidate = labelled("[S a [X b c ] d ]")
    assert column(score(gold, candidate), "crossing") == [1]
    assert column(score(gold, candidate, root=False), "crossing") == [0]


def test_discontinuous_constituents_are_sets_of_tokens() -> None:
    gold = from_parents([([1, 0, 1, 0], [("S", -1), ("VP", 0)])])
    same_extent = from_parents([([1, 1, 1, 0], [("S", -1), ("VP", 0)])])
    assert column(score(gold, gold), "matched") == [2]
    counts = score(gold, same_extent)
    assert (column(counts, "matched"), column(counts, "crossing")) == ([1], [0])
    crossed = score(gold, from_parents([([1, 1, 0, 0], [("S", -1), ("VP", 0)])]))
    assert (column(crossed, "matched"), column(crossed, "crossing")) == ([1], [1])


def test_a_sentence_that_is_not_scored_has_golds_brackets_only() -> None:
    gold = labelled("[S [NP a b ] c ]", "[S [NP a b ] c ]", "[S a ]")
    candidate = labelled("", "[S [NP a b ] d ]", "[S a ]")
    counts = score(gold, candidate)
    assert counts.status.tolist() == [Status.NO_PARSE, Status.WORDS_DIFFER, Status.SCORED]
    assert column(counts, "gold") == [2, 2, 1]
    for name in ("candidate", "matched", "exact", "no_crossing", "two_or_less_crossing"):
        assert column(counts, name) == [0, 0, 1]
    assert counts.value("recall") == 1 / 5
    assert counts.under("skip").value("exact") == 1
    assert counts.by_breakdown("label")["NP"] == {"gold": 2, "candidate": 0, "matched": 0, "crossing": 0}
    assert [item.side for item in Parseval().items(pair(gold, candidate), 1)] == ["gold", "gold"]


def test_items_say_which_bracket_is_on_which_side() -> None:
    gold = labelled("[S x ]", "[S [NP a b ] c ]")
    candidate = labelled("[S x ]", "[S a [NP b c ] ]")
    items = Parseval().items(pair(gold, candidate), 1)
    assert [(item.label, item.tokens, item.side, item.matched) for item in items] == [
        ("S", (0, 1, 2), "both", True),
        ("NP", (0, 1), "gold", False),
        ("NP", (1, 2), "candidate", False),
    ]


@given(pairs())
def test_it_is_what_the_definition_says(banks: tuple[Treebank, Treebank]) -> None:
    gold, candidate = banks
    both = pair(gold, candidate)
    counts = Parseval().counts(both)
    for sentence in np.flatnonzero(both.scored).tolist():
        computed, reference = token_sets(gold, sentence), token_sets(candidate, sentence)
        assert counts.columns["gold"][sentence] == len(computed)
        assert counts.columns["candidate"][sentence] == len(reference)
        assert counts.columns["matched"][sentence] == (Counter(computed) & Counter(reference)).total()
        crossing = [any(c & g and c - g and g - c for _, g in computed) for _, c in reference]
        assert counts.columns["crossing"][sentence] == sum(crossing)
        items = Parseval().items(both, sentence)
        for side, brackets in (("gold", computed), ("candidate", reference)):
            actual = [(item.label, frozenset(item.tokens)) for item in items if item.side in (side, "both")]
            assert Counter(actual) == Counter(brackets)


@given(pairs())
def test_identity_order_exchange_and_parts(banks: tuple[Treebank, Treebank]) -> None:
    gold, candidate = banks
    itself = score(gold, gold).values()
    for name in ("precision", "recall", "f1", "exact", "no_crossing", "two_or_less_crossing"):
        assert itself[name] == 1
    assert (itself["crossing"], itself["crossing_per_sentence"]) == (0, 0)

    counts = score(gold, candidate)
    assert score(reversed_order(gold), reversed_order(candidate)).values() == counts.values()
    assert all(0 <= counts.value(m.name) <= 1 for m in Parseval.measures if m.proportion)

    sums = counts.sums()
    parts = counts.by_breakdown("label").values()
    for name in ("gold", "candidate", "matched", "crossing"):
        assert sum(part[name] for part in parts) == sums[name]

    if pair(gold, candidate).scored.all():
        exchanged = score(candidate, gold)
        assert exchanged.value("precision") == counts.value("recall")
        assert exchanged.value("recall") == counts.value("precision")


@pytest.mark.parametrize("branching", [True, False])
def test_deep_trees(branching: bool) -> None:
    levels = 10_000
    gold = deep(levels, branching=branching)
    counts = score(gold, gold)
    assert column(counts, "matched") == [levels]
    assert column(counts, "crossing") == [0]


def test_deep_trees_with_gaps() -> None:
    levels = 3_000
    nodes = [("X", node - 1) for node in range(levels)]
    gold_parents, candidate_parents = list(range(levels)), list(range(levels))
    gold_parents[levels // 2] = 0
    candidate_parents[levels // 3] = 0
    gold, candidate = from_parents([(gold_parents, nodes)]), from_parents([(candidate_parents, nodes)])
    counts = score(gold, candidate)
    assert gold.spans.discontinuous.sum() == levels // 2 - 1
    assert column(score(gold, gold), "matched") == [levels]
    assert column(counts, "gold") == [levels]
    # Below the higher gap both have all remaining tokens; between the gaps each lacks another one.
    assert column(counts, "matched") == [1 + levels - levels // 2 - 1]


def test_gold_without_constituents_is_refused() -> None:
    with raises(RequirementError, name="parseval", required="phrasal nodes"):
        score(labelled("a b"), labelled("[S a b ]"))
