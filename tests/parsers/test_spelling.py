"""Unknown words by their characters: probabilities that add up, and bits that fall with training."""

from itertools import product

import numpy as np
import pytest

from crossbank.parsers.cross_entropy import SentenceBits
from crossbank.parsers.model_c import ModelC, ModelCOptions
from crossbank.parsers.models import train
from crossbank.parsers.unknown_words import WordSpelling
from crossbank.treebanks import Treebank
from crossbank.treebanks.formats import bracket, conllu, read
from tests.every_loop import EXAMPLES


def test_the_probabilities_of_all_strings_add_up_to_one() -> None:
    spelling = WordSpelling({"UNK": ("ab", "ba"), "UNK-l": ("b",)}, frozenset({"a", "bb"}), characters=2)
    for signature in ("UNK", "UNK-l", "UNK-new"):
        sums = [
            sum(
                spelling.probability(signature, "".join(word))
                for word in product("ab", repeat=length)
                if "".join(word) not in spelling.known
            )
            for length in range(1, 13)
        ]
        ratio = sums[-1] / sums[-2]
        assert sum(sums) + sums[-1] * ratio / (1 - ratio) == pytest.approx(1, abs=0.01)


def test_the_probabilities_of_all_words_add_up_to_those_of_all_tags() -> None:
    """Sentences of one word: each tag spreads its probability over all strings, of any signature."""
    bank = bracket.loads("(S (A x))\n(S (A x))\n(S (A y))\n(S (B yz))\n(S (A x) (B y))\n")

    def sums(input: str, strings: list[str]) -> float:
        model = train(bank, "ptb", {"input": input}).parser
        unknown = model.unknown  # type: ignore[attr-defined]
        if unknown is not None:
            narrow = WordSpelling(unknown.spelling.learned, unknown.words, characters=3)
            object.__setattr__(unknown, "spelling", narrow)
        trees = "".join(f"(S ({s} {s}))\n" for s in strings)
        return float(np.exp2(model.inside(bracket.loads(trees))[0]).sum())

    words = [["".join(word) for word in product("xyz", repeat=length)] for length in range(1, 7)]
    by_length = [sums("words", some) for some in words]
    ratio = by_length[-1] / by_length[-2]
    actual = sum(by_length) + by_length[-1] * ratio / (1 - ratio)
    expected = sums("tags", ["A", "B", "UNK"])
    assert actual == pytest.approx(expected, rel=0.01)


def test_the_probabilities_of_sentences_add_up_to_no_more_than_one() -> None:
    model = train(bracket.loads("(S (A x) (B y))\n(S (A x) (B z))\n"), None, {"input": "words"}).parser
    unknown = model.unknown  # type: ignore[attr-defined]
    narrow = WordSpelling(unknown.spelling.learned, unknown.words, characters=3)
    object.__setattr__(unknown, "spelling", narrow)
    words = ["".join(word) for length in (1, 2, 3) for word in product("xyz", repeat=length)]
    trees = "".join(f"(S (A {first}) (B {second}))\n" for first, second in product(words, repeat=2))
    assert 0.2 < np.exp2(model.inside(bracket.loads(trees))[0]).sum() < 1


def test_some_probability_of_words_is_missing_from_model_c() -> None:
    """Sentences of one word: the figures are those of parsers/parsing.md."""

    def sentences(*strings: tuple[str, ...]) -> Treebank:
        rows = ([f"{n}\t{w}\t_\tX\t_\t_\t{n - 1}\tdep\t_\t_\n" for n, w in enumerate(s, 1)] for s in strings)
        return conllu.loads("\n".join(map("".join, rows)) + "\n")

    training = sentences(
        ("x", "yz"), ("x", "zz"), ("xy",), ("zyx", "x"), ("yy", "x"), ("xyy", "zyy"), ("zxy",)
    )
    model = ModelC.train(training, None, ModelCOptions(input="words"))
    assert model.unknown is not None
    narrow = WordSpelling(model.unknown.spelling.learned, model.unknown.words, characters=3)
    object.__setattr__(model.unknown, "spelling", narrow)
    of_strings = 0.0
    for length in range(1, 9):
        strings = [("".join(word),) for word in product("xyz", repeat=length)]
        of_strings += float(np.exp2(model.inside(sentences(*strings))[0]).sum())
    assert of_strings == pytest.approx(0.7045, abs=1e-4)
    end = root = len(model.terminals)
    of_signatures = sum(
        model.probability(root, 1, code) * model.probability(code, 0, end) * model.probability(code, 1, end)
        for code in range(len(model.terminals))
    )
    assert of_signatures == pytest.approx(0.7095, abs=1e-4)


def test_no_word_is_without_a_tag() -> None:
    """The words in -ung take all words from the coarser signature, which no other word may have then."""
    trees = "".join(f"(S (A {stem}ung) (B y))\n" for stem in ("h", "l", "k", "r", "d", "s"))
    model = train(
        bracket.loads(trees + "(S (A x) (B y))\n(S (A x) (B y))\n"), None, {"input": "words"}
    ).parser
    assert model.unknown.terminal("dung", True) == "UNK-l-ung"  # type: ignore[attr-defined]
    parsed = model.parse(bracket.loads("(S (A bim) (B y))\n(S (A 7) (B bam))\n"))
    assert parsed.unparsed == 0


def test_every_sentence_has_a_probability_and_bits_fall_with_training() -> None:
    bank = read(EXAMPLES / "tiger.export")
    test = bank.select(np.arange(0, len(bank), 5))
    others = np.setdiff1d(np.arange(len(bank)), np.arange(0, len(bank), 5))

    def bits(training: Treebank) -> float:
        inside = train(training, "tiger", {"input": "words"}).parser.inside(test)
        assert not any(inside.reasons)
        return SentenceBits.measured(inside).entropy().bits_per_word

    few, many, all_of_them = (bits(bank.select(some)) for some in (others[:20], others, np.arange(len(bank))))
    assert few > many > all_of_them
