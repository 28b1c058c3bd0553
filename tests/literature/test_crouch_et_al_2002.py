"""Crouch, Kaplan, King and Riezler (2002): A Comparison of Evaluation Metrics for a Broad-Coverage
Stochastic Parser. Beyond PARSEVAL, LREC."""

import pytest

from crossbank.converters.relations.relations_from_trees import relations_from_trees
from crossbank.converters.scheme_files import load_scheme
from crossbank.formalisms.lfg.conversions.fstructure_relations import (
    neutral_relations,
    relations_from_fstructures,
)
from crossbank.formalisms.lfg.conversions.preds_only import preds_only
from crossbank.formalisms.lfg.formats import triples, xle
from crossbank.formalisms.lfg.metrics.fstructure import FStructure
from crossbank.metrics.counting.counts import Counts
from crossbank.metrics.counting.scoring import score, scoring_of
from crossbank.metrics.relations import Relations
from crossbank.treebanks import Treebank
from crossbank.treebanks.formats import bracket, relations
from crossbank.treebanks.formats.relations import loads
from crossbank.treebanks.relations.relation import relations_of
from tests.literature.printed import replicates

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

MERIDIAN = """\
fstructure('Meridian will pay a premium of $ 30.5 million to assume $ 2 billion in deposits.', [], [%s], [], [
    cf(1,eq(attr(var(0),'PRED'),semform('pay',15,[var(5),var(3)],[]))),
    cf(1,eq(attr(var(0),'SUBJ'),var(5))),
    cf(1,eq(attr(var(0),'OBJ'),var(3))),
    cf(1,eq(attr(var(0),'ADJUNCT'),var(1))),
    cf(1,eq(attr(var(0),'TNS-ASP'),var(2))),
    cf(1,eq(attr(var(2),'MOOD'),'indicative')),
    cf(1,eq(attr(var(2),'TENSE'),'fut')),
    cf(1,eq(attr(var(2),'PERF'),'-')),
    cf(1,eq(attr(var(0),'STMT-TYPE'),'decl')),
    cf(1,eq(attr(var(5),'PRED'),semform('Meridian',0,[],[]))),
    cf(1,eq(attr(var(5),'NUM'),'sg')),
    cf(1,eq(attr(var(3),'PRED'),semform('premium',1,[],[]))),
    cf(1,eq(attr(var(3),'SPEC'),var(4))),
    cf(1,eq(attr(var(4),'DET-FORM'),'a')),
    cf(1,eq(attr(var(4),'DET-TYPE'),'indef')),
    cf(1,eq(attr(var(3),'ADJUNCT'),var(6))),
    cf(1,in_set(var(7),var(6))),
    cf(1,eq(attr(var(7),'PRED'),semform('of',2,[var(8)],[]))),
    cf(1,eq(attr(var(7),'OBJ'),var(8))),
    cf(1,eq(attr(var(8),'PRED'),semform('$',3,[],[]))),
    cf(1,eq(attr(var(8),'SPEC'),var(9))),
    cf(1,eq(attr(var(9),'NUMBER'),var(10))),
    cf(1,eq(attr(var(10),'PRED'),semform('million',4,[],[]))),
    cf(1,eq(attr(var(10),'SPEC'),var(11))),
    cf(1,eq(attr(var(11),'NUMBER'),var(12))),
    cf(1,eq(attr(var(12),'PRED'),semform('30.5',5,[],[]))),
    cf(1,in_set(var(13),var(1))),
    cf(1,eq(attr(var(13),'PRED'),semform('assume',6,[var(14),var(15)],[]))),
    cf(1,eq(attr(var(13),'PURPOSE'),'+')),
    cf(1,eq(attr(var(13),'SUBJ'),var(14))),
    cf(1,eq(attr(var(14),'PRED'),semform('pro',7,[],[]))),
    cf(1,eq(attr(var(14),'PRON-TYPE'),'null')),
    cf(1,eq(attr(var(13),'OBJ'),var(15))),
    cf(1,eq(attr(var(15),'PRED'),semform('$',8,[],[]))),
    cf(1,eq(attr(var(15),'SPEC'),var(16))),
    cf(1,eq(attr(var(16),'NUMBER'),var(17))),
    cf(1,eq(attr(var(17),'PRED'),semform('billion',9,[],[]))),
    cf(1,eq(attr(var(17),'SPEC'),var(18))),
    cf(1,eq(attr(var(18),'NUMBER'),var(19))),
    cf(1,eq(attr(var(19),'PRED'),semform('2',10,[],[]))),
    %s
    cf(1,in_set(var(21),var(20))),
    cf(1,eq(attr(var(21),'PRED'),semform('in',11,[var(22)],[]))),
    cf(1,eq(attr(var(21),'OBJ'),var(22))),
    cf(1,eq(attr(var(22),'PRED'),semform('deposit',12,[],[]))),
    cf(1,eq(attr(var(22),'NUM'),'pl'))
    ], []).
"""
"""The f-structure of the example, from what sections 5.1 and 5.2 say about it: Figures 1 and 2 are pictures.
Choices and the attachment of *in deposits* are put in below."""

IN_DEPOSITS = "cf(1,eq(attr(var(15),'ADJUNCT'),var(20))),"


def example(attached: str = IN_DEPOSITS, choices: str = "") -> Treebank:
    return xle.loads(MERIDIAN % (choices, attached))


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
    computed = "".join(
        f"({name} {r.type or '_'} {r.head.word} {r.dependent.word})\n"
        if (name := NAMES.get(r.name, r.name)) in ("mod", "aux", "detmod")
        else f"({name} {r.head.word} {r.dependent.word} _)\n"
        for r in relations_of(read, 0)
    )
    scored = counts(SECTION_5_2, computed)
    sums = scored.sums()
    assert (sums["gold"], sums["candidate"], sums["matched"]) == (12, 12, 11)
    assert set(SECTION_5_2.splitlines()) - set(computed.splitlines()) == {"(mod to pay assume)"}
    assert set(computed.splitlines()) - set(SECTION_5_2.splitlines()) == {"(subj assume Meridian _)"}


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
    confused = scored.by_breakdown("confusion")
    assert confused["mod → iobj"]["gold"] == confused["mod → xcomp"]["gold"] == 1
    assert confused["mod → nothing"]["gold"] == confused["nothing → mod"]["candidate"] == 1


def test_the_same_word_twice_is_told_apart_by_its_place() -> None:
    """Section 5.2: "Different occurrences of the same word (e.g. "$")" are one word without places."""
    gold = "(mod _ $:6_$ million:8_M)\n(mod _ $:11_$ billion:13_M)\n"
    crossed = "(mod _ $:11_$ million:8_M)\n(mod _ $:6_$ billion:13_M)\n"
    assert counts(gold, crossed).value("f1") == 0
    metric = Relations(words="form")
    assert metric.counts(metric.pair(loads(gold), loads(crossed))).value("f1") == 1


def test_preds_only_f_structures_have_34_features() -> None:
    """Section 5.2: "The DR annotation has 12 relations instead of the 34 feature-specifications"."""
    bank = example()
    metric = FStructure()
    sums = metric.counts(metric.pair(bank, bank)).sums()
    assert (sums["candidate"], sums["matched"]) == (sums["gold"], sums["gold"])
    item = "specifications of the preds-only f-structure"
    replicates("Crouch et al. (2002)", "section 5.2", item, 34, int(sums["gold"]))
    reduced = triples.dumps(preds_only(bank))
    assert "pred(pay~0, sf(pay, 15, [Meridian~5, premium~3], []))" in reduced
    for lost in ("tense", "purpose", "det_form", "num("):  # section 5.1
        assert lost in triples.dumps(bank)
        assert lost not in reduced


def test_the_twelve_relations_from_the_f_structure() -> None:
    read = relations_from_fstructures(example())
    actual = relations.written_relations(read)
    assert sorted(actual) == sorted(SECTION_5_2.splitlines())
    replicates("Crouch et al. (2002)", "section 5.2", "relations read off the f-structure", 12, len(actual))
    assert {finding.event: finding.total for finding in read.diagnosis if finding.step != "read"} == {
        "relations of predicates that no word expresses dropped": 1  # the subject of "assume"
    }


def test_an_attachment_counts_by_feature_and_by_relation() -> None:
    """A modifier of a word without others costs an ADJUNCT and an IN_SET, and one MOD (section 5.2)."""
    gold = example()
    wrong = example(IN_DEPOSITS.replace("15", "22").replace("var(22)", "var(17)"))
    metric = FStructure()
    actual = metric.counts(metric.pair(gold, wrong)).by_breakdown("relation")
    # The set is below another word, and its member is still in it.
    assert actual["adjunct"] == {"gold": 3, "candidate": 3, "matched": 2}
    assert actual["in_set"]["matched"] == actual["in_set"]["gold"] == 3
    scorer = Relations()
    scored = scorer.counts(scorer.pair(relations_from_fstructures(gold), relations_from_fstructures(wrong)))
    assert scored.value("f1") == scored.value("relation_blind_f1") == pytest.approx(11 / 12)


def test_packed_solutions_have_bounds() -> None:
    """Section 4: lower bound, upper bound and the parse selected."""
    packed = example(
        "cf(A1,eq(attr(var(17),'ADJUNCT'),var(20))), cf(A2,eq(attr(var(15),'ADJUNCT'),var(20))),",
        "choice([A1,A2], 1)",
    )
    (selection,) = score(example(), packed, scoring_of(["selection"], {"of": "fstructure"}, "empty"))
    assert selection.value("upper") == 1
    assert selection.value("chosen") == pytest.approx(33 / 34)
    assert selection.value("lower") == pytest.approx((33 + 34) / 68)
    assert selection.value("error_reduction") == pytest.approx(-1)


def test_gold_relations_are_neutralised() -> None:
    """Section 5.3: clausal distinctions, manifestations of a head word, and the auxiliary do."""
    gold = loads("(ncsubj walk himself _)\n(csubj matter walk _)\n(aux _ walk should)\n(aux _ walk do)\n")
    neutral = neutral_relations(gold)
    assert [(name, head.word, dependent.word) for name, head, dependent, *_ in relations_of(neutral, 0)] == [
        ("subj", "walk", "he"),
        ("subj", "matter", "walk"),
        ("aux", "walk", "shall"),
    ]
    assert [finding.total for finding in neutral.diagnosis] == [3, 1]
