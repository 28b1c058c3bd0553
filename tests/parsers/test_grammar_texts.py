"""Grammars written and read: NLTK's text and objects, BitPar's two files."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossbank.parsers import bitpar, nltk_grammars
from crossbank.parsers.probabilistic_grammar import Grammar, GrammarBuilder, GrammarError, Symbol
from crossbank.parsers.treebank_grammar import Markovisation, treebank_grammar
from crossbank.treebanks.formats import bracket
from tests.parsers.grammars import grammars


def rules(grammar: Grammar) -> dict[tuple[str, ...], float]:
    """Return the probability of each rule, by names."""
    names = [symbol.name for symbol in grammar.symbols]
    actual = {}
    for table, column in (
        (grammar.binary, grammar.binary_probability),
        (grammar.unary, grammar.unary_probability),
    ):
        for rule, p in zip(table.tolist(), column.tolist(), strict=True):
            actual[tuple(names[code] for code in rule)] = p
    for (symbol, terminal), p in zip(
        grammar.lexicon.tolist(), grammar.lexicon_probability.tolist(), strict=True
    ):
        actual[names[symbol], f"'{grammar.terminals[terminal]}'"] = p
    return actual


@given(grammars(cycles=True))
def test_nltk_texts_and_objects_say_the_same(grammar: Grammar) -> None:
    for again in (
        nltk_grammars.loads(nltk_grammars.dumps(grammar)),
        nltk_grammars.from_nltk(nltk_grammars.to_nltk(grammar)),
    ):
        assert rules(again) == rules(grammar)
        assert again.symbols[again.start].name == grammar.symbols[grammar.start].name


def test_small_probabilities_have_no_exponent() -> None:
    grammar = nltk_grammars.loads("S -> 'a' [0.99999999997] | 'b' [0.00000000003]\n")
    text = nltk_grammars.dumps(grammar)
    assert text == "S -> 'a' [0.99999999997]\nS -> 'b' [0.00000000003]\n"
    assert (
        rules(nltk_grammars.loads(text))
        == rules(grammar)
        == {("S", "'a'"): 0.99999999997, ("S", "'b'"): 3e-11}
    )


def test_bitpar_files_say_the_same(tmp_path: Path) -> None:
    grammar = nltk_grammars.loads("S -> NP VP [1.0]\nNP -> 'a' [0.25] | 'b' [0.75]\nVP -> 'c' [1.0]\n")
    bitpar.dump(grammar, tmp_path / "grammar")
    assert (tmp_path / "grammar").read_text() == "1.0 S NP VP\n"
    assert (tmp_path / "grammar.lexicon").read_text() == "a\tNP 0.25\nb\tNP 0.75\nc\tVP 1.0\n"
    assert rules(bitpar.load(tmp_path / "grammar")) == rules(grammar)


def test_frequencies_are_written_and_read_as_bitpar_has_them(tmp_path: Path) -> None:
    trees = bracket.loads("(S (NP (N a)) (V c))\n(S (NP (D b) (N a)) (V c))\n(S (NP (N a)) (V d))\n")
    grammar, _ = treebank_grammar(trees, Markovisation(), tags_as_terminals=True)
    bitpar.dump(grammar, tmp_path / "grammar")
    lines = (tmp_path / "grammar").read_text().splitlines()
    assert sorted(lines) == ["1 NP D N", "2 NP N", "3 S NP V"]
    words = (tmp_path / "grammar.lexicon").read_text().splitlines()
    assert sorted(words) == ["D\tD 1", "N\tN 3", "V\tV 3"]
    assert rules(bitpar.load(tmp_path / "grammar")) == rules(grammar)


def test_frequencies_that_are_not_whole_are_normalised(tmp_path: Path) -> None:
    (tmp_path / "g").write_text("1.5 S A B\n0.5 S B\n")
    (tmp_path / "g.lexicon").write_text("a\tA 0.5\nb\tB 2.5\n")
    head_rules = rules(bitpar.load(tmp_path / "g"))
    assert (head_rules["S", "A", "B"], head_rules["S", "B"], head_rules["A", "'a'"]) == (0.75, 0.25, 1.0)


def test_bitpar_frequencies_become_probabilities(tmp_path: Path) -> None:
    (tmp_path / "g").write_text("3 S A B\n1 S B\n2 B S A B\n")
    (tmp_path / "g.lexicon").write_text("a\tA 5 B 1\nb\tB 1\n")
    head_rules = rules(bitpar.load(tmp_path / "g"))
    assert head_rules["S", "A", "B"] == 0.75
    assert head_rules["B", "'a'"] == 0.25
    assert head_rules["B", "S", "@A_B"] == 0.5
    assert head_rules["@A_B", "A", "B"] == 1.0


@given(st.text(min_size=1, max_size=5))
def test_names_of_any_characters_are_written_and_read(name: str) -> None:
    assert nltk_grammars.unescaped(nltk_grammars.escaped(name)) == name


def test_names_that_nltk_cannot_read_are_escaped() -> None:
    assert nltk_grammars.escaped("$,") == "/24/2C"
    builder = GrammarBuilder()
    start, comma = (builder.symbol(n, Symbol(n, n)) for n in ("@S|<VP>_$(", "$,"))
    builder.add_unary(start, comma)
    builder.add_word(comma, "'")
    grammar = builder.build(start, relative=True)
    assert rules(nltk_grammars.loads(nltk_grammars.dumps(grammar))) == rules(grammar)


def test_longer_rules_are_binarised_without_a_change_of_probability() -> None:
    from nltk import ViterbiParser

    from crossbank.parsers.chart_parsing import best_derivations

    text = "S -> NP 'sees' NP PP [0.7] | NP 'sees' NP [0.3]\nNP -> 'a' [1.0]\nPP -> 'in' NP [1.0]\n"
    grammar = nltk_grammars.loads(text)
    words = ["a", "sees", "a", "in", "a"]
    from nltk import PCFG

    (tree,) = ViterbiParser(PCFG.fromstring(text)).parse(words)
    codes = np.array([grammar.terminal_codes[word] for word in words], np.int32)
    (best,) = best_derivations(grammar, [codes])
    assert 2**best.log2 == pytest.approx(tree.prob(), abs=1e-12)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("S -> 'a' [0.5]\n", "g: this is not a grammar .*do not sum to 1"),
        ("S => 'a'\n", "g: this is not a grammar"),
        ("", "g: this is not a grammar"),
        ("S -> 'a' [0.5] | [0.5]\n", "g: found an empty right side of S"),
        ("S -> S [1.0]\n", "no rule leads out of a cycle"),
    ],
)
def test_texts_that_are_no_grammars(text: str, message: str) -> None:
    with pytest.raises(Exception, match=message):
        _ = nltk_grammars.loads(text, "g").total


@pytest.mark.parametrize(
    ("rules", "words", "message"),
    [
        ("0.7 S A\n0.5 S B\n", "a\tA 1.0\nb\tB 1\n", "probabilities of S that add up to 1.2, expected 1"),
        ("S A\n", "a\tA 1\n", "g:1: found 'S A', expected a weight, a symbol and its children"),
        ("x S A\n", "a\tA 1\n", "g:1: found 'x', expected a weight of zero or more"),
        ("1 S A\n", "a A 1\n", "g.lexicon:1: found 'a A 1', expected a word, a tab"),
    ],
)
def test_bitpar_files_that_are_wrong(tmp_path: Path, rules: str, words: str, message: str) -> None:
    (tmp_path / "g").write_text(rules)
    (tmp_path / "g.lexicon").write_text(words)
    with pytest.raises(GrammarError, match=message):
        bitpar.load(tmp_path / "g")
