"""Several analyses of one sentence: which rows belong together, which is chosen, how probable each is."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from crossbank.converters.transformations import transform
from crossbank.treebanks import ConversionError, FormatError, Treebank
from crossbank.treebanks.builder import TreebankBuilder
from crossbank.treebanks.formats import parquet, write
from crossbank.treebanks.ratios import describe, joined
from crossbank.treebanks.readings import analysis_offsets, chosen_analyses, probabilities
from tests.errors import raises


def lists(*marked: int, score: str = "-1.0") -> Treebank:
    """Return two sentences, the first with three analyses, the second with one."""
    builder = TreebankBuilder("list")
    for row, (id, analysis) in enumerate([("a", 0), ("a", 1), ("a", 2), ("b", 0)]):
        builder.sentence(id=id, analysis=analysis, line=row + 1, score=score, chosen=row in marked)
        builder.token(form="word", pos=f"T{row}", parent=0)
        builder.node(label="X")
    return builder.build()


def test_the_first_analysis_is_chosen_where_none_is_marked() -> None:
    bank = lists()
    assert bank.has_several_analyses
    assert analysis_offsets(bank).tolist() == [0, 3, 4]
    assert chosen_analyses(bank).tolist() == [0, 3]
    assert chosen_analyses(lists(1)).tolist() == [1, 3]
    assert bank.sentences.ordinal.tolist() == [1, 1, 1, 2]


def test_two_marked_analyses_are_refused() -> None:
    with raises(FormatError, line=3, sentence="a", actual="analyses 1 and 3 both marked as preferred"):
        chosen_analyses(lists(0, 2))


def test_one_analysis_each() -> None:
    one = transform(lists(1), ["chosen_analyses"])
    assert one.vocabulary.decode(one.tokens.pos) == ["T1", "T3"]
    assert not one.has_several_analyses
    assert one.only_chosen() is one


def test_sentences_are_counted_and_not_analyses() -> None:
    actual = describe(lists(1))
    assert (actual["sentences"], actual["analyses"], actual["tokens"], actual["nodes"]) == (2, 4, 2, 2)
    assert actual["tokens_per_sentence"] == 1
    assert "analyses" not in describe(lists(1).only_chosen())
    both = joined([actual, describe(lists().only_chosen())])
    assert (both["sentences"], both["analyses"]) == (4, 6)


def test_probabilities_are_those_of_scores() -> None:
    assert probabilities(lists()).tolist() == pytest.approx([1 / 3, 1 / 3, 1 / 3, 1])
    assert probabilities(lists(score="")).tolist() == pytest.approx([1 / 3, 1 / 3, 1 / 3, 1])
    bank = lists()
    vocabulary, codes = bank.vocabulary.extended(["0", "-0.6931471805599453", "-inf", "-9"])
    bank = bank.replace(vocabulary=vocabulary, sentences=bank.sentences.replace(score=codes))
    assert probabilities(bank).tolist() == pytest.approx([2 / 3, 1 / 3, 0, 1])
    with raises(
        FormatError,
        line=1,
        sentence="a",
        actual="the score 'high'",
        expected="the logarithm of a probability",
    ):
        probabilities(lists(score="high"))


def test_parquet_holds_several_analyses_and_brackets_do_not(tmp_path: Path) -> None:
    bank = lists(2)
    write(bank, tmp_path / "list.parquet")
    assert parquet.load(tmp_path / "list.parquet").equals(bank)
    with raises(ConversionError, "list:1:", "bracket"):
        write(bank, tmp_path / "list.mrg")
    write(bank.only_chosen(), tmp_path / "list.mrg")


def test_selecting_and_joining_keep_the_lists() -> None:
    joined = Treebank.concatenate([lists(), lists(2)])
    assert analysis_offsets(joined).tolist() == [0, 3, 4, 7, 8]
    assert chosen_analyses(joined).tolist() == [0, 3, 6, 7]
    assert np.array_equal(joined.select([3, 4]).sentences.analysis, [0, 0])
