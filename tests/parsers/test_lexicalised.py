"""Head-lexicalised parser: its schedule (Beil et al. 2002, section 5.1), files, options and messages."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from crossbank.parsers.lexicalised import LexicalisedPcfg, with_equal_frequencies
from crossbank.parsers.lexicalised_estimation import expected_counts
from crossbank.parsers.models import Model, load, save, train
from crossbank.treebanks import CrossbankError, OptionError, Treebank
from crossbank.treebanks.formats import bracket, read_all
from tests.errors import raises
from tests.parsers.test_treebank_grammar import TREES, trees

AMBIGUOUS = """\
(VROOT (S (PPER sie) (VVFIN sah) (NP (ART den) (NN Mann) (PP (APPR mit) (ART dem) (NN Bart)))))
(VROOT (S (PPER sie) (VVFIN sah) (NP (ART den) (NN Stern)) (PP (APPR mit) (ART dem) (NN Fernrohr))))
(VROOT (S (PPER sie) (VVFIN traf) (PP (APPR mit) (ART dem) (NN Fernrohr))))
"""
"""The tags of the first two are the same; the third one has the verb's own phrase alone."""


def lexicalised(bank: Treebank, **options: object) -> LexicalisedPcfg:
    parser = train(bank, "tiger", {"input": "tags", **options}, "lexicalised").parser
    assert isinstance(parser, LexicalisedPcfg)
    return parser


def test_rounds_without_heads_come_first() -> None:
    plain = train(trees(), "tiger", {"input": "tags", "iterations": 2, "smoothing": "none"}).parser
    for iterations, without, with_heads in ((0, 0, 0), (1, 1, 0), (2, 2, 0), (5, 2, 3)):
        parser = lexicalised(trees(), iterations=iterations)
        assert (len(parser.pcfg.perplexities), len(parser.perplexities)) == (without, with_heads)
        assert (len(parser.counts.rule_keys) > 0) == (with_heads > 0)
    assert parser.pcfg.content() == plain.content()
    assert "perplexity before each lexicalised round" in parser.describe()


def test_before_lexicalised_rounds_the_trees_are_those_of_the_grammar() -> None:
    bank = trees(TREES + AMBIGUOUS)
    plain = train(bank, "tiger", {"input": "tags", "iterations": 1, "smoothing": "none"}).parser
    parser = lexicalised(bank, iterations=1, prune=0)
    assert bracket.dumps(parser.parse(bank).bank) == bracket.dumps(plain.parse(bank).bank)
    with_heads, without = parser.inside(bank)[0], plain.inside(bank)[0]
    lengths = bank.tokens.lengths()
    assert with_heads == pytest.approx(without - lengths * np.log2(len(parser.heads)), abs=1e-9)


def test_perplexity_falls_without_smoothing() -> None:
    parser = lexicalised(trees(TREES + AMBIGUOUS), iterations=8, discount=0)
    rounds = parser.perplexities
    assert all(after <= before + 1e-9 for before, after in pairwise(rounds))
    assert rounds[-1] < rounds[0] / 2


def test_words_decide_what_tags_leave_open() -> None:
    """The telescope goes with seeing: one sentence has it with the verb alone."""
    bank = trees(AMBIGUOUS)
    parser = lexicalised(bank, iterations=4, unlexicalised=0, rare=0, discount=0.1)
    lines = bracket.dumps(parser.parse(bank).bank).splitlines()
    assert lines[1] == AMBIGUOUS.splitlines()[1]


def test_equal_frequencies() -> None:
    grammar = with_equal_frequencies(train(trees(), "tiger", {"input": "tags"}).parser.grammar)  # type: ignore[attr-defined]
    sums = grammar.sums()
    assert np.abs(sums[sums > 0] - 1).max() < 1e-12
    for parent in range(len(grammar.symbols)):
        own = grammar.binary_probability[grammar.binary[:, 0] == parent]
        assert len(set(own.tolist())) < 2
    assert lexicalised(trees(), initial="equal").parse(trees()).unparsed == 0


@pytest.mark.parametrize("options", [{"input": "tags"}, {"input": "words", "rare": 0}])
def test_a_model_is_the_same_when_it_is_read_again(tmp_path: Path, options: dict[str, object]) -> None:
    model = train(trees(), "tiger", options, "lexicalised")
    save(model, tmp_path / "one")
    again = load(tmp_path / "one")
    assert again.parser.options == model.parser.options
    assert bracket.dumps(again.parser.parse(trees()).bank) == TREES
    save(again, tmp_path / "two")
    assert (tmp_path / "two").read_bytes() == (tmp_path / "one").read_bytes()
    log2, reasons, words = again.parser.inside(trees())
    assert np.isfinite(log2).all()
    assert words.tokens.lengths().tolist() == [5, 3, 6]
    assert reasons == ["", "", ""]


def test_the_number_of_threads_changes_no_digit() -> None:
    bank = Treebank.concatenate([trees(TREES + AMBIGUOUS)] * 20)
    parser = lexicalised(bank, iterations=3)
    actual = []
    for threads in ("1", "3"):
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("CROSSBANK_THREADS", threads)
            sentences = parser.sentences(parser.pcfg.words(bank))
            actual.append(expected_counts(parser.model, parser._packer, sentences))
    (one, log2), (other, again) = actual
    assert all((a == b).all() for a, b in zip(one, other, strict=True))
    assert (log2 == again).all()


def test_long_sentences_are_counted_and_not_learned_from() -> None:
    parser = lexicalised(trees(), iterations=3, longest=4)
    assert parser.left_out == 2
    assert "(2 sentences left out)" in parser.describe()
    assert parser.parse(trees()).unparsed == 0


def test_a_limit_of_memory_is_kept() -> None:
    parser = lexicalised(trees("(VROOT (S (NN x) (S (NN x) (S (NN x)))))"), memory=1, iterations=3)
    (reason,) = parser.parse(bracket.loads("(VROOT (S" + " (NN x)" * 400 + "))")).reasons
    assert reason.startswith("too long: ")
    assert reason.endswith("the limit is 1 MB")


def test_sentences_without_a_parse_say_why() -> None:
    parser = lexicalised(trees())
    parsed = parser.parse(trees("(VROOT (S (XX ach)))\n(VROOT (S (ADV da) (ADV da)))"))
    assert parsed.reasons == ["token 1 is not in the grammar", "the grammar has no derivation"]


@pytest.mark.parametrize(
    ("options", "fields"),
    [
        ({"iterations": -1}, {"kind": "option iterations", "value": -1, "allowed": "a number from 0"}),
        ({"discount": 2}, {"kind": "option discount", "value": 2.0, "allowed": "a number from 0 to 1"}),
        (
            {"heads": "lemma", "input": "words"},
            {
                "kind": "option heads",
                "value": "lemma",
                "allowed": "form with input=words: the others need input=tags",
            },
        ),
        (
            {"heads": "stem", "input": "words"},
            {
                "kind": "option heads",
                "value": "stem",
                "allowed": "form with input=words: the others need input=tags",
            },
        ),
        (
            {"vertical": 0},
            {"kind": "option vertical", "value": "0", "allowed": "a whole number from 1, or all"},
        ),
        ({"decoding": "brackets"}, {"kind": "option of lexicalised", "value": "decoding"}),
        ({"heads": "lemma"}, {"annotation": "lemmas"}),
    ],
)
def test_options_that_cannot_be(options: dict[str, object], fields: dict[str, object]) -> None:
    with raises(CrossbankError, **fields):
        lexicalised(trees(), **options)
    with raises(OptionError, kind="number of parses", value=2, allowed="1 (a lexicalised grammar)"):
        lexicalised(trees()).parse(trees(), best=2)


RULES = """\
1 S NP VP'
1 VP V' NP
1 VP VP' PP
1 NP DT N'
1 NP NP' PP
1 PP P' NP
1 N A A N'
"""
LEXICON = "the\tDT 1\ndog\tN 1\nman\tN 1\ntelescope\tN 1\nsaw\tV 1\nmet\tV 1\nwith\tP 1\nold\tA 1\n"
SENTENCES = """\
the dog saw the man with the telescope
the dog saw the man
the man saw the dog with the telescope
the dog with the man met the old old man
"""


def given_grammar(folder: Path, rules: str = RULES) -> str:
    (folder / "rules").write_text(rules, encoding="utf-8")
    (folder / "rules.lexicon").write_text(LEXICON, encoding="utf-8")
    return str(folder / "rules")


def test_a_given_grammar_is_estimated_on_plain_sentences(tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text(SENTENCES, encoding="utf-8")
    bank = read_all([str(tmp_path / "text.txt")], None)
    options = {"grammar": given_grammar(tmp_path), "initial": "equal", "iterations": 6, "discount": 0}
    parser = train(bank, None, options, "lexicalised").parser
    assert isinstance(parser, LexicalisedPcfg)
    assert all(after <= before + 1e-9 for before, after in pairwise(parser.perplexities))
    parsed = parser.parse(bank)
    assert parsed.unparsed == 0
    assert bracket.dumps(parsed.bank).splitlines()[1] == (
        "(S (NP (DT the) (N dog)) (VP (V saw) (NP (DT the) (N man))))"
    )
    # The rule of three symbols is one node: its parts belong to it.
    assert "(N (A old) (A old) (N man))" in bracket.dumps(parsed.bank)


@pytest.mark.parametrize("rule", ["1 S NP VP", "1 S NP' VP'"])
def test_rules_need_one_head(tmp_path: Path, rule: str) -> None:
    number = rule.count("'")
    with pytest.raises(CrossbankError, match=f"rule S -> .*: found {number} heads, expected one, with '"):
        lexicalised(trees(), grammar=given_grammar(tmp_path, f"{rule}\n{RULES}"))


def test_lemmas_as_heads() -> None:
    bank = trees()
    lemmas, codes = bank.vocabulary.extended(["das", "Haus", "stehen", "da", "."] * 3)
    tokens = bank.tokens.replace(lemma=codes[: len(bank.tokens)])
    parser = lexicalised(bank.replace(vocabulary=lemmas, tokens=tokens), heads="lemma", rare=0)
    assert "stehen" in parser.heads
    assert "steht" not in parser.heads


def test_stems_as_heads() -> None:
    parser = lexicalised(
        bracket.loads("(VROOT (NP (ADJA altes) (NN Buch)) (NP (ADJA alte) (NN Bücher)))"),
        heads="stem",
        rare=0,
    )
    assert {"alt", "buch"} <= {*parser.heads}
    assert not {"altes", "Buch", "Bücher"} & {*parser.heads}


CASES = """\
(VROOT (S (NP-SB (ADJA-NK alter) (NN-HD Hund)) (VVFIN-HD sieht) (NP-OA (ADJA-NK alten) (NN-HD Hund))))
(VROOT (S (NP-SB (ADJA-NK alter) (NN-HD Hund)) (VVFIN-HD bellt)))
"""


@pytest.mark.parametrize(("pooling", "pairs"), [("none", 2), ("context", 2), ("functions", 1)])
def test_an_adjective_is_chosen_given_the_noun_whatever_its_case(pooling: str, pairs: int) -> None:
    # Beil et al. (2002), section 4: P(alt | ADJ, NN1, Buch) for all inflections of NN1.
    parser = lexicalised(bracket.loads(CASES), functions=True, pooling=pooling, horizontal=0)
    headed, symbols = parser._headed, parser.pcfg.grammar.symbols
    actual = {
        pair
        for (_, left, _), pair in zip(headed.grammar.binary.tolist(), headed.pair.tolist(), strict=True)
        if symbols[left].label == "ADJA"
    }
    assert len(actual) == pairs


@pytest.mark.slow
def test_trees_of_the_potsdam_commentary_corpus(shared_data: Path) -> None:
    bank = read_all([str(shared_data / "tiger-pcc/syntax/maz-1*.xml")], None)
    options = {"input": "tags", "functions": True, "horizontal": 0, "iterations": 4}
    model: Model = train(bank.select(np.arange(0, len(bank), 2)), "tiger", options, "lexicalised")
    held_out = bank.select(np.arange(1, len(bank), 2))
    parsed = model.parser.parse(held_out)
    log2, _, _ = model.parser.inside(held_out)
    assert parsed.unparsed < len(held_out) / 2
    best = parsed.log2[np.isfinite(log2)]
    assert (best <= log2[np.isfinite(log2)] + 1e-6).all()
