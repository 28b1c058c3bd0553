"""TedEval: parses of several schemes against the generalised gold."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossbank.metrics.counting.metric import metric
from crossbank.metrics.pairing.pair import pair
from crossbank.metrics.parseval import Parseval
from crossbank.metrics.tedeval import TedEval
from crossbank.treebanks import CrossbankError, Treebank
from crossbank.treebanks.errors import OptionError
from crossbank.treebanks.formats import bracket
from tests.errors import raises
from tests.metrics.trees import labelled, pairs, token_sets

# A scheme with a verb phrase, and one with topological fields; both have the sentence, the two noun
# phrases and the prepositional phrase, and nothing else in common.
PHRASES = labelled("[S [NP the man ] [VP saw [NP her ] [PP in [NP town ] ] ] ]")
FIELDS = labelled("[S [VF [NX the man ] ] [LK saw ] [MF [NX her ] [PX in town ] ] ]")
NAMES = ("gold", "generalised", "candidate", "edits")


def over(gold: Treebank, other: Treebank, candidate: Treebank, **options: bool) -> list[float]:
    counts = TedEval(**options).over(pair(gold, candidate), [other])
    return [float(counts.columns[name][0]) for name in NAMES]


def test_what_a_scheme_has_alone_costs_nothing() -> None:
    # Without labels the second [the man] of FIELDS has no partner: chains are as long as they are.
    assert over(PHRASES, FIELDS, PHRASES) == [6, 4, 6, 0]
    assert over(FIELDS, PHRASES, FIELDS) == [7, 4, 7, 0]
    flat = labelled("[S [NP the man ] saw [NP her ] [PP in town ] ]")
    assert over(PHRASES, FIELDS, flat) == [6, 4, 4, 0]
    assert over(FIELDS, PHRASES, flat) == [7, 4, 4, 0]


def test_errors_against_either_gold() -> None:
    # [her in town] is in no gold of PHRASES, but it is the middle field of FIELDS.
    candidate = labelled("[S [NP the man ] saw [NP her [PP in town ] ] ]")
    assert over(PHRASES, FIELDS, candidate) == [6, 4, 4, 2]
    assert over(FIELDS, PHRASES, candidate) == [7, 4, 4, 1]
    counts = TedEval().over(pair(PHRASES, candidate), [FIELDS])
    assert counts.values() == {"score": 1 - 2 / 8, "edits": 2, "generalised": 4 / 6}
    assert counts.by_breakdown("label")["NP"] == {"gold": 3, "generalised": 2, "candidate": 2, "edits": 2}


def test_labels_and_roots() -> None:
    assert over(PHRASES, FIELDS, PHRASES, labels=True) == [6, 1, 6, 0]
    assert over(PHRASES, FIELDS, PHRASES, root=False) == [5, 3, 5, 0]


def test_a_sentence_without_a_parse_has_nothing_right() -> None:
    counts = TedEval().over(pair(PHRASES, labelled("")), [FIELDS])
    assert counts.values() == {"score": 0, "edits": 4, "generalised": 4 / 6}


def test_golds_from_files(tmp_path: Path) -> None:
    path = tmp_path / "fields.mrg"
    bracket.dump(labelled("[S a/X [A b/X c/X ] ]", "[S [B a/X b/X ] c/X ]", "[S a/X z/X ]"), path)
    gold = labelled("[S a [A b c ] ]", "[S a [A b c ] ]", "[S a [A b c ] ]")
    both = pair(gold, gold)
    scorer = metric("tedeval", {"others": str(path)})
    counts = scorer.counts(both)
    assert counts.columns["generalised"].tolist() == [2, 1, 2]
    assert counts.notes == {"sentences with other words in another gold": 1}
    assert "|others:fields.mrg#" in str(counts.signature)
    assert str(tmp_path) not in str(counts.signature)
    items = scorer.items(pair(gold, labelled("[S a b c ]", "[S a b c ]", "[S a b c ]")), 0)
    assert [(item.label, item.side, item.tokens) for item in items] == [
        ("S", "both", (0, 1, 2)),
        ("A", "gold", (1, 2)),
    ]
    assert [item.label for item in scorer.items(both.select([2, 1]), 1)] == ["S"]


def test_words_that_are_deleted_are_left_out_of_other_golds() -> None:
    gold = labelled("[S [NP a , b ] [VP c ] . ]", "[S a . ]", "[S a b ]")
    other = labelled("[S [X a , b [Y . ] ] c ]", "[S [X a ] . ]", "[S a . ]")
    punctuation = np.array([word in ".," for sentence in range(3) for word in gold.words(sentence)])
    counts = TedEval().over(pair(gold, gold, delete=punctuation), [other])
    assert counts.columns["gold"].tolist() == [3, 1, 1]
    assert counts.columns["generalised"].tolist() == [2, 1, 1]
    assert counts.notes == {"sentences with other words in another gold": 1}


def test_bad_golds(tmp_path: Path) -> None:
    with raises(OptionError, kind="option others", value="missing.mrg", allowed="a treebank file"):
        metric("tedeval", {"others": "missing.mrg"})
    gold = labelled("[S a ]", "[S b ]", "[S c ]")
    with raises(CrossbankError, "trees", "2 sentences", "3"):
        TedEval().over(pair(gold, gold), [labelled("[S a ]", "[S b ]")])
    with raises(CrossbankError, "trees:"):
        TedEval().over(pair(gold, gold), [labelled("[S x ]", "[S y ]", "[S z ]")])


@given(pairs(), st.booleans())
def test_one_gold_gives_f1(banks: tuple[Treebank, Treebank], labels: bool) -> None:
    both = pair(*banks)
    expected = Parseval(labels=labels).counts(both).by_sentence("f1")
    assert TedEval(labels=labels).counts(both).by_sentence("score") == pytest.approx(expected)
    assert TedEval(labels=labels).over(both, [both.gold]).by_sentence("score") == pytest.approx(expected)


@given(pairs(), st.booleans())
def test_generalised_gold_by_its_definition(banks: tuple[Treebank, Treebank], labels: bool) -> None:
    """Gold against itself, with a second gold: nothing is wrong, whatever the schemes share."""
    gold, other = banks
    both = pair(gold, gold)
    counts = TedEval(labels=labels).over(both, [other])
    assert not counts.columns["edits"].any()
    beside = pair(gold, other)
    for sentence in np.flatnonzero(beside.scored).tolist():
        mine, reference = (
            [(label if labels else "", tokens) for label, tokens in token_sets(bank, sentence)]
            for bank in (gold, other)
        )
        common = sum(min(mine.count(actual), reference.count(actual)) for actual in set(mine))
        assert counts.columns["generalised"][sentence] == common
