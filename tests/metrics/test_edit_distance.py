"""Rule, span and bracketing distance: options, sums and errors, against the definition."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossbank.metrics.bracketing_distance import BracketingDistance, closing_differences
from crossbank.metrics.counting.metric import metric
from crossbank.metrics.edits.edit_distance import EditDistance
from crossbank.metrics.pairing.pair import pair
from crossbank.metrics.rule_distance import RuleDistance
from crossbank.metrics.span_distance import SpanDistance
from crossbank.treebanks import CrossbankError, Treebank
from crossbank.treebanks.errors import OptionError, RequirementError
from tests.errors import raises
from tests.metrics.trees import deep, from_parents, labelled, pairs, reversed_order

METRICS: list[type[EditDistance]] = [RuleDistance, SpanDistance, BracketingDistance]


def edits(metric: EditDistance, gold: Treebank, candidate: Treebank) -> list[float]:
    actual: list[float] = metric.counts(pair(gold, candidate)).columns["edits"].tolist()
    return actual


def test_a_parse_of_two_sentences() -> None:
    gold = labelled("[S [NP the dog ] [VP barked ] ]", "[S a [NP b c ] ]")
    candidate = labelled("[S [NP the dog ] barked ]", "[S a [NP b c ] ]")
    for actual in METRICS:
        counts = actual().counts(pair(gold, candidate))
        assert counts.columns["gold"].tolist() == [3, 2]
    assert edits(RuleDistance(), gold, candidate) == [2, 0]
    assert edits(SpanDistance(), gold, candidate) == [1, 0]
    assert edits(BracketingDistance(), gold, candidate) == [1, 0]
    counts = SpanDistance().counts(pair(gold, candidate))
    assert counts.values() == pytest.approx({"accuracy": 0.8, "error_rate": 20})
    assert counts.by_sentence("error_rate").tolist() == pytest.approx([100 / 3, 0])


def test_accuracy_stops_at_zero_and_the_error_rate_goes_on() -> None:
    gold, candidate = labelled("[S a b ]"), labelled("[X [Y a ] [Z b ] ]")
    assert SpanDistance().counts(pair(gold, candidate)).values() == {"accuracy": 0, "error_rate": 300}


def test_nothing_to_edit_is_right_and_edits_without_events_are_wrong() -> None:
    gold = labelled("a b", "a b", "[S a ]")
    counts = SpanDistance().counts(pair(gold, labelled("a b", "[S a b ]", "[S a ]")))
    assert counts.by_sentence("accuracy").tolist() == [1, 0, 1]


def test_unscored_sentences_have_nothing_right_or_are_left_out() -> None:
    gold = labelled("[S [A a ] b ]", "[S a ]", "[S a ]")
    candidate = labelled("", "[S x ]", "[S a ]")
    for actual in METRICS:
        counts = actual().counts(pair(gold, candidate))
        assert counts.columns["edits"].tolist() == [*counts.columns["gold"].tolist()[:2], 0]
        assert counts.values() == pytest.approx({"accuracy": 0.25, "error_rate": 75})
        assert counts.under("skip").values() == {"accuracy": 1, "error_rate": 0}
        assert counts.by_breakdown("label")["S"]["gold"] == 3


def test_a_discontinuous_node() -> None:
    gold = from_parents([([0, 1, 0, 1, 0], [("S", -1), ("VP", 0)])])
    both = pair(gold, from_parents([([0, 1, 1, 1, 0], [("S", -1), ("VP", 0)])]))
    assert RuleDistance().encodings(both, 0)[0] == ["S → w0 VP w2 w4", "→ w1 w3"]
    assert SpanDistance().encodings(both, 0) == (["S 1-5", "VP 2-2+4-4"], ["S 1-5", "VP 2-4"])
    assert BracketingDistance().encodings(both, 0)[0] == ["(S", "w0", "(VP", "w1", "w2", "w3", ")", "w4", ")"]
    assert [edits(actual(), both.gold, both.candidate)[0] for actual in METRICS] == [2, 1, 0]


def test_every_root_keeps_its_left_hand_side() -> None:
    both = pair(labelled("[S a ] , [S [NP b ] ]"), labelled("[S a ] , [S [NP b ] ]"))
    assert RuleDistance().encodings(both, 0)[0] == ["S → a", "S → NP", "→ b"]
    assert edits(RuleDistance(), labelled("[A [B a ] ]"), labelled("[C [B a ] ]")) == [1]


def test_words_written_in_two_ways_are_the_same_word() -> None:
    assert edits(RuleDistance(), labelled("[S -LRB- a ]"), labelled("[S ( a ]")) == [0]


def test_closing_brackets_that_move_in_two_steps() -> None:
    """Of the longest runs as much is taken as both have, then again; one bracket is not discounted."""
    gold = labelled("[A [A [A [A [A [A [A a ] ] ] ] ] b [A [A c ] ] d ] ]")
    candidate = labelled("[A [A [A [A [A [A [A [A [A a b ] ] ] ] c ] ] d ] ] ]")
    assert closing_differences(pair(gold, candidate)).tolist() == [5, -4, 0, -1]
    opening, closing, moved = 4 / 2, 10 / 2, 4
    assert edits(BracketingDistance(), gold, candidate) == [opening + closing - (moved - 1)]
    # Deleting is free: what is moved costs half an edit, as one inserted bracket does.
    assert edits(BracketingDistance(free_deletion=True), gold, candidate) == [2 / 2 + 5 / 2 - (moved - 1) / 2]


# Costs


def test_related_labels_cost_half_of_what_the_table_says(tmp_path: Path) -> None:
    table = tmp_path / "costs.yaml"
    table.write_text("NP: {N1: 0.5}\n")
    gold, candidate = labelled("[NP [NP a ] b ]", "[NP a ]"), labelled("[NP [N1 a ] b ]", "[PP a ]")
    for actual in METRICS:
        assert edits(actual(cost=str(table)), gold, candidate) == [0.25, 1]
        assert edits(actual(cost="first_letter"), gold, candidate) == [0.25, 1]
        assert edits(actual(), gold, candidate) == [1, 1]
    counts = SpanDistance(cost=str(table)).counts(pair(gold, candidate))
    assert "|cost:costs.yaml#" in str(counts.signature)
    assert counts.by_breakdown("label")["NP"] == {"gold": 3, "edits": 1.25}


def test_a_function_beside_the_label_or_in_it() -> None:
    gold = labelled("[S [NP-SBJ a ] b ]")
    separate = labelled("[S [NP a ] b ]").with_strings("nodes", "function", lambda _: "SBJ")
    for actual in METRICS:
        assert edits(actual(function_cost=0.5), gold, labelled("[S [NP-OBJ-1 a ] b ]")) == [0.5]
        assert edits(actual(function_cost=0.5), gold, labelled("[S [NP-SBJ-1 a ] b ]")) == [0]
    # Here "S" has a function that gold's has not, and "NP" the same one in another place.
    assert edits(SpanDistance(function_cost=0.25), gold, separate) == [0.25]
    (item, _) = SpanDistance(function_cost=0.25).items(pair(gold, separate), 0)
    assert (item.gold, item.candidate, item.score) == ("S 1-2", "S-SBJ 1-2", 0.75)


def test_tags_count_where_they_have_a_price() -> None:
    gold, candidate = labelled("[S a/X b/Y ]"), labelled("[S a/X b/Z ]")
    assert edits(RuleDistance(), gold, candidate) == [0]
    assert edits(RuleDistance(tag_cost=0.25), gold, candidate) == [0.25]
    assert edits(BracketingDistance(), gold, candidate) == [0]
    assert edits(BracketingDistance(tag_cost=0.25), gold, candidate) == [0.25]
    assert BracketingDistance(tag_cost=0.25).counts(pair(gold, candidate)).by_breakdown("label") == {
        "S": {"gold": 1, "edits": 0},
        "Y": {"gold": 0, "edits": 0.25},
    }


# Options and errors


def test_options_are_read_and_written() -> None:
    scorer = metric("rule_distance", {"function_cost": "0.5", "tag_cost": 1, "free_deletion": "yes"})
    assert scorer == RuleDistance(function_cost=0.5, tag_cost=1.0, free_deletion=True)
    assert metric("span_distance", {"function_cost": "none"}) == SpanDistance()
    signature = str(scorer.counts(pair(labelled("[S a ]"), labelled("[S a ]"))).signature)
    assert "rule_distance|cost:exact|function_cost:0.5|free_deletion:yes|tag_cost:1.0|" in signature
    assert "|function_cost:none|" in str(
        SpanDistance().counts(pair(labelled("[S a ]"), labelled("[S a ]"))).signature
    )


@pytest.mark.parametrize(
    ("name", "options", "kind", "value"),
    [
        ("rule_distance", {"tag_cost": "2"}, "option tag_cost", 2.0),
        ("bracketing_distance", {"tag_cost": "x"}, "option tag_cost", "x"),
        ("span_distance", {"function_cost": "-1"}, "option function_cost", -1.0),
        ("tree_distance", {"function_cost": "7"}, "option function_cost", 7.0),
        (
            "span_distance",
            {"function_cost": "x"},
            "option function_cost",
            "x",
        ),
        (
            "span_distance",
            {"tag_cost": "1"},
            "option of span_distance",
            "tag_cost",
        ),
        (
            "span_distance",
            {"cost": "missing.yaml"},
            "option cost",
            "missing.yaml",
        ),
    ],
)
def test_wrong_options(name: str, options: dict[str, str], kind: str, value: object) -> None:
    with raises(OptionError, kind=kind, value=value):
        metric(name, options)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("NP: {N1: 0.25}\nN1: {NP: 0.5}\n", ("0.5", "N1", "NP", "0.25")),
        ("NP: {N1: 2.5}\n", ("'2.5'",)),
    ],
)
@pytest.mark.parametrize("name", ["rule_distance", "span_distance", "bracketing_distance", "tree_distance"])
def test_wrong_cost_tables(tmp_path: Path, name: str, text: str, names: tuple[str, ...]) -> None:
    path = tmp_path / "costs.yaml"
    path.write_text(text)
    with raises(CrossbankError, f"{path}:", *names):
        metric(name, {"cost": str(path)})


@pytest.mark.parametrize("actual", METRICS)
def test_gold_without_nodes_is_refused(actual: type[EditDistance]) -> None:
    with raises(RequirementError, required="phrasal nodes"):
        actual().counts(pair(labelled("a b"), labelled("[S a b ]")))


@pytest.mark.parametrize("actual", METRICS)
def test_deep_trees(actual: type[EditDistance]) -> None:
    gold, candidate = deep(3000, labels="AB"), deep(3000, labels="ABA")
    assert edits(actual(), gold, gold) == [0]
    assert 0 < edits(actual(), gold, candidate)[0] <= 3000


# Properties

OPTIONS = st.fixed_dictionaries(
    {
        "cost": st.sampled_from(["exact", "first_letter"]),
        "function_cost": st.sampled_from([None, 0.0, 0.25, 1.0]),
        "free_deletion": st.booleans(),
    }
)


@given(pairs(), st.sampled_from(METRICS), OPTIONS)
def test_a_treebank_against_itself(
    banks: tuple[Treebank, Treebank], actual: type[EditDistance], options: dict[str, Any]
) -> None:
    counts = actual(**options).counts(pair(banks[0], banks[0]))
    assert not counts.columns["edits"].any()
    assert counts.values() == {"accuracy": 1, "error_rate": 0}


@given(pairs(), st.sampled_from(METRICS), OPTIONS)
def test_parts_items_and_order(
    banks: tuple[Treebank, Treebank], actual: type[EditDistance], options: dict[str, Any]
) -> None:
    both = pair(*banks)
    counts = actual(**options).counts(both)
    part = counts.breakdowns["label"]()
    for column in ("gold", "edits"):
        sums = np.bincount(part.sentence, part.columns[column], len(both))
        assert sums == pytest.approx(counts.columns[column])
    for sentence in range(len(both)):
        items = actual(**options).items(both, sentence)
        assert all(0 <= item.score <= 1 for item in items)
        # With functions that cost nothing, NP-SBJ matches NP.
        assert counts.columns["edits"][sentence] == 0 or not all(item.matched for item in items)
        assert sum(item.type != "closing" and item.side != "candidate" for item in items) == len(
            both.gold.nodes.label[both.gold.nodes.rows(sentence)]
        )
    backwards = actual(**options).counts(pair(reversed_order(banks[0]), reversed_order(banks[1])))
    assert backwards.columns["edits"].tolist() == counts.columns["edits"].tolist()[::-1]


@given(pairs(), st.sampled_from([RuleDistance, SpanDistance]))
def test_distance_of_strings(banks: tuple[Treebank, Treebank], actual: type[EditDistance]) -> None:
    both = pair(*banks)
    counted = actual().counts(both).columns["edits"]
    assert counted.tolist() == edits(actual(), banks[1], banks[0]) or not both.scored.all()
    for sentence in np.flatnonzero(both.scored).tolist():
        assert counted[sentence] == levenshtein(*actual().encodings(both, sentence))


def levenshtein(a: list[str], b: list[str]) -> float:
    """Return Wagner and Fischer (1974), every edit at 1."""
    row = list(range(len(b) + 1))
    for i, symbol in enumerate(a, 1):
        new = [i]
        for j, other in enumerate(b, 1):
            new.append(min(row[j] + 1, new[-1] + 1, row[j - 1] + (symbol != other)))
        row = new
    return row[-1]


@given(pairs())
def test_bracketing_distance_by_its_definition(banks: tuple[Treebank, Treebank]) -> None:
    both = pair(*banks)
    counted = BracketingDistance().counts(both).columns["edits"]
    for sentence in np.flatnonzero(both.scored).tolist():
        gold, candidate = BracketingDistance().encodings(both, sentence)
        assert counted[sentence] == roark(gold, candidate)


def roark(gold: list[str], candidate: list[str]) -> float:
    """Section 3: the least cost path through the basic transducer, then the discount of its steps 3 to 5."""
    words = [symbol for symbol in gold if not symbol.startswith("(") and symbol != ")"]
    # After each word, closing brackets come first, so that runs are counts; a path is worth its brackets.
    closing = [[len(run) for run in between(string, words, ")")] for string in (gold, candidate)]
    inserted = [max(a - b, 0) for a, b in zip(*closing, strict=True)]
    deleted = [max(b - a, 0) for a, b in zip(*closing, strict=True)]
    cost = least_cost_path(gold, candidate)
    while min(max(inserted), max(deleted)) >= 2:
        r = min(max(inserted), max(deleted))
        inserted[inserted.index(max(inserted))] -= r
        deleted[deleted.index(max(deleted))] -= r
        cost -= r - 1
    return cost


def between(string: list[str], words: list[str], symbol: str) -> list[list[str]]:
    """Return the occurrences of a symbol after each word."""
    positions = [index for index, actual in enumerate(string) if actual in words] + [len(string)]
    return [[actual for actual in string[a:b] if actual == symbol] for a, b in pairwise(positions)]


def least_cost_path(gold: list[str], candidate: list[str]) -> float:
    """Return the costs of Table 2: words map to themselves, brackets cost 0.5."""
    row = [0.0]
    for symbol in candidate:
        row.append(row[-1] + (0.5 if symbol[0] in "()" else np.inf))
    for symbol in gold:
        bracket = symbol[0] in "()"
        new = [row[0] + 0.5 if bracket else np.inf]
        for j, other in enumerate(candidate, 1):
            ways = [row[j - 1] if symbol == other else np.inf]
            if bracket:
                ways.append(row[j] + 0.5)
            if other[0] in "()":
                ways.append(new[-1] + 0.5)
            new.append(min(ways))
        row = new
    return float(row[-1])
