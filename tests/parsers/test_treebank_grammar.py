"""Grammars read off trees: relative frequencies, binarisation and markovisation, words that are unknown."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crossbank.converters.scheme_files import load_scheme
from crossbank.converters.transformations import transform
from crossbank.parsers.chart_parsing import best_derivations
from crossbank.parsers.pcfg import Pcfg, PcfgOptions
from crossbank.parsers.probabilistic_grammar import GrammarError
from crossbank.parsers.treebank_grammar import ALL, Markovisation, treebank_grammar
from crossbank.parsers.unknown_words import UNKNOWN, learn_unknown_words, signatures
from crossbank.treebanks import Treebank
from crossbank.treebanks.errors import MissingAnnotationError, OptionError
from crossbank.treebanks.formats import bracket
from tests.errors import raises
from tests.strategies import treebanks

TIGER = load_scheme("tiger")

TREES = """\
(VROOT (S (NP (ART das) (NN Haus)) (VVFIN steht) (ADV da)) ($. .))
(VROOT (S (NP (NN Haus)) (VVFIN steht)) ($. .))
(VROOT (S (ADV da) (VVFIN steht) (NP (ART das) (ADJA alte) (NN Haus))) ($. .))
"""


def trees(text: str = TREES) -> Treebank:
    return bracket.loads(text)


def named(bank: Treebank, vertical: int, horizontal: int) -> dict[str, float]:
    grammar, _ = treebank_grammar(bank, Markovisation(vertical, horizontal), TIGER, tags_as_terminals=True)
    names = [symbol.name for symbol in grammar.symbols]
    return {
        f"{names[rule[0]]} -> {' '.join(names[code] for code in rule[1:])}": p
        for rules, ps in (
            (grammar.binary, grammar.binary_probability),
            (grammar.unary, grammar.unary_probability),
        )
        for rule, p in zip(rules.tolist(), ps.tolist(), strict=True)
    }


def test_relative_frequencies_without_markovisation() -> None:
    grammar = named(trees(), 1, ALL)
    assert grammar["VROOT -> S $."] == 1.0
    assert grammar["NP -> NN"] == grammar["NP -> ART NN"] == pytest.approx(1 / 3)
    # The head of the clause is the finite verb: first what is left of it, the outermost first.
    assert grammar["S -> NP @S|><VVFIN>_ADV"] == pytest.approx(1 / 3)
    assert grammar["@S|><VVFIN>_ADV -> VVFIN ADV"] == 1.0
    assert grammar["S -> NP VVFIN"] == pytest.approx(1 / 3)


def test_vertical_markovisation_adds_ancestors() -> None:
    assert named(trees(), 2, ALL)["NP^S -> NN"] == pytest.approx(1 / 3)
    assert "NP^S^VROOT -> NN" in named(trees(), 3, ALL)
    assert "NP^S^VROOT -> NN" in named(trees(), ALL, ALL)


def test_horizontal_markovisation_forgets_children() -> None:
    # Of the two objects on the right the intermediate symbol remembers the outermost alone, or none.
    bank = trees("(VROOT (S (NN a) (VVFIN b) (NE c) (ADV d) (PTKVZ e)))")
    assert "@S|><VVFIN>_PTKVZ -> @S|><VVFIN>_ADV PTKVZ" in named(bank, 1, 1)
    assert "@S|><VVFIN> -> @S|><VVFIN> PTKVZ" in named(bank, 1, 0)
    assert "@S|><VVFIN>_NE_ADV_PTKVZ -> @S|><VVFIN>_NE_ADV PTKVZ" in named(bank, 1, ALL)


@settings(max_examples=50)
@given(st.data())
def test_without_markovisation_a_tree_has_the_probability_of_its_rules(data: st.DataObject) -> None:
    bank = data.draw(treebanks(words=st.sampled_from("abc"), min_sentences=2, max_sentences=3))
    made = transform(bank, ["strip_functions", "virtual_root"], TIGER)
    made = transform(made, [{"raise_crossing": {"punctuation": "word"}}], TIGER)
    grammar, _ = treebank_grammar(made, Markovisation(1, ALL), TIGER, tags_as_terminals=True)
    assert np.abs(grammar.sums()[: len(grammar.symbols)] - 1).max() < 1e-12
    counts: dict[tuple[str, ...], int] = {}
    local = []
    for sentence in range(len(made)):
        rules = local_trees(made, sentence)
        local.append(rules)
        for rule in rules:
            counts[rule] = counts.get(rule, 0) + 1
    totals: dict[str, int] = {}
    for rule, count in counts.items():
        totals[rule[0]] = totals.get(rule[0], 0) + count
    codes = [
        np.array(
            [grammar.terminal_codes[t] for t in made.vocabulary.decode(made.tokens.pos[made.tokens.rows(s)])],
            np.int32,
        )
        for s in range(len(made))
    ]
    for best, rules in zip(best_derivations(grammar, codes), local, strict=True):
        expected = math.prod(Fraction(counts[rule], totals[rule[0]]) for rule in rules)
        assert best.log2 >= math.log2(expected) - 1e-9


def local_trees(bank: Treebank, sentence: int) -> list[tuple[str, ...]]:
    """Return each node's label and its children's, tags with a mark that tells them from labels."""
    tree = bank.tree(sentence)
    return [
        (t.label(), *(c.label() + ("/tag" if isinstance(c[0], str) else "") for c in t))
        for t in tree.subtrees(lambda t: not isinstance(t[0], str))
    ]


def test_what_was_learned_by_heart_is_parsed_as_it_was() -> None:
    for options in (
        PcfgOptions(horizontal="all", rare=0),
        PcfgOptions(vertical="3", horizontal="2", rare=0),
        PcfgOptions(input="tags"),
    ):
        parsed = Pcfg.train(trees(), "tiger", options).parse(trees())
        assert bracket.dumps(parsed.bank) == TREES
        assert parsed.unparsed == 0


def test_functions_are_learned_and_come_back() -> None:
    from crossbank.treebanks.formats import export

    text = (
        "#FORMAT 4\n#BOS 1\ner\t--\tPPER\t--\tSB\t500\nschläft\t--\tVVFIN\t--\tHD\t500\n"
        "#500\t--\tS\t--\t--\t0\n#EOS 1\n"
    )
    bank = export.loads(text)
    parsed = Pcfg.train(bank, "tiger", PcfgOptions(functions=True, rare=0)).parse(bank).bank
    assert parsed.vocabulary.decode(parsed.tokens.function) == ["SB", "HD"]
    assert parsed.vocabulary.decode(parsed.nodes.label) == ["VROOT", "S"]


def test_split_constituents_are_joined_again() -> None:
    from crossbank.treebanks.formats import export

    text = (
        "#FORMAT 4\n#BOS 1\nBücher\t--\tNN\t--\tOA\t500\nhat\t--\tVAFIN\t--\tHD\t501\n"
        "er\t--\tPPER\t--\tSB\t501\ngelesen\t--\tVVPP\t--\tHD\t500\n"
        "#500\t--\tVP\t--\tOC\t501\n#501\t--\tS\t--\t--\t0\n#EOS 1\n"
    )
    bank = export.loads(text)
    model = Pcfg.train(bank, "tiger", PcfgOptions(crossing="split", rare=0))
    parsed = model.parse(bank).bank
    assert parsed.spans.discontinuous.tolist() == [False, False, True]
    assert parsed.vocabulary.decode(parsed.nodes.label) == ["VROOT", "S", "VP"]


def test_signatures_from_fine_to_coarse() -> None:
    assert signatures("Zeitung", False) == ("UNK-C-ung", "UNK-C-ng", "UNK-C", "UNK")
    assert signatures("Der", True)[-2:] == ("UNK-Cf", "UNK")
    assert signatures("USA", False)[-2] == "UNK-A"
    assert signatures("1998", False) == ("UNK-0", "UNK")
    assert signatures("--", False) == ("UNK-x", "UNK")
    assert signatures("E-Mail", False)[-2] == "UNK-C-"


def test_every_word_has_one_terminal_and_every_tag_adds_up() -> None:
    words = [[f"wort{n}ung", "der"] for n in range(10)]
    unknown = learn_unknown_words(words, rare=1)
    assert unknown.words == {"der"}
    assert unknown.terminal("Hoffnung", False) == UNKNOWN
    assert unknown.terminal("meinung1ung", False) == "UNK-l0-ung"
    bank = trees("".join(f"(VROOT (NP (ART der) (NN w{n}ung)))\n" for n in range(10)))
    grammar, _ = treebank_grammar(bank, Markovisation(), TIGER)
    assert np.abs(grammar.sums() - 1).max() < 1e-12
    parsed = Pcfg.train(bank, "tiger", PcfgOptions()).parse(
        trees("(X (Y der) (Y w99ung))\n(X (Y der) (Y blau))")
    )
    assert bracket.dumps(parsed.bank) == (
        "(VROOT (NP (ART der) (NN w99ung)))\n(VROOT (NP (ART der) (NN blau)))\n"
    )


def test_composed_and_decomposed_letters_are_the_same_word() -> None:
    model = Pcfg.train(trees("(VROOT (NN Tu\u0308r))\n(VROOT (NN T\u00fcr))"), "tiger", PcfgOptions())
    assert model.unknown is not None
    assert model.unknown.words == {"T\u00fcr"}


def test_a_sentence_without_a_derivation_has_no_tokens() -> None:
    parsed = Pcfg.train(trees(), "tiger", PcfgOptions(input="tags", smoothing="none")).parse(
        trees("(A (NN x) (NN y))\n" + TREES)
    )
    assert parsed.reasons == ["the grammar has no derivation", "", "", ""]
    assert bracket.dumps(parsed.bank) == "(())\n" + TREES


@pytest.mark.parametrize(
    ("options", "fields"),
    [
        (
            {"vertical": "0"},
            {"kind": "option vertical", "value": "0", "allowed": "a whole number from 1, or all"},
        ),
        (
            {"horizontal": "x"},
            {"kind": "option horizontal", "value": "x", "allowed": "a whole number from 0, or all"},
        ),
    ],
)
def test_orders_that_are_none(options: dict[str, str], fields: dict[str, object]) -> None:
    with raises(OptionError, **fields):
        PcfgOptions(**options)  # type: ignore[arg-type]


def test_words_alone_are_no_training_set() -> None:
    from crossbank.treebanks.formats import text

    with raises(MissingAnnotationError, annotation="trees", where="text:1"):
        Pcfg.train(text.loads("a b\n"), None, PcfgOptions())
    with pytest.raises(GrammarError, match="found 2 roots, expected one"):
        treebank_grammar(two_roots(), Markovisation())


def two_roots() -> Treebank:
    from crossbank.treebanks.builder import TreebankBuilder

    builder = TreebankBuilder("two")
    builder.sentence()
    for root in (0, 1):
        builder.token(form="a", pos="T", parent=root)
        builder.node(label="S")
    return builder.build()
