r"""Lists of parses as Charniak's parser, the Berkeley Parser and disco-dop write them; our own sentences."""

from __future__ import annotations

import math

import pytest

from crossbank.treebanks import FormatError, Treebank
from crossbank.treebanks.formats import nbest
from crossbank.treebanks.readings import analysis_offsets
from tests.errors import raises

RIGHT = "(S1 (S (NP (NNP Anna)) (VP (VBZ sees) (NP (NNS cats)))))"
WRONG = "(S1 (NP (NNP Anna) (VBZ sees) (NNS cats)))"
SHORT = "(S1 (S (VP (VB Go))))"

CHARNIAK = f"2 a\n-10.5\n{RIGHT}\n-11.25\n{WRONG}\n\n0 b\n\n1 c\n-3\n{SHORT}\n\n"
BERKELEY = f"-10.5\t-1.0\t{RIGHT}\n-11.25\t-2.0\t{WRONG}\n\n(())\n\n-3\t{SHORT}\n"
DISCODOP = f"a1-0|{RIGHT}\tprob=0.5\na1-1|{WRONG}\tprob=0.25\na2-0|{SHORT}\tprob=0\n".replace("a", "")


def summarise_parses(bank: Treebank) -> list[tuple[str, int, str, int]]:
    return [
        (bank.sentence_id(row), int(bank.sentences.analysis[row]), score, len(bank.words(row)))
        for row, score in enumerate(bank.vocabulary.decode(bank.sentences.score))
    ]


def test_charniaks_lists() -> None:
    bank = nbest.loads(CHARNIAK)
    assert summarise_parses(bank) == [
        ("a", 0, "-10.5", 3),
        ("a", 1, "-11.25", 3),
        ("b", 0, "", 0),
        ("c", 0, "-3", 1),
    ]
    assert bank.sentences.ordinal.tolist() == [1, 1, 2, 3]
    assert nbest.dumps(bank) == CHARNIAK.removesuffix("\n").replace("0 b\n\n", "0 b\n\n")
    assert nbest.loads(nbest.dumps(bank)).equals(bank)


def test_berkeleys_lists() -> None:
    bank = nbest.loads(BERKELEY)
    assert summarise_parses(bank) == [
        ("1", 0, "-10.5", 3),
        ("1", 1, "-11.25", 3),
        ("2", 0, "", 0),
        ("3", 0, "-3", 1),
    ]
    plain = nbest.loads(f"{RIGHT}\n{WRONG}\n\n\n{SHORT}\n")
    assert analysis_offsets(plain).tolist() == [0, 2, 3]


def test_discodops_lists() -> None:
    bank = nbest.loads(DISCODOP)
    assert summarise_parses(bank) == [
        ("1", 0, repr(math.log(0.5)), 3),
        ("1", 1, repr(math.log(0.25)), 3),
        ("2", 0, "-inf", 1),
    ]
    crossing = "7-0|(S (VP (V 0=Cats) (P 2=up)) (V 1=look))\tprob=1.0\n"
    bank = nbest.loads(crossing)
    assert (bank.words(0), len(bank.discontinuous_sentences)) == (["Cats", "look", "up"], 1)


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        (f"2 a\n-1\n{RIGHT}\n\n1 b\n-1\n{SHORT}\n", {"line": 1, "actual": "1 parses of sentence a"}),
        (f"1 a\n-1\nword\n{RIGHT}\n", {"line": 3, "actual": "'word'", "expected": "a tree"}),
        (f"1 a\n{RIGHT}\n", {"line": 2, "actual": "'(S1 (S (NP (NNP Anna)) (VP (VBZ sees) (N'"}),
        (
            f"{RIGHT}\nword\n",
            {"line": 2, "actual": "'word'", "expected": "a tree, or scores and tabs before one"},
        ),
        (f"1-0|{RIGHT}\tprob=2\n", {"line": 1, "actual": "prob=2", "expected": "a probability"}),
        (f"1-0|{RIGHT}\n{RIGHT}\n", {"line": 2, "actual": "'(S1 (S (NP (NNP Anna)) (VP (VBZ sees) (N'"}),
        (
            f"1 a\n-1\n{RIGHT}\n\n1 b\n-1\n(S (NP\n",
            {"line": 7, "sentence": "7", "actual": "2 opening brackets without a closing one"},
        ),
        ("\n\n", {"actual": "no list of parses"}),
    ],
)
def test_bad_lists(text: str, fields: dict[str, object]) -> None:
    with raises(FormatError, **fields):
        nbest.loads(text)


def test_a_word_like_a_position_is_a_word_in_trees_that_have_words() -> None:
    """Of web pages: ``0=no``. In discontinuous trees every leaf has its position."""
    bank = nbest.loads("2 1\n-1\n(S (N 0=no) (V is))\n-2\n(S (N 0=no) (X is))\n")
    assert bank.words(0) == ["0=no", "is"]
    assert nbest.loads(nbest.dumps(bank)).words(1) == ["0=no", "is"]
