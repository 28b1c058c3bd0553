"""The diagnosis of heads."""

from converters.head_diagnosis import DISAGREE, HeadFinding, diagnose_heads
from converters.scheme import load_scheme
from tests.converters.banks import bank_of

TIGER = load_scheme("tiger")
TREES = (
    "(S (NP:SB 0=Geld/NN:HD 1=Peter/NE:NK) 2=fehlt/VVFIN:HD)",
    "(S (NP:SB 0=das/ART:NK 1=Geld/NN:NK) 2=fehlt/VVFIN:HD)",
)


def test_heads_are_diagnosed_with_sentence_ids() -> None:
    found = diagnose_heads(bank_of(*TREES, "(DL 0=a/X 1=b/X)"), TIGER)
    assert HeadFinding("S", "HD from left", 2, ["1", "2"]) in found
    assert HeadFinding("DL", "default", 1, ["3"]) in found
    # Without functions the first noun heads the phrase, as by function: nothing to report.
    assert not [f for f in found if f.what == DISAGREE]
    other = diagnose_heads(bank_of(TREES[0].replace("HD 1=Peter/NE:NK", "NK 1=Peter/NE:HD")), TIGER)
    assert HeadFinding("NP", DISAGREE, 1, ["1"]) in other
