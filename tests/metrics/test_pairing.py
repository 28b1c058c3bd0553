"""Sentences are paired by order, and every word is compared."""

import numpy as np

from crossbank.metrics.pairing.pair import Status, pair
from crossbank.treebanks import Treebank
from crossbank.treebanks.builder import TreebankBuilder
from crossbank.treebanks.chunks import LengthMismatchError
from tests.errors import raises


def bank(*sentences: str, source: str = "x.mrg") -> Treebank:
    builder = TreebankBuilder(source)
    for number, sentence in enumerate(sentences, 1):
        builder.sentence(line=number)
        for word in sentence.split():
            builder.token(form=word, pos="$." if word == "." else "X", parent=0)
        if sentence:
            builder.node(label="S")
    return builder.build()


def test_every_status() -> None:
    gold = bank("a b", "a b", "a b", "", "é")
    both = pair(gold, bank("a b", "", "a c", "a", "e\u0301", source="y.mrg"))
    expected = [Status.SCORED, Status.NO_PARSE, Status.WORDS_DIFFER, Status.NO_GOLD, Status.SCORED]
    assert both.status.tolist() == expected
    problems = list(both.problems())
    assert [(p.sentence, p.where, p.detail) for p in problems] == [
        ("2", "y.mrg:2", "no parse"),
        ("3", "y.mrg:3", "word 2: found 'c', expected 'b'"),
        ("4", "y.mrg:4", "no gold"),
    ]


def test_a_shift_by_one_sentence_is_never_scored() -> None:
    both = pair(bank("a b", "c d", "e f"), bank("c d", "e f", "a b"))
    assert set(both.status.tolist()) == {Status.WORDS_DIFFER}


def test_different_numbers_of_sentences_are_refused() -> None:
    with raises(LengthMismatchError, gold=("x.mrg", 2), candidate=("y.mrg", 1)):
        pair(bank("a", "b"), bank("a", source="y.mrg"))


def test_an_empty_last_line_is_no_sentence() -> None:
    assert pair(bank("a"), bank("a", "")).status.tolist() == [Status.SCORED]


def test_deletion_follows_gold_in_scored_sentences_only() -> None:
    gold = bank("a .", "b .")
    both = pair(gold, bank("a .", "c d ."), delete=np.array([False, True, False, True]))
    assert both.gold.words(0) == both.candidate.words(0) == ["a"]
    assert both.candidate.words(1) == ["c", "d", "."]


def test_strings_that_gold_lacks_have_codes_of_their_own() -> None:
    gold, candidate = bank("a"), bank("zzz")
    both = pair(gold, candidate)
    code = int(both.candidate_codes(candidate.tokens.form)[0])
    assert code >= len(gold.vocabulary)
    assert both.string(code) == "zzz"


def test_escaped_brackets_and_slashes_are_the_characters_they_stand_for() -> None:
    both = pair(bank("( 1/2 )"), bank("-LRB- 1\\/2 -RRB-"))
    assert both.status.tolist() == [Status.SCORED]
    assert both.candidate_codes(both.candidate.tokens.form).tolist() == both.gold.tokens.form.tolist()


def test_a_sentence_of_deleted_tokens_is_skipped() -> None:
    gold = bank("a", ".", "")
    both = pair(gold, gold, delete=np.array([False, True]))
    assert both.status.tolist() == [Status.SCORED, Status.SKIPPED, Status.NO_GOLD]


def test_some_pairs_of_sentences() -> None:
    some = pair(bank("a", "b", "c"), bank("a", "x", "c")).select([1, 2])
    assert list(some.sentence_ids()) == ["2", "3"]
    assert some.status.tolist() == [Status.WORDS_DIFFER, Status.SCORED]


def test_a_column_of_the_candidate_over_golds_tokens() -> None:
    both = pair(bank("a b", "a b", "c"), bank("a b", "a", "c"))
    assert both.aligned(np.array([5, 6, 7, 8], np.int32), -9).tolist() == [5, 6, -9, -9, 8]


def test_every_spelling_of_a_word_is_the_same_word() -> None:
    gold = bank("( -LRB- -LRB-", "\u00e9 e\u0301")
    both = pair(gold, bank("-LRB- ( -LRB-", "e\u0301 e\u0301"))
    assert both.status.tolist() == [Status.SCORED] * 2
    forms = both.candidate_codes(both.candidate.tokens.form)
    assert [both.string(code) for code in forms.tolist()] == ["-LRB-", "(", "-LRB-", "e\u0301", "e\u0301"]
