"""CoNLL-X: its columns, blind files, the projective head and relation, what it has no place for."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossbank.treebanks import ROOT, UNATTACHED, FormatError, Treebank
from crossbank.treebanks.builder import TreebankBuilder
from crossbank.treebanks.formats import conllu, conllx
from tests.errors import raises
from tests.strategies import treebanks

# The beginning of figure 1 of the task's description, in columns (Buchholz and Marsi 2006), with a
# projective head added.
TEXT = """\
1	Cathy	Cathy	N	N	eigen|ev|neut	2	su	_	_
2	zag	zie	V	V	trans|ovt|1of2of3|ev	0	ROOT	0	ROOT
3	hen	hen	Pron	Pron	per|3|mv|datofacc	2	obj1	4	a|b\\c
4	_	_	_	_	_	_	_	_	x

1	.	.	Punc	Punc	punt	_	_	1	_

"""


def decoded(bank: Treebank, column: str) -> list[str]:
    return bank.vocabulary.decode(getattr(bank.tokens, column))


def test_columns() -> None:
    bank = conllx.loads(TEXT)
    assert decoded(bank, "form") == ["Cathy", "zag", "hen", "_", "."]
    assert decoded(bank, "lemma") == ["Cathy", "zie", "hen", "_", "."]
    assert decoded(bank, "pos") == ["N", "V", "Pron", "", "Punc"]
    assert decoded(bank, "morph")[2] == "per|3|mv|datofacc"
    assert bank.tokens.head.tolist() == [1, ROOT, 1, UNATTACHED, UNATTACHED]
    assert decoded(bank, "relation") == ["su", "ROOT", "obj1", "", ""]
    assert decoded(bank, "misc") == [
        "",
        "PHead=0|PDeprel=ROOT",
        "PHead=4|PDeprel=a\\pb\\\\c",
        "PDeprel=x",
        "PHead=1",
    ]
    assert not any(decoded(bank, "deps"))


def test_round_trip_also_by_way_of_conllu() -> None:
    bank = conllx.loads(TEXT)
    assert conllx.dumps(bank) == TEXT
    assert conllx.dumps(conllu.loads(conllu.dumps(bank))) == TEXT


@pytest.mark.parametrize("columns", [6, 8])
def test_shorter_lines(columns: int) -> None:
    short = "\n".join("\t".join(line.split("\t")[:columns]) for line in TEXT.split("\n"))
    bank = conllx.loads(short)
    whole = conllx.loads(TEXT)
    retained = ("form", "lemma", "pos", "xpos", "morph", *(["relation"] if columns == 8 else []))
    for column in retained:
        assert decoded(bank, column) == decoded(whole, column)
    assert bank.tokens.head.tolist() == (whole.tokens.head.tolist() if columns == 8 else [UNATTACHED] * 5)
    assert not any(decoded(bank, "misc"))
    assert bank.diagnosis == ()


def test_blank_columns_are_counted() -> None:
    bank = conllx.loads("1\ta\t\tX\t_\t_\t0\t_\t\t\n")
    assert [(finding.event, finding.total) for finding in bank.diagnosis] == [("blank columns read as _", 3)]


def test_a_sentence_without_words_is_one_more_blank_line() -> None:
    builder = TreebankBuilder()
    builder.sentence(id="s1", comments="# no place")
    builder.token(form="a", misc="SpaceAfter=No|PHead=0", head=ROOT)
    builder.sentence()
    assert conllx.dumps(builder.build()) == "1\ta\t_\t_\t_\t_\t0\t_\t0\t_\n\n\n"


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("# a comment\n" + TEXT, {"line": 1, "sentence": "1", "actual": "a comment ('# a comment')"}),
        (TEXT + "# late\n", {"line": 8, "sentence": "3", "actual": "a comment ('# late')"}),
        (
            TEXT.replace("2\tzag", "2-3\tzag"),
            {"line": 2, "sentence": "1", "actual": "the number '2-3'", "expected": "word 2"},
        ),
        (
            TEXT.replace("2\tzag", "1.1\tzag"),
            {"line": 2, "sentence": "1", "actual": "the number '1.1'", "expected": "word 2"},
        ),
        (
            "1\ta\t_\t_\t_\t_\t_\n",
            {
                "line": 1,
                "sentence": "1",
                "actual": "7 columns ('1\\ta\\t_\\t_\\t_\\t_\\t_')",
                "expected": "6, 8 or 10 columns separated by tabs",
            },
        ),
        ("1 a _ _ _ _ _ _ _ _\n", {"line": 1, "sentence": "1", "actual": "1 column ('1 a _ _ _ _ _ _ _ _')"}),
        ("1\ta\t_\t_\t_\t_\t3\tx\n", {"line": 1, "sentence": "1", "actual": "the head 3 of 1"}),
    ],
)
def test_errors(text: str, fields: dict[str, object]) -> None:
    with raises(FormatError, **fields):
        conllx.loads(text)


def test_gzip_and_encoding(tmp_path: Path) -> None:
    text = TEXT.replace("hen", "Grün")
    for name, encoding in (("a.conll.gz", "utf-8"), ("b.conll", "latin-1")):
        conllx.dump(conllx.loads(text), tmp_path / name, encoding=encoding)
        assert conllx.dumps(conllx.load(tmp_path / name, encoding=encoding)) == text


LABELS = st.text(st.characters(exclude_characters="\t\n\r\0", exclude_categories=["Cs"]), min_size=1)


@given(LABELS, LABELS)
def test_any_projective_head_and_relation_comes_back(head: str, relation: str) -> None:
    text = f"1\ta\t_\t_\t_\t_\t_\t_\t{head}\t{relation}\n\n"
    assert conllx.dumps(conllx.loads(text)) == text


@given(treebanks(dependencies=True))
def test_written_and_read_is_the_same(bank: Treebank) -> None:
    again = conllx.loads(conllx.dumps(bank))
    assert again.tokens.head.tolist() == bank.tokens.head.tolist()
    for column in ("form", "pos", "morph", "relation"):
        assert decoded(again, column) == decoded(bank, column)


def test_real_trees_by_way_of_conllx(shared_data: Path) -> None:
    bank = conllu.load(shared_data / "conll18" / "00-gold-standard" / "de_gsd.conllu")
    again = conllx.loads(conllx.dumps(bank))
    assert again.tokens.head.tolist() == bank.tokens.head.tolist()
    for column in ("form", "lemma", "pos", "xpos", "morph", "relation"):
        assert decoded(again, column) == decoded(bank, column)
