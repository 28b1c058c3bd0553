r"""Derivations in the notation of CCGbank: what is read, written back, and refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossbank.formalisms.ccg.formats import auto
from crossbank.treebanks import FormatError, Treebank
from crossbank.treebanks.errors import SentenceError
from crossbank.treebanks.formats import bracket, read
from crossbank.treebanks.readings import analysis_offsets, chosen_analyses
from tests.errors import raises

# Our own sentence.
TREE = (
    r"(<T S[dcl] 1 2> (<T NP 0 1> (<L N NNP NNP Anna N_1> ) ) (<L S[dcl]\NP VBZ VBZ sleeps S[dcl]\NP_2>) )"
).replace("> ) )", ">) )")
HEADER = "ID=anna.1 PARSER=GOLD NUMPARSE=1"


def test_leaves_and_nodes() -> None:
    bank = auto.loads(f"{HEADER}\n{TREE}\n")
    string = bank.vocabulary.decode
    assert bank.words(0) == ["Anna", "sleeps"]
    assert string(bank.tokens.pos) == ["N", r"S[dcl]\NP"]
    assert string(bank.tokens.xpos) == ["NNP", "VBZ"]
    assert string(bank.tokens.morph) == ["N_1", r"S[dcl]\NP_2"]
    assert string(bank.nodes.label) == ["S[dcl]", "NP"]
    assert string(bank.nodes.misc) == ["1", "0"]
    assert (bank.sentence_id(0), string(bank.sentences.comments)) == ("anna.1", ["PARSER=GOLD NUMPARSE=1"])
    assert auto.dumps(bank) == f"{HEADER}\n{TREE}\n"


def test_headers_with_the_same_identifier_are_analyses_of_one_sentence() -> None:
    text = "".join(f"ID={id}, log probability={p}\n{TREE}\n" for id, p in [(1, -0.5), (1, -2), (2, -1)])
    bank = auto.loads(text)
    assert analysis_offsets(bank).tolist() == [0, 2, 3]
    assert chosen_analyses(bank).tolist() == [0, 2]
    assert bank.vocabulary.decode(bank.sentences.score) == ["-0.5", "-2", "-1"]
    assert auto.loads(auto.dumps(bank)).equals(bank)


def test_a_header_alone_is_a_sentence_without_a_derivation() -> None:
    bank = auto.loads(f"ID=1\nID=2\n{TREE}\n\nID=3\n")
    assert bank.tokens.lengths().tolist() == [0, 2, 0]
    (finding,) = bank.diagnosis
    assert (finding.event, finding.counts.tolist()) == ("sentences without a derivation", [1, 0, 1])


def test_derivations_need_no_headers_and_words_may_hold_brackets() -> None:
    leaf = "(<L N NN NN a>b) N>)"
    bank = auto.loads(f"{leaf}\r\n{leaf}\n")
    assert [bank.words(i) for i in range(2)] == [["a>b)"], ["a>b)"]]
    assert bank.sentences.line.tolist() == [1, 2]


@pytest.mark.parametrize(
    ("line", "fields"),
    [
        (
            "(<T S 0 1> (<L N NN NN a N>)",
            {"line": 4, "actual": "a derivation that is not closed on its line"},
        ),
        ("(<L N NN NN a N>) )", {"line": 4, "actual": "a closing bracket too many"}),
        (
            "(<T S 0 2> (<L N NN NN a N>) )",
            {"line": 4, "actual": "a node with 1 children that says 2"},
        ),
        ("(<T S 0> (<L N NN NN a N>) )", {"line": 4, "names": ("(<T S 0> (<L N NN NN a N>) )",)}),
        ("(<L N NN a N>)", {"line": 4, "names": ("(<L N NN a N>)",)}),
        ("(S (N a))", {"line": 4, "names": ("(S (N a))",)}),
        ("(<T S 0 0> )", {"line": 4, "actual": "a derivation without a word"}),
        ("(<L N NN NN a N>) (<L N NN NN a N>)", {"line": 4, "names": ("(<L N NN NN a N>)",)}),
        ("(<T S 0 1> word (<L N NN NN a N>) )", {"line": 4, "names": ("word (<L N NN NN a N>) )",)}),
    ],
)
def test_bad_derivations_are_refused_with_their_line(line: str, fields: dict[str, object]) -> None:
    with raises(FormatError, **fields):
        auto.loads(f"{HEADER}\n{TREE}\nID=2\n{line}\n")


def test_a_bad_category_is_shown_with_a_caret(tmp_path: Path) -> None:
    path = tmp_path / "bad.auto"
    path.write_text(f"{HEADER}\n{TREE}\nID=two\n{TREE.replace('S[dcl]', 'S[dcl')}\n")
    with raises(FormatError, "S[dcl\\\\NP", "'['", line=3, sentence="two"):
        read(path)


def test_a_tree_with_two_roots_is_no_derivation() -> None:
    with raises(
        SentenceError,
        path="text",
        line=1,
        sentence="1",
        problem="found 2 roots, expected one (a derivation has one)",
    ):
        auto.dumps(bracket.read(b"(NP (N a)) (NP (N b))", "text", by_line=True))


leaves = st.builds(
    lambda word, category: f"(<L {category} XX XX {word} {category}>)",
    st.text(st.characters(exclude_categories=["Z", "C"]), min_size=1, max_size=4).filter(
        lambda word: not word.startswith("(<")
    ),
    st.sampled_from(["N", r"S[dcl]\NP", "NP[nb]/N", "."]),
)
trees = st.recursive(
    leaves,
    lambda inner: st.lists(inner, min_size=1, max_size=3).map(
        lambda children: f"(<T NP 0 {len(children)}> {' '.join(children)} )"
    ),
    max_leaves=8,
)


@given(st.lists(trees, min_size=1, max_size=4))
def test_derivations_are_written_as_they_were_read(derivations: list[str]) -> None:
    text = "".join(f"ID={index}\n{tree}\n" for index, tree in enumerate(derivations))
    assert auto.dumps(auto.loads(text)) == text


def test_real_derivations_are_written_as_they_were_read(shared_data: Path) -> None:
    for name in ("geo-dev.auto", "geo-dev.depccg_default.auto"):
        path = shared_data / "ccg-geometry" / name
        bank: Treebank = auto.load(path)
        assert (len(bank), len(bank.tokens)) == (62, 892)
        assert auto.dumps(bank) == path.read_text()
