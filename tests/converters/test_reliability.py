"""The diagnosis of heads, and how far conversions agree."""

import pytest

from converters.head_diagnosis import DISAGREE, HeadFinding, diagnose_heads
from converters.reliability import Agreement, against_gold, without_functions
from converters.scheme import load_scheme
from converters.transformations import transform
from tests.converters.banks import bank_of
from treebanks import ConversionError

TIGER = load_scheme("tiger")
TREES = (
    "(S (NP:SB 0=Geld/NN:NK 1=Peter/NE:HD) 2=fehlt/VVFIN:HD)",
    "(S (NP:SB 0=das/ART:NK 1=Geld/NN:NK) 2=fehlt/VVFIN:HD)",
)


def test_heads_are_diagnosed_with_sentence_ids() -> None:
    found = diagnose_heads(bank_of(*TREES, "(DL 0=a/X 1=b/X)"), TIGER)
    assert HeadFinding("S", "HD from left", 2, ["1", "2"]) in found
    assert HeadFinding("DL", "default", 1, ["3"]) in found
    # Without functions the last noun heads the phrase, as by function: nothing to report.
    assert not [f for f in found if f.what == DISAGREE]
    other = diagnose_heads(bank_of(TREES[0].replace("NK 1=Peter/NE:HD", "HD 1=Peter/NE:NK")), TIGER)
    assert HeadFinding("NP", DISAGREE, 1, ["1"]) in other


def test_dependencies_with_and_without_functions() -> None:
    bank = bank_of(TREES[0].replace("NK 1=Peter/NE:HD", "HD 1=Peter/NE:NK"), TREES[1])
    assert without_functions(bank, TIGER) == [
        Agreement("SB", 2, 1), Agreement("NK", 2, 1), Agreement("root", 2, 2),
    ]  # fmt: skip


def test_against_dependencies_of_others() -> None:
    gold = transform(bank_of(*TREES), ["dependencies"], TIGER)
    rows, compared = against_gold(bank_of(*TREES), gold, TIGER)
    assert compared == 2
    assert all(row.words == row.same_head for row in rows)
    rows, compared = against_gold(bank_of(TREES[0].replace("Geld", "Gold"), TREES[1]), gold, TIGER)
    assert (compared, sum(row.words for row in rows)) == (1, 3)
    with pytest.raises(ConversionError, match="found 2 gold sentences, expected 1"):
        against_gold(bank_of(TREES[0]), gold, TIGER)
