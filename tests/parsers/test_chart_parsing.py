"""Best derivations and inside probabilities against NLTK, and against all derivations one by one."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crossbank.parsers import chart_parsing
from crossbank.parsers.chart_parsing import (
    NO_GAIN,
    UNMASKED,
    ChartArrays,
    DerivationNodes,
    best_derivations,
    inside_probabilities,
)
from crossbank.parsers.loops.chart import Chart
from crossbank.parsers.loops.inside import fill_inside
from crossbank.parsers.loops.viterbi import fill_best
from crossbank.parsers.nltk_grammars import to_nltk
from crossbank.parsers.probabilistic_grammar import Grammar, GrammarBuilder, Symbol
from tests.assumptions import assume
from tests.parsers.grammars import WORDS, coded, grammars, probabilities

SENTENCES = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(tuple)


def log2(probability: float) -> float:
    return math.log2(probability) if probability > 0 else -math.inf


@given(grammars(cycles=True), SENTENCES)
def test_the_best_probability_is_that_of_nltk(grammar: Grammar, words: tuple[str, ...]) -> None:
    from nltk import ViterbiParser

    (best,) = best_derivations(grammar, [coded(grammar, words)])
    assume(all(word in grammar.terminal_codes for word in words))
    trees = list(ViterbiParser(to_nltk(grammar)).parse(list(words)))
    expected = log2(trees[0].prob()) if trees else -math.inf
    assert best.log2 == pytest.approx(expected, abs=1e-9)
    assert bool(best.reason) == (not trees)


@given(grammars(), SENTENCES)
def test_the_inside_probability_is_the_sum_over_all_derivations(
    grammar: Grammar, words: tuple[str, ...]
) -> None:
    (actual,), _ = inside_probabilities(grammar, [coded(grammar, words)])
    every = probabilities(grammar, words)
    assert actual == pytest.approx(log2(sum(every)), abs=1e-9)
    (best,) = best_derivations(grammar, [coded(grammar, words)])
    assert best.log2 == pytest.approx(log2(max(every, default=0.0)), abs=1e-9)


@settings(max_examples=30)
@given(grammars(cycles=True), SENTENCES)
def test_the_inside_probability_with_cycles_is_the_limit(grammar: Grammar, words: tuple[str, ...]) -> None:
    (actual,), _ = inside_probabilities(grammar, [coded(grammar, words)])
    length, symbols = len(words), len(grammar.symbols)
    sums: dict[tuple[int, int], np.ndarray[tuple[int], np.dtype[np.float64]]] = {}
    for size in range(1, length + 1):
        for start in range(length - size + 1):
            base = np.zeros(symbols)
            if size == 1:
                for (tag, terminal), p in zip(grammar.lexicon, grammar.lexicon_probability, strict=True):
                    base[tag] += p * (grammar.terminals[terminal] == words[start])
            for (parent, left, right), p in zip(grammar.binary, grammar.binary_probability, strict=True):
                for split in range(start + 1, start + size):
                    base[parent] += p * sums[start, split][left] * sums[split, start + size][right]
            total = base
            for _ in range(400):
                total = base.copy()
                for (parent, child), p in zip(grammar.unary, grammar.unary_probability, strict=True):
                    total[parent] += p * sums.get((start, start + size), base)[child]
                sums[start, start + size] = total
            sums[start, start + size] = total
    assert actual == pytest.approx(log2(float(sums[0, length][grammar.start])), abs=1e-6)


@given(grammars(cycles=True), SENTENCES)
def test_the_derivation_has_the_probability_that_it_is_said_to_have(
    grammar: Grammar, words: tuple[str, ...]
) -> None:
    (best,) = best_derivations(grammar, [coded(grammar, words)])
    assume(best.nodes is not None)
    assert best.nodes is not None
    assert log2(probability(grammar, best.nodes, words)) == pytest.approx(best.log2, abs=1e-9)


def probability(grammar: Grammar, nodes: DerivationNodes, words: tuple[str, ...]) -> float:
    """Return the product of the probabilities of a derivation's rules."""
    tables = (
        (grammar.binary, grammar.binary_probability),
        (grammar.unary, grammar.unary_probability),
        (grammar.lexicon, grammar.lexicon_probability),
    )
    of_rule = {tuple(r): p for rules, ps in tables[:2] for r, p in zip(rules.tolist(), ps, strict=True)}
    of_word = {tuple(r): p for r, p in zip(tables[2][0].tolist(), tables[2][1], strict=True)}
    symbol, start, end = (column.tolist() for column in nodes)
    product = 1.0
    for node, code in enumerate(symbol):
        inside = [n for n in range(node + 1, len(symbol)) if start[n] >= start[node] and end[n] <= end[node]]
        if not inside:
            product *= of_word[code, grammar.terminal_codes[words[start[node]]]]
        elif end[node + 1] == end[node]:
            product *= of_rule[code, symbol[node + 1]]
        else:
            right = next(n for n in inside if start[n] == end[node + 1])
            product *= of_rule[code, symbol[node + 1], symbol[right]]
    return product


@settings(max_examples=20)
@given(grammars(cycles=True), st.lists(SENTENCES, min_size=20, max_size=40))
def test_the_number_of_threads_changes_nothing(grammar: Grammar, sentences: list[tuple[str, ...]]) -> None:
    words = [coded(grammar, sentence) for sentence in sentences]
    results = []
    for threads in ("1", "3"):
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("CROSSBANK_THREADS", threads)
            results.append((best_derivations(grammar, words), inside_probabilities(grammar, words)[0]))
    assert [best.log2 for best in results[0][0]] == [best.log2 for best in results[1][0]]
    assert results[0][1].tolist() == results[1][1].tolist()


def binary_grammar() -> Grammar:
    from crossbank.parsers.nltk_grammars import loads

    return loads("S -> S S [0.4] | 'a' [0.6]\n")


def test_a_long_sentence_does_not_underflow() -> None:
    grammar = binary_grammar()
    words = coded(grammar, ("a",) * 400)
    (inside,), _ = inside_probabilities(grammar, [words])
    # There are Catalan(n - 1) trees, all with the same probability.
    catalan = math.lgamma(2 * 399 + 1) - math.lgamma(400) - math.lgamma(401)
    expected = (399 * math.log(0.4) + 400 * math.log(0.6) + catalan) / math.log(2)
    assert inside == pytest.approx(expected, abs=1e-9 * abs(expected))
    (best,) = best_derivations(grammar, [words])
    assert best.log2 == pytest.approx(399 * math.log2(0.4) + 400 * math.log2(0.6), rel=1e-9)


def test_a_product_that_underflows_takes_no_room() -> None:
    # S derives each tag by A, with 1e-400: that is no number, and S has no place in the cell of the word.
    tags = range(2, 8)
    builder = GrammarBuilder()
    for name in ("S", "A", *(f"T{tag}" for tag in tags)):
        builder.symbol(name, Symbol(name, name))
    builder.add_unary(0, 1, 1e-200)
    for tag in tags:
        builder.add_unary(1, tag, 1e-200)
        builder.add_word(tag, "a", 1.0)
    grammar = builder.build(0, relative=False)
    words = coded(grammar, ("a",))
    chart = Chart(len(grammar.symbols), 1, 100, sums=True)
    assert fill_inside(grammar.total, chart, words, UNMASKED) == len(tags) + 1
    assert inside_probabilities(grammar, [words])[0][0] == -math.inf
    (best,) = best_derivations(grammar, [words])
    assert best.log2 == pytest.approx(math.log2(1e-200) * 2)


def test_a_word_that_has_a_tag_twice_has_it_once_in_the_chart() -> None:
    grammar = binary_grammar()
    grammar = replace(
        grammar,
        lexicon=np.repeat(grammar.lexicon, 9, axis=0),
        lexicon_probability=np.repeat(grammar.lexicon_probability / 9, 9),
    )
    words = coded(grammar, ("a", "a"))
    assert inside_probabilities(grammar, [words])[0][0] == pytest.approx(math.log2(0.4 * 0.6 * 0.6))
    chart = Chart(len(grammar.symbols), 2, 100, sums=False)
    assert fill_best(grammar.best, chart, words, UNMASKED, NO_GAIN) == 3


def test_a_sentence_without_a_parse_says_why() -> None:
    grammar = binary_grammar()
    (unknown, empty, long) = best_derivations(
        grammar, [np.array([0, -1], np.int32), np.array([], np.int32), np.zeros(200, np.int32)], limit=100_000
    )
    assert unknown.reason == "token 2 is not in the grammar"
    assert empty.reason == "no tokens"
    assert long.reason.startswith("too long: the chart of 200 tokens needs more than 0 MB, the limit is")
    assert long.nodes is None


def test_a_chart_grows_as_it_must() -> None:
    grammar = binary_grammar()
    arrays = ChartArrays(len(grammar.symbols), sums=False)
    arrays._items = 1
    words = np.zeros(30, np.int32)
    best = chart_parsing.best_derivation(grammar.best, grammar.start, words, arrays)
    assert best.nodes is not None
    assert len(best.nodes.symbol) == 59
