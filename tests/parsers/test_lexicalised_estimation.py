"""Head-lexicalised grammars against enumeration: probabilities, best derivations, expected counts."""

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple, TypeAlias

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crossbank.parsers.chart_parsing import MEMORY, inside_probabilities
from crossbank.parsers.headed_grammar import HeadedGrammar
from crossbank.parsers.lexical_counts import LexicalCounts, LexicalModel
from crossbank.parsers.lexicalised_estimation import (
    CodedSentence,
    best_derivations,
    expected_counts,
    reestimate,
)
from crossbank.parsers.lexicalised_estimation import (
    inside_probabilities as lexical_probabilities,
)
from crossbank.parsers.packed_forests import Packer
from crossbank.parsers.probabilistic_grammar import Grammar, GrammarError
from tests.assumptions import assume
from tests.parsers.grammars import coded, grammars

HEADS = 3
"""How many heads there are: each word is one of them, whatever its terminal."""

WORDS = st.lists(st.tuples(st.sampled_from("ab"), st.integers(0, HEADS - 1)), min_size=1, max_size=4)


Event: TypeAlias = tuple[str, tuple[int, ...]]
"""A rule with its head, a choice (pair, head above, head below) or a lexical entry, by numbers."""


class Derivation(NamedTuple):
    """A tree in brackets, the token that is its head, and its events: rules and choices by their keys."""

    tree: str
    head: int
    events: tuple[Event, ...]


@st.composite
def headed(draw: st.DrawFn, *, cycles: bool = False) -> HeadedGrammar:
    """Return a random grammar with random heads, some of whose symbols have the same label or function."""
    grammar = draw(grammars(cycles=cycles))
    heads = draw(st.lists(st.integers(0, 1), min_size=len(grammar.binary), max_size=len(grammar.binary)))
    names = st.sampled_from(["S", "N"]), st.sampled_from(["SB", "OA"])
    symbols = tuple(
        symbol._replace(label=draw(names[0]), function=draw(names[1])) for symbol in grammar.symbols
    )
    marked = replace(grammar, symbols=symbols, heads=np.array(heads, np.int32))
    return HeadedGrammar(marked, draw(st.booleans()), draw(st.sampled_from(["none", "context", "functions"])))


def sentence(headed: HeadedGrammar, words: list[tuple[str, int]]) -> CodedSentence:
    terminals = coded(headed.grammar, tuple(word for word, _ in words))
    return CodedSentence(terminals, np.array([head for _, head in words], np.int32))


def derivations(
    headed: HeadedGrammar, one: CodedSentence, symbol: int, first: int, last: int
) -> Iterator[Derivation]:
    """Yield every derivation of some tokens from a symbol; unary rules must not form cycles."""
    grammar, name = headed.grammar, headed.grammar.symbols[symbol].name
    head = one.heads.tolist()
    if last - first == 1:
        for entry, (tag, terminal) in enumerate(grammar.lexicon.tolist()):
            if (tag, terminal) == (symbol, one.terminals[first]):
                rule = ("rule", (headed.first_of_words + symbol, head[first]))
                yield Derivation(f"({name} {terminal})", first, (rule, ("word", (entry,))))
    for number, (parent, child) in enumerate(grammar.unary.tolist(), len(grammar.binary)):
        if parent == symbol:
            for below in derivations(headed, one, child, first, last):
                rule = ("rule", (number, head[below.head]))
                yield Derivation(f"({name} {below.tree})", below.head, (rule, *below.events))
    for number, (parent, left, right) in enumerate(grammar.binary.tolist()):
        if parent != symbol:
            continue
        for split in range(first + 1, last):
            for one_side in derivations(headed, one, left, first, split):
                for other_side in derivations(headed, one, right, split, last):
                    sides = (one_side, other_side)
                    top = sides[headed.heads[number]].head
                    bottom = sides[1 - headed.heads[number]].head
                    own = (
                        ("rule", (number, head[top])),
                        ("choice", (int(headed.pair[number]), head[top], head[bottom])),
                    )
                    tree = f"({name} {one_side.tree} {other_side.tree})"
                    yield Derivation(tree, top, (*own, *one_side.events, *other_side.events))


def sentences_derivations(headed: HeadedGrammar, one: CodedSentence) -> list[Derivation]:
    """Return every derivation of a sentence, with the choice of the root's head."""
    actual = derivations(headed, one, headed.grammar.start, 0, len(one.heads))
    return [
        d._replace(events=(("choice", (headed.root_pair, HEADS, int(one.heads[d.head]))), *d.events))
        for d in actual
    ]


class Reference:
    """Probabilities of events, straight from their definitions."""

    def __init__(self, model: LexicalModel) -> None:
        self.model, self.headed, self.d = model, model.headed, model.discount
        rules, pairs = len(self.headed.parent), len(self.headed.pool_of_pair)
        self.rules: defaultdict[tuple[int, int], float] = defaultdict(float)  # head and rule
        for key, count in zip(model.counts.rule_keys.tolist(), model.counts.rule_counts, strict=True):
            self.rules[key // rules, key % rules] += count
        self.choices: defaultdict[tuple[int, int, int], float] = defaultdict(float)  # above, pair, below
        for key, count in zip(model.counts.choice_keys.tolist(), model.counts.choice_counts, strict=True):
            self.choices[key // HEADS // pairs, key // HEADS % pairs, key % HEADS] += count

    def discounted(self, counts: Mapping[int, float], outcome: int, lower: float) -> float:
        total = sum(counts.values())
        if not total:
            return lower
        freed = sum(min(count, self.d) for count in counts.values())
        return (max(counts.get(outcome, 0.0) - self.d, 0.0) + freed * lower) / total

    def rule(self, rule: int, head: int) -> float:
        parent = self.headed.parent
        inputs = {r: c for (h, r), c in self.rules.items() if h == head and parent[r] == parent[rule]}
        every: defaultdict[int, float] = defaultdict(float)
        for (_, r), c in self.rules.items():
            if parent[r] == parent[rule]:
                every[r] += c
        lower = self.discounted(every, rule, float(self.headed.probability[rule]))
        return self.discounted(inputs, rule, lower)

    def choice(self, pair: int, above: int, below: int) -> float:
        pools = self.headed.pool_of_pair
        inputs, of_pair, of_pool = (defaultdict[int, float](float) for _ in range(3))
        for (a, p, b), count in self.choices.items():
            if pools[p] == pools[pair]:
                of_pool[b] += count
            if p == pair:
                of_pair[b] += count
                if a == above:
                    inputs[b] += count
        lower = self.discounted(of_pair, below, self.discounted(of_pool, below, 1 / HEADS))
        return self.discounted(inputs, below, lower)

    def event(self, event: Event) -> float:
        kind, numbers = event
        if kind == "word":
            return float(self.headed.of_words_given_tags[numbers[0]])
        return self.rule(*numbers) if kind == "rule" else self.choice(*numbers)

    def probability(self, derivation: Derivation) -> float:
        return math.prod(map(self.event, derivation.events))


def trained(headed: HeadedGrammar, sentences: list[CodedSentence], discount: float) -> LexicalModel:
    """Return a model after two rounds on some sentences."""
    model = LexicalModel(headed, HEADS, LexicalCounts.none(), discount)
    packer = Packer(headed, 0.0, MEMORY)
    for _ in range(2):
        model = reestimate(model, packer, sentences).model
    return model


@settings(max_examples=40)
@given(headed(), st.lists(WORDS, max_size=3), WORDS, st.sampled_from([0.0, 0.3, 0.9]))
def test_sums_and_best_derivations_are_those_of_enumeration(
    headed: HeadedGrammar,
    training: list[list[tuple[str, int]]],
    words: list[tuple[str, int]],
    discount: float,
) -> None:
    model = trained(headed, [sentence(headed, one) for one in training], discount)
    one = sentence(headed, words)
    reference, packer = Reference(model), Packer(headed, 0.0, MEMORY)
    every = sentences_derivations(headed, one)
    scored = [(reference.probability(d), d) for d in every]
    total = sum(p for p, _ in scored)
    (log2,), (reason,) = lexical_probabilities(model, packer, [one])
    (best,) = best_derivations(model, packer, [one])
    if not total:
        assert reason == best.reason != ""
        return
    assert log2 == pytest.approx(math.log2(total), abs=1e-9)
    highest = max(p for p, _ in scored)
    assert best.log2 == pytest.approx(math.log2(highest), abs=1e-9)
    assert best.nodes is not None
    # The items are those of one of the most probable derivations.
    names = [headed.grammar.symbols[symbol].name for symbol in best.nodes.symbol.tolist()]
    chosen = [d.tree for p, d in scored if p > highest * (1 - 1e-12)]
    assert names in [[part[1:] for part in tree.split() if part.startswith("(")] for tree in chosen]


@settings(max_examples=40)
@given(headed(), st.lists(WORDS, max_size=3), WORDS, st.sampled_from([0.0, 0.5]))
def test_expected_counts_are_those_of_enumeration(
    headed: HeadedGrammar,
    training: list[list[tuple[str, int]]],
    words: list[tuple[str, int]],
    discount: float,
) -> None:
    model = trained(headed, [sentence(headed, one) for one in training], discount)
    one = sentence(headed, words)
    reference = Reference(model)
    scored = [(reference.probability(d), d) for d in sentences_derivations(headed, one)]
    total = sum(p for p, _ in scored)
    assume(total > 0)
    expected: defaultdict[Event, float] = defaultdict(float)
    for p, d in scored:
        for event in d.events:
            expected[event] += p / total
    counts, _ = expected_counts(model, Packer(headed, 0.0, MEMORY), [one])
    actual = Reference(replace(model, counts=counts))
    for (kind, numbers), count in expected.items():
        if kind == "rule":
            rule, head = numbers
            assert actual.rules[head, rule] == pytest.approx(count, abs=1e-9)
        elif kind == "choice":
            pair, above, below = numbers
            assert actual.choices[above, pair, below] == pytest.approx(count, abs=1e-9)
    for kind, own in (("rule", actual.rules), ("choice", actual.choices)):
        assert sum(own.values()) == pytest.approx(
            sum(c for e, c in expected.items() if e[0] == kind), abs=1e-9
        )


@settings(max_examples=40)
@given(headed(cycles=True), st.lists(WORDS, min_size=1, max_size=4))
def test_the_likelihood_never_falls_without_smoothing(
    headed: HeadedGrammar, training: list[list[tuple[str, int]]]
) -> None:
    sentences = [sentence(headed, one) for one in training]
    model = LexicalModel(headed, HEADS, LexicalCounts.none(), 0.0)
    packer = Packer(headed, 0.0, MEMORY)
    before, parsed = -math.inf, None
    for _ in range(6):
        actual = reestimate(model, packer, sentences)
        assert actual.log2 >= before - 1e-9
        assert parsed in (None, actual.parsed)
        model, before, parsed = actual.model, actual.log2, actual.parsed


@settings(max_examples=40)
@given(headed(cycles=True), WORDS)
def test_the_first_lexicalised_model_is_the_unlexicalised_one(
    headed: HeadedGrammar, words: list[tuple[str, int]]
) -> None:
    """Beil et al. (2002), section 5.1, step 3: the same rules, and all heads equally probable."""
    assume(not headed.one_word)
    one = sentence(headed, words)
    model = LexicalModel(headed, HEADS, LexicalCounts.none(), 0.5)
    (log2,), (reason,) = lexical_probabilities(model, Packer(headed, 0.0, MEMORY), [one])
    (plain,), _ = inside_probabilities(headed.grammar, [one.terminals])
    if not reason:
        assert log2 == pytest.approx(plain - len(words) * math.log2(HEADS), abs=1e-9)
    else:
        assert plain == -math.inf


@settings(max_examples=40)
@given(headed(), st.lists(WORDS, min_size=1, max_size=3), st.sampled_from([0.0, 0.5]))
def test_probabilities_of_rules_and_choices_add_up_to_one(
    headed: HeadedGrammar, training: list[list[tuple[str, int]]], discount: float
) -> None:
    model = trained(headed, [sentence(headed, one) for one in training], discount)
    every = np.arange(HEADS, dtype=np.int32)
    rules = model.rule_weights(every, np.arange(len(headed.parent), dtype=np.int32))
    sums = np.zeros((len(headed.grammar.symbols), HEADS))
    np.add.at(sums, headed.parent, rules)
    assert np.abs(sums - 1).max() < 1e-9
    pairs = np.arange(len(headed.pool_of_pair), dtype=np.int32)
    choices = model.choice_weights(every, pairs).reshape(len(pairs), HEADS, HEADS)
    assert np.abs(choices.sum(axis=2) - 1).max() < 1e-9
    assert model.root_weights(every).sum() == pytest.approx(1)


@settings(max_examples=40)
@given(headed(cycles=True), WORDS)
def test_pruning_keeps_the_best_unlexicalised_derivation(
    headed: HeadedGrammar, words: list[tuple[str, int]]
) -> None:
    one = sentence(headed, words)
    model = LexicalModel(headed, HEADS, LexicalCounts.none(), 0.5)
    exact, pruned = (
        best_derivations(model, Packer(headed, threshold, MEMORY), [one])[0] for threshold in (0.0, 0.9)
    )
    assert (exact.nodes is None) == (pruned.nodes is None)
    if exact.nodes is not None and headed.one_word:
        # A tag has its words' probabilities together as long as no head was counted, so that another
        # derivation than the best unlexicalised one may be the best.
        assert pruned.log2 <= exact.log2 + 1e-9
    elif exact.nodes is not None:
        assert pruned.log2 == pytest.approx(exact.log2, abs=1e-9)


def test_a_grammar_without_heads_is_refused() -> None:
    words = np.zeros(0), np.zeros((0, 2), np.int32)
    grammar = Grammar(
        (), (), 0, np.zeros((1, 3), np.int32), np.ones(1), words[1], words[0], words[1], words[0]
    )
    with pytest.raises(GrammarError, match="the rules have no heads"):
        HeadedGrammar(grammar, True)
