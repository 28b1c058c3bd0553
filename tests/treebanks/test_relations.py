"""Lists of grammatical relations: every way to write one, round trips, the real lists, bad input."""

import string
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crossbank.treebanks import FormatError, Treebank
from crossbank.treebanks.builder import TreebankBuilder
from crossbank.treebanks.diagnosis import NO_PARSE_MESSAGES
from crossbank.treebanks.errors import SentenceError
from crossbank.treebanks.formats import read, write
from crossbank.treebanks.formats.relations import dumps, loads
from crossbank.treebanks.relations.relation import (
    NO_WORD,
    Relation,
    Word,
    from_relations,
    relations_of,
    with_relations,
)
from crossbank.treebanks.tables import NO_TOKEN
from tests.errors import raises


def first(text: str) -> Relation:
    return relations_of(loads(text), 0)[0]


# Ways to write


@pytest.mark.parametrize(
    ("written", "word"),
    [
        ("die", Word("die")),
        ("die:4_VVZ", Word("die", 3, "VVZ")),
        ("|die:4_VVZ|", Word("die", 3, "VVZ")),
        ("eat+ed:2_VVD", Word("eat+ed", 1, "VVD")),
        ("10:30:4_MC", Word("10:30", 3, "MC")),
        ("die:0_VVZ", Word("die", NO_TOKEN, "VVZ")),
        (r"10\:30\:4_MC", Word("10:30:4_MC")),
        (r"New\ York:2_NP1", Word("New York", 1, "NP1")),
        ("|New York:2_NP1|", Word("New York", 1, "NP1")),
        ("Wall_Street", Word("Wall_Street")),
        ("_", NO_WORD),
        (r"\_", Word("_")),
    ],
)
def test_words(written: str, word: Word) -> None:
    assert first(f"(det {written} the)").head == word


@pytest.mark.parametrize(
    ("head", "dependent", "expected"),
    [
        ("die:2", "man:1", Word("die", 1)),
        ("die_1", "man_0", Word("die", 1)),
        ("die_VVZ", "man_NN1", Word("die", NO_TOKEN, "VVZ")),
        ("die_1", "ellip", Word("die", 1)),
        ("4:30", "At", Word("4:30")),
        ("F_22", "the", Word("F_22")),
        ("die:2_VVZ", "4:30", Word("die", 1, "VVZ")),
    ],
)
def test_ways_that_hold_only_for_a_whole_file(head: str, dependent: str, expected: Word) -> None:
    assert first(f"(dobj {head} {dependent})").head == expected


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("(passive die)", Relation("passive", Word("die"))),
        ("(aux die be)", Relation("aux", Word("die"), Word("be"))),
        ("(aux _ die be)", Relation("aux", Word("die"), Word("be"))),
        ("(dobj drop it _)", Relation("dobj", Word("drop"), Word("it"))),
        ("(xcomp to decide drop)", Relation("xcomp", Word("decide"), Word("drop"), "to")),
        ("(ncsubj acquire it obj)", Relation("ncsubj", Word("acquire"), Word("it"), "", "obj")),
        ("(arg_mod by a b subj)", Relation("arg_mod", Word("a"), Word("b"), "by", "subj")),
        ("(conj or a b c)", Relation("conj", Word("a"), NO_WORD, "or", "", (Word("b"), Word("c")))),
        ("(conj or a _)", Relation("conj", Word("a"), NO_WORD, "or")),
        ("(conj or a)", Relation("conj", Word("or"), Word("a"))),
        ("(obja sehen ihn)", Relation("obja", Word("sehen"), Word("ihn"))),
    ],
)
def test_the_number_of_slots_says_which_they_are(written: str, expected: Relation) -> None:
    assert first(written) == expected


def test_sentences_begin_with_numbers_or_words_or_after_a_blank_line() -> None:
    numbers = loads("; a list\n3\n(det a b)\n\n(det c d)\n7\n\n9\n(det e f) (det g h) ; two\n")
    assert [numbers.sentence_id(i) for i in range(3)] == ["3", "7", "9"]
    assert numbers.relations.lengths().tolist() == [2, 0, 2]
    words = loads("A_AT man_NN1\n(det man A)\n\nYes_UH\n\n(_( No_UH )_)\n(det No the)\n")
    assert [words.words(i) for i in range(3)] == [["A", "man"], ["Yes"], ["(", "No", ")"]]
    assert words.relations.lengths().tolist() == [1, 0, 1]
    blank = loads("(det a b)\n(det c d)\n\n\n(det e f)\n")
    assert blank.relations.lengths().tolist() == [2, 1]
    both = loads("1\nA_AT man_NN1\n(det man:2_NN1 A:1_AT)\n")
    assert both.words(0) == ["A", "man"]
    assert both.relations.head_index.tolist() == [1]


def test_weights_and_identifiers() -> None:
    bank = loads("; sent_id = s/1\n; odd\n1\n{\n0.75 (det a b)\n1 (det c d)\n}\n2 {.5 (det a b)}\n")
    assert [relation.weight for relation in relations_of(bank, 0)] == ["0.75", "1"]
    assert [relation.weight for relation in relations_of(bank, 1)] == [".5"]
    assert bank.sentence_id(0) == "s/1"
    assert bank.vocabulary[int(bank.sentences.comments[0])] == "odd"
    assert loads("(det a b)\n0.5 (det c d)\n").relations.lengths().tolist() == [2]


def test_white_space_is_what_ascii_calls_so() -> None:
    assert first("( det\tman  the )\r\n") == Relation("det", Word("man"), Word("the"))
    assert first("(det 10\u00a0000 the)").head == Word("10\u00a0000")


def test_relations_on_one_line_and_line_by_line_keep_their_order() -> None:
    lines = ["(det a b)", "(det c\\ d e) (det f g)", "(det h i)", "(passive |j k|)", "(det l m)"]
    bank = loads("\n".join(["1", *lines, "2", *lines[::-1]]))
    heads = ["a", "c d", "f", "h", "j k", "l"]
    assert [relation.head.word for relation in relations_of(bank, 0)] == heads
    assert [relation.head.word for relation in relations_of(bank, 1)] == ["l", "j k", "h", "c d", "f", "a"]


def test_what_a_program_prints_between_relations_is_kept_and_counted() -> None:
    bank = loads("Go_VV0\n*** Warning: no parses\n\nHe_PPHS1 goes_VVZ\n(ncsubj goes He _)\n")
    assert bank.relations.lengths().tolist() == [0, 1]
    assert bank.vocabulary[int(bank.sentences.comments[0])] == "*** Warning: no parses"
    assert [(f.event, f.total) for f in bank.diagnosis] == [
        ("lines that are not relations kept as comments", 1),
        (NO_PARSE_MESSAGES, 1),
    ]


def test_relations_that_no_inventory_lists_are_counted() -> None:
    (actual,) = loads("(obja sehen ihn)\n\n(det a b)\n").diagnosis
    assert (actual.event, actual.sentences().tolist()) == ("relations that no inventory lists", [0])


# Round trips

LABELS = st.text(string.ascii_letters + string.punctuation + " äß\u00a0", min_size=1, max_size=6)
TAGS = st.text(string.ascii_uppercase + "_:$.", max_size=3)


@st.composite
def words(draw: st.DrawFn) -> Word:
    return Word(draw(LABELS), draw(st.integers(NO_TOKEN, 5)), draw(TAGS))


@st.composite
def relations(draw: st.DrawFn, weights: tuple[str, ...] = ("", "0.25", "1", "1e-05")) -> Relation:
    name = draw(st.sampled_from(["ncsubj", "dobj", "ncmod", "iobj", "det", "obja", "passive", "conj"]))
    relation = Relation(name, draw(words()), weight=draw(st.sampled_from(weights)))
    if name in ("ncmod", "iobj", "conj"):
        relation = relation._replace(type=draw(LABELS))
    if name in ("ncsubj", "dobj"):
        relation = relation._replace(initial_gr=draw(LABELS | st.just("")))
    if name == "conj":
        return relation._replace(further_heads=tuple(draw(st.lists(words(), max_size=2))))
    return relation if name == "passive" else relation._replace(dependent=draw(words()))


SENTENCES = st.lists(st.lists(relations(), max_size=4), min_size=1, max_size=4)


@settings(deadline=None)
@given(SENTENCES)
def test_writing_and_reading_gives_the_same_relations(sentences: list[list[Relation]]) -> None:
    bank = from_relations(sentences)
    again = loads(dumps(bank))
    assert [relations_of(again, i) for i in range(len(again))] == [
        [r._replace(weight=r.weight or "1") if any(o.weight for o in sentence) else r for r in sentence]
        for sentence in sentences
    ]
    assert dumps(again).count("\n") == dumps(bank).count("\n")


@settings(deadline=None)
@given(SENTENCES, st.data())
def test_sentences_are_taken_out_and_put_together(
    sentences: list[list[Relation]], data: st.DataObject
) -> None:
    bank = from_relations(sentences)
    order = data.draw(st.permutations(range(len(sentences))))
    shuffled = bank.select(order)
    assert [relations_of(shuffled, i) for i in range(len(bank))] == [sentences[i] for i in order]
    both = Treebank.concatenate([from_relations([s]) for s in sentences])
    assert both.equals(bank, ignore=["ordinal"])
    assert bank.equals(shuffled, ignore=["ordinal"]) == ([list(sentences[i]) for i in order] == sentences)


def test_words_and_identifiers_survive() -> None:
    builder = TreebankBuilder()
    for id in ("a/1", "12"):
        builder.sentence(id=id, comments="one\ntwo")
        for form, pos in ((";", "$."), ("(x", ""), ("a_b c", "N_N"), ("\\", "X")):
            builder.token(form=form, pos=pos)
    bank = with_relations(builder.build(), [[Relation("det", Word("a", 0), Word("b", 3))], []])
    again = loads(dumps(bank))
    assert again.equals(bank, ignore=["line", "source"])


def test_relations_follow_the_tokens_they_refer_to() -> None:
    bank = loads("1\nA_AT ,_, man_NN1\n(det man:3_NN1 A:1_AT)\n(conj and A:1_AT man:3_NN1)\n")
    retained = bank.without_tokens(np.array([False, True, False]))
    assert relations_of(retained, 0)[0] == Relation("det", Word("man", 1, "NN1"), Word("A", 0, "AT"))
    assert relations_of(retained, 0)[1].further_heads == (Word("man", 1, "NN1"),)
    lost = bank.without_tokens(np.array([True, False, False]))
    assert relations_of(lost, 0)[0].dependent == Word("A", NO_TOKEN, "AT")
    assert [(f.event, f.total) for f in lost.diagnosis] == [
        ("words of relations left without their token", 2)
    ]


def test_the_lists_of_rasp(shared_data: Path, tmp_path: Path) -> None:
    files = sorted((shared_data / "rasp3" / "corpus" / "grs").glob("*.grs"))
    assert len(files) == 16
    counted: Counter[str] = Counter()
    sentences = 0
    for file in files:
        bank = read(file)
        counted.update(bank.vocabulary.decode(bank.relations.name))
        sentences += len(bank)
        assert (bank.tokens.lengths() > 0).all()
        write(bank, tmp_path / "again.grs")
        again = read(tmp_path / "again.grs")
        assert again.equals(bank, ignore=["source", "line", "diagnosis"])
        write(bank, tmp_path / "again.parquet")
        assert read(tmp_path / "again.parquet").equals(bank)
    assert sentences == 1787
    lines = [line for file in files for line in file.read_text().splitlines() if line.startswith("(")]
    names = Counter(line[1:].split()[0] for line in lines)
    assert names["to"] == 2  # a debugger's hints after a crash: no relations
    del names["to"]
    assert counted + Counter({"(_(": 0}) == Counter({n: c for n, c in names.items() if not n.startswith("_")})


# Bad input


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        (
            "1\n(ncsubj die proprietor _",
            {
                "file": "x.grs",
                "line": 2,
                "actual": "'(ncsubj die proprietor _'",
                "expected": "a relation such as (ncsubj die proprietor _)",
            },
        ),
        (
            "1\nncsubj die)\n",
            {
                "file": "x.grs",
                "line": 2,
                "actual": "'ncsubj die)'",
                "expected": "a relation such as (ncsubj die proprietor _)",
            },
        ),
        (
            "(det a b)\n()\n",
            {
                "file": "x.grs",
                "line": 2,
                "actual": "'()'",
                "expected": "a relation such as (ncsubj die proprietor _)",
            },
        ),
        (
            "(det a b)\n(ncsubj die)\n",
            {
                "file": "x.grs",
                "line": 2,
                "actual": "'(ncsubj die)'",
                "expected": "(ncsubj head dependent initial_gr)",
            },
        ),
        ("(foo a b c d e)\n", {"file": "x.grs", "line": 1, "expected": "(name, then one to four slots)"}),
        (
            "1\n{\n0.5 (det a b)\n",
            {
                "file": "x.grs",
                "actual": "the end of the file",
                "expected": "a '}' after the weighted relations",
            },
        ),
        (
            "; nothing\n",
            {"file": "x.grs", "actual": "nothing but comments", "expected": "at least one sentence"},
        ),
        (
            "1\nA_AT man_NN1\n(det man:3_NN1 A:1_AT)\n",
            {
                "file": "x.grs",
                "line": 3,
                "sentence": "1",
                "actual": "word 3 ('man')",
                "expected": "one of the sentence's 2 words",
            },
        ),
        ("   \n", {"file": "x.grs", "actual": "an empty file"}),
    ],
)
def test_bad_lists(text: str, fields: dict[str, object], tmp_path: Path) -> None:
    path = tmp_path / "x.grs"
    path.write_text(text)
    with raises(FormatError, **fields):
        read(path)


def test_bad_text_is_called_a_text() -> None:
    with raises(
        FormatError, line=2, actual="'junk'", expected="a relation such as (ncsubj die proprietor _)"
    ):
        loads("(det a b)\njunk\n")


def test_a_relation_that_cannot_be_written() -> None:
    with raises(
        SentenceError, sentence="1", problem="found passive with dependent, head, expected (passive head)"
    ):
        dumps(from_relations([[Relation("passive", Word("a"), Word("b"))]]))
