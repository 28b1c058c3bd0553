"""Kappa and alpha: worked examples, properties, and the units of trees and dependencies."""

from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from crossbank.metrics.statistics.annotator_agreement import (
    MISSING,
    Coding,
    agreement,
    alpha_by_category,
    brackets,
    codings,
    cohen_kappa,
    confusions,
    disagreements,
    kappa_by_category,
    krippendorff_alpha,
    same_words,
)
from crossbank.treebanks.arrays import Int64Array
from crossbank.treebanks.builder import TreebankBuilder
from crossbank.treebanks.tables import ROOT, UNATTACHED
from tests.metrics.trees import labelled


def coded(*rows: str) -> Int64Array:
    """Return one row of letters for each annotator; a full stop is a missing value."""
    return np.array([[MISSING if one == "." else ord(one) - ord("a") for one in row] for row in rows])


EXAMPLES = {
    ("abaaaaaaba", "bbbaabaaaa"): 0.095,
    ("aabbdcccedda", "babbbccceddd"): 0.692,
    ("abccbadab...", "abccbbdabe.c", ".cccbcdbbea.", "abccbddabea."): 0.743,
    (".....cdabaacc.c", "a.baccdc.......", "..bacdd.baacc.d"): 0.691,
}
"""Krippendorff (2011), Computing Krippendorff's Alpha-Reliability, examples A, B and C (nominal), and the
example of Wikipedia, Krippendorff's alpha. C is also the example of kripp.alpha in the R package irr."""


@pytest.mark.parametrize(("rows", "alpha"), EXAMPLES.items())
def test_printed_examples(rows: tuple[str, ...], alpha: float) -> None:
    assert krippendorff_alpha(coded(*rows)) == pytest.approx(alpha, abs=5e-4)
    assert alpha_of_coincidences(coded(*rows)) == pytest.approx(alpha, abs=5e-4)


def alpha_of_coincidences(values: Int64Array) -> float | None:
    """Return the alpha by Krippendorff (2011), section C: from the table of coincidences, cell by cell."""
    size = int(values.max(initial=0)) + 1
    table = np.zeros((size, size))
    for unit in values.T:
        inputs = unit[unit != MISSING]
        for one, other in permutations(inputs.tolist(), 2):
            table[one, other] += 1 / (len(inputs) - 1)
    uses = table.sum(axis=0)
    total, by_chance = uses.sum(), (uses * (uses - 1)).sum()
    if total * (total - 1) <= by_chance:
        return None
    return float(((total - 1) * np.trace(table) - by_chance) / (total * (total - 1) - by_chance))


def test_kappa_by_hand() -> None:
    """7 of 10 equal; a: 6/10 and 5/10, b: 4/10 and 5/10, so p_e = 0.30 + 0.20."""
    one, other = coded("aaaaaabbbb", "aaaabbbbba")
    assert cohen_kappa(one, other) == pytest.approx((0.7 - 0.5) / (1 - 0.5))


def test_kappa_counts_the_units_of_both() -> None:
    one, other = coded("ab.ab", "abb.a")
    assert cohen_kappa(one, other) == cohen_kappa(*coded("abb", "aba"))


def test_without_variation_there_is_no_coefficient() -> None:
    values = coded("aaa", "aaa")
    assert krippendorff_alpha(values) is None
    assert cohen_kappa(*values) is None
    assert cohen_kappa(*coded("a.", ".a")) is None


VALUES = st.tuples(st.integers(2, 4), st.integers(1, 12)).flatmap(
    lambda shape: arrays(np.int64, shape, elements=st.integers(-1, 3))
)


@given(VALUES)
def test_alpha_is_that_of_the_table_of_coincidences(values: Int64Array) -> None:
    expected = alpha_of_coincidences(values)
    assert krippendorff_alpha(values) == (None if expected is None else pytest.approx(expected))


@given(VALUES)
def test_kappa_of_a_category_is_kappa_of_yes_and_no(values: Int64Array) -> None:
    for category, kappa in enumerate(kappa_by_category(values, 4)):
        binary = np.where(values == MISSING, MISSING, (values == category).astype(np.int64))
        pairs = (cohen_kappa(one, other) for one, other in combinations(binary, 2))
        known = [actual for actual in pairs if actual is not None]
        assert kappa == (pytest.approx(np.mean(known)) if known else None)


@given(VALUES)
def test_alpha_of_a_category_is_alpha_of_yes_and_no(values: Int64Array) -> None:
    for category, alpha in enumerate(alpha_by_category(values, 4)):
        binary = np.where(values == MISSING, MISSING, (values == category).astype(np.int64))
        expected = krippendorff_alpha(binary)
        assert alpha == (None if expected is None else pytest.approx(expected))


@given(VALUES, st.integers(0, 99))
def test_order_does_not_matter(values: Int64Array, seed: int) -> None:
    """Neither the order of annotators, nor that of units, nor the names of categories."""
    order = np.random.default_rng(seed)
    shuffled = values[order.permutation(len(values))][:, order.permutation(values.shape[1])]
    renamed = np.where(shuffled == MISSING, MISSING, 3 - shuffled)
    alpha = krippendorff_alpha(values)
    assert krippendorff_alpha(renamed) == (None if alpha is None else pytest.approx(alpha))
    assert cohen_kappa(values[0], values[1]) == cohen_kappa(values[1], values[0])


@given(st.lists(st.integers(0, 3), min_size=2), st.integers(2, 4))
def test_identical_annotators(row: list[int], annotators: int) -> None:
    expected = 1 if len(set(row)) > 1 else None
    values = np.array([row] * annotators)
    assert krippendorff_alpha(values) == expected
    assert cohen_kappa(values[0], values[1]) == expected


def test_brackets_are_the_spans_that_anybody_has() -> None:
    """Span, chain and missing bracket: the three annotators of ``x y z``."""
    banks = [labelled("[S [NP x y ] z ]"), labelled("[S [VP x y ] z ]"), labelled("[S [VP x [NP y z ] ] ]")]
    coding = brackets(banks)
    messages = [
        ["-" if v == MISSING else coding.categories[v] for v in row] for row in coding.values.tolist()
    ]
    assert messages == [["S", "NP", "none"], ["S", "VP", "none"], ["S+VP", "none", "NP"]]


def test_labels_are_compared_over_spans_that_both_have() -> None:
    banks = [labelled("[S [NP x y ] z ]"), labelled("[S [VP x y ] z ]"), labelled("[S [VP x [NP y z ] ] ]")]
    coding = next(one for one in codings(banks) if one.name == "labels of shared spans")
    messages = [
        ["-" if v == MISSING else coding.categories[v] for v in row] for row in coding.values.tolist()
    ]
    assert messages == [["S", "NP", "-"], ["S", "VP", "-"], ["S+VP", "-", "NP"]]
    assert [(one.labels, one.times) for one in confusions(coding)] == [(("S", "S+VP"), 2), (("NP", "VP"), 1)]


def test_a_sentence_without_a_tree_has_no_brackets_to_compare() -> None:
    coding = brackets([labelled("[S x y ]"), labelled("x y")])
    assert coding.values.tolist() == [[1], [MISSING]]


def test_agreement_by_annotator_and_label() -> None:
    banks = [labelled("[S a/N b/V ]"), labelled("[S a/N b/V ]"), labelled("[S a/N b/N ]")]
    coding = codings(banks)[0]
    assert coding.name == "tags"
    agreements = agreement(coding)
    assert [pair.kappa for pair in agreements.pairs] == [1, 0, 0]
    assert agreements.alpha_without[2] == 1
    assert agreements.missing == (0, 0, 0)
    assert [(row.label, row.uses) for row in agreements.labels] == [("N", (1, 1, 2)), ("V", (1, 1, 0))]


def test_the_sentence_with_most_differing_pairs_is_first() -> None:
    values = coded("abba", "bbaa", "bbab")
    sentences = disagreements([Coding("tags", ("a", "b"), values, np.array([0, 0, 1, 2]))], 4)
    assert [(one.sentence, one.differing, one.pairs) for one in sentences] == [
        (0, 2, 6),
        (1, 2, 3),
        (2, 2, 3),
    ]


def test_other_words_are_left_out_and_named() -> None:
    banks = [labelled("[S a b ]", "[S c ]"), labelled("[S a b ]", "[S d ]"), labelled("[S a b ]", "[S c ]")]
    retained, problems = same_words(banks)
    assert retained.tolist() == [True, False]
    (annotator, problem), *more = problems
    assert (annotator, problem.detail, more) == (1, "word 1: found 'd', expected 'c'", [])


def test_heads_are_distances() -> None:
    """So that an attachment is the same category wherever it is in a sentence; a missing head is missing."""
    banks = []
    for heads in ([1, ROOT, 1, UNATTACHED, 2], [ROOT, 0, 3, ROOT, 3]):
        builder = TreebankBuilder()
        builder.sentence()
        builder.tokens(form=list("abcde"), head=heads, relation=["x"] * 5)
        banks.append(builder.build())
    coding = next(one for one in codings(banks) if one.name == "heads")
    messages = [
        ["-" if v == MISSING else coding.categories[v] for v in row] for row in coding.values.tolist()
    ]
    assert messages == [["+1", "root", "-1", "-", "-2"], ["root", "-1", "+1", "root", "-1"]]
