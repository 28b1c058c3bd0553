"""Diagnosis of heads."""

from crossbank.converters.heads.head_rule_diagnosis import HeadFinding, diagnose_heads
from crossbank.converters.scheme_files import load_scheme
from crossbank.workflow.commands.heads import as_json, as_text
from tests.converters.banks import bank_of

TIGER = load_scheme("tiger")
TREES = (
    "(S (NP:SB 0=Geld/NN:HD 1=Peter/NE:NK) 2=fehlt/VVFIN:HD)",
    "(S (NP:SB 0=das/ART:NK 1=Geld/NN:NK) 2=fehlt/VVFIN:HD)",
)


def test_heads_are_diagnosed_with_sentence_ids() -> None:
    diagnosis = diagnose_heads(bank_of(*TREES, "(DL 0=a/X 1=b/X)"), TIGER)
    assert diagnosis == [
        HeadFinding("DL", "default", "default", 1, ["3"]),
        HeadFinding("NP", "function", "HD from left", 1, ["1"]),
        HeadFinding("NP", "function", "NN NNE CNP as NK PNC from left", 1, ["2"]),
        HeadFinding("S", "function", "HD from left", 2, ["1", "2"]),
    ]


def test_a_disagreement_is_told_of_the_node_where_it_arises() -> None:
    """The clause above has another lexical head then, but the same child as its head."""
    tree = "(CS (S:CJ (NP:HD 0=Geld/NN:NK 1=Peter/NE:HD) 2=da/ADV:MO) 3=und/KON:CD)"
    diagnosis = diagnose_heads(bank_of(tree, tree), TIGER)
    assert [f for f in diagnosis if f.how == "disagreement"] == [
        HeadFinding("NP", "disagreement", "without functions NN (NK) instead of NE (HD)", 2, ["1", "2"])
    ]
    bare = bank_of("(S (NP 0=das/ART 1=Geld/NN) 2=fehlt/VVFIN)")
    assert [(f.category, f.how) for f in diagnose_heads(bare, TIGER)] == [
        ("NP", "category"),
        ("S", "category"),
    ]
    assert (
        "NP                2  ! without functions NN (NK) instead of NE (HD): 1 2"
        in as_text(diagnosis).splitlines()
    )
    assert as_json(diagnosis)[0]["sentences"] == ["1", "2"]


def test_nothing_to_choose() -> None:
    assert as_text(diagnose_heads(bank_of("(S 0=geh/VVIMP)"), TIGER)).startswith("0 nodes with more than one")
