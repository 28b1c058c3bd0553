"""F-structures as triples."""

from __future__ import annotations

import random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from crossbank.formalisms.lfg.formats import triples
from crossbank.formalisms.lfg.fstructures import Arguments
from crossbank.treebanks import CrossbankError, FormatError
from crossbank.treebanks.errors import SentenceError
from crossbank.treebanks.formats import relations
from crossbank.treebanks.relations.relation import Relation, Word, from_relations, relations_of
from tests.errors import raises

# Our own sentence, in the form of the PARC 700 Dependency Bank.
SENTENCE = """\
sentence(
id(s1)
date(2002.6.12)
validators(A. Nonymous, N. N.)
sentence_form(The old dog hasn't seen Ann's cat (twice).)
structure(
subj(see~0, dog~1)
obj(see~0, cat~2)
tense(see~0, past), adjunct(dog~1, old~3)
poss(cat~2, 'Ann~s'~4)
num(cat~2, sg)
pred(see~0, sf(see, i15, [dog~1, cat~2], [NULL]))
check(see~0, _~5)
))
"""


def test_a_sentence() -> None:
    bank = triples.loads(SENTENCE)
    assert bank.sentence_id(0) == "s1"
    assert bank.words(0)[3:5] == ["hasn't", "seen"]
    assert bank.vocabulary[int(bank.sentences.comments[0])].split("\n") == [
        "date = 2002.6.12",
        "validators = A. Nonymous, N. N.",
    ]
    actual = relations_of(bank, 0)
    assert actual[0] == Relation("subj", Word("see", tag="0"), Word("dog", tag="1"))
    assert actual[4].dependent == Word("Ann~s", tag="4")
    assert actual[5] == Relation("num", Word("cat", tag="2"), Word("sg"))
    assert Arguments.read(actual[6].type) == Arguments("i15", ("1", "2"), ("NULL",))
    assert actual[7].dependent == Word("", tag="5")
    assert triples.loads(triples.dumps(bank)).equals(bank, ignore=["line"])


def test_triples_alone_are_parted_by_blank_lines() -> None:
    bank = triples.loads("subj(see~1, dog~2)\nnum(dog~2, sg)\n\nsubj(bark~0, dog~1)\n")
    assert bank.relations.lengths().tolist() == [2, 1]
    assert bank.sentences.line.tolist() == [1, 4]


def test_several_analyses() -> None:
    text = "".join(
        f"sentence(\nid(s1)\nanalysis({number})\n{chosen}structure(\nsubj(see~1, {word}~2)\n))\n"
        for number, word, chosen in ((1, "dog", ""), (2, "cat", "chosen(yes)\n"))
    )
    bank = triples.loads(text)
    assert bank.sentences.analysis.tolist() == [0, 1]
    assert bank.sentences.chosen.tolist() == [0, 1]
    assert triples.loads(triples.dumps(bank)).equals(bank, ignore=["line"])


WORDS = st.text(st.characters(exclude_categories=["C", "Z"], include_characters=" "), min_size=1, max_size=6)


@st.composite
def f_structures(draw: st.DrawFn) -> list[Relation]:
    """Return the relations of nodes whose predicates are any words, and atoms."""
    words = draw(st.lists(st.one_of(st.just(""), WORDS), min_size=1, max_size=5))
    nodes = [Word(word, tag=str(number)) for number, word in enumerate(words)]
    drawn = []
    for _ in range(draw(st.integers(0, 8))):
        head = draw(st.sampled_from(nodes))
        if draw(st.booleans()):
            names = st.lists(st.sampled_from([*(node.tag for node in nodes), "NULL"]), max_size=3)
            arguments = Arguments("7", tuple(draw(names)), tuple(draw(names)))
            drawn.append(Relation("pred", head, Word(draw(WORDS)), str(arguments)))
        else:
            value = draw(st.one_of(st.sampled_from(nodes), WORDS.map(Word)))
            drawn.append(Relation(draw(WORDS), head, value))
    return drawn


@given(st.lists(f_structures(), min_size=1, max_size=3))
@example([[Relation(sign, Word("", tag="0"), Word(sign))] for sign in "),]~("])  # quoted, and no signs
def test_round_trip(sentences: list[list[Relation]]) -> None:
    bank = from_relations(sentences)
    again = triples.loads(triples.dumps(bank))
    for sentence, drawn in enumerate(sentences):
        assert relations_of(again, sentence) == drawn


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("subj(see~1, dog~2", {"line": 1, "names": ("'('", "')'")}),
        ("subj(see, dog~2)", {"line": 1, "names": ("see",)}),
        (
            "subj(see~, dog~2)",
            {"line": 1, "names": ("'~'",)},
        ),
        ("num(dog~2 sg)", {"line": 1, "actual": "num(dog ~ 2 sg)"}),
        (
            "subj(see~1, dog~2))",
            {"line": 1, "actual": "a closing bracket too many"},
        ),
        ("subj(see~1, dog~1)", {"line": 1, "actual": "see~1 and dog~1"}),
        ("", {"line": 1, "actual": "no sentence"}),
        ("sentence(\nid(1)\nfoo\n", {"line": 3, "names": ("foo",)}),
        (
            "sentence(\nid(1)\n",
            {"line": 1, "names": ("structure(",)},
        ),
        (
            "sentence(\nstructure(\nsubj(a~1, b~2)\n)\n",
            {"line": 2, "names": ("'('", "')'")},
        ),
        (
            "pred(a~1, sf(a, 1, [b~2]))",
            {"line": 1, "actual": "sf(a, 1, ...)"},
        ),
        (
            "sentence(\nid(1)\nanalysis(2)\nstructure(\n))\n",
            {"line": 1, "names": ("'1'",)},
        ),
    ],
)  # fmt: skip
def test_bad_input_is_one_line(text: str, fields: dict[str, object]) -> None:
    with raises(FormatError, **fields):
        triples.loads(text)


def test_a_sentence_without_its_last_brackets_does_not_reach_the_next() -> None:
    damaged = SENTENCE.replace("))\n", "") + SENTENCE
    with raises(FormatError, line=6, actual="'(' that is not closed"):
        triples.loads(SENTENCE.removesuffix("))\n") + ")\n" + SENTENCE)
    with raises(FormatError, line=12, actual="the end of the sentence"):
        triples.loads(damaged.replace("check(see~0, _~5)\n", "check(see~0, _~5\n"))


def test_other_relations_are_refused() -> None:
    bank = relations.loads("(ncsubj die proprietor _)")
    with raises(
        SentenceError,
        path="text",
        line=1,
        sentence="1",
        problem="found the relation ncsubj, which is not between nodes of an f-structure, expected triples",
    ):
        triples.dumps(bank)


def test_damaged_files_give_no_traceback() -> None:
    generator = random.Random(7)
    refused = 0
    for _ in range(400):
        text = list(SENTENCE)
        for _ in range(generator.randrange(1, 4)):
            text[generator.randrange(len(text))] = generator.choice("()[],'~.0A\\ \n_") * generator.randrange(
                3
            )
        try:
            triples.dumps(triples.loads("".join(text)))
        except CrossbankError as error:
            refused += 1
            assert "\n" not in str(error)  # noqa: PT017
    assert refused > 100
