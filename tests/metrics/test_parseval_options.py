"""Parseval's options: which brackets count, and what makes two of them the same."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings

from crossbank.metrics.counting.metric import metric
from crossbank.metrics.pairing.pair import Pair, pair
from crossbank.metrics.parseval import Parseval
from crossbank.treebanks import Treebank
from crossbank.treebanks.errors import OptionError
from crossbank.treebanks.formats import bracket
from crossbank.treebanks.formats.bracket import dumps
from tests.assumptions import assume
from tests.errors import raises
from tests.metrics.trees import deep, from_parents, labelled, pairs, token_sets


def columns(both: Pair, **options: object) -> tuple[float, float, float]:
    """Return the brackets of gold, of the candidate, and common ones, of one sentence."""
    counts = metric("parseval", options).counts(both)
    gold, candidate, matched = (counts.columns[name][0] for name in ("gold", "candidate", "matched"))
    return gold, candidate, matched


def with_functions(bank: Treebank, *functions: str) -> Treebank:
    """Return the same nodes with functions, in pre-order."""
    vocabulary, codes = bank.vocabulary.extended(functions)
    return bank.replace(vocabulary=vocabulary, nodes=bank.nodes.replace(function=codes))


@pytest.fixture
def discontinuous() -> Pair:
    """A VP over the first and the last word, with a gap in gold only; an NP over the two in the middle."""
    nodes = [("S", -1), ("VP", 0), ("NP", 0)]
    gold = from_parents([([1, 2, 2, 1], nodes)])
    candidate = from_parents([([1, 2, 2, 0], nodes)])
    return pair(gold, candidate)


def test_all_brackets_or_those_with_gaps_only(discontinuous: Pair) -> None:
    assert columns(discontinuous) == (3, 3, 2)
    assert columns(discontinuous, discontinuous="only") == (1, 0, 0)
    values = Parseval(discontinuous="only").counts(discontinuous).values()
    assert (values["recall"], values["precision"], values["f1"]) == (0, 0, 0)


def test_discontinuous_brackets_of_equal_trees(discontinuous: Pair) -> None:
    itself = pair(discontinuous.gold, discontinuous.gold)
    assert columns(itself, discontinuous="only") == (1, 1, 1)


def test_the_roots_of_several_trees() -> None:
    """Kübler and Telljohann (2002), note 2: the root node counts, and a sentence may have several."""
    gold, candidate = labelled("[S a b ] [INTJ c ]"), labelled("[S a b ] c")
    assert columns(pair(gold, candidate)) == (2, 1, 1)
    assert columns(pair(gold, candidate), root="no") == (0, 0, 0)


def test_a_root_that_joins_trees_is_none_of_theirs() -> None:
    gold, candidate = labelled("[VROOT [S a b ] [INTJ c ] ]"), labelled("[VROOT [S a b ] c ]")
    assert columns(pair(gold, candidate)) == (3, 2, 2)
    assert columns(pair(gold, candidate), roots="trees") == (2, 1, 1)
    whole = labelled("[S a [NP b ] ]")
    assert columns(pair(whole, whole), roots="trees") == (2, 2, 2)


def test_labels_with_and_without_functions() -> None:
    gold = with_functions(labelled("[S [NP a ] [NP b ] ]"), "--", "SB", "OA")
    candidate = with_functions(labelled("[S [NP a ] [NP b ] ]"), "", "OA", "OA")
    assert columns(pair(gold, candidate)) == (3, 3, 3)
    assert columns(pair(gold, candidate), functions="yes") == (3, 3, 2)
    assert columns(pair(gold, candidate), functions="yes", labels="no") == (3, 3, 3)


def test_trivial_brackets_are_over_one_word_or_all() -> None:
    gold, candidate = labelled("[S [NP a ] [VP b c ] ]"), labelled("[S [X [VP a b ] c ] ]")
    assert columns(pair(gold, candidate)) == (3, 3, 1)
    assert columns(pair(gold, candidate), trivial="no") == (1, 1, 0)


def test_repeated_brackets() -> None:
    """PYEVALB gives a perfect parse with X over X 4 of 5 brackets."""
    bank = labelled("[S [X [X a b ] ] [Y [Z c ] ] ]")
    assert columns(pair(bank, bank)) == (5, 5, 5)
    assert columns(pair(bank, bank), duplicates="once") == (5, 5, 4)
    assert columns(pair(bank, bank), duplicates="no") == (4, 4, 4)
    assert columns(pair(bank, bank), duplicates="no", labels="no") == (3, 3, 3)


def test_brackets_that_repeat_a_label_further_up() -> None:
    bank = labelled("[X [Y [X [Y [X a b ] ] ] ] ]")
    assert columns(pair(bank, bank), duplicates="no") == (2, 2, 2)


def test_items_follow_the_options() -> None:
    bank = labelled("[S [X [X a b ] ] c ]")
    both = pair(bank, bank)
    sides = Counter(item.side for item in Parseval(duplicates="once").items(both, 0))
    assert sides == {"both": 2, "gold": 1, "candidate": 1}
    sides = Counter(item.side for item in Parseval(trivial=False, duplicates="no").items(both, 0))
    assert sides == {"both": 1}


@pytest.mark.parametrize("option", [("discontinuous", "some"), ("duplicates", "twice"), ("roots", "one")])
def test_other_values_are_refused(option: tuple[str, str]) -> None:
    with raises(OptionError, kind=f"option {option[0]}", value=option[1]):
        metric("parseval", dict([option]))


def test_deep_chains_of_one_label() -> None:
    levels = 10_000
    bank = deep(levels, branching=False)
    counts = Parseval(duplicates="no").counts(pair(bank, bank))
    assert counts.columns["gold"][0] <= 2


@given(pairs())
def test_they_are_what_the_definitions_say(banks: tuple[Treebank, Treebank]) -> None:
    both = pair(*banks)
    sets = Parseval(duplicates="no").counts(both)
    once = Parseval(duplicates="once").counts(both)
    gaps = Parseval(discontinuous="only").counts(both)
    inner = Parseval(trivial=False).counts(both)
    for sentence in np.flatnonzero(both.scored).tolist():
        computed, reference = (token_sets(bank, sentence) for bank in banks)
        length = len(banks[0].words(sentence))
        common = len(set(computed) & set(reference))
        assert (sets.columns["gold"][sentence], sets.columns["matched"][sentence]) == (
            len(set(computed)),
            common,
        )
        assert (once.columns["gold"][sentence], once.columns["matched"][sentence]) == (len(computed), common)
        with_gaps = {
            tokens for _, tokens in computed + reference if max(tokens) - min(tokens) + 1 > len(tokens)
        }
        not_trivial = {tokens for _, tokens in computed + reference if 1 < len(tokens) < length}
        for counts, retained in ((gaps, with_gaps), (inner, not_trivial)):
            mine, other = (
                Counter(item for item in side if item[1] in retained) for side in (computed, reference)
            )
            assert counts.columns["gold"][sentence] == mine.total()
            assert counts.columns["candidate"][sentence] == other.total()
            assert counts.columns["matched"][sentence] == (mine & other).total()


@settings(max_examples=50, deadline=None)
@given(pairs())
def test_pyevalb(banks: tuple[Treebank, Treebank]) -> None:
    """PYEVALB's own program: totals of all brackets, matches of distinct ones."""
    scorer = pytest.importorskip("PYEVALB.scorer", reason="PYEVALB is not installed")
    parser = pytest.importorskip("PYEVALB.parser")
    both = pair(*banks)
    counts = Parseval(duplicates="once").counts(both)
    plain = [
        sentence
        for sentence in np.flatnonzero(both.scored).tolist()
        if all(_is_one_plain_tree(bank.select([sentence])) for bank in banks)
    ]
    assume(plain)
    for sentence in plain:
        texts = [
            dumps(bank.select([sentence]).with_strings("tokens", "pos", lambda _: "N")) for bank in banks
        ]
        actual = scorer.Scorer().score_trees(*map(parser.create_from_bracket_string, texts))
        expected = tuple(counts.columns[name][sentence] for name in ("gold", "candidate", "matched"))
        assert (actual.gold_brackets, actual.test_brackets, actual.matched_brackets) == expected


def _is_one_plain_tree(bank: Treebank) -> bool:
    """Return whether a treebank of one sentence has one root over all words and no gaps."""
    one_root = (bank.nodes.parent < 0).sum() == 1 and not (bank.tokens.parent < 0).any()
    return bool(one_root and not bank.spans.discontinuous.any())


def test_a_bracket_that_stands_twice_is_the_same_against_itself() -> None:
    bank = bracket.loads("(S (NP (NP (NN a))) (VB b))\n(S (NP (NN a)) (VB b))\n")
    counts = Parseval(duplicates="once").counts(pair(bank, bank))
    assert counts.columns["exact"].tolist() == [1, 1]
    other = Parseval(duplicates="once").counts(pair(bank, bank.select([1, 1])))
    assert other.columns["exact"].tolist() == [0, 1]


def matched_in_part(both: Pair, cost: str) -> float:
    return columns(both, cost=cost)[2]


def test_a_similar_label_earns_part_of_a_match() -> None:
    """Sampson and Babarczy's example (1): S is right, and NP for N1 costs 0.5 of 2."""
    both = pair(
        labelled("[S [N1 two [N1 tax revision ] bills ] were passed ]"),
        labelled("[S [NP two tax revision bills ] were passed ]"),
    )
    assert columns(both, cost="first_letter") == (3, 2, 1.75)
    assert matched_in_part(both, "none") == columns(both, labels=False)[2] == 2
    by_label = Parseval(cost="first_letter").counts(both).breakdowns["label"]()
    sums = by_label.sums(np.ones(1, np.bool_))["matched"]
    assert sums[by_label.keys.index("NP")] == 0.75
    scores = {item.label: item.score for item in Parseval(cost="first_letter").items(both, 0)}
    assert scores["S"] == 1
    assert 0.75 in scores.values()
    losses = Parseval(cost="first_letter").losses(both)
    assert losses.loss.tolist() == [0, 0.25, 1]


def test_equal_labels_of_a_chain_are_matched_before_similar_ones() -> None:
    both = pair(labelled("[S [NP [N1 a ] ] ]"), labelled("[S [N1 [NP [N2 a ] ] ] ]"))
    assert matched_in_part(both, "first_letter") == 3
    both = pair(labelled("[S [NP [N1 a ] ] ]"), labelled("[S [N1 [N2 a ] ] ]"))
    assert matched_in_part(both, "first_letter") == 2.75


@pytest.mark.parametrize("options", [{"labels": False}, {"functions": True}, {"duplicates": "once"}])
def test_parts_of_matches_need_labels_as_they_are(options: dict[str, object]) -> None:
    with pytest.raises(OptionError):
        metric("parseval", {"cost": "first_letter", **options})
    with pytest.raises(OptionError):
        metric("lexicalised_brackets", {"cost": "none"})


@given(pairs())
def test_parts_of_matches_lie_between_labels_and_none(both: tuple[Treebank, Treebank]) -> None:
    compared = pair(*both)
    exact, similar, without = (
        metric("parseval", options).counts(compared).columns["matched"]
        for options in ({}, {"cost": "first_letter"}, {"cost": "none"})
    )
    unlabelled = metric("parseval", {"labels": False}).counts(compared).columns["matched"]
    assert (exact <= similar).all()
    assert (similar <= without).all()
    assert without.tolist() == unlabelled.tolist()
