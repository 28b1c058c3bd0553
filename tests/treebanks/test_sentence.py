"""A sentence of a treebank: what it says, and how terminals and notebooks show it."""

import pytest
from lxml import etree

from crossbank.treebanks import Sentence, Treebank
from crossbank.treebanks.formats import bracket, conllu, discbracket
from crossbank.treebanks.pictures.layout import DrawnArcs, draw_arcs

TREES = "(S (NP (D The) (N dog)) (VP (V sees) (NP (PRO <it>))))\n(X (Y yes))\n(X (Y no))\n"
HEADS = "1\tDogs\tdog\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_\n\n"


@pytest.fixture
def bank() -> Treebank:
    return bracket.loads(TREES)


def test_a_treebank_is_a_sequence_of_sentences(bank: Treebank) -> None:
    assert [sentence.text for sentence in bank] == ["The dog sees <it>", "yes", "no"]
    assert bank[-1].words == ["no"]
    assert bank[1:].equals(bank.select([1, 2]))
    assert bank[::-1].words(0) == ["no"]
    with pytest.raises(IndexError):
        bank[3]


def test_a_sentence_says_what_its_columns_say(bank: Treebank) -> None:
    first = bank[0]
    assert (first.id, first.tags, len(first)) == ("1", ["D", "N", "V", "PRO"], 4)
    assert first.tree().leaves() == first.words
    dependencies = conllu.loads(HEADS)[0]
    assert (dependencies.heads, dependencies.relations) == ([1, -1], ["nsubj", "root"])
    assert dependencies.lemmas == ["dog", "bark"]
    assert dependencies.token_list()[0]["deprel"] == "nsubj"


def test_a_terminal_prints_the_tree_or_the_heads(bank: Treebank) -> None:
    printed = repr(bank[0])
    assert printed.startswith("<Sentence 1: The dog sees <it>>\n")
    assert "NP" in printed
    assert str(conllu.loads(HEADS)[0]) == "1  Dogs  NOUN  2  nsubj\n2  bark  VERB  0  root"


def test_a_terminal_prints_crossing_branches() -> None:
    assert "VP" in str(discbracket.loads("(S (VP (V 0=Sleep) (R 2=well)) (PRO 1=you))")[0])


def pictures(sentence: Sentence) -> list[str]:
    page = etree.fromstring(f"<div>{sentence._repr_html_()}</div>")
    return [actual.get("class") for actual in page.iter("{http://www.w3.org/2000/svg}svg")]


def test_a_notebook_draws_what_there_is(bank: Treebank) -> None:
    assert pictures(bank[0]) == ["crossbank-drawing tree"]
    assert pictures(conllu.loads(HEADS)[0]) == ["crossbank-drawing arcs"]
    assert "&lt;it&gt;" in bank[0]._repr_html_()
    assert "3 sentences" in bank._repr_html_()
    assert bank[:0]._repr_html_() == "<p>Treebank of 0 sentences, 0 tokens, 0 nodes</p>"


def test_arcs_that_differ_are_marked_on_both_sides() -> None:
    gold, actual = DrawnArcs([1, -1, 1], ["a", "root", "b"]), DrawnArcs([1, -1, 0], ["a", "root", "b"])
    drawing = draw_arcs(["x", "y", "z"], gold, actual)
    assert [kind for _, kind in drawing.paths] == ["same", "same", "missing", "same", "same", "additional"]
    assert [texts for _, _, texts, kind in drawing.texts if kind == "arc missing"] == [["b −"]]
    assert max(height for height, *_ in drawing.texts) <= drawing.height
    assert draw_arcs(["x"], DrawnArcs([-2], [""])).paths == []
