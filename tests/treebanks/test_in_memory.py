"""Parses that are in memory: every type in and out, and objects that are not parses."""

from __future__ import annotations

import gzip
import io
import pickle
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import conllu
import numpy as np
import pytest
from nltk import Nonterminal, ParentedTree, Tree

import crossbank
from crossbank import scorer
from crossbank.treebanks.chunks import LengthMismatchError
from crossbank.treebanks.errors import SentenceError
from crossbank.treebanks.formats import bracket
from crossbank.treebanks.in_memory.elements import ElementError
from crossbank.treebanks.in_memory.sources import chunks_of_elements, treebank_of_source
from tests.errors import raises
from tests.validity import validate

TEXT = "(S (NP (DT the) (NN dog)) (VP (VBZ barks)) (. .))"
OTHER = "(S (NP (NNP Anna)) (VP (VBZ sleeps)))"
CONLLU = "1\tAnna\tAnna\tPROPN\tNNP\t_\t2\tnsubj\t_\t_\n2\tsleeps\tsleep\tVERB\tVBZ\t_\t0\troot\t_\t_\n\n"


class Morph:
    """spaCy's morphology, as a string."""

    def __str__(self) -> str:
        return "Number=Sing"


@dataclass
class Token:
    """What is used of spaCy's token."""

    i: int
    text: str
    head_i: int
    dep_: str
    of: list[Token] = field(repr=False)
    lemma_: str = "l"
    pos_: str = "X"
    tag_: str = "Y"
    morph: Morph = field(default_factory=Morph)

    @property
    def head(self) -> Token:
        return self.of[self.head_i]

    @property
    def is_space(self) -> bool:
        return self.text.isspace()


class Span(list[Token]):
    """What is used of spaCy's span."""

    _ = SimpleNamespace(parse_string=OTHER)

    @classmethod
    def has_extension(cls, name: str) -> bool:
        return name == "parse_string"


class Doc:
    """What is used of spaCy's document: two sentences."""

    def __init__(self) -> None:
        tokens: list[Token] = []
        tokens += [Token(0, "Anna", 1, "nsubj", tokens), Token(1, "sleeps", 1, "ROOT", tokens)]
        tokens += [Token(2, "\n", 4, "", tokens), Token(3, "Ben", 4, "nsubj", tokens)]
        tokens += [Token(4, "runs", 4, "ROOT", tokens)]
        self.tokens = tokens
        self.sents = [Span(tokens[:2]), Span(tokens[2:])]

    def __iter__(self) -> Iterator[Token]:
        return iter(self.tokens)

    def has_annotation(self, name: str) -> bool:
        return name == "SENT_START"


Span.__module__ = "spacy.tokens.span"
Doc.__module__ = "spacy.tokens.doc"


class Sentence(SimpleNamespace):
    """What is used of Stanza's sentence."""


class Document(SimpleNamespace):
    """What is used of Stanza's document."""


Sentence.__module__ = Document.__module__ = "stanza.models.common.doc"


def stanza_sentence() -> Sentence:
    keys = ("text", "lemma", "upos", "xpos", "feats", "head", "deprel")
    values = (
        ("Anna", None, "PROPN", "NNP", None, 2, "nsubj"),
        ("sleeps", "sleep", "VERB", None, None, 0, "root"),
    )
    words = [SimpleNamespace(**dict(zip(keys, row, strict=True))) for row in values]
    tokens = [SimpleNamespace(id=(1, 2), text="Annasleeps")]
    return Sentence(words=words, tokens=tokens, constituency=OTHER)


ELEMENTS: dict[str, Callable[[], Any]] = {
    "strings": lambda: OTHER,
    "nltk": lambda: Tree.fromstring(OTHER),
    "parented": lambda: ParentedTree.fromstring(OTHER),
    "conllu": lambda: conllu.parse(CONLLU)[0],
    "spacy": lambda: Doc().sents[0],
    "stanza": stanza_sentence,
    "heads": lambda: (["Anna", "sleeps"], np.array([2, 0]), ["nsubj", "root"]),
    "spans": lambda: ([("Anna", "NNP"), ("sleeps", "VBZ")], [(1, 2, "VP"), (0, 2, "S"), (0, 1, "NP")]),
}


@pytest.mark.parametrize("element_type", ELEMENTS)
@pytest.mark.parametrize("form", [list, tuple, iter], ids=lambda form: form.__name__)
def test_every_type_with_sentences_without_a_parse(element_type: str, form: Callable[[Any], Any]) -> None:
    bank = treebank_of_source(form([None, ELEMENTS[element_type](), "", ELEMENTS[element_type]()]), "parses")
    assert [sentence.words for sentence in bank] == [[], ["Anna", "sleeps"], [], ["Anna", "sleeps"]]
    assert bank.sentence_ids == ["1", "2", "3", "4"]
    assert bank.where(1) == "parses"
    assert not validate(bank)
    if bank.has_constituents:
        assert bracket.dumps(bank).split("\n")[1] == OTHER or element_type in ("spacy", "stanza")
        assert bank.vocabulary.decode(bank.nodes.label) == ["S", "NP", "VP"] * 2
    if bank.has_dependencies:
        assert bank[1].heads == [1, -1]
        assert bank[1].relations[0] == "nsubj"


def test_a_document_is_one_unit_and_white_space_no_word() -> None:
    bank = treebank_of_source([Doc(), None, Doc()], "trees")
    assert [s.words for s in bank] == [
        ["Anna", "sleeps", "Ben", "runs"],
        [],
        ["Anna", "sleeps", "Ben", "runs"],
    ]
    assert bank[0].heads == [1, -1, 3, -1]
    assert bank[0].tags == ["X"] * 4
    assert bank.vocabulary.decode(bank.nodes.label) == ["S", "NP", "VP"] * 4
    assert bank.roots().tolist() == [2, 0, 2]


def test_a_document_cut_elsewhere_than_gold_is_compared_word_by_word(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Candidate and gold had different numbers of sentences, or sentences were shifted by chance."""
    monkeypatch.setattr(Span, "has_extension", lambda name: False)
    whole, last = Doc(), Doc()
    whole.sents = [Span(whole.tokens)]
    last.sents = [Span(last.tokens[:1]), Span(last.tokens[1:4]), Span(last.tokens[4:])]
    for documents in (whole, last):
        documents.tokens[0].head_i = 0
    result = crossbank.score([Doc(), Doc()], [whole, last], "dependencies")
    assert result["uas"] == 6 / 8
    assert len(result.counts) == 2


@pytest.mark.parametrize("at_once", [1, 2, 3, 5, 20])
def test_documents_are_compared_with_lists_of_all_their_words(
    monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    monkeypatch.setattr(scorer, "AT_ONCE", at_once, raising=False)
    triple = (["Anna", "sleeps", "Ben", "runs"], [2, 0, 4, 0], ["nsubj", "ROOT"] * 2)
    documents, triples = [Doc() for _ in range(5)], [triple] * 5
    assert crossbank.score(triples, documents, "dependencies")["las"] == 1
    assert len(crossbank.score(iter(documents), iter(triples), "dependencies").counts) == 5
    for gold, candidate in ((triples[:4], documents), (documents[:4], triples)):
        with raises(LengthMismatchError, gold=("gold", 4), candidate=("candidate", 5)):
            crossbank.score(gold, candidate, "dependencies")


def test_an_empty_document_is_a_sentence_without_a_parse() -> None:
    """Those after it would be compared with the sentences before theirs."""
    spacy, stanza = Doc(), Document(sentences=[])
    spacy.tokens, spacy.sents = [], []
    for document in (spacy, stanza):
        bank = treebank_of_source(
            [document, Doc().sents[0] if document is spacy else stanza_sentence()], "trees"
        )
        assert bank[0].words == []
        assert bank[1].heads == [1, -1]


def test_a_document_of_stanza_is_one_unit() -> None:
    document = Document(sentences=[stanza_sentence(), stanza_sentence()])
    bank = treebank_of_source([stanza_sentence(), document], "trees")
    assert bank[1].words == ["Anna", "sleeps"] * 2
    assert bank[1].heads == [1, -1, 3, -1]
    assert (bank.multiword.first.tolist(), bank.multiword.last.tolist()) == ([0, 0, 2], [1, 1, 3])
    assert bank.roots().tolist() == [1, 2]


def test_stanzas_multiword_tokens_are_kept() -> None:
    bank = treebank_of_source([stanza_sentence()], "trees")
    assert (bank.multiword.first.tolist(), bank.multiword.last.tolist()) == ([0], [1])


def test_strings_are_read_as_files_are() -> None:
    strings = [TEXT, "(())", "( (S (NN New\nYork)) )", "\n (A a)\r\n", ""]
    bank = treebank_of_source(strings, "trees")
    same = bracket.read(f"{TEXT}\n(())\n( (S (NN New York)) )\n(A a)\n\n".encode(), "text", by_line=True)
    assert bank.equals(same, ignore=("source", "line"))


def test_back_and_forth() -> None:
    bank = crossbank.Treebank([TEXT, None])
    assert bank.to_nltk() == [Tree.fromstring(TEXT), None]
    assert crossbank.Treebank(bank.to_nltk()).to_spans() == bank.to_spans()
    words, spans = bank.to_spans()[0]
    assert (words, spans) == (["the", "dog", "barks", "."], [(0, 4, "S"), (0, 2, "NP"), (2, 3, "VP")])
    assert crossbank.Treebank(bank.to_spans()[:1]).to_spans() == [(words, spans)]
    heads = crossbank.Treebank([ELEMENTS["heads"]()])
    assert crossbank.Treebank(heads.to_token_lists())[0].heads == heads[0].heads
    with raises(SentenceError, line=1, sentence="1"):
        crossbank.loads("(S (VP (A 0=a) (B 2=b)) (V 1=c))", "discbracket").to_spans()


def test_nonterminals_of_grammars_are_labels() -> None:
    bank = treebank_of_source([Tree(Nonterminal("S"), [Tree("A", ["a"])])], "trees")
    assert bank.to_spans() == [(["a"], [(0, 1, "S")])]


def failing() -> Iterator[str]:
    yield TEXT
    raise OSError("the disk is gone")


def within_itself() -> Tree:
    tree = Tree("S", ["a"])
    tree.append(tree)
    return tree


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ([TEXT, 5], ("gold[1]:", "5")),
        (
            [TEXT, Tree("A", ["a"])],
            ("gold[1]:",),
        ),
        ([TEXT, f"{TEXT} {OTHER}"], ("gold[1]:", "2")),
        (
            [TEXT, "", "(S (A a)"],
            ("gold[2]:", "1"),
        ),
        ([TEXT, "(S (A a)))"], ("gold[1]:",)),
        ([TEXT, "dog"], ("gold[1]:", "'dog'")),
        ([TEXT, "(S \ud800)"], ("gold[1]:", "'\\ud800'")),
        ([TEXT, "(S \0)"], ("gold[1]:",)),
        (TEXT, ("gold:", "'(S (NP (DT the) (NN dog)) (VP (VBZ barks'")),
        (Tree.fromstring(TEXT), ("gold:",)),
        (conllu.parse(CONLLU)[0], ("gold:", "TokenList")),
        (5, ("gold:", "5")),
        ({"a": TEXT}, ("gold:", "dict")),
        ({TEXT}, ("gold:", "set")),
        (TEXT.encode(), ("gold:", "bytes")),
        ([], ("gold:",)),
        (failing(), ("gold[1]:", "OSError: the disk is gone")),
        ([None, Tree(5, ["a", "b"])], ("gold[1]:", "5")),
        ([Tree("A", [Tree("B", [["a"]])])], ("gold[0]:",)),
        ([(["a"], [0])], ("gold[0]:", "0")),
        (
            [(["a"], [3], ["x"])],
            ("gold[0]:", "head 3"),
        ),
        ([(["a"], [-1], ["x"])], ("gold[0]:", "head -1")),
        ([(["a"], ["0"], ["x"])], ("gold[0]:", "'0'")),
        ([(["a"], [0], [1])], ("gold[0]:", "1")),
        (
            [(["a", "b"], [0], ["x"])],
            ("gold[0]:", "2", "1"),
        ),
        ([(["a", "b"], [(0, 3, "S")])], ("gold[0]:", "(0, 3, 'S')")),
        ([(["a"], [(0, 1, 7)])], ("gold[0]:", "7")),
        (
            [(["a", "b", "c"], [(0, 2, "A"), (1, 3, "B")])],
            ("gold[0]:", "(1, 3, 'B')", "(0, 2, 'A')"),
        ),
        ([(["a"], None, ["x"])], ("gold[0]:", "None")),
        ([(["a"], [0], "x")], ("gold[0]:", "'x'")),
        ([(["a"], 5)], ("gold[0]:", "5")),
        (
            [None, within_itself()],
            ("gold[1]:", "100,000"),
        ),
        ([None, Tree("A", [3])], ("gold[1]:", "leaf 3")),
        ([conllu.TokenList([conllu.Token(form="a")])], ("gold[0]:",)),
        ([["a", "b"]], ("gold[0]:", "list")),
        (
            crossbank.read([TEXT, TEXT])[1],
            ("gold:", "treebank[1:2]"),
        ),
    ],
)
def test_what_is_no_parse_is_told_with_its_place(source: Any, names: tuple[str, ...]) -> None:
    with raises(crossbank.CrossbankError, *names) as raised:
        crossbank.score(source, [TEXT])
    assert "\n" not in str(raised.value)


def test_trees_of_other_kinds_than_nltks_are_refused_by_from_trees() -> None:
    with raises(ElementError, name="trees", index=0, actual="the string '(S a)'", expected="an nltk.Tree"):
        crossbank.Treebank.from_trees(["(S a)"])  # type: ignore[list-item]


def test_chunks_are_numbered_on() -> None:
    chunks = list(chunks_of_elements((TEXT for _ in range(5)), size=2))
    assert [list(chunk.sentence_ids) for chunk in chunks] == [["1", "2"], ["3", "4"], ["5"]]


def test_texts_bytes_and_open_files(tmp_path: Path) -> None:
    bank = crossbank.loads(TEXT, "bracket")
    data = TEXT.encode("utf-16"), gzip.compress(TEXT.encode()), bytearray(TEXT.encode())
    for text in data:
        assert crossbank.dumps(crossbank.loads(text, "bracket"), "bracket") == TEXT + "\n"
    stream = io.BytesIO()
    crossbank.dump(bank, stream, "parquet")
    assert crossbank.dumps(crossbank.loads(stream.getvalue(), "parquet"), "bracket") == TEXT + "\n"
    for name, opened in (("a.export", open), ("b.export.gz", gzip.open)):
        with opened(tmp_path / name, "wt", encoding="utf-8") as file:
            crossbank.dump(bank, file, "export")  # type: ignore[arg-type]
        with open(tmp_path / name, "rb") as file:
            assert crossbank.load(file)[0].words == bank[0].words
    text = io.StringIO()
    crossbank.dump(bank, text, "bracket")
    assert text.getvalue() == TEXT + "\n"
    latin = io.BytesIO("(S (A Grün))".encode("latin-1"))
    assert crossbank.load(latin, "bracket", encoding="latin-1")[0].words == ["Grün"]


def test_treebanks_are_pickled_after_loops_have_seen_them() -> None:
    bank = crossbank.loads(TEXT, "bracket")
    assert bank.spans.size.tolist()
    assert crossbank.dumps(pickle.loads(pickle.dumps(bank)), "bracket") == TEXT + "\n"


@pytest.mark.parametrize(
    ("call", "names"),
    [
        *(
            (written, ("text:1:", "bracket", "conllx"))
            for written in (
                lambda: crossbank.dumps(crossbank.loads(CONLLU, "conllu"), "bracket"),
                lambda: crossbank.write(crossbank.loads(CONLLU, "conllu"), "/nowhere/x.mrg"),
            )
        ),
        (lambda: crossbank.loads(5, "bracket"), ("text:", "5")),  # type: ignore[arg-type]
        (lambda: crossbank.loads("", "tsdb"), ("text:", "tsdb")),
        (lambda: crossbank.loads("(S a)", "mrg"), ("format:", "'mrg'")),
        (lambda: crossbank.load("a.mrg"), ("load:", "'a.mrg'")),  # type: ignore[arg-type]
        (
            lambda: crossbank.dump(crossbank.loads(TEXT, "bracket"), "a"),
            ("dump:", "'a'"),
        ),  # type: ignore[arg-type]
        (
            lambda: crossbank.dumps(crossbank.loads(TEXT, "bracket"), "parquet"),
            ("dumps:", "parquet"),
        ),
        (lambda: crossbank.load(io.StringIO(TEXT)), ("format",)),
        (
            lambda: crossbank.dumps([TEXT], "bracket"),
            ("type list",),
        ),  # type: ignore[arg-type]
        (lambda: crossbank.dumps(5, "bracket"), ("type int",)),  # type: ignore[arg-type]
        (
            lambda: crossbank.write(crossbank.loads(TEXT, "bracket"), 5),  # type: ignore[arg-type]
            ("path:", "5"),
        ),
        (
            lambda: crossbank.find(5, crossbank.loads(TEXT, "bracket")),  # type: ignore[arg-type]
            ("pattern:", "5"),
        ),
        (
            lambda: crossbank.read([TEXT], "export"),
            ("trees:", "format="),
        ),
    ],
)
def test_mistakes_about_texts_and_files(call: Callable[[], object], names: tuple[str, ...]) -> None:
    with raises(crossbank.CrossbankError, *names):
        call()
