"""Leaf-ancestor over dependency trees (Sampson and Babarczy 2003, section 1)."""

import pytest

from crossbank.metrics.dependency_lineages import DependencyLineages
from crossbank.metrics.pairing.pair import Pair, Status
from crossbank.treebanks.errors import ConversionError
from crossbank.treebanks.formats.conllu import loads

WORDS = "old", "dogs", "bark", "loudly"


def paired(gold: str, candidate: str, **options: object) -> Pair:
    """Return the sentence with heads and relations as ``2 amod``, a comma between words, on both sides."""
    return DependencyLineages.pair(*(loads(conllu(arcs)) for arcs in (gold, candidate)), **options)  # type: ignore[arg-type]


def conllu(arcs: str) -> str:
    rows = (arc.split() for arc in arcs.split(","))
    words = enumerate(zip(WORDS, rows, strict=True), 1)
    lines = [f"{i}\t{word}\t_\tX\t_\t_\t{head}\t{name}\t_\t_" for i, (word, (head, name)) in words]
    return "\n".join(lines) + "\n\n"


GOLD = "2 amod, 3 nsubj, 0 root, 3 advmod"


def test_lineages_are_relations_up_to_the_root_with_boundaries_of_subtrees() -> None:
    """The adjective is attached to the verb: its lineage lacks the noun, whose subtree begins later."""
    items = DependencyLineages().items(paired(GOLD, "3 amod, 3 nsubj, 0 root, 3 advmod"), 0)
    assert [(item.label, item.gold, item.candidate) for item in items] == [
        ("old", "amod ] nsubj [ root", "amod ] [ root"),
        ("dogs", "nsubj ] root", "[ nsubj ] root"),
        ("bark", "root", "root"),
        ("loudly", "[ advmod root ]", "[ advmod root ]"),
    ]
    assert [item.score for item in items] == [pytest.approx(8 / 9), pytest.approx(6 / 7), 1, 1]


def test_mean_and_relations_without_labels() -> None:
    other = paired(GOLD, "2 amod, 3 obj, 0 root, 3 advmod")
    values = DependencyLineages().counts(other).values()
    # One symbol of 5 and one of 3 on each side are replaced, at a cost of 2 each.
    assert values["mean"] == pytest.approx((1 - 2 / 10 + 1 - 2 / 6 + 1 + 1) / 4)
    assert DependencyLineages(cost="none").counts(other).value("mean") == 1


def test_a_cycle_of_the_candidate_is_not_scored_and_one_of_gold_refused() -> None:
    cycle = "2 amod, 1 nsubj, 0 root, 3 advmod"
    counts = DependencyLineages().counts(paired(GOLD, cycle))
    assert counts.status.tolist() == [Status.CYCLE]
    with pytest.raises(ConversionError):
        paired(cycle, GOLD)


def test_dependents_of_omitted_words_go_to_their_head() -> None:
    gold = loads(conllu(GOLD))
    both = DependencyLineages.pair(gold, gold, delete=gold.tokens.head == 2)
    old, bark = DependencyLineages().items(both, 0)
    assert (old.gold, bark.gold) == ("amod ] [ root", "root ]")
