"""Complements and modifiers on the main verb of a verb complex."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossbank.converters.dependencies.main_verbs import attach_to_main_verbs
from crossbank.converters.scheme_files import load_scheme
from crossbank.converters.transformations import transform
from crossbank.treebanks import ROOT, Treebank
from crossbank.treebanks.builder import TreebankBuilder
from crossbank.treebanks.errors import RequirementError
from tests.converters.banks import bank_of, events
from tests.errors import raises
from tests.validity import validate

TUEBADZ = load_scheme("tuebadz")

BREAD = (
    "(SIMPX (VF:- (NX:OA 0=Brot/NN:HD)) (LK:- (VXFIN:HD 1=soll/VMFIN:HD)) (MF:- (NX:ON 2=sie/PPER:HD)"
    " (ADVX:MOD 3=gestern/ADV:HD) (PX:V-MOD 4=in/APPR:- (NX:HD 5=Rom/NE:HD)))"
    " (VC:- (VXINF:OV 6=gekauft/VVPP:HD) (VXINF:HD 7=haben/VAINF:HD))"
    " (NF:- (SIMPX:MOD (C:- 8=weil/KOUS:-) (MF:- (NX:ON 9=es/PPER:HD))"
    " (VC:- (VXFIN:HD 10=fehlte/VVFIN:HD)))))"
)


def governors(tree: str, *steps: str) -> dict[str, str]:
    bank = transform(bank_of(tree), [*(steps or ("dependencies",)), "attach_to_main_verbs"], TUEBADZ)
    words = bank.words(0)
    return {
        word: words[head] if head >= 0 else "-"
        for word, head in zip(words, bank.tokens.head.tolist(), strict=True)
    }


def test_all_but_subject_and_clauses_move() -> None:
    assert governors(BREAD) == {
        "Brot": "gekauft", "soll": "-", "sie": "soll", "gestern": "gekauft", "in": "Rom", "Rom": "gekauft",
        "gekauft": "haben", "haben": "soll", "weil": "fehlte", "es": "fehlte", "fehlte": "soll",
    }  # fmt: skip
    bank = transform(bank_of(BREAD), ["dependencies", "attach_to_main_verbs"], TUEBADZ)
    assert events(bank)["attach_to_main_verbs: dependents moved to the main verb"] == 3


@pytest.mark.parametrize("coordination", ["all", "first", "chain"])
def test_of_two_infinitives_the_first_after_the_word(coordination: str) -> None:
    tree = (
        "(SIMPX (LK:- (VXFIN:HD 0=wir/VMFIN:HD)) (FKOORD:- (FKONJ:KONJ (MF:- (NX:OA 1=Brot/NN:HD))"
        " (VC:- (VXINF:OV 2=kaufen/VVINF:HD))) 3=und/KON:- (FKONJ:KONJ (MF:- (NX:OA 4=Wein/NN:HD))"
        " (VC:- (VXINF:OV 5=trinken/VVINF:HD)))) (NF:- (PX:V-MOD 6=in/APPR:- (NX:HD 7=Rom/NE:HD))))"
    )
    heads = governors(tree, f"dependencies:coordination={coordination}")
    assert (heads["Brot"], heads["Wein"], heads["Rom"]) == ("kaufen", "trinken", "trinken")


@pytest.mark.parametrize(("rules", "main"), [("", "zu"), (",rules=foth", "lesen")])
def test_infinitives_with_zu(rules: str, main: str) -> None:
    tree = (
        "(SIMPX (LK:- (VXFIN:HD 0=hat/VAFIN:HD)) (MF:- (NX:OA 1=Briefe/NN:HD))"
        " (VC:- (VXINF:OV 2=zu/PTKZU:HD 3=lesen/VVINF:-)))"
    )
    heads = governors(tree, f"dependencies:coordination=first{rules}")
    assert (heads["Briefe"], heads[main]) == (main, "hat")


def test_what_it_needs() -> None:
    with raises(RequirementError, name="attach_to_main_verbs", required="dependencies before it"):
        attach_to_main_verbs(bank_of(BREAD), TUEBADZ)
    with raises(RequirementError, name="attach_to_main_verbs", required="a scheme with verb_complex"):
        transform(bank_of(BREAD), ["dependencies", "attach_to_main_verbs"], load_scheme("ptb"))


@st.composite
def trees(draw: st.DrawFn) -> Treebank:
    """Return the dependency trees with one root, whose verbs and relations are drawn at random."""
    builder = TreebankBuilder()
    builder.sentence()
    size = draw(st.integers(1, 12))
    order = draw(st.permutations(range(size)))
    above = dict(pairwise(order)) if draw(st.booleans()) else {}
    for word in range(size):
        rank = order.index(word)
        head = above.get(word, order[draw(st.integers(0, rank - 1))] if rank else ROOT)
        head = ROOT if word == order[-1] and above else head
        builder.token(
            form="w", head=head, pos=draw(st.sampled_from(["VVFIN", "VVINF", "KON", "NN"])),
            relation=draw(st.sampled_from(["OV", "HD", "OA", "MOD", "ON", "KONJ"])),
        )  # fmt: skip
    return builder.build()


@given(trees())
def test_trees_stay_trees(bank: Treebank) -> None:
    assert validate(bank) == []
    assert validate(attach_to_main_verbs(bank, TUEBADZ)) == []
