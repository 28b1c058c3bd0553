"""Treebanks in shards: whole again when they are joined, and read by sentence or by shard."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossbank.treebanks import Treebank
from crossbank.treebanks.builder import TreebankBuilder
from crossbank.treebanks.diagnosis import finding
from crossbank.treebanks.formats import bracket, nbest, parquet
from crossbank.treebanks.formats.parquet import dump_shards, load, load_sentences, load_shards, shard_sizes
from crossbank.treebanks.shards import UnlikeShardsError, cut
from tests.errors import raises


def bank_of(sentences: int, first: int = 0) -> Treebank:
    """Return so many sentences, each with a word of its own."""
    lines = (f"(S (NP (N w{index})) (V sleeps))\n" for index in range(first, first + sentences))
    return bracket.loads("".join(lines)) if sentences else TreebankBuilder().build()


@given(st.lists(st.integers(0, 7), min_size=1, max_size=5), st.integers(1, 9))
def test_shards_are_of_one_size_and_make_the_whole(sizes: list[int], size: int) -> None:
    bounds = np.cumsum([0, *sizes]).tolist()
    banks = [bank_of(number, first) for number, first in zip(sizes, bounds, strict=False)]
    shards = list(cut(banks, size))
    total = sum(sizes)
    assert [len(shard) for shard in shards[:-1]] == [size] * (len(shards) - 1)
    assert sum(map(len, shards)) == total
    assert len(shards) == max(-(-total // size), 1)
    words = [word for shard in shards for index in range(len(shard)) for word in shard.words(index)]
    assert words == [word for index in range(total) for word in (f"w{index}", "sleeps")]


def test_banks_are_not_read_before_they_are_needed() -> None:
    taken = []

    def banks():  # type: ignore[no-untyped-def]
        for index in range(3):
            taken.append(index)
            yield bank_of(4, 4 * index)

    shards = cut(banks(), 3)
    assert len(next(shards)) == 3
    assert taken == [0]


def test_several_analyses_of_a_sentence_stay_together() -> None:
    bank = nbest.loads("2 a\n-1\n(S (N a))\n-2\n(S (V a))\n\n1 b\n-1\n(S (N b))\n")
    assert [len(shard) for shard in cut([bank], 1)] == [len(bank)]


def test_a_file_is_read_whole_by_shard_and_by_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet, "ROWS", 4)
    path = tmp_path / "a.parquet"
    bank = bank_of(10)
    dump_shards(cut([bank], 5), path)
    assert shard_sizes(path) == [4, 4, 2]
    assert load(path).equals(bank)
    assert [shard.words(0)[0] for shard in load_shards(path)] == ["w0", "w4", "w8"]
    for size in (1, 3, 4, 5, 8, 9, 10, 11):
        shards = list(load_shards(path, size))
        assert [len(shard) for shard in shards] == shard_sizes(path, size)
        assert Treebank.concatenate(shards).equals(bank)
    some = load_sentences(path, [9, 0, 5, 0])
    assert [some.words(index)[0] for index in range(4)] == ["w9", "w0", "w5", "w0"]
    assert [some.sentence_id(index) for index in range(4)] == ["10", "1", "6", "1"]
    assert len(load_sentences(path, [])) == 0


def test_files_of_the_same_content_have_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet, "ROWS", 4)
    bank = bank_of(10)
    bank = bank.diagnosed(
        finding("a", "moved", np.array([7, 8, 8]), 10), finding("b", "lost", np.array([2]), 10)
    )
    other = Treebank.concatenate([bank[9:10], bank]).select(range(1, 11))  # other codes for its strings
    sides = {
        "whole": [bank],
        "cut": cut([bank], 3),
        "in chunks": [bank[:1], bank[1:6], bank[6:]],
        "o": [other],
    }
    made = []
    for name, shards in sides.items():
        dump_shards(shards, tmp_path / name)
        made.append((tmp_path / name).read_bytes())
    assert len(set(made)) == 1


def test_findings_of_some_shards_count_for_their_sentences(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet, "ROWS", 2)
    path = tmp_path / "a.parquet"
    one, other = bank_of(2), bank_of(3, 2)
    one = one.diagnosed(finding("step", "lost", np.array([1, 1]), 2))
    other = other.diagnosed(
        finding("step", "moved", np.array([0]), 3), finding("step", "lost", np.array([2]), 3)
    )
    dump_shards([one, other], path)
    assert {f.event: f.counts.tolist() for f in load(path).diagnosis} == {
        "lost": [0, 2, 0, 0, 1],
        "moved": [0, 0, 1, 0, 0],
    }
    first, second, third = load_shards(path)
    assert {f.event: f.counts.tolist() for f in first.diagnosis} == {"lost": [0, 2], "moved": [0, 0]}
    assert {f.event: f.counts.tolist() for f in second.diagnosis} == {"lost": [0, 0], "moved": [1, 0]}
    assert {f.event: f.counts.tolist() for f in third.diagnosis} == {"lost": [1], "moved": [0]}


def test_shards_of_different_kinds_are_refused(tmp_path: Path) -> None:
    nothing = bank_of(1).select([])
    with raises(UnlikeShardsError):
        dump_shards([bank_of(2), nothing], tmp_path / "a.parquet")
    with pytest.raises(UnlikeShardsError):
        dump_shards([bank_of(2), bank_of(2).replace(history=("step",))], tmp_path / "a.parquet")
