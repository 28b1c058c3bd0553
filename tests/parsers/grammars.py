"""Random small grammars, and all derivations of a sentence one by one."""

from collections.abc import Iterator

import numpy as np
from hypothesis import strategies as st

from crossbank.parsers.probabilistic_grammar import Grammar, GrammarBuilder, Symbol

WORDS = ("a", "b")


@st.composite
def grammars(draw: st.DrawFn, *, cycles: bool = False) -> Grammar:
    """Return a grammar of up to four symbols, whose weights are relative frequencies."""
    builder = GrammarBuilder()
    count = draw(st.integers(1, 4))
    for symbol in range(count):
        builder.symbol(symbol, Symbol(f"N{symbol}", f"N{symbol}"))
    codes = st.integers(0, count - 1)
    weights = st.integers(1, 5)
    for _ in range(draw(st.integers(1, 8))):
        builder.add_binary(draw(codes), draw(codes), draw(codes), draw(weights))
    for _ in range(draw(st.integers(0, 4))):
        parent, child = draw(codes), draw(codes)
        if cycles or parent < child:
            builder.add_unary(parent, child, draw(weights))
    for symbol in range(count):
        # Every symbol has a word, so that every cycle of unary rules ends.
        builder.add_word(symbol, draw(st.sampled_from(WORDS)), draw(weights))
    for _ in range(draw(st.integers(0, 2))):
        builder.add_word(draw(codes), draw(st.sampled_from(WORDS)), draw(weights))
    return builder.build(0, relative=True)


def coded(grammar: Grammar, words: tuple[str, ...]) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    """Return the places of a sentence's terminals."""
    return np.array([grammar.terminal_codes.get(word, -1) for word in words], np.int32)


def probabilities(grammar: Grammar, words: tuple[str, ...]) -> list[float]:
    """Return the probability of every derivation of a sentence; unary rules must not form cycles."""
    return [p for _, p in derivations(grammar, words, grammar.start)]


def derivations(
    grammar: Grammar, words: tuple[str, ...], symbol: int, least: float = 0.0
) -> Iterator[tuple[str, float]]:
    """Yield every derivation of words from a symbol, as brackets, with its probability of at least ``least``.

    Without ``least`` unary rules must not form cycles: there would be no end.
    """
    name = grammar.symbols[symbol].name
    if len(words) == 1:
        for (tag, terminal), p in zip(
            grammar.lexicon.tolist(), grammar.lexicon_probability.tolist(), strict=True
        ):
            if tag == symbol and grammar.terminals[terminal] == words[0] and p >= least:
                yield f"({name} {words[0]})", p
    for (parent, child), p in zip(grammar.unary.tolist(), grammar.unary_probability.tolist(), strict=True):
        if parent == symbol and p > least:
            for tree, q in derivations(grammar, words, child, least / p):
                yield f"({name} {tree})", p * q
    for (parent, left, right), p in zip(
        grammar.binary.tolist(), grammar.binary_probability.tolist(), strict=True
    ):
        if parent == symbol and p > least:
            for split in range(1, len(words)):
                for one, q in derivations(grammar, words[:split], left, least / p):
                    for other, r in derivations(grammar, words[split:], right, least / p / q):
                        yield f"({name} {one} {other})", p * q * r
