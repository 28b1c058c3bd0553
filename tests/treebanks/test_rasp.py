"""RASP's numbered trees: quoting, errors, round trips, the real files."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossbank.treebanks import FormatError, Treebank
from crossbank.treebanks.builder import TreebankBuilder
from crossbank.treebanks.errors import SentenceError
from crossbank.treebanks.formats import rasp, read
from crossbank.treebanks.formats.bracket import loads as brackets
from crossbank.treebanks.formats.rasp import dump, dumps, load, loads
from tests.errors import raises


def nodes(bank: Treebank, sentence: int) -> list[tuple[str, list[str]]]:
    """Label and words of every node."""
    rows, words = bank.nodes.rows(sentence), bank.words(sentence)
    spans = zip(bank.spans.start[rows].tolist(), bank.spans.end[rows].tolist(), strict=True)
    labels = bank.vocabulary.decode(bank.nodes.label[rows])
    return [(label, words[start:end]) for label, (start, end) in zip(labels, spans, strict=True)]


def test_quoted_and_escaped_words() -> None:
    bank = loads("%LB (\n%RB )\n\n6\n(X (X |'s| \\(2\\) a\\;)\n  |<b> c|)\n\n7\n(S |(| d |\\||)\n")
    assert bank.words(0) == ["'s", "(2)", "a;", "<b> c"]
    assert nodes(bank, 0) == [("X", bank.words(0)), ("X", ["'s", "(2)", "a;"])]
    assert bank.words(1) == ["(", "d", "|"]
    assert [bank.sentence_id(i) for i in (0, 1)] == ["6", "7"]
    assert bank.sentences.line.tolist() == [4, 8]


def test_other_signs_as_brackets() -> None:
    bank = loads("%LB [\n%RB ]\n1\n[S ( [NP a ]\n) b]\n")
    assert bank.words(0) == ["(", "a", ")", "b"]
    assert nodes(bank, 0)[1] == ("NP", ["a"])


def test_a_number_inside_a_tree_is_a_word_and_one_without_a_tree_no_parse() -> None:
    bank = loads("1\n(NP\n1913\n)\n2\n3\n(S a)")
    assert [bank.words(i) for i in range(3)] == [["1913"], [], ["a"]]


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("1\n(S a", {"line": 2, "sentence": "1", "names": ("(S a",)}),
        ("1\n(S a))", {"line": 2, "sentence": "1", "actual": "a closing bracket too many"}),
        ("1\n(S a) b c\n", {"line": 2, "sentence": "1", "names": ("'b'",)}),
        ("(S a)", {"line": 1, "actual": "a tree before any number"}),
        ("%LB (\n", {"actual": "no sentence"}),
    ],
)
def test_bad_files(text: str, fields: dict[str, object]) -> None:
    with raises(FormatError, **fields):
        loads(text)


def test_what_cannot_be_written() -> None:
    builder = TreebankBuilder()
    builder.sentence(id="s")
    builder.token(form="a")
    with raises(SentenceError, sentence="s", problem="'a' is in no node"):
        dumps(builder.build())


def test_written_and_read_again(tmp_path: Path) -> None:
    bank = brackets("( (S (NP (D the) (N dog)) (VP barks (P |2|)))) (())\n")
    dump(bank, tmp_path / "trees")
    again = load(tmp_path / "trees")
    assert again.words(0) == ["the", "dog", "barks", "|2|"]
    assert nodes(again, 0) == nodes(bank, 0)
    assert again.words(1) == []


WORDS = st.text(st.characters(exclude_categories=("Cs", "Cc", "Zs", "Zl", "Zp")), min_size=1, max_size=5)


@given(st.lists(st.tuples(WORDS, st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=6))
def test_any_words_survive(items: list[tuple[str, int, int]]) -> None:
    builder = TreebankBuilder()
    builder.sentence(id="1")
    path = [builder.node(label="S")]
    for word, opened, closed in items:
        for _ in range(opened):
            path.append(builder.node(label=word, parent=path[-1]))
        builder.token(form=word, parent=path[-1])
        del path[max(1, len(path) - closed) :]
    bank = builder.build()
    assert loads(dumps(bank)).equals(bank, ignore=("source", "line"))


@pytest.mark.parametrize(("name", "tokens", "nodes"), [("susanne", 8631, 4074), ("sparkle", 8661, 6472)])
def test_the_files_of_rasp(shared_data: Path, name: str, tokens: int, nodes: int) -> None:
    bank = read(shared_data / "rasp3" / "teval" / f"suste-trees-{name}", "rasp")
    assert (len(bank), len(bank.tokens), len(bank.nodes)) == (500, tokens, nodes)
    assert [bank.sentence_id(i) for i in range(500)] == [str(i + 1) for i in range(500)]
    assert not bank.diagnosis
    assert loads(dumps(bank)).equals(bank, ignore=("source", "line"))


def test_derivations_are_read_as_well():
    bank = rasp.loads(
        '(|Kim_NP1| |(_(| |sings_VVZ|)\n("T/txt-sc1/--" ("S/np_vp" |Kim_NP1| |(_(| ("V1/v" |sings_VVZ|)))\n'
    )
    tree = " ".join(str(bank.tree(0)).split())
    assert tree == "(T/txt-sc1/-- (S/np_vp (NP1 Kim) (( () (V1/v (VVZ sings))))"
    with raises(
        FormatError,
        line=2,
        actual="a closing bracket too many",
        expected="as many closing brackets as opening ones",
    ):
        rasp.loads('(|Kim_NP1|)\n("T" |Kim_NP1|))')
    with raises(
        FormatError, line=1, actual="1 opening bracket without a closing one, the last one '(\"T\" |Kim_NP1|'"
    ):
        rasp.loads('(|Kim_NP1|) ("T" |Kim_NP1|')
