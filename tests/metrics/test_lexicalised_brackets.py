"""Brackets that are the same where their lexical heads are, too (Musillo and Sima'an 2002, section 4.1)."""

import pytest

from crossbank.converters.scheme_files import load_scheme
from crossbank.metrics.counting.scoring import score, scoring_of
from crossbank.treebanks.formats.bracket import loads

PTB = load_scheme("ptb")
GOLD = "(S (NP (DT the) (NN cat)) (VP (VBD saw) (NP (PRP her))))"


def values(candidate: str, metric: str) -> dict[str, float]:
    (counts,) = score(loads(GOLD), loads(candidate), scoring_of([metric], {}), PTB)
    return counts.values()


def test_the_same_tree_has_the_same_heads() -> None:
    assert values(GOLD, "lexicalised_brackets")["f1"] == 1


def test_another_tag_makes_another_head() -> None:
    """With a verb for its noun the first phrase has the determiner as head, and the clause keeps its own."""
    other = GOLD.replace("(DT the) (NN cat)", "(NN the) (VB cat)")
    assert values(other, "parseval")["f1"] == 1
    computed = values(other, "lexicalised_brackets")
    assert (computed["precision"], computed["recall"]) == (pytest.approx(3 / 4), pytest.approx(3 / 4))


def test_labels_and_words_count_as_in_parseval() -> None:
    other = "(S (DT the) (NN cat) (VP (VBD saw) (NP (PRP her))))"
    assert values(other, "lexicalised_brackets")["recall"] == pytest.approx(3 / 4)
    assert values(other, "lexicalised_brackets")["precision"] == 1
