"""A vocabulary whose strings are shared gives the same codes and strings as one with its own."""

import copy
import pickle
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossbank.treebanks import FormatError
from crossbank.treebanks.arrays import ByteArray
from crossbank.treebanks.formats import bracket
from crossbank.treebanks.scanners import bracketed_trees as scanner
from crossbank.treebanks.scanners import shared_strings
from crossbank.treebanks.scanners.interning import StringTable
from crossbank.treebanks.scanners.shared_strings import LIMIT, SharedVocabulary, StringStore, current_store
from crossbank.treebanks.vocabulary import Vocabulary
from tests.errors import raises

words = st.lists(st.text("aB1-\\éé\ud800", max_size=3), max_size=12)


def shared(store: StringStore, strings: Sequence[str]) -> SharedVocabulary:
    return SharedVocabulary(store, store.numbers(["", *dict.fromkeys(filter(None, strings))]))


def lower(string: str) -> str:
    return string.lower()


def are_long(strings: Sequence[str]) -> list[bool]:
    return list(map(is_long, strings))


def is_long(string: str) -> bool:
    return len(string) > 1


@given(words, words, words)
def test_sharing_changes_no_code(one: list[str], other: list[str], more: list[str]) -> None:
    store = StringStore()
    gold, candidate = shared(store, one), shared(store, other)
    plain, plain_candidate = Vocabulary(tuple(gold)), Vocabulary(tuple(candidate))
    for strings in (more, candidate):
        vocabulary, codes = gold.extended(strings)
        expected, expected_codes = plain.extended(strings)
        assert (list(vocabulary), codes.tolist()) == (list(expected), expected_codes.tolist())
    for left, right in (
        (gold, candidate),
        (gold, shared(StringStore(), other)),
        (gold, plain_candidate),
        (plain, candidate),
    ):
        for key in (None, lower):
            expected_codes = plain.translation(plain_candidate, key)
            assert left.translation(right, key).tolist() == expected_codes.tolist()
    codes = np.arange(len(gold), dtype=np.int32)[::2]
    mapped, expected_mapped = gold.mapped(codes, lower), plain.mapped(codes, lower)
    assert (list(mapped[0]), mapped[1].tolist()) == (list(expected_mapped[0]), expected_mapped[1].tolist())
    assert gold.counted(codes) == plain.counted(codes)
    assert gold.decode(codes) == plain.decode(codes) == list(gold.only(codes))
    for mask in (gold.matching(is_long), gold.flagged(are_long), plain.flagged(are_long)):
        assert mask.tolist() == plain.matching(is_long).tolist()
    assert [gold.code(string) for string in other] == [plain.code(string) for string in other]
    assert [gold[code] for code in range(len(gold))] == list(plain)


def test_answers_are_kept_for_later_vocabularies() -> None:
    store, requested = StringStore(), list[str]()

    def flag(strings: Sequence[str]) -> list[bool]:
        requested.extend(strings)
        return [string == "b" for string in strings]

    assert shared(store, ["a", "b"]).flagged(flag).tolist() == [False, False, True]
    assert shared(store, ["b", "c"]).flagged(flag).tolist() == [False, True, False]
    assert requested == ["", "a", "b", "c"]


def test_strings_that_are_not_utf_8_leave_a_store_as_it_was() -> None:
    store, text = StringStore(), np.frombuffer(b"ab\xff", np.uint8)
    table = StringTable(text, 4)
    table.code(0, 2)
    assert store.take_in(table, "(").tolist() == [0, 1]
    table.code(1, 3)
    with pytest.raises(UnicodeDecodeError):
        store.take_in(table, "(")
    assert store.strings == ["", "ab"]
    assert store.numbers(["c", "ab"]).tolist() == [2, 1]


def test_a_copy_has_its_own_strings() -> None:
    vocabulary = shared(StringStore(), ["a", "b"])
    for made in (copy.copy(vocabulary), pickle.loads(pickle.dumps(vocabulary))):
        assert type(made) is Vocabulary
        assert list(made) == ["", "a", "b"]


def test_another_store_begins_at_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_strings, "_current", StringStore())
    first = current_store()
    first.numbers(map(str, range(LIMIT)))
    assert current_store() is not first
    assert len(current_store()) == 1


def test_chunks_on_both_sides_of_a_limit_are_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared_strings, "LIMIT", 20)
    monkeypatch.setattr(bracket, "TREES_FOR_TAGS", 20)
    path = tmp_path / "trees.mrg"
    path.write_text("".join(f"(S (NP (NN w{n % 37}é)) (VP (V{n} v)))\n" for n in range(200)))
    chunks = list(bracket.load_chunks(path, size=400))
    stores = {id(chunk.vocabulary._store) for chunk in chunks}  # type: ignore[attr-defined]
    assert len(stores) > 2
    whole = bracket.load(path)
    assert type(whole).concatenate(chunks).equals(whole)


def test_chunks_are_scanned_once_and_have_their_own_strings_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, scan, scanned = tmp_path / "trees.mrg", scanner.scan, list[bytes]()

    def spy(text: ByteArray, *arguments: Any) -> scanner.Scan:
        scanned.append(bytes(text))
        return scan(text, *arguments)

    monkeypatch.setattr(scanner, "scan", spy)
    monkeypatch.setattr(bracket, "TREES_FOR_TAGS", 30)
    path.write_text("".join(f"(S (NP (NN w{n // 20}é)) (VP (V{n // 20} v)))\n" for n in range(100)))
    chunks = list(bracket.load_chunks(path, size=400))
    assert b"".join(scanned) == path.read_bytes()
    for chunk in chunks:
        codes = (chunk.tokens.form, chunk.tokens.pos, chunk.nodes.label)
        used = chunk.vocabulary.decode(np.concatenate(codes))
        assert {*chunk.vocabulary} == {"", str(path), *used}


def test_bytes_that_are_not_utf_8_in_a_late_chunk_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "trees.mrg"
    path.write_bytes(b"(S (NN w))\n" * 99 + b"(S (NN \xff))\n")
    with raises(FormatError, line=100, actual="the byte 0xff, which is not utf-8"):
        list(bracket.load_chunks(path, size=400))
