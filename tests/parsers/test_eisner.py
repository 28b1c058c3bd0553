"""Eisner's algorithm against all projective trees of up to six tokens; models learned from dependencies."""

import itertools
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from crossbank.parsers.arc_factored import ArcFactored
from crossbank.parsers.arc_factored import ArcFactoredOptions as ArcOptions
from crossbank.parsers.loops.eisner import best_heads, inside
from crossbank.parsers.model_c import ModelC, ModelCOptions
from crossbank.parsers.models import load, save, train
from crossbank.treebanks import OptionError, Treebank
from crossbank.treebanks.formats import conllu
from tests.errors import raises


def projective_trees(length: int) -> list[tuple[int, ...]]:
    """Return the heads of every projective tree with one root: tokens count from 1, the root is 0."""
    return [
        heads
        for heads in itertools.product(range(length + 1), repeat=length)
        if heads.count(0) == 1 and is_tree(heads) and is_projective(heads)
    ]


def is_tree(heads: tuple[int, ...]) -> bool:
    for token in range(1, len(heads) + 1):
        seen = set()
        while token:
            if token in seen:
                return False
            seen.add(token)
            token = heads[token - 1]
    return True


def is_projective(heads: tuple[int, ...]) -> bool:
    arcs = [(min(head, token), max(head, token)) for token, head in enumerate(heads, 1)]
    return not any(a < c < b < d for a, b in arcs for c, d in arcs)


def score(heads: tuple[int, ...], arc: NDArray[np.float64], stop: NDArray[np.float64]) -> float:
    return float(sum(arc[head, token] for token, head in enumerate(heads, 1)) + stop[1:].sum())


TREES = {length: projective_trees(length) for length in range(1, 6)}


@settings(max_examples=60)
@given(st.integers(1, 5), st.integers(0, 2**32 - 1))
def test_sums_and_best_trees_are_those_of_enumeration(length: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    arc, stop = random.normal(size=(length + 1, length + 1)), random.normal(size=(length + 1, 2))
    stop[0] = 0.0
    scores = [score(heads, arc, stop) for heads in TREES[length]]
    assert inside(arc, stop) == pytest.approx(math.log(sum(map(math.exp, scores))), abs=1e-9)
    heads = np.zeros(length + 1, np.int32)
    assert best_heads(arc, stop, heads) == pytest.approx(max(scores), abs=1e-9)
    assert score(tuple(heads[1:].tolist()), arc, stop) == pytest.approx(max(scores), abs=1e-9)


def test_a_sentence_without_any_tree_has_no_heads() -> None:
    size = 30
    arc, stop = np.full((size, size), -1e300), np.zeros((size, 2))
    heads = np.full(size, 7, np.int32)
    assert best_heads(arc, stop, heads) <= -1e300
    assert (heads == 7).all()
    # One head that can have no dependents is enough.
    arc, stop[15] = np.zeros((size, size)), -1e300
    assert best_heads(arc, stop, heads) <= -1e300
    assert (heads == 7).all()


def test_six_tokens() -> None:
    random = np.random.default_rng(6)
    arc, stop = random.normal(size=(7, 7)), random.normal(size=(7, 2))
    stop[0] = 0.0
    total = sum(math.exp(score(heads, arc, stop)) for heads in projective_trees(6))
    assert inside(arc, stop) == pytest.approx(math.log(total), abs=1e-9)


ROWS = """\
1\tthe\t_\tDET\t_\t_\t2\tdet\t_\t_
2\tcat\t_\tNOUN\t_\t_\t3\tnsubj\t_\t_
3\tsleeps\t_\tVERB\t_\t_\t0\troot\t_\t_

1\tcats\t_\tNOUN\t_\t_\t2\tnsubj\t_\t_
2\tsleep\t_\tVERB\t_\t_\t0\troot\t_\t_

1\tthe\t_\tDET\t_\t_\t2\tdet\t_\t_
2\tcat\t_\tNOUN\t_\t_\t3\tnsubj\t_\t_
3\tsees\t_\tVERB\t_\t_\t0\troot\t_\t_
4\tthe\t_\tDET\t_\t_\t5\tdet\t_\t_
5\tdog\t_\tNOUN\t_\t_\t3\tobj\t_\t_

"""


def bank() -> Treebank:
    return conllu.loads(ROWS)


def test_model_c_has_the_relative_frequencies_of_heads() -> None:
    model = ModelC.train(bank(), None, ModelCOptions(smoothing=False))
    noun, verb, det = (model.terminals.index(tag) for tag in ("NOUN", "VERB", "DET"))
    end = root = len(model.terminals)
    assert model.probability(root, 1, verb) == 1.0
    # On the left four nouns have three articles, and end four times.
    assert model.probability(noun, 0, det) == 3 / 7
    assert model.probability(noun, 0, end) == 4 / 7
    assert model.probability(verb, 1, noun) == 1 / 4


def test_the_probability_of_a_sentence_is_the_sum_over_its_trees() -> None:
    for options in (ModelCOptions(), ModelCOptions(smoothing=False)):
        model = ModelC.train(bank(), None, options)
        log2, reasons, words = model.inside(bank())
        lengths = words.tokens.lengths()
        assert (reasons, lengths.tolist()) == ([""] * 3, [3, 2, 5])
        for sentence in range(3):
            tags = bank().vocabulary.decode(bank().tokens.pos[bank().tokens.rows(sentence)])
            arc, stop = model.scores([model.terminals.index(tag) for tag in tags])
            total = sum(math.exp(score(h, arc, stop)) for h in TREES[int(lengths[sentence])])
            assert log2[sentence] == pytest.approx(math.log2(total), abs=1e-9)


def test_smoothed_probabilities_add_up_to_one() -> None:
    model = ModelC.train(bank(), None, ModelCOptions(input="words", rare=0))
    for head in range(len(model.terminals)):
        for side in (0, 1):
            total = sum(model.probability(head, side, event) for event in range(len(model.terminals) + 1))
            assert total == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("name", ["model_c", "arc_factored"])
def test_what_was_learned_is_parsed_as_it_was(name: str, tmp_path: Path) -> None:
    save(train(bank(), None, {}, name), tmp_path / "model")
    parser = load(tmp_path / "model").parser
    parsed = parser.parse(bank())
    assert conllu.dumps(parsed.bank) == ROWS
    assert parsed.unparsed == 0
    with pytest.raises(OptionError, match=f"best of {name}: found 2, expected 1"):
        parser.parse(bank(), 2)


def test_an_unknown_tag_has_no_derivation() -> None:
    model = ModelC.train(bank(), None, ModelCOptions())
    parsed = model.parse(conllu.loads("1\tah\t_\tINTJ\t_\t_\t_\t_\t_\t_\n\n"))
    assert parsed.reasons == ["token 1 is not in the model"]


def test_weights_are_no_probabilities() -> None:
    parser = ArcFactored.train(bank(), None, ArcOptions(rounds=2))
    with raises(
        OptionError, kind="parser", value="arc_factored", allowed="one with probabilities: pcfg or model_c"
    ):
        parser.inside(bank())


def test_trees_are_learned_from_through_their_scheme() -> None:
    from crossbank.treebanks.formats import bracket

    trees = bracket.loads(
        "(TOP (S (NP-SBJ (DT the) (NN cat)) (VP (VBD slept))) (. .))\n"
        "(TOP (S (NP-SBJ (NN cat)) (VP (VBD slept))) (. .))\n"
    )
    parsed = train(trees, "ptb", {}, "model_c").parser.parse(trees)
    assert parsed.unparsed == 0
    assert parsed.bank.has_dependencies


def test_the_probabilities_of_all_strings_of_tags_add_up_to_one() -> None:
    """Up to length 8 they are 0.932 (parsers/parsing.md); those of longer sentences are the rest."""
    model = ModelC.train(bank(), None, ModelCOptions())
    by_length = []
    for length in range(1, 9):
        text = ""
        for string in itertools.product(model.terminals, repeat=length):
            rows = (f"{n}\t{tag}\t_\t{tag}\t_\t_\t{n - 1}\tdep\t_\t_\n" for n, tag in enumerate(string, 1))
            text += "".join(rows) + "\n"
        by_length.append(float(np.exp2(model.inside(conllu.loads(text))[0]).sum()))
    ratio = by_length[-1] / by_length[-2]
    assert sum(by_length) == pytest.approx(0.9324, abs=1e-4)
    assert sum(by_length) + by_length[-1] * ratio / (1 - ratio) == pytest.approx(0.9971, abs=1e-4)
