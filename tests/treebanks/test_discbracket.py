"""Discontinuous brackets: disco-dop's conventions, errors, round trips."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crossbank.treebanks import NO_PARENT, FormatError, Treebank
from crossbank.treebanks.builder import TreebankBuilder
from crossbank.treebanks.formats import bracket, tigerxml
from crossbank.treebanks.formats.discbracket import dump, dumps, load, loads

DARUEBER = (
    "(S (VP (VP (PP 0=Darüber) (VVPP 3=nachgedacht)) (VAINF 4=werden)) (VMFIN 1=muß) (NN 2=man) ($. 5=.))"
)


def rows(bank: Treebank, sentence: int) -> tuple[list[tuple[str, int]], list[tuple[str, str, int]]]:
    """Return nodes (label, parent) and tokens (form, tag, parent) of a sentence."""
    decode = bank.vocabulary.decode
    nodes, tokens = bank.nodes.rows(sentence), bank.tokens.rows(sentence)
    columns = bank.tokens.form[tokens], bank.tokens.pos[tokens]
    return (
        list(zip(decode(bank.nodes.label[nodes]), bank.nodes.parent[nodes].tolist(), strict=True)),
        list(zip(*map(decode, columns), bank.tokens.parent[tokens].tolist(), strict=True)),
    )


def test_a_discontinuous_tree() -> None:
    bank = loads(DARUEBER)
    assert bank.words(0) == ["Darüber", "muß", "man", "nachgedacht", "werden", "."]
    assert rows(bank, 0)[0] == [("S", NO_PARENT), ("VP", 0), ("VP", 1)]
    assert bank.tokens.parent.tolist() == [2, 0, 0, 2, 1, 0]
    assert bank.spans.fan_out.tolist() == [1, 2, 2]
    assert dumps(bank) == DARUEBER + "\n"


def test_children_are_ordered_by_their_first_word() -> None:
    bank = loads("(S (VVFIN 1=schläft) (NP (NE 0=Anna)) (VP (X 3=c) (Y 2=b)))")
    assert dumps(bank) == "(S (NP (NE 0=Anna)) (VVFIN 1=schläft) (VP (Y 2=b) (X 3=c)))\n"
    inner = loads("(S (VP (A 0=a) (X (C 2=c))) (NP (B 1=b)))")
    assert rows(inner, 0)[0] == [("S", -1), ("VP", 0), ("NP", 0), ("X", 1)]
    assert dumps(inner) == "(S (VP (A 0=a) (X (C 2=c))) (NP (B 1=b)))\n"


def test_words_with_signs() -> None:
    text = "(S (A 0==) (B 1=a=b) (C 2=#LRB#x#RRB#) (D 3=New York) (E 4=4=))\n"
    bank = loads(text)
    assert bank.words(0) == ["=", "a=b", "(x)", "New York", "4="]
    assert dumps(bank) == text


def test_comments_and_no_parse() -> None:
    text = f"{DARUEBER}\tsentence 17, checked\n(())\n(A 0=a)\tb c\n"
    bank = loads(text)
    assert bank.vocabulary.decode(bank.sentences.comments) == ["sentence 17, checked", "", "b c"]
    assert bank.tokens.lengths().tolist() == [6, 0, 1]
    assert dumps(bank) == text


def test_older_files_have_their_words_after_the_tab() -> None:
    bank = loads("(S (NP 1) (VP (VB 0) (JJ 2)) (? 3))\tis John rich ?\n(S (A 0=a))\n")
    assert bank.words(0) == ["is", "John", "rich", "?"]
    assert not bank.sentences.comments.any()
    assert dumps(bank) == "(S (VP (VB 0=is) (JJ 2=rich)) (NP 1=John) (? 3=?))\n(S (A 0=a))\n"


def test_several_roots_and_roots_that_are_words() -> None:
    builder = TreebankBuilder()
    builder.sentence()
    builder.node(label="A")
    builder.node(label="B")
    for form, parent in (("a", 0), ("b", 1), ("c", 0), ("d", NO_PARENT)):
        builder.token(form=form, pos=form.upper(), parent=parent)
    bank = builder.build()
    assert dumps(bank) == "( (A (A 0=a) (C 2=c)) (B (B 1=b)) (D 3=d))\n"
    assert dumps(loads("(D 0=d)")) == "(D 0=d)\n"


def test_only_used_strings_remain() -> None:
    bank = loads(DARUEBER)
    assert "0=Darüber" not in set(bank.vocabulary)
    assert len(bank.vocabulary) == 1 + 6 + 6 + 2 + 1  # none, words, tags, labels, source


@pytest.mark.parametrize(
    ("text", "line", "sentence", "actual"),
    [
        ("(S (A 0=a))\n(S (A 0=a) (B 2=b))", 2, "2", "0 leaves with position 1"),
        ("(S (A 0=a) (B 0=b))", 1, "1", "2 leaves with position 0"),
        ("(S (A 1=a))", 1, "1", "0 leaves with position 0"),
        ("(S (A 0=a) (B b))", 1, "1", "the leaf 'b'"),
        ("(S (A 0=a) (B 1=))", 1, "1", "the leaf '1='"),
        ("(S (A -1=a))", 1, "1", "the leaf '-1=a'"),
        ("(S (A 0=a) (B 1))\ta b", 1, "1", "1 leaves without a word"),
        ("(S (A 0) (B 1))\ta b c", 1, "1", "2 leaves without a word"),
        ("(S (A 0) (B 1))", 1, "1", "2 leaves without a word"),
        ("(S (A 0=a))\n\t(S (A 0=a))", 2, None, "a tab before any tree"),
        ("(S (A 0=a)", 1, "1", "1 opening bracket without a closing one"),
        ("", None, None, "an empty text"),
    ],
)
def test_errors(text: str, line: int | None, sentence: str | None, actual: str) -> None:
    with pytest.raises(FormatError) as raised:
        loads(text)
    error = raised.value
    assert (error.line, error.sentence) == (line, sentence)
    assert error.actual.startswith(actual)


def test_a_failed_parse_is_a_sentence_without_a_parse() -> None:
    bank = loads("(S (A 0=a))\n(TOP ())\nnull\n(S (A 0=b))\tlast\n")
    assert bank.tokens.lengths().tolist() == [1, 0, 0, 1]
    assert [finding.counts.tolist() for finding in bank.diagnosis] == [[0, 1, 1, 0]]


def test_files(tmp_path: Path) -> None:
    bank = loads(DARUEBER)
    for name, encoding in (("a.dbr", "latin-1"), ("a.dbr.gz", "utf-8")):
        dump(bank, tmp_path / name, encoding=encoding)
        again = load(tmp_path / name, encoding=encoding)
        assert rows(again, 0) == rows(bank, 0)
        assert again.where(0) == f"{tmp_path / name}:1"


def test_continuous_trees_are_those_of_plain_brackets(shared_data: Path) -> None:
    bank = bracket.load(shared_data / "gum" / "const" / "GUM_academic_economics.ptb")
    again = loads(dumps(bank))
    assert len(again) == len(bank)
    assert [rows(again, i) for i in range(len(bank))] == [rows(bank, i) for i in range(len(bank))]
    assert bracket.dumps(again) == bracket.dumps(bank)


def test_tiger_comes_back(shared_data: Path) -> None:
    paths = sorted((shared_data / "tiger-pcc").rglob("*.xml"))[:40]
    bank = Treebank.concatenate([tigerxml.load(path) for path in paths])
    assert len(bank.discontinuous_sentences) > 100
    again = loads(dumps(bank))
    assert dumps(again) == dumps(bank)
    assert [again.words(i) for i in range(len(bank))] == [bank.words(i) for i in range(len(bank))]
    assert again.discontinuous_sentences.tolist() == bank.discontinuous_sentences.tolist()


STRINGS = st.text("abÜ=($)0", min_size=1, max_size=3)


@st.composite
def banks(draw: st.DrawFn) -> Treebank:
    """Return the random sentences with one root, in which any word may hang on any node."""
    builder = TreebankBuilder()
    for _ in range(draw(st.integers(1, 3))):
        builder.sentence(comments=draw(st.sampled_from(["", "c d"])))
        nodes = draw(st.integers(1, 6))
        for node in range(nodes):
            builder.node(
                label=draw(st.text("SNP=$", min_size=1, max_size=2)),
                parent=draw(st.integers(0, node - 1)) if node else NO_PARENT,
            )
        for token in range(draw(st.integers(1, 8))):
            parent = draw(st.integers(0, nodes - 1)) if token else 0
            builder.token(form=draw(STRINGS), pos=draw(st.text("XY$", max_size=2)), parent=parent)
    return builder.build()


@settings(deadline=None)
@given(banks())
def test_random_trees_come_back(bank: Treebank) -> None:
    again = loads(dumps(bank))
    assert [rows(again, i) for i in range(len(bank))] == [rows(bank, i) for i in range(len(bank))]
    assert dumps(again) == dumps(bank)
