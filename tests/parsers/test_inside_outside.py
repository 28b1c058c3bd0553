"""Re-estimation: expected counts against enumeration, the likelihood never falls; posteriors of brackets."""

import math
import re
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crossbank.parsers.chart_parsing import MEMORY, best_derivations
from crossbank.parsers.coarse_to_fine import CoarseToFine, expected_symbols
from crossbank.parsers.inside_outside import BracketedDerivations, expected_counts, reestimate
from crossbank.parsers.models import train
from crossbank.parsers.other_parses import maximum_bracket_parses
from crossbank.parsers.pcfg import Pcfg, PcfgOptions
from crossbank.parsers.probabilistic_grammar import Grammar
from crossbank.treebanks import OptionError
from crossbank.treebanks.formats import bracket
from tests.assumptions import assume
from tests.errors import raises
from tests.parsers.grammars import coded, derivations, grammars
from tests.parsers.test_chart_parsing import SENTENCES
from tests.parsers.test_treebank_grammar import TREES, trees

SEVERAL = st.lists(SENTENCES, min_size=1, max_size=4)


def spans(tree: str) -> set[tuple[int, int]]:
    """Return the first and the last word of each bracket."""
    words, begun, actual = 0, [], set()
    for part in re.findall(r"\(N\d|\)|[ab]", tree):
        if part == ")":
            actual.add((begun.pop(), words - 1))
        elif part in "ab":
            words += 1
        else:
            begun.append(words)
    return actual


@given(grammars(), SENTENCES, st.none() | st.tuples(st.integers(0, 3), st.integers(0, 3)))
def test_expected_counts_are_those_of_enumeration(
    grammar: Grammar, words: tuple[str, ...], bracket: tuple[int, int] | None
) -> None:
    every = list(derivations(grammar, words, grammar.start))
    brackets = None
    if bracket is not None:
        first, last = sorted(bracket)

        def agrees(start: int, end: int) -> bool:
            return not (start < first <= end < last or first < start <= last < end)

        every = [(tree, p) for tree, p in every if all(agrees(*span) for span in spans(tree))]
        cells = [(start, end) for end in range(len(words)) for start in range(end, -1, -1)]
        allowed = np.array([[agrees(*cell)] for cell in cells], np.bool_)
        brackets = BracketedDerivations(np.zeros(len(grammar.symbols), np.int32), [allowed])
    assume(every)
    total = sum(p for _, p in every)
    actual, log2, parsed = expected_counts(grammar, [coded(grammar, words)], brackets=brackets)
    assert (log2, parsed) == (pytest.approx(math.log2(total), abs=1e-9), 1)
    # Every node with a symbol: rules of one parent together.
    nodes: Counter[str] = Counter()
    for tree, p in every:
        for name in re.findall(r"\((N\d)", tree):
            nodes[name] += p / total
    sums = np.zeros(len(grammar.symbols))
    tables = (grammar.binary, grammar.unary, grammar.lexicon)
    for table, counts in zip(tables, actual, strict=True):
        np.add.at(sums, table[:, 0], counts)
    for code, symbol in enumerate(grammar.symbols):
        assert sums[code] == pytest.approx(nodes[symbol.name], abs=1e-9)


@settings(max_examples=60)
@given(grammars(cycles=True), SEVERAL)
def test_the_likelihood_never_falls(grammar: Grammar, sentences: list[tuple[str, ...]]) -> None:
    words = [coded(grammar, sentence) for sentence in sentences]
    before = -math.inf
    for _ in range(5):
        model = reestimate(grammar, words)
        assert model.log2 >= before - 1e-9
        before, grammar = model.log2, model.grammar
        sums = grammar.sums()
        assert np.abs(sums[sums > 0] - 1).max() < 1e-9


def test_the_number_of_threads_changes_no_digit() -> None:
    model = Pcfg.train(trees(), "tiger", PcfgOptions(input="tags"))
    sentences = model.sentences(trees()) * 70
    results = []
    for threads in ("1", "3"):
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("CROSSBANK_THREADS", threads)
            results.append(expected_counts(model.grammar, sentences))
    assert all((one == other).all() for one, other in zip(results[0][0], results[1][0], strict=True))
    assert results[0][1] == results[1][1]


def test_perplexity_falls_over_iterations() -> None:
    model = train(trees(), "tiger", {"input": "tags", "iterations": 3}).parser
    assert isinstance(model, Pcfg)
    first, second, third = model.perplexities
    assert first >= second >= third
    assert "perplexity before each round" in model.describe()


@given(grammars(), SENTENCES)
def test_maximum_brackets_are_those_of_enumeration(grammar: Grammar, words: tuple[str, ...]) -> None:
    every = list(derivations(grammar, words, grammar.start))
    assume(every)
    (best,) = maximum_bracket_parses(grammar, [coded(grammar, words)], limit=MEMORY)
    total = sum(p for _, p in every)
    posterior: Counter[tuple[str, int, int]] = Counter()
    for tree, p in every:
        for constituent in constituents(tree):
            posterior[constituent] += p / total
    expected = max(sum(posterior[c] for c in constituents(tree)) for tree, _ in every)
    assert best.nodes is not None
    actual = [
        (grammar.symbols[symbol].name, start, end)
        for symbol, start, end in zip(*(column.tolist() for column in best.nodes), strict=True)
    ]
    assert sum(posterior[c] for c in actual) == pytest.approx(expected, abs=1e-9)


def constituents(tree: str) -> list[tuple[str, int, int]]:
    """Return the labels and spans of a tree in brackets."""
    actual, waiting, index = [], [], 0
    for part in re.findall(r"\([^ ()]+|\)|[^ ()]+", tree):
        if part.startswith("("):
            waiting.append((part[1:], index))
        elif part == ")":
            label, start = waiting.pop()
            actual.append((label, start, index))
        else:
            index += 1
    return actual


@settings(max_examples=50)
@given(grammars(cycles=True), SENTENCES)
def test_nothing_is_lost_without_a_threshold(grammar: Grammar, words: tuple[str, ...]) -> None:
    number = expected_symbols(grammar)
    assume(np.isfinite(number).all() and number.max() < 1e6)
    sentence = [coded(grammar, words)]
    pruning = CoarseToFine.of(grammar, 0.0)
    pruned = pruning.best_derivations(sentence, limit=MEMORY)
    assert pruned[0].log2 == pytest.approx(best_derivations(grammar, sentence)[0].log2, abs=1e-9)
    assert pruning.loss(sentence, pruned, limit=MEMORY).worse == 0


def test_what_pruning_loses_is_said() -> None:
    model = train(trees(), "tiger", {"input": "tags", "prune": 0.001}).parser
    parsed = model.parse(trees())
    assert bracket.dumps(parsed.bank) == TREES
    assert parsed.note == (
        "pruning: of 3 sentences parsed without pruning too, 0 have a less probable parse with it, 0 of them "
        "none; the others lost 0.0000 bits on average"
    )


def test_options_that_do_not_go_together() -> None:
    with raises(OptionError, kind="option prune", value=0.1, allowed="0 with decoding=brackets"):
        PcfgOptions(prune=0.1, decoding="brackets")
    with raises(OptionError, kind="option iterations", value=-1, allowed="a number from 0"):
        PcfgOptions(iterations=-1)
