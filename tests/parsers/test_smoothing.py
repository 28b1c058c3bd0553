"""Smoothed grammars: probabilities that add up, trees that were not seen, and fragments."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crossbank.converters.scheme_files import load_scheme
from crossbank.parsers.chart_parsing import best_derivations, inside_probabilities
from crossbank.parsers.models import train
from crossbank.parsers.parsed import Parsed
from crossbank.parsers.probabilistic_grammar import Grammar, GrammarError
from crossbank.parsers.smoothing import COLLINS, NEW_OUTCOMES, Child, HeadOutward, _LeftOut
from crossbank.parsers.treebank_grammar import ALL, Markovisation, Smoothing, treebank_grammar
from crossbank.treebanks import Treebank
from crossbank.treebanks.formats import bracket
from tests.every_loop import EXAMPLES
from tests.strategies import treebanks

FLAT = """\
(S (A x) (B x) (C x))
(S (B x) (C x) (C x))
(S (A x) (B x))
"""

SCHEMES = {"tiger": EXAMPLES / "tiger.export", "tuebadz": EXAMPLES / "tuebadz.export"}


def smoothed(text: str, horizontal: int = 1, smoothing: Smoothing = "witten_bell") -> Grammar:
    markovisation = Markovisation(1, horizontal)
    return treebank_grammar(bracket.loads(text), markovisation, tags_as_terminals=True, smoothing=smoothing)[
        0
    ]


def codes(grammar: Grammar, *tags: str) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    return np.array([grammar.terminal_codes[tag] for tag in tags], np.int32)


@pytest.mark.parametrize("smoothing", ["witten_bell", "left_out"])
@pytest.mark.parametrize("horizontal", [0, 1, 2, ALL])
def test_the_probabilities_of_all_sentences_add_up_to_one(horizontal: int, smoothing: Smoothing) -> None:
    grammar = smoothed(FLAT, horizontal, smoothing)
    sums = []
    for length in range(1, 8):
        strings = [codes(grammar, *tags) for tags in product("ABC", repeat=length)]
        log2, _ = inside_probabilities(grammar, strings)
        sums.append(float(np.exp2(log2).sum()))
    # Longer sentences become rarer in a constant proportion; tags that were never seen have the rest.
    ratio = sums[-1] / sums[-2]
    assert 0.97 < sum(sums) + sums[-1] * ratio / (1 - ratio) < 1
    assert sums[0] == 0  # no clause of one tag was seen, and none is made up


def test_a_sequence_that_was_not_seen_has_a_tree_and_the_seen_ones_are_more_probable() -> None:
    grammar = smoothed(FLAT)
    seen, turned = inside_probabilities(grammar, [codes(grammar, *"ABC"), codes(grammar, *"CBA")])[0]
    assert np.isfinite(turned)
    assert seen > turned


def test_the_head_is_chosen_before_its_sisters() -> None:
    # Collins (1999), 6.2: the head, on its right B and STOP, on its left STOP, each seen once.
    grammar = smoothed("(S (A x) (B x))\n")
    (best,) = best_derivations(grammar, [codes(grammar, "A", "B")])
    # The label has outcomes B, STOP, STOP: n = 3, u = 2, uniform over {B, STOP}.
    coarsest = {"B": (10 * 0.5 + 1) / 13, "STOP": (10 * 0.5 + 2) / 13}

    def mixed(coarser: float, seen: float) -> float:
        return (5 * coarser + seen) / 6

    first = mixed(mixed(mixed(coarsest["B"], 1), 1), 1)  # levels 4, 3 and 1; level 2 is level 3
    then = mixed(mixed(mixed(coarsest["STOP"], 1), 1), 1)
    left = mixed(mixed(mixed(coarsest["STOP"], 1), 1), 1)
    of_tags = (1 / 1.01) ** 2
    assert 2**best.log2 == pytest.approx(first * then * left * of_tags)


def counted(*clauses: str, learned: bool) -> HeadOutward:
    """Return clauses S of tags, whose first one is the head."""
    smoothing = HeadOutward(1, learned)
    for clause in clauses:
        smoothing.add(0, Child(False, "S", ""), [Child(True, tag, "") for tag in clause], 0)
    return smoothing


def test_a_choice_that_is_left_out_is_predicted_from_the_others() -> None:
    # One head, one place of its sisters: B, STOP and C, STOP and STOP after A, and STOP before each.
    smoothing = counted("AB", "AC", "A", learned=True)
    left_out = _LeftOut.of(smoothing._choices, smoothing._levels)
    weights = (1.0, 2.0, 3.0, 4.0, 5.0)

    def mixed(coarser: float, level: int, seen: int, total: int, kinds: int) -> float:
        new = weights[level] * kinds
        return (new * coarser + seen) / (new + total)

    first = mixed(1 / 3, 4, 0, 7, 2)  # B or C: of the label's others 6 are STOP and 1 is the other tag
    first = mixed(first, 3, 0, 2, 2)
    first = mixed(first, 2, 0, 2, 2)
    first = mixed(first, 0, 0, 2, 2)
    then = mixed(1 / 3, 4, 5, 7, 3)
    then = mixed(mixed(then, 3, 1, 1, 1), 2, 1, 1, 1)  # after this tag no other STOP was seen
    alone = mixed(1 / 3, 4, 5, 7, 3)
    alone = mixed(alone, 3, 0, 2, 2)
    alone = mixed(alone, 2, 0, 2, 2)
    alone = mixed(alone, 0, 0, 2, 2)
    # On the left: STOP beside sisters twice, and alone once.
    before = mixed(mixed(mixed(1 / 3, 4, 5, 7, 3), 3, 2, 2, 1), 2, 2, 2, 1)
    beside = mixed(before, 0, 1, 1, 1)
    expected = 2 * np.log(first) + 2 * np.log(then) + np.log(alone) + 2 * np.log(beside) + np.log(before)
    assert left_out.log_probability(weights) == pytest.approx(expected)


@pytest.mark.parametrize("name", SCHEMES)
def test_learned_weights_make_what_is_left_out_more_probable(name: str) -> None:
    clauses = ["AB", "AC", "ABB", "A", "ABC"] * 5 + ["AD", "ADB"]
    fixed, learned = counted(*clauses, learned=False), counted(*clauses, learned=True)
    assert fixed.weights == (COLLINS,) * 5 != learned.weights
    left_out = _LeftOut.of(learned._choices, learned._levels)
    best = left_out.log_probability(learned.weights)
    assert best > left_out.log_probability(fixed.weights)
    for level, weight in product(range(5), NEW_OUTCOMES):
        other = [*learned.weights[:level], weight, *learned.weights[level + 1 :]]
        assert left_out.log_probability(other) <= best + 1e-6
    parsed = parsed_half(name, input="tags", smoothing="left_out")
    assert parsed.unparsed == 0


@pytest.mark.parametrize("smoothing", ["witten_bell", "left_out"])
@pytest.mark.parametrize("words", ["tags", "words"])
def test_training_on_one_symbol_or_ten_sentences_answers_everything(smoothing: str, words: str) -> None:
    options = {"input": words, "smoothing": smoothing}
    text = bracket.loads("(S (A x))\n(S (A x) (A y) (A z))\n(S (Q q) (A x))\n")
    one = train(bracket.loads("(S (A x))\n"), None, options).parser.parse(text)
    assert (one.unparsed, one.fragments[0] > 1) == (0, False)
    training, test = halves("tiger")
    ten = train(training.select(np.arange(10)), "tiger", options).parser.parse(test)
    assert ten.unparsed == 0
    assert ten.bank.tokens.lengths().tolist() == ten.words.tokens.lengths().tolist()


@settings(max_examples=30, deadline=None)
@given(
    bank=treebanks(),
    horizontal=st.sampled_from(["0", "1", "2", "all"]),
    vertical=st.sampled_from("12"),
    smoothing=st.sampled_from(["witten_bell", "left_out"]),
)
def test_every_symbol_adds_up_and_every_sentence_is_answered(
    bank: Treebank, horizontal: str, vertical: str, smoothing: str
) -> None:
    if not bank.has_constituents or not (bank.tokens.lengths() > 0).any():
        return
    given_options = {
        "input": "tags", "vertical": vertical, "horizontal": horizontal, "smoothing": smoothing,
    }  # fmt: skip
    try:
        model = train(bank, "tiger", given_options).parser
    except GrammarError as error:
        # The only node has no token.
        if "there are no trees" not in str(error):
            raise
        return
    sums = model.grammar.sums()  # type: ignore[attr-defined]
    assert np.abs(sums[sums > 0] - 1).max() < 1e-9
    parsed = model.parse(bank)
    empty = parsed.words.tokens.lengths() == 0
    assert [bool(reason) for reason in parsed.reasons] == empty.tolist()
    assert parsed.bank.tokens.lengths().tolist() == parsed.words.tokens.lengths().tolist()


def halves(name: str) -> tuple[Treebank, Treebank]:
    from crossbank.treebanks.formats import read

    bank = read(SCHEMES[name])
    even = np.arange(0, len(bank), 2)
    return bank.select(even), bank.select(even + 1)


def parsed_half(name: str, **options: str) -> Parsed:
    training, test = halves(name)
    return train(training, name, {"horizontal": "1", **options}).parser.parse(test)


@pytest.mark.parametrize("name", SCHEMES)
@pytest.mark.parametrize("words", ["tags", "words"])
def test_half_of_a_small_corpus_is_parsed_by_the_other(name: str, words: str) -> None:
    load_scheme(name)
    plain = parsed_half(name, input=words, smoothing="none")
    smooth = parsed_half(name, input=words, smoothing="witten_bell")
    assert smooth.unparsed == 0 < plain.unparsed
    assert smooth.in_fragments < plain.unparsed


def test_what_no_tree_spans_gets_fragments_and_says_how_many() -> None:
    model = train(
        bracket.loads("(S (NP (A x)) (VP (B y)))\n"), None, {"input": "tags", "smoothing": "witten_bell"}
    )
    text = bracket.loads("(S (A x))\n(S (Q x) (B x))\n(S (A x) (B x))\n")
    parsed = model.parser.parse(text)
    # A clause of one phrase was not seen and is not made up; a tag that was not seen may be any tag.
    assert parsed.fragments == [1, 0, 0]
    assert parsed.unparsed == 0
    assert parsed.in_fragments == 1


def test_a_sentence_longer_than_the_limit_is_parsed_in_segments() -> None:
    tokens = " ".join("(A x) (B y)" for _ in range(100))
    model = train(
        bracket.loads("(S (A x) (B y))\n"),
        None,
        {"input": "tags", "smoothing": "witten_bell", "longest": "50"},
    )
    parsed = model.parser.parse(bracket.loads(f"(S {tokens})\n"))
    assert parsed.unparsed == 0
    assert parsed.fragments[0] >= 4
    assert len(parsed.bank.tokens) == 200


def test_a_chart_that_does_not_fit_is_answered_by_smaller_segments() -> None:
    tokens = " ".join("(A x) (B y)" for _ in range(600))
    model = train(
        bracket.loads("(S (A x) (S (A x) (B y)))\n"),
        None,
        {"input": "tags", "smoothing": "witten_bell", "longest": "100000", "memory": "1"},
    )
    parsed = model.parser.parse(bracket.loads(f"(S {tokens})\n"))
    assert parsed.unparsed == 0
    assert len(parsed.bank.tokens) == 1200


@pytest.mark.parametrize("name", SCHEMES)
def test_a_beam_loses_little_and_no_sentence(name: str) -> None:
    training, test = halves(name)
    wide, narrow, default = (
        train(training, name, {"input": "tags", **beam}).parser.parse(test)
        for beam in ({"beam": "0"}, {"beam": "2"}, {})
    )
    assert wide.reasons == narrow.reasons == default.reasons
    assert (narrow.log2 <= wide.log2 + 1e-9).all()
    assert narrow.log2.sum() < wide.log2.sum()
    same = np.abs(default.log2 - wide.log2) < 1e-9
    assert same.mean() > 0.95


def test_lists_of_the_best_trees_are_found_within_the_beam() -> None:
    training, test = halves("tiger")
    model = train(training, "tiger", {"input": "tags"}).parser
    first, listed = model.parse(test), model.parse(test, best=3)
    of_first = listed.log2[listed.bank.sentences.analysis == 0]
    assert of_first == pytest.approx(first.log2)
