"""Crouch, Kaplan, King and Riezler (2002): A Comparison of Evaluation Metrics for a Broad-Coverage
Stochastic Parser. Beyond PARSEVAL, LREC."""

import pytest

from crossbank.converters.relations.from_trees import relations_from_trees
from crossbank.converters.schemes.files import load_scheme
from crossbank.metrics.counting.counts import Counts
from crossbank.metrics.relations import Relations
from crossbank.treebanks.formats import bracket
from crossbank.treebanks.formats.relations import loads
from crossbank.treebanks.relations.relation import relations_of

SECTION_5_2 = """\
(aux _ pay will)
(subj pay Meridian _)
(detmod _ premium a)
(mod _ million 30.5)
(mod _ $ million)
(mod of premium $)
(dobj pay premium _)
(mod _ billion 2)
(mod _ $ billion)
(mod in $ deposit)
(dobj assume $ _)
(mod to pay assume)
"""
"""Meridian will pay a premium of $ 30.5 million to assume $ 2 billion in deposits."""


def counts(gold: str, candidate: str) -> Counts:
    metric = Relations()
    return metric.counts(metric.pair(loads(gold), loads(candidate)))


TREE = """(S (NP-SBJ-1 (NNP Meridian)) (VP (MD will) (VP (VB pay)
 (NP (NP (DT a) (NN premium)) (PP (IN of) (NP (QP ($ $) (CD 30.5) (CD million)))))
 (S-PRP (NP-SBJ (-NONE- *-1)) (VP (TO to) (VP (VB assume)
  (NP (NP (QP ($ $) (CD 2) (CD billion))) (PP (IN in) (NP (NN deposit))))))))) (. .))
"""
"""The sentence in the style of the Penn Treebank, from whose text it is; deposit stands for deposits."""

NAMES = {"ncsubj": "subj", "ncmod": "mod"}
"""What the paper calls relations of Carroll, Minnen and Briscoe's inventory."""


def test_the_twelve_relations_of_the_example_from_a_tree() -> None:
    """All but the purpose clause; the rules add the subject of its infinitive, which the paper leaves out."""
    read = relations_from_trees(bracket.loads(TREE), load_scheme("ptb"))
    ours = "".join(
        f"({name} {r.type or '_'} {r.head.word} {r.dependent.word})\n"
        if (name := NAMES.get(r.name, r.name)) in ("mod", "aux", "detmod")
        else f"({name} {r.head.word} {r.dependent.word} _)\n"
        for r in relations_of(read, 0)
    )
    scored = counts(SECTION_5_2, ours)
    sums = scored.sums()
    assert (sums["gold"], sums["candidate"], sums["matched"]) == (12, 12, 11)
    assert set(SECTION_5_2.splitlines()) - set(ours.splitlines()) == {"(mod to pay assume)"}
    assert set(ours.splitlines()) - set(SECTION_5_2.splitlines()) == {"(subj assume Meridian _)"}


def test_do_counts_a_relation_with_the_same_governor_and_dependent() -> None:
    """Section 4: "perhaps with a different relation-type", so arguments for modifiers are right."""
    candidate = (
        SECTION_5_2.replace("(mod of premium $)", "(iobj of premium $)")
        .replace("(mod to pay assume)", "(xcomp to pay assume)")
        .replace("(mod in $ deposit)", "(mod in assume deposit)")
    )
    scored = counts(SECTION_5_2, candidate)
    assert scored.value("f1") == pytest.approx(9 / 12)
    assert scored.value("relation_blind_precision") == pytest.approx(11 / 12)
    assert scored.value("relation_blind_recall") == pytest.approx(11 / 12)
    assert scored.value("relation_blind_f1") == pytest.approx(11 / 12)
    confused = scored.by_part("confusion")
    assert confused["mod → iobj"]["gold"] == confused["mod → xcomp"]["gold"] == 1
    assert confused["mod → nothing"]["gold"] == confused["nothing → mod"]["candidate"] == 1


def test_the_same_word_twice_is_told_apart_by_its_place() -> None:
    """Section 5.2: "Different occurrences of the same word (e.g. "$")" are one word without places."""
    gold = "(mod _ $:6_$ million:8_M)\n(mod _ $:11_$ billion:13_M)\n"
    crossed = "(mod _ $:11_$ million:8_M)\n(mod _ $:6_$ billion:13_M)\n"
    assert counts(gold, crossed).value("f1") == 0
    metric = Relations(words="form")
    assert metric.counts(metric.pair(loads(gold), loads(crossed))).value("f1") == 1
