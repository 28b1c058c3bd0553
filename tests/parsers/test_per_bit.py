"""Cross-entropies and scores per bit of them (Musillo and Sima'an 2002, sections 4.3 and 4.4)."""

import numpy as np
import pytest

from crossbank.parsers.bits.per_bit import entropies, per_bit
from crossbank.parsers.cross_entropy import SentenceBits
from tests.reports.counted import SIZE, brackets


def bits(each: float, unparsed: int = 0) -> SentenceBits:
    needed = np.full(SIZE, each)
    needed[:unparsed] = np.inf
    return SentenceBits(needed, np.full(SIZE, 10, np.int32), np.full(SIZE, 50, np.int32))


def test_recall_and_precision_are_divided_by_the_cross_entropy() -> None:
    counts = brackets(0.8)
    for name in ("precision", "recall"):
        actual = per_bit(counts, bits(50.0), counts.measure(name), samples=100, seed=1)
        assert actual["sentence"].value == pytest.approx(counts.value(name) / 50)
        assert actual["word"].value == pytest.approx(counts.value(name) / 5)
        interval = actual["sentence"].interval
        assert interval.low < interval.value < interval.high


def test_sentences_without_a_parse_do_not_enter_the_average() -> None:
    assert entropies(bits(50.0, unparsed=20), samples=10, seed=1)["sentence"].value == 50
    assert entropies(bits(50.0, unparsed=SIZE), samples=10, seed=1)["word"].value == 0
    assert bits(50.0, unparsed=20).entropy().unparsed == 20


def test_the_interval_is_that_of_the_mean() -> None:
    needed = SentenceBits(np.random.default_rng(1).normal(100, 20, SIZE), *[np.full(SIZE, 10, np.int32)] * 2)
    interval = entropies(needed, samples=2000, seed=1)["sentence"].interval
    assert interval.high - interval.low == pytest.approx(2 * 1.96 * 20 / SIZE**0.5, rel=0.2)


def test_bits_are_the_same_when_they_are_read_again() -> None:
    again = SentenceBits.of(bits(50.0, unparsed=3).content())
    assert again.bits.tolist() == bits(50.0, unparsed=3).bits.tolist()
    assert again.words.tolist() == [10] * SIZE
