"""Briscoe, Carroll, Graham and Copestake (2002): Relational Evaluation Schemes. Beyond PARSEVAL, LREC."""

import pytest

from crossbank.metrics.counting.counts import Counts
from crossbank.metrics.relations import Relations
from crossbank.treebanks.errors import OptionError
from crossbank.treebanks.formats.relations import dumps, loads
from crossbank.treebanks.relations.hierarchy import load_hierarchy
from crossbank.treebanks.relations.relation import Relation, Word, relations_of
from tests.errors import raises
from tests.literature.printed import replicates

FIGURE_2 = """\
(ncsubj die proprietor _)
(ncsubj become establishment _)
(xcomp _ become corporation)
(ncsubj acquire it obj)
(arg_mod by acquire proprietor subj)
(ncmod _ acquire either)
(ncsubj decide government _)
(xcomp to decide drop)
(ncsubj drop government _)
(dobj drop it _)
(cmod when become die)
(cmod until become acquire)
(cmod until become decide)
(detmod _ proprietor the)
(detmod _ establishment the)
(detmod _ corporation a)
(detmod _ proprietor another)
(detmod _ government the)
(aux _ become shall)
(aux _ acquire be)
(conj or acquire decide)
"""
"""When the proprietor dies, the establishment should become a corporation until it is either acquired
by another proprietor or the government decides to drop it. (Twenty-one lines as printed.)"""


PAPER = "Briscoe et al. (2002)"


def counts(gold: str, candidate: str) -> Counts:
    metric = Relations()
    return metric.counts(metric.pair(loads(gold), loads(candidate)))


def test_figure_2_is_read_and_written_as_printed() -> None:
    bank = loads(FIGURE_2)
    relations = relations_of(bank, 0)
    replicates(PAPER, "Figure 2", "relations read", len(FIGURE_2.splitlines()), len(relations))
    assert relations[4] == Relation("arg_mod", Word("acquire"), Word("proprietor"), "by", "subj")
    assert relations[-1] == Relation("conj", Word("acquire"), type="or", further_heads=(Word("decide"),))
    assert dumps(bank) == FIGURE_2


def test_figure_2_against_itself() -> None:
    scored = counts(FIGURE_2, FIGURE_2)
    assert set(scored.values().values()) == {1.0}
    actual = scored.by_breakdown("relation")
    assert {name: row["gold"] for name, row in actual.items()} == {
        "ncsubj": 5, "xcomp": 2, "arg_mod": 1, "ncmod": 1, "dobj": 1,
        "cmod": 3, "detmod": 5, "aux": 2, "conj": 1,
    }  # fmt: skip


def test_the_hierarchy_of_figure_1() -> None:
    """Section 1: names, slots and what is above what, as the text has them."""
    carroll = load_hierarchy("carroll_minnen_briscoe")
    assert [name for name, above in carroll.under.items() if above == ("dependent",)] == [
        "mod",
        "arg_mod",
        "arg",
        "aux",
        "conj",
    ]
    for leaf in ("ncsubj", "csubj", "xsubj"):
        assert carroll.subsumes("subj", leaf)
    for leaf in ("xcomp", "ccomp"):
        assert carroll.subsumes("clausal", leaf)
        assert carroll.subsumes("comp", leaf)
    assert carroll.subsumes("subj_or_dobj", "dobj")
    assert carroll.subsumes("subj_or_dobj", "ncsubj")
    assert not carroll.subsumes("subj_or_dobj", "iobj")
    assert carroll.slots["arg_mod"] == (("type", "head", "dependent", "initial_gr"),)
    assert carroll.slots["ncsubj"] == carroll.slots["dobj"] == (("head", "dependent", "initial_gr"),)
    assert carroll.slots["conj"] == (("type", "heads"),)
    above = {name for names in carroll.under.values() for name in names}
    leaves = set(carroll.slots) - above
    replicates(PAPER, "section 1", "fully specified relations of the hierarchy", 15, len(leaves))


def test_the_subject_of_a_passive_is_the_logical_object() -> None:
    """Section 1: "(ncsubj marry couple obj)" for "The couple were married in August"."""
    (relation,) = relations_of(loads("(ncsubj marry couple obj)"), 0)
    assert relation == Relation("ncsubj", Word("marry"), Word("couple"), initial_gr="obj")
    surface = counts("(ncsubj marry couple obj)", "(ncsubj marry couple _)")
    assert surface.value("f1") == 0
    assert surface.value("subsumption_f1") == 0
    assert surface.value("relation_blind_f1") == 1


def test_a_name_that_underspecifies_is_wrong_and_earns_its_part() -> None:
    """Section 2: a system that maps SUBJ to ``subj`` is penalised by exact scoring only."""
    scored = counts(FIGURE_2, FIGURE_2.replace("ncsubj", "subj"))
    assert scored.value("precision") == scored.value("recall") == pytest.approx(16 / 21)
    assert scored.value("subsumption_precision") == pytest.approx((16 + 5 * 3 / 4) / 21)
    assert scored.value("relation_blind_f1") == 1
    # "systematically ... subj-or-dobj" loses more: two of four levels, and dobj is four levels deep below it
    lost = counts(FIGURE_2, FIGURE_2.replace("ncsubj", "subj").replace("dobj drop it _", "obj drop it"))
    assert lost.value("subsumption_f1") == pytest.approx((15 + 5 * 3 / 4 + 4 / 5) / 21)


@pytest.mark.parametrize("alpha", [0.1, 0.25, 0.8])
def test_f_under_a_chosen_alpha(alpha: float) -> None:
    """Section 1: "standard precision and recall and F-alpha measures over sets of such GRs"."""
    few = "".join(FIGURE_2.splitlines(keepends=True)[:14]).replace("ncsubj", "subj")
    metric = Relations(alpha=alpha)
    scored = metric.counts(metric.pair(loads(FIGURE_2), loads(few)))
    for prefix in ("", "subsumption_"):
        precision, recall = scored.value(f"{prefix}precision"), scored.value(f"{prefix}recall")
        assert precision > recall
        assert scored.value(f"{prefix}f_alpha") == pytest.approx(
            1 / (alpha / precision + (1 - alpha) / recall)
        )
    assert ("alpha", str(alpha)) in scored.signature.choices


def test_alpha_is_a_half_where_nobody_says_otherwise() -> None:
    scored = counts(FIGURE_2, FIGURE_2)
    assert "f_alpha" not in scored.values()
    assert "alpha" not in dict(scored.signature.choices)
    with raises(OptionError, kind="option alpha", value=1):
        Relations(alpha=1)


COMPARATIVE = "(compequ more attractive GReval PARSEVAL)\n"


def test_a_relation_for_comparatives() -> None:
    """Section 3: the type of comparison, the predicate and its arguments."""
    bank = loads(COMPARATIVE)
    assert not bank.diagnosis
    assert dumps(bank) == COMPARATIVE
    (relation,) = relations_of(bank, 0)
    heads = [relation.head, *relation.further_heads]
    assert relation.type == "more"
    assert [head.word for head in heads if head is not None] == ["attractive", "GReval", "PARSEVAL"]
    assert load_hierarchy("comparisons").subsumes("dependent", "compequ")


@pytest.mark.parametrize(
    ("candidate", "f1", "blind"),
    [
        (COMPARATIVE, 1, 1),
        ("(compequ as attractive GReval PARSEVAL)\n", 0, 1),
        ("(compequ more attractive PARSEVAL GReval)\n", 0, 0),
        ("(compequ more attractive GReval)\n", 0, 0),
    ],
)
def test_comparatives_are_equal_in_type_predicate_and_arguments(
    candidate: str, f1: float, blind: float
) -> None:
    scored = counts(COMPARATIVE, candidate)
    assert dict(scored.signature.choices)["hierarchy"] == "comparisons"
    assert (scored.value("f1"), scored.value("relation_blind_f1")) == (f1, blind)


def test_conjuncts_are_a_set_beside_comparatives() -> None:
    gold = COMPARATIVE + "(conj or acquire decide)\n"
    assert counts(gold, COMPARATIVE + "(conj or decide acquire)\n").value("f1") == 1


def test_the_comparative_of_section_3() -> None:
    bank = loads("(nmod _ attractive more)\n(nmod than attractive PARSEVAL)\n")
    assert bank.relations.lengths().tolist() == [2]
    assert [f.event for f in bank.diagnosis] == ["relations that no inventory lists"]


MARRIED = "(ARG2 marry couple)\n(pred marry)\n(pred couple)\n"
"""Section 4, fully specified: "(ARG2 e1 x4) (marry e2) (couple x3) e1 = e2 x3 = x4"."""


@pytest.mark.parametrize(
    ("system", "exact", "graded"),
    [
        # "a particular parsing system might return (ARGN u1 u2) (marry u3) (couple u4)"
        ("(ARGN _ _)\n(pred marry)\n(pred couple)\n", 2 / 3, 2 / 3),
        # with its equalities, and only the role unspecified: one of two levels above the leaf is lost
        ("(ARGN marry couple)\n(pred marry)\n(pred couple)\n", 2 / 3, (2 + 2 / 3) / 3),
        (MARRIED, 1, 1),
    ],
)
def test_roles_that_are_not_specified(system: str, exact: float, graded: float) -> None:
    metric = Relations(hierarchy="mrs_roles")
    scored = metric.counts(metric.pair(loads(MARRIED), loads(system)))
    assert scored.value("f1") == pytest.approx(exact)
    assert scored.value("subsumption_f1") == pytest.approx(graded)


def test_the_roles_of_section_4_are_a_hierarchy() -> None:
    roles = load_hierarchy("mrs_roles")
    assert all(roles.subsumes("ARGN", f"ARG{number}") for number in range(1, 5))
    assert not roles.subsumes("ARG1", "ARG2")
