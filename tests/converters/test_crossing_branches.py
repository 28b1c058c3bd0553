"""Crossing branches and loose punctuation: small trees before and after."""

import pytest

from crossbank.converters.crossing.attach_punctuation import attach_punctuation
from crossbank.converters.crossing.raise_crossing import raise_crossing
from crossbank.converters.crossing.split_crossing import join_crossing, split_crossing
from crossbank.converters.heads.marking import mark_heads
from crossbank.converters.scheme_files import load_scheme
from crossbank.treebanks import Treebank
from crossbank.treebanks.builder import TreebankBuilder
from crossbank.treebanks.errors import RequirementError
from tests.converters.banks import bank_of, events, render
from tests.errors import raises

TIGER = load_scheme("tiger")

RAISED = [
    # the object in front of the finite verb leaves its VP
    ("(S (VP:OC 0=B/NN:OA 2=g/VVPP:HD) 1=hat/VAFIN:HD)", "(S 0 1 (VP 2))"),
    # the relative clause leaves its NP and stays in the VP, beside its head; the object leaves the VP
    (
        "(S 0=er/PPER:SB 1=hat/VAFIN:HD (VP:OC (NP:OA 2=Film/NN:NK (S:RC 5=den/PRELS:OA 6=sah/VVFIN:HD))"
        " 4=gekauft/VVPP:HD) 3=heute/ADV:MO)",
        "(S 0 1 (NP 2) 3 (VP 4 (S 5 6)))",
    ),
    # what is raised stays with the first phrase in which it is beside the head
    (
        "(S 0=a/VVFIN:HD (VP:OC 1=b/VVPP:HD 2=c/ADV:MO (NP:OA 3=d/NN:HD 5=e/NN:AG) (PP:MO 4=f/APPR:AC)))",
        "(S 0 (VP 1 2 (NP 3) (PP 4) 5))",
    ),
    # raised from a root it becomes a root
    ("(S 0=a/NN:OA 2=b/VVFIN:HD) (NP 1=c/NN:NK)", "0 (NP 1) (S 2)"),
    # the head is a phrase that is itself interrupted
    (
        "(S (VP:HD (VP:HD 0=a/VVPP:HD 2=b/NN:OA) 4=c/ADV:MO) 1=d/VAFIN:X 3=e/ADV:X)",
        "(S (VP (VP 0)) 1 2 3 4)",
    ),
    # without functions heads are found by category
    ("(S (VP 0=B/NN 2=g/VVPP) 1=hat/VAFIN)", "(S 0 1 (VP 2))"),
]


@pytest.mark.parametrize(("before", "after"), RAISED)
def test_children_away_from_the_head_are_raised(before: str, after: str) -> None:
    bank = bank_of(before)
    result = raise_crossing(bank, TIGER)
    assert render(result) == after
    assert not result.spans.discontinuous.any()
    assert events(result)["raise_crossing: children raised"] > 0
    assert render(raise_crossing(mark_heads(bank, TIGER))) == after


def test_children_are_counted_in_their_sentences() -> None:
    """The second sentence has one word and two nodes that are raised; the first and the last have none."""
    still = "(S (NP 0=a/NN:HD) 1=b/VVFIN:HD)"
    bank = bank_of(
        still,
        "(S (VP:OC 0=a/NN:OA (NP:OA 1=b/NN:HD) (NP:OA 2=c/NN:HD) 4=g/VVPP:HD) 3=hat/VAFIN:HD)",
        still,
    )
    result = raise_crossing(bank, TIGER)
    assert render(result, 1) == "(S 0 (NP 1) (NP 2) 3 (VP 4))"
    counted = {event.event: event.counts.tolist() for event in result.diagnosis}
    assert counted["discontinuous nodes made continuous"] == [0, 1, 0]
    assert counted["children raised"] == [0, 3, 0]


def test_raised_children_keep_their_functions() -> None:
    assert (
        render(raise_crossing(bank_of(RAISED[0][0]), TIGER), functions=True) == "(S 0:OA 1:HD (VP:OC 2:HD))"
    )


def test_loose_punctuation_does_not_interrupt() -> None:
    bank = bank_of("(S (NP:SB 0=M/NN:NK (S:RC 2=d/PRELS:SB 3=l/VVFIN:HD)) 5=s/VVFIN:HD) 1=,/$, 4=,/$, 6=./$.")
    assert raise_crossing(bank, TIGER).tokens.parent.tolist() == bank.tokens.parent.tolist()
    separate = raise_crossing(bank, TIGER, punctuation="word")
    assert render(separate) == "(NP 0) 1 (S 2 3) 4 (S 5) 6"
    inside = attach_punctuation(raise_crossing(bank, TIGER), TIGER)
    assert render(inside) == "(S (NP 0 1 (S 2 3)) 4 5) 6"
    assert not inside.spans.discontinuous.any()


def test_continuous_trees_stay_as_they_are() -> None:
    bank = bank_of("(S (NP 0=a/NN) 1=b/VVFIN)")
    assert raise_crossing(bank, TIGER) is bank
    assert split_crossing(bank, TIGER) is bank


def test_raising_needs_heads() -> None:
    with raises(
        RequirementError,
        name="raise_crossing",
        required="heads: a scheme with head rules, or mark_heads before it",
    ):
        raise_crossing(bank_of(RAISED[0][0]))


def test_heads_that_are_no_childs_do_no_harm() -> None:
    bank = bank_of(RAISED[0][0])
    wrong = bank.replace(nodes=bank.nodes.replace(head=bank.nodes.head * 0 + 1))
    assert not raise_crossing(wrong, TIGER).spans.discontinuous.any()


def test_nodes_are_split_into_blocks() -> None:
    bank = bank_of(
        "(S 0=er/PPER:SB 1=hat/VAFIN:HD (VP:OC (NP:OA 2=Film/NN:NK (S:RC 5=d/PRELS:OA 6=s/VVFIN:HD))"
        " 4=gekauft/VVPP:HD) 3=heute/ADV:MO)"
    )
    result = split_crossing(bank)
    assert render(result) == "(S 0 1 (VP* (NP* 2)) 3 (VP* 4 (NP* (S 5 6))))"
    assert render(result, functions=True).count("(VP*:OC") == 2
    assert render(split_crossing(bank, mark="#")).count("#") == 4
    assert events(result) == {"split_crossing: discontinuous nodes split": 2}
    marked = split_crossing(mark_heads(bank, TIGER))
    assert marked.nodes.head.tolist() == [1, -2, 2, 4, -2, 6]


def test_splitting_looks_past_loose_punctuation() -> None:
    bank = bank_of("(NP 0=a/NN 2=b/NN) 1=,/$,")
    assert render(split_crossing(bank, TIGER)) == "(NP 0 2) 1"
    assert render(split_crossing(bank, TIGER, punctuation="word")) == "(NP* 0) 1 (NP* 2)"


ATTACHED = [
    ("(S (NP 0=a/NN (PP 2=b/APPR)) 3=c/VVFIN) 1=,/$, 4=./$.", "(S (NP 0 1 (PP 2)) 3) 4"),
    ("(VROOT (S 1=a/NN 3=b/NN) 0=./$. 2=,/$, 4=./$.)", "(VROOT 0 (S 1 2 3) 4)"),
    # a row of punctuation looks past itself; between roots it stays at the root
    ("(VROOT (S 0=a/NN (NP 3=b/NN)) 1=,/$, 2=-/$. (S 5=c/X) 4=-/$.)", "(VROOT (S 0 1 2 (NP 3)) 4 (S 5))"),
    ("(S 0=a/X) 1=,/$, (S 2=b/X)", "(S 0) 1 (S 2)"),
    ("0=./$. 1=./$.", "0 1"),
]


@pytest.mark.parametrize(("before", "after"), ATTACHED)
def test_punctuation_goes_to_the_lowest_node_around_it(before: str, after: str) -> None:
    result = attach_punctuation(bank_of(before), TIGER)
    assert render(result) == after
    assert render(attach_punctuation(result, TIGER)) == after


def test_punctuation_in_phrases_is_moved_only_when_asked() -> None:
    bank = bank_of("(S (NP 0=a/NN 1=,/$,) 2=b/VVFIN (X 3=./$.))")
    assert render(attach_punctuation(bank, TIGER)) == render(bank)
    everything = attach_punctuation(bank, TIGER, which="all")
    assert render(everything) == "(S (NP 0) 1 2) 3"
    assert events(everything) == {"attach_punctuation: punctuation moved": 2}


def test_deep_trees_are_no_trouble() -> None:
    assert not raise_crossing(deep(20_000), TIGER).spans.discontinuous.any()
    assert not split_crossing(deep(500), TIGER).spans.discontinuous.any()


def deep(depth: int) -> Treebank:
    """A chain of nodes; the lowest has the first and the last of three words, the highest the second."""
    builder = TreebankBuilder()
    builder.sentence()
    for node in range(depth):
        builder.node(label="VP", function="HD", parent=node - 1)
    builder.token(form="a", pos="NN", function="HD", parent=depth - 1)
    builder.token(form="b", pos="NN", function="MO", parent=0)
    builder.token(form="c", pos="NN", function="MO", parent=depth - 1)
    return builder.build()


def test_split_constituents_are_joined() -> None:
    for before, _ in RAISED[:3]:
        bank = bank_of(before)
        joined = join_crossing(split_crossing(bank, TIGER), TIGER)
        assert render(joined) == render(bank)
        assert events(joined)["join_crossing: parts joined"] > 0
    continuous = bank_of("(S (VP 0=B/NN 1=g/VVPP) 2=hat/VAFIN)")
    assert join_crossing(continuous) is continuous
