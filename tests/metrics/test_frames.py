"""Frames as labels of clauses (Beil et al. 2002, section 6.2), read off functions and scored verb by verb."""

from __future__ import annotations

from pathlib import Path

import pytest

from crossbank.converters.scheme_files import load_scheme
from crossbank.converters.transformations import transform
from crossbank.metrics.counting.scoring import score, scoring_of
from crossbank.metrics.frames import Frames
from crossbank.metrics.pairing.pair import pair
from crossbank.treebanks import CrossbankError, Treebank
from crossbank.treebanks.errors import RequirementError
from crossbank.treebanks.formats import read
from tests.converters.banks import bank_of
from tests.errors import raises

TIGER, TUEBADZ = load_scheme("tiger"), load_scheme("tuebadz")

GOLD = (
    "(S (NP:SB 0=ein/ART 1=Kind/NN) 2=hat/VAFIN:HD (VP:OC (NP:OA 3=ein/ART 4=Buch/NN) 5=gelesen/VVPP:HD))",
    "(S 0=er/PPER:SB 1=glaubt/VVFIN:HD 2=,/$, (S:OC 3=daß/KOUS:CP 4=sie/PPER:SB 5=ihm/PPER:DA"
    " 6=hilft/VVFIN:HD))",
)
PARSED = (
    "(S (NP:SB 0=ein/ART 1=Kind/NN) 2=hat/VAFIN:HD (VP:OC (NP:OA 3=ein/ART 4=Buch/NN) 5=gelesen/VVPP:HD))",
    "(S 0=er/PPER:SB 1=glaubt/VVFIN:HD 2=,/$, (S:OC 3=daß/KOUS:CP 4=sie/PPER:SB 5=ihm/PPER:OA"
    " 6=hilft/VVFIN:HD))",
)


def frames(bank: Treebank) -> list[list[tuple[str, str]]]:
    """Return the verb and frame of every clause."""
    actual = []
    for sentence in range(len(bank)):
        rows = bank.nodes.rows(sentence)
        words = bank.words(sentence)
        verbs = [words[head] for head in bank.nodes.head[rows].tolist()]
        actual.append(list(zip(verbs, bank.vocabulary.decode(bank.nodes.label[rows]), strict=True)))
    return actual


def test_frames_of_tiger() -> None:
    bank = transform(bank_of(*GOLD), ["label_frames"], TIGER)
    assert frames(bank) == [[("gelesen", "VPA.na")], [("glaubt", "VPA.ns"), ("hilft", "VPA.nd")]]


def test_frames_of_tuebadz_through_fields() -> None:
    bank = bank_of(
        "(SIMPX (VF (NX:ON 0=er/PPER)) (LK (VXFIN:HD 1=gab/VVFIN)) (MF (NX:OD 2=ihr/PPER) (NX:OA"
        " 3=Geld/NN)))",
        "(SIMPX (MF (NX:ON 0=niemand/PIS)))",
    )
    labelled = transform(bank, ["label_frames"], TUEBADZ)
    assert frames(labelled) == [[("gab", "VPA.nad")], []]
    events = {f.event: f.total for f in labelled.diagnosis}
    assert events["clauses without a verb dropped"] == 1


def test_precision_and_recall_overall_and_by_verb() -> None:
    (counts,) = score(bank_of(*GOLD), bank_of(*PARSED), scoring_of(["frames"], {}), TIGER)
    assert counts.value("precision") == counts.value("recall") == 2 / 3
    by_verb = counts.by_breakdown("verb")
    assert {verb: (actual["matched"], actual["gold"]) for verb, actual in by_verb.items()} == {
        "gelesen": (1, 1),
        "glaubt": (1, 1),
        "hilft": (0, 1),
    }
    assert counts.by_breakdown("frame")["VPA.na"] == {"gold": 1, "candidate": 2, "matched": 1}


def test_items_and_trees_without_verbs() -> None:
    both = pair(*(transform(bank_of(*trees), ["label_frames"], TIGER) for trees in (GOLD, PARSED)))
    assert [(i.label, i.gold, i.candidate, i.matched) for i in Frames().items(both, 1)] == [
        ("glaubt", "VPA.ns", "VPA.ns", True),
        ("hilft", "VPA.nd", "VPA.na", False),
    ]
    with raises(
        RequirementError,
        name="frames",
        required="clauses that have their verb as head, or a scheme that makes them",
    ):
        Frames().counts(pair(bank_of(*GOLD), bank_of(*GOLD)))


def test_labels_that_are_frames_already(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(
        "name: mine\ntitle: Mine\nsources: [me]\nframes: {clauses: ['IP.*'], verbs: ['V*']}\n"
        "views: {frames: [label_frames]}\n",
        encoding="utf-8",
    )
    gold, parsed = (
        bank_of("(IP.na 0=er/PPER (NC 1=sie/PPER) 2=sieht/VVFIN)"),
        bank_of("(IP.n 0=er/PPER (NC 1=sie/PPER) 2=sieht/VVFIN)"),
    )
    (counts,) = score(gold, parsed, scoring_of(["frames"], {}), load_scheme(path))
    assert counts.value("recall") == 0
    (chunks,) = score(gold, parsed, scoring_of(["selected"], {"labels": "NC"}))
    assert (chunks.value("range_precision"), chunks.value("precision")) == (1, 1)


def test_a_candidate_without_functions_is_refused() -> None:
    bare = bank_of("(S (NP 0=ein/ART 1=Kind/NN) 2=schläft/VVFIN)")
    gold = bank_of("(S (NP:SB 0=ein/ART 1=Kind/NN) 2=schläft/VVFIN)")
    with raises(CrossbankError, "frames", "functions"):
        score(gold, bare, scoring_of(["frames"], {}), TIGER)


@pytest.mark.parametrize("name", ["tiger", "tuebadz"])
def test_embedded_corpora_against_themselves(name: str) -> None:
    folder = Path(__file__).resolve().parents[2] / "examples"
    bank = read(folder / f"{name}.export")
    (counts,) = score(bank, bank, scoring_of(["frames"], {}), load_scheme(name))
    assert counts.value("f1") == 1
    assert {"VPA.n", "VPA.na", "VPP.n", "VPK.n"} <= set(counts.by_breakdown("frame"))


def test_reflexive_pronouns_in_noun_phrases() -> None:
    tree = "(SIMPX (VF (NX:ON 0=er/PPER)) (LK (VXFIN:HD 1=irrt/VVFIN)) (MF (NX:OA 2=sich/PRF)))"
    assert frames(transform(bank_of(tree), ["label_frames"], TUEBADZ)) == [[("irrt", "VPA.nr")]]
