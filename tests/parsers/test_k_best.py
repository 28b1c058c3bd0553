"""K best derivations against all derivations, sorted."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crossbank.parsers import nltk_grammars
from crossbank.parsers.chart_parsing import MEMORY, DerivationNodes, best_derivations
from crossbank.parsers.other_parses import k_best_derivations
from crossbank.parsers.pcfg import Pcfg, PcfgOptions
from crossbank.parsers.probabilistic_grammar import Grammar
from crossbank.treebanks.formats import text
from tests.parsers.grammars import coded, derivations, grammars, probabilities
from tests.parsers.test_chart_parsing import SENTENCES, binary_grammar, probability

CYCLE = "S -> A [0.9]\nS -> 'a' [0.1]\nA -> S [0.95]\nA -> 'a' [0.05]\n"


def columns_of(nodes: DerivationNodes | None) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(column.tolist()) for column in nodes or ())


@given(grammars(), SENTENCES, st.integers(1, 30))
def test_the_k_best_are_the_first_of_all(grammar: Grammar, words: tuple[str, ...], k: int) -> None:
    (actual,) = k_best_derivations(grammar, [coded(grammar, words)], k, limit=MEMORY)
    every = sorted(probabilities(grammar, words), reverse=True)[:k]
    if not every:
        assert [best.reason != "" for best in actual] == [True]
        return
    assert [2**best.log2 for best in actual] == pytest.approx(every, abs=1e-9)
    assert len({columns_of(best.nodes) for best in actual}) == len(actual)
    for best in actual:
        assert best.nodes is not None
        assert math.log2(probability(grammar, best.nodes, words)) == pytest.approx(best.log2, abs=1e-9)


@settings(max_examples=50)
@given(grammars(cycles=True), SENTENCES)
def test_with_cycles_of_unary_rules_nothing_is_missed(grammar: Grammar, words: tuple[str, ...]) -> None:
    sentence = coded(grammar, words)
    (actual,) = k_best_derivations(grammar, [sentence], 8, limit=MEMORY)
    (best,) = best_derivations(grammar, [sentence])
    assert actual[0].log2 == best.log2
    assert columns_of(actual[0].nodes) == columns_of(best.nodes)
    scores = [one.log2 for one in actual]
    assert scores == pytest.approx(sorted(scores, reverse=True), abs=1e-9)
    if best.nodes is not None:
        least = 2 ** scores[-1] * 1.0000001
        every = sorted((p for _, p in derivations(grammar, words, grammar.start, least)), reverse=True)
        assert [2**score for score in scores[: len(every)]] == pytest.approx(every, abs=1e-9)
        assert all(2**score < least for score in scores[len(every) :])


@given(grammars(cycles=True), SENTENCES)
def test_derivations_of_cycles_are_all_different(grammar: Grammar, words: tuple[str, ...]) -> None:
    (actual,) = k_best_derivations(grammar, [coded(grammar, words)], 20, limit=MEMORY)
    assert len({columns_of(one.nodes) for one in actual}) == len(actual)
    for one in actual:
        if one.nodes is not None:
            assert math.log2(probability(grammar, one.nodes, words)) == pytest.approx(one.log2, abs=1e-9)


def test_more_derivations_than_memory_has_room_for() -> None:
    grammar = binary_grammar()
    (actual,) = k_best_derivations(grammar, [np.zeros(12, np.int32)], 10_000, limit=1 << 16)
    assert [one.reason for one in actual] == [
        "too long: its 10000 best derivations need more than 0 MB, which is the limit"
    ]


def test_longer_and_longer_derivations_of_a_cycle_count_against_the_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    model = Pcfg(nltk_grammars.loads(CYCLE, "text"), PcfgOptions(smoothing="none"))
    for k, reason in ((50, ""), (1000, "too long: its 1000 best derivations need more than 1 MB,")):
        monkeypatch.setenv("CROSSBANK_MEMORY", "1M")
        parsed = model.parse(text.loads("a\n"), k)
        assert parsed.reasons[0].startswith(reason)
        assert len(parsed.bank) == (1 if reason else k)


def test_a_long_sentence_needs_no_recursion() -> None:
    grammar = binary_grammar()
    (actual,) = k_best_derivations(grammar, [np.zeros(150, np.int32)], 3, limit=MEMORY)
    assert len(actual) == 3
    assert len({columns_of(best.nodes) for best in actual}) == 3
