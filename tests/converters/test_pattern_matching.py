"""Tree patterns against NLTK's tgrep, and what NLTK's does not have."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk import ParentedTree, Tree

import crossbank
from crossbank.converters.patterns.engine import MAX_PROGRAMS
from crossbank.converters.patterns.matching import MatchedNode, find, named_rows
from crossbank.converters.patterns.program import compile_pattern
from crossbank.treebanks import Treebank
from crossbank.treebanks.builder import TreebankBuilder
from crossbank.treebanks.errors import MissingAnnotationError
from crossbank.treebanks.formats import bracket, read
from crossbank.treebanks.in_memory.nltk_trees import from_trees
from tests.errors import raises

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from nltk.tgrep import tgrep_positions

DOG = "(S (NP (DT the) (JJ big) (NN dog)) (VP bit) (NP (DT a) (NN cat)))"

NODES = st.sampled_from(
    ["A", "B", "C", "*", "__", "/[AB]/", "A|C", '"B"', 'i@"b"', "i@/^[ac]$/", "/^w/", "w1", "'A", "D|/^w/|B"]
)
OPERATORS = st.sampled_from([
    "<", ">", "<,", ">,", "<1", ">1", "<2", ">2", "<3", ">3", "<-", ">-", "<-1", ">-1", "<-2", ">-2",
    "<'", ">'", "<:", ">:", "<<", ">>", "<<,", "<<1", ">>,", "<<'", ">>'", "<<:", ">>:", ".", ",", "..", ",,",
    "$", "%", "$.", "%.", "$,", "%,", "$..", "%..", "$,,", "%,,",
])  # fmt: skip


def _conditions(nodes: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    relation = st.builds("{}{} {}".format, st.sampled_from(["", "", "!"]), OPERATORS, nodes)
    joined = st.lists(st.tuples(relation, st.sampled_from([" ", " & ", " | "])), min_size=1, max_size=3)
    conditions = joined.map(
        lambda parts: "".join(part for pair in parts for part in pair)[: -len(parts[-1][1])]
    )
    grouped = st.builds("{}[{}]".format, st.sampled_from(["", "!"]), conditions)
    return st.one_of(conditions, grouped, st.builds("{} | {}".format, grouped, conditions))


PATTERNS = st.recursive(
    NODES,
    lambda inner: st.builds(
        "{} {}".format,
        st.one_of(NODES, inner.map("({})".format)),
        _conditions(st.one_of(NODES, inner.map("({})".format))),
    ),
    max_leaves=5,
)


@st.composite
def trees(draw: st.DrawFn) -> Tree:
    """A tree whose words are all different: NLTK takes equal subtrees for one in ``>>,`` and ``>>'``."""
    shape = st.recursive(
        st.none(),
        lambda inner: st.tuples(st.sampled_from("ABCD"), st.lists(inner, min_size=1, max_size=4)),
        max_leaves=10,
    )
    label, children = draw(st.tuples(st.sampled_from("ABCD"), st.lists(shape, min_size=1, max_size=4)))
    words = iter(range(1000))

    def built(label: str, children: list) -> Tree:
        return Tree(label, [built(*child) if child else f"w{next(words)}" for child in children])

    return built(label, children)


def found_by_us(pattern: str, bank: Treebank, nltk_trees: list[Tree]) -> list[list[tuple[int, ...]]]:
    """Return the positions found in each tree, in NLTK's terms."""
    actual: list[list[tuple[int, ...]]] = [[] for _ in nltk_trees]
    positions = [tree.treepositions() for tree in nltk_trees]
    for match in find(pattern, bank):
        actual[match.sentence].append(positions[match.sentence][match.preorder])
    return actual


def found_by_nltk(pattern: str, nltk_trees: list[Tree]) -> list[list[tuple[int, ...]]]:
    parented = [ParentedTree.convert(tree) for tree in nltk_trees]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [list(positions) for positions in tgrep_positions(pattern, parented)]


@settings(max_examples=60)
@given(st.lists(trees(), min_size=1, max_size=3), PATTERNS)
def test_answers_are_those_of_nltk(nltk_trees, pattern):
    bank = from_trees(nltk_trees)
    assert found_by_us(pattern, bank, nltk_trees) == found_by_nltk(pattern, nltk_trees)


@settings(max_examples=30)
@given(trees(), PATTERNS, OPERATORS, OPERATORS, OPERATORS)
def test_names_fit_at_least_what_they_fit_in_nltk(tree, pattern, one, two, three):
    """NLTK settles on the first node to fit a name; ours goes back and tries the others.

    In NLTK 3.9 only macros can be named.
    """
    named = f"@ ANY __; ({pattern}) {one} @ANY=a {two} (@ANY=b {three} =a)"
    by_nltk, by_us = found_by_nltk(named, [tree])[0], found_by_us(named, from_trees([tree]), [tree])[0]
    assert set(by_nltk) <= set(by_us)
    segmented = f"({pattern}) {one} __=a {two} *=b : =b {three} =a"
    assert found_by_us(segmented, from_trees([tree]), [tree])[0] == by_us


@pytest.mark.parametrize(
    "pattern",
    [
        "NP < (NN . PP)",
        "/^NP-SBJ/ . VP",
        "VP !< /^VB/",
        "S < (/^NP/ < /^PRP/) [< (VP < VBD) | < (VP < VBZ)]",
        "PP >> (NP >> (VP > S))",
        "/^V/ $.. (NP !$.. NP)",
        "__ <: (NP <<, DT)",
        "NN ,, VBD .. IN",
        "i@/^the$/",
        "@ NOUN /^NNS?$/; @ SUBJECT (/SBJ/ << @NOUN); S < @SUBJECT",
        "NP < DT; VP < TO # infinitives",
    ],
)
def test_answers_on_real_trees_are_those_of_nltk(pattern, shared_data):
    bank = bracket.load(shared_data / "gum" / "const" / "GUM_bio_byron.ptb")
    nltk_trees = [bank.tree(i) for i in range(len(bank))]
    answers = found_by_us(pattern, bank, nltk_trees)
    assert answers == found_by_nltk(pattern, nltk_trees)
    assert any(answers)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("pattern", "ends"),
    [
        ("* >~ *", "parent"),
        ("* <~ *", "child"),
        ("* >~SB *", "parent"),
        ("* <~SB *", "child"),
    ],
)
def test_secondary_edges_of_real_trees(pattern, ends, shared_data):
    """Each end is found once, as often as the files name different ones."""
    bank = crossbank.read(str(shared_data / "tiger-pcc" / "syntax" / "maz-*.xml"))
    edges = bank.secondary
    requested = (
        edges.label == bank.vocabulary.code("SB") if "SB" in pattern else np.ones(len(edges), np.bool_)
    )
    rows = zip(
        edges.sentence_of_row()[requested].tolist(), getattr(edges, ends)[requested].tolist(), strict=True
    )
    expected = {(sentence, end if end >= 0 else -1 - end, end >= 0) for sentence, end in rows}
    actual = [
        (one.sentence, one.node if one.token is None else one.token, one.token is not None)
        for one in find(pattern, bank)
    ]
    assert len(expected) > 100
    assert sorted(actual) == sorted(expected)


def test_a_secondary_edge_leads_down_to_tags_and_nodes():
    builder = TreebankBuilder("text")
    for _ in range(2):  # places are counted through the treebank, edges within their sentence
        builder.sentence()
        for form, tag, parent in (("she", "PPER", 0), ("eats", "V", 1), ("it", "PPER", 1)):
            builder.token(form=form, pos=tag, parent=parent)
        builder.node(label="S", parent=-1)
        builder.node(label="VP", parent=0)
        builder.secondary(label="SB", child=0, parent=-2)
        builder.secondary(label="OA", child=-2, parent=-1)
    bank = builder.build()
    assert [" ".join(one.words) for one in find("VP >~ PPER", bank)] == ["eats it"] * 2
    assert [" ".join(one.words) for one in find("VP >~SB PPER <~OA S", bank)] == ["eats it"] * 2
    assert [one.label for one in find("* <~ *=n", bank)] == ["PPER", "VP"] * 2
    assert not find("VP >~OA *", bank)
    assert not find("VP !>~ *", bank)
    assert [one.label for one in find("S >~OA __=n < =n", bank)] == ["S"] * 2


def matched_words(pattern: str, text: str = DOG) -> list[str]:
    return [" ".join(match.words) for match in find(pattern, bracket.loads(text))]


def test_a_match_says_where_it_is_and_what_it_is():
    bank = bracket.loads(DOG + DOG)
    (_, match) = find("NP=cats < (NN=noun < cat)", bank)
    assert (match.sentence, match.preorder, match.node, match.token) == (1, 10, 2, None)
    assert (match.label, match.words) == ("NP", ("a", "cat"))
    assert match.names["noun"].token == 5
    assert match.names["noun"].words == ("cat",)
    assert match.names["cats"].node == match.node


def test_a_name_is_whichever_node_makes_the_pattern_fit():
    assert matched_words("S < NP=n < (VP . =n)") == ["the big dog bit a cat"]
    (match,) = find("S < NP=n < (VP . =n)", bracket.loads(DOG))
    assert match.names["n"].words == ("a", "cat")


def test_a_name_of_a_way_not_taken_is_not_there():
    (match,) = find("S [< (NP=a < JJ < PP) | < VP=b]", bracket.loads(DOG))
    assert list(match.names) == ["b"]


def test_a_name_after_alternatives_names_each():
    (match,) = find("S <1 NP|VP=n", bracket.loads(DOG))
    assert match.names["n"].words == ("the", "big", "dog")


def test_chains():
    text = "(S (NP I) (VP (MD may) (VP (VB go) (SBAR (S (VP (VB x)))))))"
    assert matched_words("VB >+(VP) S", text) == ["go", "x"]
    assert matched_words("VB >+(VP) (S < NP)", text) == ["go"]
    assert matched_words("S <+(VP|/^S/) (VB < x)", text) == ["I may go x", "x"]


def test_heads_are_those_that_are_marked():
    bank = bracket.loads("(S (NP (DT the) (NN dog)) (VP (VBZ barks)))")
    with raises(MissingAnnotationError, "<#", where="text:1", annotation="lexical heads"):
        find("NP|VP|S <# *", bank)
    headed = bank.replace(nodes=bank.nodes.replace(head=(bank.nodes.head * 0 + [2, 1, 2]).astype("int32")))
    labels = lambda pattern: [match.label for match in find(pattern, headed)]  # noqa: E731
    assert labels("* <# /^VB/") == ["VP"]
    assert labels("* <<# /^VB/") == ["S", "VP"]
    assert labels("/^VB/ >>#  S") == ["VBZ"]
    assert labels("* >#  NP") == ["NN"]


def crossing() -> Treebank:
    """Return ``(S (VP darüber 1 nachgedacht 3) wird 2 $. 4)``, the verb and the full stop beside the VP."""
    builder = TreebankBuilder()
    builder.sentence()
    sentence = builder.node(label="S")
    phrase = builder.node(label="VP", function="OC", parent=sentence)
    builder.token(form="darüber", pos="PROAV", function="OP", parent=phrase)
    builder.token(form="wird", pos="VAFIN", function="HD", parent=sentence)
    builder.token(form="nachgedacht", pos="VVPP", function="HD", parent=phrase)
    builder.token(form=".", pos="$.")
    return builder.build()


def test_crossing_branches_functions_and_several_roots():
    bank = crossing()
    one = lambda pattern: [match.label for match in find(pattern, bank)]  # noqa: E731
    assert one("VP <2 VVPP $. VAFIN") == ["VP"]
    assert one("VAFIN . VVPP , PROAV") == ["VAFIN"]
    assert one("VP .. VAFIN") == []
    assert one('VP . "$."') == ["VP"]
    assert one('S $. "$."') == ["S"]
    assert one("*^HD") == ["VVPP", "VAFIN"]
    assert one("VP^/^O/ < *^HD") == ["VP"]
    assert one("VP^HD|S") == ["S"]
    assert one("/^V/^*!^HD") == ["VP"]
    assert one("/^[VS]/!^*") == ["S"]


def test_a_function_is_any_of_its_parts():
    builder = TreebankBuilder()
    builder.sentence()
    node = builder.node(label="S")
    builder.token(form="here", pos="RB", function="LOC-PRD", parent=node)
    assert len(find("RB^PRD", builder.build())) == len(find("RB^LOC-PRD", builder.build())) == 1
    assert len(find("RB^PR", builder.build())) == 0


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        *(("RB^LOC^PRD", ["here"]), ("RB^LOC!^PRD", ["there"]), ("RB!^PRD^LOC", ["there"])),
        *(("RB!^LOC!^PRD", ["now"]), ("RB!^TMP!^PRD", ["there"]), ("RB^LOC^PRD^TMP", [])),
    ],
)
def test_a_node_has_all_functions_that_follow_its_label_and_none_that_is_negated(
    pattern: str, expected: list[str]
) -> None:
    builder = TreebankBuilder()
    builder.sentence()
    node = builder.node(label="S")
    for form, function in (("here", "LOC-PRD"), ("there", "LOC"), ("now", "TMP")):
        builder.token(form=form, pos="RB", function=function, parent=node)
    bank = builder.build()
    assert [bank.words(0)[match.tokens[0]] for match in find(pattern, bank)] == expected


def test_a_deep_tree_takes_no_deep_stack():
    depth = 3_000
    text = "(A " * depth + "(B x)" + ")" * depth
    assert len(find("A <<: (B !<< A)", bracket.loads(text))) == depth


def test_no_sentence_no_node_no_match():
    bank = bracket.loads("(())\n" + DOG)
    assert [match.sentence for match in find("VP", bank)] == [1]
    assert len(find("VP", bank.select([0]))) == 0


@pytest.mark.parametrize(
    ("pattern", "same"),
    [
        ("NP >MNR PP", "NP < *^MNR & < PP^MNR"),
        ("S >SB (NP >NK ART) >HD VVFIN", "S < (NP^SB < ART^NK) < VVFIN^HD"),
        ("S >SB NP=n : =n < ART", "S < NP^SB=n : =n < ART"),
        ("S >SB NP|PPER", "S < NP^SB|PPER^SB"),
        ("PP-MNR", "PP^MNR"),
        ("NP < PP-MNR", "NP < PP^MNR"),
        ("S !>OA NP", "S !< NP^OA"),
    ],
)
def test_edges_are_written_as_in_tigersearch_and_functions_after_labels(pattern: str, same: str) -> None:
    bank = read("examples/tiger.export")
    actual, expected = find(pattern, bank), find(same, bank)
    assert [(one.sentence, one.preorder) for one in actual] == [
        (one.sentence, one.preorder) for one in expected
    ]
    assert len(actual)


def test_an_arrow_without_a_node_after_its_label_points_up() -> None:
    bank = read("examples/tiger.export")
    for close, wide in (("PP >NP", "PP > NP"), ("PP >NP & < NN", "PP > NP < NN"), ("(PP >NP)", "PP > NP")):
        assert len(find(close, bank)) == len(find(wide, bank)) > 0


def test_a_label_with_a_function_is_found_in_labels_too() -> None:
    bank = bracket.loads("(S (NP-SBJ (N a)) (VP (NP (N b)) (V c)))")
    assert [one.words for one in find("NP-SBJ", bank)] == [("a",)]
    assert [one.words for one in find("NP", bank)] == [("b",)]


def test_patterns_that_are_searched_for_together_find_what_each_finds_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lines = [DOG, "(S (NP (NN dog)) (PP (IN of) (NP (NN cat))))", "(A (B (B b) (C c)) (B d))"]
    bank = Treebank.concatenate([from_trees([Tree.fromstring(line)]) for line in lines])
    conditions = ["", " < NN", " > S", " !< DT", " <+(B) C", " [< B | > NP]", " < (NN=b)", " <, DT > (S=b)"]
    patterns = [f"{label}=a{rest}" for label in ("NP", "B", "/^[A-C]$/", "__") for rest in conditions]
    programs = [compile_pattern(pattern) for pattern in patterns * 3]
    assert len(programs) > MAX_PROGRAMS
    alone = [named_rows([program], bank, [("a",)])[0].tolist() for program in programs]
    monkeypatch.setattr("crossbank.converters.patterns.matching.CHUNK_SENTENCES", 1)
    together = named_rows(programs, bank, [("a",)] * len(programs))
    assert [rows.tolist() for rows in together] == alone
    for pattern, rows in zip(patterns, alone, strict=False):
        assert sorted({row for (row,) in rows}) == sorted(
            {_row(bank, match) for match in find(pattern, bank)}
        )
    assert [rows.shape for rows in named_rows(programs[:2], bank.select([]), [("a",)] * 2)] == [
        (0, 1),
        (0, 1),
    ]


def _row(bank: Treebank, match: MatchedNode) -> int:
    if match.token is not None:
        return int(bank.tokens.offsets[match.sentence]) + match.token
    return len(bank.tokens) + int(bank.nodes.offsets[match.sentence]) + (match.node or 0)
