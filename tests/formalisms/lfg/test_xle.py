"""XLE's f-structures with packed choices."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import crossbank
from crossbank.formalisms.lfg.formats import triples, xle
from crossbank.formalisms.lfg.fstructures import QUALITY, read_attribute
from crossbank.metrics.counting.scoring import LackingViewError
from crossbank.treebanks import CrossbankError, FormatError, Treebank
from crossbank.treebanks.formats import read_all
from crossbank.treebanks.relations.relation import Relation, relations_of
from crossbank.treebanks.tables import NO_TOKEN
from tests.errors import raises
from tests.formalisms.lfg.fstructures import GLASSES, packed


def edges(bank: Treebank, analysis: int) -> set[tuple[str, str, str]]:
    return {
        (relation.name, relation.head.word, relation.dependent.word)
        for relation in relations_of(bank, analysis)
    }


def test_solutions_have_their_own_f_structures() -> None:
    bank = xle.loads(GLASSES)
    assert bank.sentences.analysis.tolist() == [0, 1, 2]
    assert bank.sentences.chosen.tolist() == [1, 0, 0]
    assert [("adjunct", "see", "") in edges(bank, analysis) for analysis in range(3)] == [True, False, False]
    assert [("adjunct", "Ben", "") in edges(bank, analysis) for analysis in range(3)] == [False, True, True]
    assert [("obj", "with", "glasses") in edges(bank, analysis) for analysis in range(3)] == [
        True,
        True,
        False,
    ]
    assert [("num", "glass", "pl") in edges(bank, analysis) for analysis in range(3)] == [False, False, True]
    assert ("tense", "", "past") in edges(bank, 0)


def test_solutions_have_their_own_trees() -> None:
    bank = xle.loads(GLASSES)
    assert [" ".join(str(bank.tree(analysis)).split()) for analysis in (0, 1)] == [
        "(ROOT (S (NP Anna) (VP (V saw) (NP Ben) (PP (P with) (NP glasses)))) (PERIOD .))",
        "(ROOT (S (NP Anna) (VP (V saw) (NP (NP Ben) (PP (P with) (NP glasses))))) (PERIOD .))",
    ]
    string = bank.vocabulary.decode
    tokens = bank.tokens.rows(0)
    assert string(bank.tokens.lemma[tokens]) == ["Anna", "see", "Ben", "with", "glasses", "."]
    assert string(bank.tokens.morph[tokens])[1] == "Past"
    assert string(bank.tokens.pos[tokens]) == ["NP", "V", "NP", "P", "NP", "PERIOD"]


def test_terminals_are_words_where_there_are_no_surface_forms() -> None:
    lines = [line for line in GLASSES.split("\n") if "surfaceform" not in line]
    text = "\n".join(lines).replace("cf(B2,semform_data(6,15,19,25)),", "cf(B2,semform_data(6,15,19,25))")
    assert xle.loads(text).words(0) == ["Anna", "see", "+Past", "Ben", "with", "glasses", "."]


def test_predicates_know_their_tokens() -> None:
    bank = xle.loads(GLASSES)
    positions = {
        relation.head.word: relation.head.token
        for relation in relations_of(bank, 2)
        if relation.name == "pred"
    }
    assert positions == {"see": 1, "Anna": 0, "Ben": 2, "with": 3, "glass": 4}


def test_what_is_left_out_is_counted() -> None:
    bank = xle.loads(GLASSES)
    assert {finding.event: finding.counts.tolist() for finding in bank.diagnosis} == {
        "feature specifications outside of the outermost f-structure": [1, 1, 1]
    }


def ambiguous(spaces: int) -> str:
    """An f-structure with two independent options in each of some choices: 2 to their number of solutions."""
    return packed(
        [f"choice([A{n},B{n}], 1)" for n in range(spaces)],
        [f"select(B{n}, 1)" for n in range(spaces)],
        [f"cf(A{n}, eq(attr(var(0),'X{n}'),'a'))" for n in range(spaces)],
    )


def test_thousands_of_solutions_are_counted_and_not_unpacked() -> None:
    bank = xle.loads(ambiguous(20), solutions=10)
    # The selected solution is the last one of all.
    assert len(bank) == 11
    assert np.flatnonzero(bank.sentences.chosen).tolist() == [10]
    assert [(finding.event, finding.total) for finding in bank.diagnosis] == [
        ("solutions dropped: more than 10", 2**20 - 11)
    ]
    assert len(xle.loads(ambiguous(3))) == 8


def test_a_choice_that_no_solution_selects_is_not_chosen() -> None:
    text = packed(["choice([A1,A2], 1)", "choice([B1,B2], A1)"], ["select(A1, 1)"])
    assert not xle.loads(text).sentences.chosen.any()


def test_a_choice_comes_after_those_that_its_context_names() -> None:
    text = packed(
        ["choice([B1,B2], CV_1)", "choice([A1,A2], 1)"],
        ["define(CV_1, or(CV_2))", "define(CV_2, A2)"],
        ["cf(B2,eq(attr(var(0),'X'),'b'))", "cf(A1,eq(attr(var(0),'X'),'a'))"],
    )
    bank = xle.loads(text)
    assert sorted(relation for row in range(3) for relation in edges(bank, row)) == [
        ("x", "", "a"),
        ("x", "", "b"),
    ]


def test_choices_that_are_brought_into_order_have_the_same_order_in_every_process() -> None:
    first = [f"choice([{name}1,{name}2], 1)" for name in "ABCDEF"]
    text = packed(
        ["choice([G1,G2], or(A1,B1,C1,D1,E1,F1))", *first],
        [],
        [f"cf({name}1,eq(attr(var(0),'{name}'),'a'))" for name in "ABCDEFG"],
    )
    displayed = {
        subprocess.run(
            [sys.executable, "-c", PRINTED],
            input=text,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in "1234"
    }
    assert len(displayed) == 1
    assert len(displayed.pop().splitlines()) > 10


@pytest.mark.parametrize("text", ["\n\n", "% nothing but a comment\n"])
def test_files_without_any_analysis_are_told_to_be_empty(text: str, tmp_path: Path) -> None:
    """The message was that a scheme with rules for relations is needed."""
    path = tmp_path / "empty.pl"
    path.write_text(text)
    with raises(LackingViewError, "empty.pl", annotation="words or analyses in 1 sentence"):
        crossbank.score(crossbank.read(path, "xle"), crossbank.read(path, "xle"), "fstructure")


PRINTED = """
import sys
from crossbank.formalisms.lfg.formats import xle
from crossbank.formalisms.lfg.formats import triples
print(triples.dumps(xle.loads(sys.stdin.read(), solutions=10)))
"""


@given(st.data())
def test_as_many_solutions_as_can_be_counted(data: st.DataObject) -> None:
    """Each choice depends on options before it; the count follows no solution to its end."""
    options: list[str] = []
    choices = []
    for number in range(data.draw(st.integers(1, 6))):
        chosen = data.draw(st.lists(st.sampled_from(options), max_size=3)) if options else []
        context = f"or({','.join(chosen)})" if chosen else "1"
        own = [f"V{number}{letter}" for letter in "abc"[: data.draw(st.integers(1, 3))]]
        choices.append(f"choice([{','.join(own)}], {context})")
        options += own
    bank = xle.loads(packed(choices), solutions=3)
    every = xle.loads(packed(choices), solutions=1000)
    left_out = sum(finding.total for finding in bank.diagnosis if "solutions dropped" in finding.event)
    assert len(bank) + left_out == len(every)


@pytest.mark.parametrize(
    ("marks", "expected"),
    [("2", "full"), ("*2", "fragment"), ("~2", "skimmed"), ("*~2", "skimmed_fragment"), ("2+3", "full")],
)
def test_parse_quality(marks: str, expected: str) -> None:
    bank = xle.loads(GLASSES.replace("'3 solutions", f"'{marks} solutions"))
    assert read_attribute(bank.vocabulary[int(bank.sentences.comments[0])], QUALITY) == expected


def test_the_first_line_names_the_encoding(tmp_path: Path) -> None:
    path = tmp_path / "s1.pl"
    path.write_bytes(GLASSES.replace("Ben", "Bjørn").replace("utf-8", "iso-8859-1").encode("latin-1"))
    bank = xle.load(path)
    assert bank.words(0)[2] == "Bjørn"
    assert bank.sentence_id(0) == "s1"
    path.write_bytes(GLASSES.replace("utf-8", "klingon-1").encode())
    with raises(FormatError, path=str(path), line=1, actual="the encoding 'klingon-1'"):
        xle.load(path)


def test_a_file_that_declares_latin_1_and_is_utf_8(tmp_path: Path) -> None:
    """The analyses of the MRS suite are like that."""
    path = tmp_path / "s1.pl"
    path.write_text(GLASSES.replace("Ben", "Bjørn").replace("utf-8", "iso-8859-1"), "utf-8")
    bank = xle.load(path)
    assert bank.words(0)[2] == "Bjørn"
    assert "files that declare iso-8859-1 and are UTF-8" in [finding.event for finding in bank.diagnosis]
    assert xle.load(path, encoding="iso-8859-1").words(0)[2] == "BjÃ¸rn"


def test_a_file_without_a_term_is_a_sentence_without_an_analysis(tmp_path: Path) -> None:
    (tmp_path / "s1.pl").write_text("\n")
    bank = xle.load(tmp_path / "s1.pl")
    assert len(bank) == 1
    assert len(bank.tokens) == 0
    assert [finding.event for finding in bank.diagnosis] == ["sentences without an analysis"]


@pytest.mark.parametrize(
    ("old", "new", "fields"),
    [
        (
            "cf(B2,eq(attr(var(5)",
            "cf(C7,eq(attr(var(5)",
            {"line": 38, "names": ("C7",)},
        ),
        (
            "define(CV_001, or(A1,B1))",
            "define(CV_001, or(A1,CV_001))",
            {"line": 17, "names": ("CV_001", "it")},
        ),
        (
            "select(A1, 1),",
            "select(A1, 1),\n\tselect(A2, 1),",
            {"line": 17, "names": ("A1", "A2")},
        ),
        (
            "choice([B1,B2], A2)",
            "choice([B1,A2], A2)",
            {"line": 12, "names": ("A2",)},
        ),
        (
            "cf(1,subtree(20,'ROOT',21,29)),",
            "cf(1,subtree(20,'ROOT',21)),",
            {"line": 43, "names": ("XLE",)},
        ),
        ("'past'", "past'", {"line": 26, "names": (")),",)}),
        ("],\n\t% Choices", "),\n\t% Choices", {"line": 8, "names": ("')'", "']'")}),
        (
            "cf(1,phi(20,var(0))),",
            "cf(1,phi(20,var(0)))",
            {"line": 46, "names": ("'cf'",)},
        ),
        (
            "subtree(33,'NP',34,16)",
            "subtree(33,'NP',34,13)",
            {"line": 3, "names": ("13",)},
        ),
    ],
)
def test_bad_input_is_one_line(old: str, new: str, fields: dict[str, object]) -> None:
    assert old in GLASSES
    with raises(FormatError, **fields) as raised:
        xle.loads(GLASSES.replace(old, new))
    assert "\n" not in str(raised.value)


def test_truncated_files_are_refused_or_read() -> None:
    for end in range(0, len(GLASSES.rstrip()) - 1, 7):
        try:
            xle.loads(GLASSES[:end])
        except FormatError as error:
            assert "\n" not in str(error)  # noqa: PT017
        else:
            assert "fstructure" not in GLASSES[:end]


def test_damaged_files_give_no_traceback() -> None:
    generator = random.Random(13)
    signs = "()[],'%.0AB\\ \n"
    refused = 0
    for _ in range(400):
        text = list(GLASSES)
        for _ in range(generator.randrange(1, 4)):
            index = generator.randrange(len(text))
            text[index] = generator.choice(signs) * generator.randrange(3)
        try:
            triples.dumps(xle.loads("".join(text)))
        except CrossbankError as error:
            refused += 1
            assert "\n" not in str(error)  # noqa: PT017
    assert refused > 100


def test_deep_contexts_and_trees() -> None:
    deep = 5000
    context = "or(" * deep + "A1" + ")" * deep
    fact = "cf(CV_1,eq(attr(var(0),'X'),'a'))"
    text = packed(["choice([A1,A2], 1)"], [f"define(CV_1, {context})"], [fact])
    assert len(xle.loads(text).relations) == 1
    chain = ", ".join(f"cf(1,subtree({n},'X',-,{n + 1}))" for n in range(deep))
    word = f"cf(1,terminal({deep},'a',[1])), cf(1,surfaceform(1,'a',1,2))"
    assert len(xle.loads(f"fstructure('', [], [], [], [], [{chain}, {word}]).").nodes) == deep - 1


# Real analyses


@pytest.mark.slow
@pytest.mark.parametrize(("language", "files", "analysed"), [("nb", 107, 107), ("ka", 100, 66)])
def test_real_analyses(shared_data: Path, language: str, files: int, analysed: int) -> None:
    """XLE itself says how many solutions there are; in front of a plus stands the number of optimal ones."""
    bank = read_all([str(shared_data / f"xle-fstructures/mrs/{language}/*.pl")], "xle")
    first = np.flatnonzero(bank.sentences.analysis == 0)
    sizes = np.diff([*first.tolist(), len(bank)])
    assert len(first) == files
    assert int((bank.tokens.lengths()[first] > 0).sum()) == analysed
    for row, size in zip(first.tolist(), sizes.tolist(), strict=True):
        for comment in bank.vocabulary[int(bank.sentences.comments[row])].split("\n"):
            key, _, value = comment.partition(" = ")
            if key == "statistics":
                assert int(value.split()[0].split("+")[0]) == size
    assert {finding.event for finding in bank.diagnosis} <= {
        "feature specifications outside of the outermost f-structure",
        "sentences without an analysis",
        "facts dropped: scopes",
        "files that declare iso-8859-1 and are UTF-8",
    }
    if language == "nb":
        assert any("på" in bank.words(row) for row in range(len(bank)))
    again = triples.loads(triples.dumps(bank))
    assert triples.dumps(again) == triples.dumps(bank)
    for row in range(len(bank)):
        assert again.words(row) == bank.words(row)
        assert [without_positions(relation) for relation in relations_of(bank, row)] == relations_of(
            again, row
        )


def without_positions(relation: Relation) -> Relation:
    head, dependent = (word._replace(token=NO_TOKEN) for word in relation[1:3])
    return relation._replace(head=head, dependent=dependent)
