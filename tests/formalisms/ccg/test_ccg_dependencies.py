r"""Lists of CCG dependencies: CCGbank's and those of the C&C tools, read, written back and refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from crossbank.formalisms.ccg.formats import candc, parg
from crossbank.treebanks import FormatError
from crossbank.treebanks.errors import SentenceError
from crossbank.treebanks.formats import relations
from tests.errors import raises

PARG = "\n".join(
    [
        '<s id="anna.1"> 2',
        "0\t1\t(S[dcl]\\NP)/NP\t1\tAnna sees".replace(" ", "\t"),
        "2\t1\t(S[dcl]\\NP)/NP\t2\tBert\tsees <XB>",
        "<\\s>",
        '<s id="anna.2"> 0',
        "<\\s>\n",
    ]
)
CANDC = "\n".join(
    [
        "# made by hand",
        "",
        r"sees_2 ((S[dcl]{_}\NP{Y}<1>){_}/NP{Z}<2>){_} 1 Anna_1 0",
        r"sees_2 ((S[dcl]{_}\NP{Y}<1>){_}/NP{Z}<2>){_} 2 Bert_3 0",
        r"<c> Anna|NNP|N sees|VBZ|(S[dcl]\NP)/NP Bert|NNP|N",
        "",
        "",
        "a_b_2 N/N 1 c_3",
        "",
    ]
)


def test_parg() -> None:
    bank = parg.loads(PARG)
    table = bank.relations
    assert (bank.sentence_ids[0], len(bank), table.lengths().tolist()) == ("anna.1", 2, [2, 0])
    assert table.head_index.tolist() == [1, 1]
    assert table.dependent_index.tolist() == [0, 2]
    assert bank.vocabulary.decode(table.initial_gr) == ["", "XB"]
    assert parg.loads(parg.dumps(bank)).equals(bank)


def test_candc_with_markup_and_words() -> None:
    bank = candc.loads(CANDC)
    assert bank.relations.lengths().tolist() == [2, 0, 1]
    assert bank.words(0) == ["Anna", "sees", "Bert"]
    assert bank.vocabulary.decode(bank.tokens.pos) == ["N", r"(S[dcl]\NP)/NP", "N"]
    assert bank.vocabulary.decode(bank.relations.head_word) == ["sees", "sees", "a_b"]
    again = candc.loads(candc.dumps(bank))
    assert again.equals(bank, ignore=["line", "comments"])


@pytest.mark.parametrize("head", ["", "# made by hand\n\n", "# made by hand\n# and again\n"])
def test_a_leading_mark_without_words_is_no_sentence(head: str) -> None:
    lines = "a_1 N/N 1 b_2 0\n<c> a|DT|N/N b|NN|N\n\n"
    for beginning in (f"{head}<c>\n\n{lines}", f"{head}<c>\n{lines}"):
        bank = candc.loads(f"{beginning}\n")
        assert [bank.words(row) for row in range(len(bank))] == [["a", "b"], []]
    later = candc.loads(f"{head}{lines}<c>\n\n{lines}")
    assert [len(bank) for bank in map(later.words, range(len(later)))] == [2, 0, 2]


def test_a_sixth_column_is_the_category_that_mediates() -> None:
    line = r"to_3 (S[to]\NP)/(S[b]\NP) 1 Anna_1 0 ((S[dcl]\NP)/(S[to]\NP))"
    bank = candc.loads(f"{line}\n\n")
    assert line in candc.dumps(bank)
    with raises(
        FormatError,
        line=1,
        actual="'to_3 (S[to]\\\\NP)/(S[b]\\\\NP) 1 Anna_1 0 ((S[dcl]\\\\NP)/(S[to]\\\\NP)'",
        expected="functor_1 category slot argument_2",
    ):
        candc.loads(f"{line} one_more\n\n")


def test_words_of_six_fields() -> None:
    bank = candc.loads("<c> sleeps|sleep|VBZ|I-VP|O|S[dcl]\\NP\n")
    assert bank.vocabulary.decode(bank.tokens.lemma) == ["sleep"]
    assert bank.vocabulary.decode(bank.tokens.misc) == ["Chunk=I-VP|Entity=O"]
    assert "<c> sleeps|sleep|VBZ|I-VP|O|S[dcl]\\NP" in candc.dumps(bank)


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        (
            "sees_2 N/N Anna_1",
            {"line": 1, "actual": "'sees_2 N/N Anna_1'", "expected": "functor_1 category slot argument_2"},
        ),
        (
            "sees N/N 1 Anna_1",
            {"line": 1, "actual": "'sees'", "expected": "a word with its position from 1, as in shares_2"},
        ),
        (
            "sees_0 N/N 1 Anna_1",
            {"line": 1, "actual": "'sees_0'", "expected": "a word with its position from 1, as in shares_2"},
        ),
        ("<c> Anna", {"line": 1, "actual": "'Anna'", "expected": "word|tag|category"}),
        (
            "sees_2 N/ 1 Anna_1",
            {
                "line": 1,
                "sentence": "1",
                "actual": "the category 'N/' with its end",
                "expected": "an atom or an opening bracket\n  N/\n    ^",
            },
        ),
    ],
)
def test_bad_lines_of_candc(text: str, fields: dict[str, object]) -> None:
    with raises(FormatError, **fields):
        candc.loads(text)


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        (
            "0 1 N/N 1 a b",
            {"line": 1, "actual": "'0 1 N/N 1 a b'", "expected": '<s id="..."> before dependencies'},
        ),
        (
            '<s id="1"> 2\n0 1 N/N a b',
            {
                "line": 2,
                "actual": "'0 1 N/N a b'",
                "expected": "argument, functor, category, slot and both words",
            },
        ),
        (
            '<s id="1"> 2\n',
            {"line": 1, "actual": "the end of the file", "expected": "<\\s> after sentence 1"},
        ),
        (
            '<s id="1"> 2\n<s id="2"> 2',
            {"line": 2, "actual": "a new sentence", "expected": "<\\s> after sentence 1"},
        ),
    ],
)
def test_bad_lines_of_parg(text: str, fields: dict[str, object]) -> None:
    with raises(FormatError, **fields):
        parg.loads(text)


def test_relations_without_places_cannot_be_written() -> None:
    bank = relations.loads("(ncsubj sees Anna _)\n")
    for format in (parg, candc):
        with raises(
            SentenceError,
            path="text",
            line=1,
            sentence="1",
            problem="found a relation ncsubj without the number of a slot, expected a CCG dependency",
        ):
            format.dumps(bank)


def test_the_gold_dependencies_are_written_as_they_were_read(shared_data: Path) -> None:
    path = shared_data / "ccg-geometry" / "geo-dev.gold_deps"
    bank = candc.load(path)
    assert (len(bank), len(bank.relations)) == (62, 717)
    after_the_head = path.read_text().split("\n\n", 1)[1]
    assert candc.dumps(bank).split("\n\n", 1)[1] == after_the_head
    assert parg.loads(parg.dumps(bank)).equals(bank, ignore=["source", "line", "id", "comments"])
