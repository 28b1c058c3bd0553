"""Pictures hold every node and word once, say what differs, and cross branches where they must."""

import re

from lxml import etree

from crossbank.metrics.pairing.pair import pair
from crossbank.reports.results.differences import Mark, compare_arcs, mark_nodes, mark_tags
from crossbank.treebanks import Treebank
from crossbank.treebanks.builder import TreebankBuilder
from crossbank.treebanks.pictures.drawing import svg
from crossbank.treebanks.pictures.layout import draw_tree
from tests.metrics.trees import labelled
from tests.reports.toy import candidate_bank, gold_bank


def draw(
    bank: Treebank,
    sentence: int,
    marks: list[Mark] | None = None,
    tags_differ: list[bool] | None = None,
    title: str = "",
) -> str:
    return svg(draw_tree(bank, sentence, marks, tags_differ), title=title)


def texts(picture: str, kind: str) -> list[str]:
    root = etree.fromstring(picture)
    actual = [t for t in root.iter("text") if t.get("class", "").split()[:1] == [kind]]
    return [t.text for t in sorted(actual, key=lambda t: int(t.get("x")))]


def boxes(picture: str) -> dict[str, tuple[float, float, float]]:
    """Return each label's left end, right end and height."""
    actual = {}
    for group in etree.fromstring(picture).iter("g"):
        box = group.find("rect")
        x, width, y = (float(box.get(name)) for name in ("x", "width", "y"))
        actual[group.find("text").text] = (x, x + width, y)
    return actual


def test_nodes_are_marked_by_what_the_other_tree_has() -> None:
    gold, candidate = mark_nodes(pair(gold_bank(), candidate_bank()), 0)
    assert gold == [Mark.SAME, Mark.MISSING, Mark.SAME]
    assert candidate == [Mark.SAME, Mark.ADDITIONAL, Mark.SAME, Mark.ADDITIONAL]
    gold, candidate = mark_nodes(pair(gold_bank(), candidate_bank()), 1)
    assert gold == [Mark.SAME, Mark.MISSING, Mark.MISSING]


def test_a_node_with_another_label_is_relabelled_once() -> None:
    both = pair(labelled("[S [NP [NP Anna ] ] kam ]"), labelled("[S [NP [PP Anna ] ] kam ]"))
    gold, candidate = mark_nodes(both, 0)
    assert sorted(gold) == sorted(candidate) == [Mark.RELABELLED, Mark.SAME, Mark.SAME]
    both = pair(labelled("[S [NP [NP Anna ] ] kam ]"), labelled("[S [PP Anna ] kam ]"))
    assert sorted(mark_nodes(both, 0)[0]) == [Mark.MISSING, Mark.RELABELLED, Mark.SAME]


def test_escaped_labels_and_tags_do_not_differ() -> None:
    both = pair(labelled("[S ja (/$( ]"), labelled("[S ja -LRB-/$-LRB- ]"))
    assert mark_tags(both, 0) == [False, False]


def test_arcs_name_what_differs() -> None:
    arcs = compare_arcs(pair(gold_bank(), candidate_bank()), 0)
    assert [arc.verdict for arc in arcs] == ["same"] * 4 + ["head", "same"]
    assert (arcs[4].gold_head, arcs[4].candidate_head) == ("Mann 4", "sieht 2")
    assert arcs[1].gold_head == "root"


def test_every_word_tag_and_node_is_drawn_once() -> None:
    both = pair(gold_bank(), candidate_bank())
    gold_marks, marks = mark_nodes(both, 0)
    picture = draw(both.candidate, 0, marks, mark_tags(both, 0), title="Satz <1>")
    assert texts(picture, "word") == ["Sie", "sieht", "den", "Mann", "mit", "Brille"]
    assert texts(picture, "tag") == ["PPER", "VVFIN", "ART", "NE ≠", "APPR", "NN"]
    groups = [(g.get("class"), g.find("text").text) for g in etree.fromstring(picture).iter("g")]
    assert groups == [("same", "S"), ("additional", "NP +"), ("same", "PP"), ("additional", "NP +")]
    assert "<title>Satz &lt;1&gt;</title>" in picture
    assert draw(both.gold, 0, gold_marks).count("NP −") == 1


def test_parents_stand_above_their_children_and_labels_apart() -> None:
    rectangles = boxes(draw(labelled("[S [NPX a ] [VP [PPX b [QP c ] ] d ] ]"), 0))
    assert rectangles["S"][2] < rectangles["VP"][2] < rectangles["PPX"][2] < rectangles["QP"][2]
    assert rectangles["NPX"][1] <= rectangles["PPX"][0]


def test_the_branch_of_a_discontinuous_node_bridges_the_gap() -> None:
    picture = draw(gold_bank(), 1)
    bars = re.findall(r"M(\d+) (\d+)H(\d+)", picture)
    words = [float(t.get("x")) for t in etree.fromstring(picture).iter("text") if t.get("class") == "word"]
    widest = max((int(end) - int(start), int(start), int(end)) for start, _, end in bars[1:])
    assert widest[1] <= words[0] + 1
    assert widest[2] >= words[2] - 1


def test_crossing_nodes_never_share_a_level() -> None:
    builder = TreebankBuilder()
    builder.sentence()
    for parent, form in ((1, "a"), (2, "b"), (1, "c"), (2, "d")):
        builder.token(form=form, parent=parent)
    builder.node(label="S")
    builder.node(label="A", parent=0)
    builder.node(label="B", parent=0)
    rectangles = boxes(draw(builder.build(), 0))
    assert rectangles["A"][2] != rectangles["B"][2]


def test_trees_as_deep_as_can_be_are_drawn() -> None:
    bank = labelled("[X " * 3000 + "a " + "] " * 3000)
    assert draw(bank, 0).count("<rect") == 3000


def test_words_without_any_node_are_drawn() -> None:
    picture = draw(labelled("ja nein"), 0)
    assert texts(picture, "word") == ["ja", "nein"]
    assert 'class="tree"' in picture
    assert draw(labelled(""), 0).startswith("<svg")
