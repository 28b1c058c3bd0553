"""Kübler and Telljohann (2002), section 4: the dependencies of TüBa trees.

Trees and graphs are figures there; the trees here are rebuilt from the sentences, the annotation scheme
and the numbers of brackets and dependencies that the text gives, the graphs from the text.
"""

import pytest

from converters.scheme import load_scheme
from converters.transformations import transform
from tests.converters.banks import bank_of, events
from treebanks import Treebank

TUEBADZ = load_scheme("tuebadz")

REPORT = (  # Figures 3 and 4
    "(SIMPX (VF:- (NX:ON 0=wir/PPER:HD)) (LK:- (VXFIN:HD 1=müssen/VMFIN:HD)) (MF:- (ADVX:MOD 2=ja/ADV:HD)"
    " (ADVX:MOD 3=noch/ADV:HD) (NX:OA 4=einen/ART:- 5=Bericht/NN:HD)) (VC:- (VXINF:OV 6=abfassen/VVINF:HD))"
    " (NF:- (PX:OA-MOD 7=über/APPR:- (NX:HD (NX:HD 8=diese/PDAT:- 9=Reise/NN:HD)"
    " (PX:- 10=nach/APPR:- (NX:HD 11=Hannover/NE:HD))))))"
)
HOTEL = (  # Figures 5 and 6
    "(SIMPX (VF:- (NX:ON 0=das/ART:- 1=Hotel/NN:HD)) (LK:- (VXFIN:HD 2=hat/VAFIN:HD)) (MF:-"
    " (ADVX:MOD 3=sogar/ADV:HD) (NX:OA (NX:KONJ 4=ein/ART:- 5=Schwimmbad/NN:HD) 6=und/KON:-"
    " (NX:KONJ 7=ein/ART:- 8=Solarium/NN:HD))) (VC:- 9=dabei/PTKVZ:VPT)"
    " (NF:- (NX:OAK 10=und/KON:- (NX:HD 11=einen/ART:- 12=Fitnessraum/NN:HD))))"
)
FLIGHT = (  # Figures 7 and 8
    "(SIMPX (VF:- (ADVX:V-MOD 0=heute/ADV:HD)) (LK:- (VXFIN:HD 1=müssen/VMFIN:HD)) (MF:-"
    " (NX:ON 2=wir/PPER:HD) (PX:MOD-MOD 3=um/APPR:- (NX:HD 4=fünfzehn/CARD:- 5=Uhr/NN:HD))"
    " (ADVX:MOD 6=wieder/ADV:HD) "
    " (PX:V-MOD 7=nach/APPR:- (NX:HD 8=Frankfurt/NE:HD))) (VC:- (VXINF:OV 9=fliegen/VVINF:HD)))"
)


def converted(tree: str, **options: str) -> Treebank:
    written = ",".join(f"{name}={value}" for name, value in options.items())
    return transform(bank_of(tree), [f"dependencies:{written}" if written else "dependencies"], TUEBADZ)


def arcs(tree: str, **options: str) -> dict[str, str]:
    """Each word with its governor and relation: ``{"einen": "Bericht -"}``."""
    bank = converted(tree, **({"coordination": "all"} | options))
    words = bank.words(0)
    relations = bank.vocabulary.decode(bank.tokens.relation)
    return {
        f"{word}{i}" if words.count(word) > 1 else word: f"{words[head] if head >= 0 else '-'} {relation}"
        for i, (word, head, relation) in enumerate(
            zip(words, bank.tokens.head.tolist(), relations, strict=True)
        )
    }


def test_the_view_of_the_scheme_is_the_papers() -> None:
    assert TUEBADZ.views["dependencies"] == ("dependencies:coordination=all",)


def test_a_long_distance_modifier() -> None:
    assert arcs(REPORT) == {
        "wir": "müssen ON",
        "müssen": "- root",
        "ja": "müssen MOD",
        "noch": "müssen MOD",
        "einen": "Bericht -",
        "Bericht": "müssen OA",
        "abfassen": "müssen OV",
        "über": "Reise -",
        "diese": "Reise -",
        "Reise": "Bericht OA-MOD",
        "nach": "Hannover -",
        "Hannover": "Reise -",
    }
    assert events(converted(REPORT))["dependencies: long-distance dependents attached in the clause"] == 1


def test_a_coordination_with_a_conjunct_that_stands_apart() -> None:
    """No arc of Figure 6 crosses another: "Fitnessraum" depends on what governs the coordination."""
    assert arcs(HOTEL) == {
        "das": "Hotel -",
        "Hotel": "hat ON",
        "hat": "- root",
        "sogar": "hat MOD",
        "ein4": "Schwimmbad -",
        "Schwimmbad": "hat OA",
        "und6": "Solarium -",
        "ein7": "Solarium -",
        "Solarium": "hat OA",
        "dabei": "hat VPT",
        "und10": "Fitnessraum -",
        "einen": "Fitnessraum -",
        "Fitnessraum": "hat OAK",
    }


def test_lins_coordination_has_one_head() -> None:
    lin = arcs(HOTEL, coordination="first")
    assert (lin["Schwimmbad"], lin["und6"]) == ("hat OA", "Schwimmbad -")
    assert (lin["Solarium"], lin["Fitnessraum"]) == ("Schwimmbad KONJ", "Schwimmbad OAK")


def test_a_modifier_of_an_ambiguous_modifier() -> None:
    assert arcs(FLIGHT)["Uhr"] == "heute MOD-MOD"
    without = FLIGHT.replace("V-MOD 0", "ON-MOD 0").replace(":V-MOD 7", ":OPP 7")
    assert arcs(without)["Uhr"] == "wieder MOD-MOD"


def test_an_ambiguous_modifier_of_an_object_goes_to_the_closest() -> None:
    tree = (
        "(SIMPX (VF:- (NX:OA 0=ihn/PPER:HD)) (LK:- (VXFIN:HD 1=lehrt/VVFIN:HD)) (MF:- (NX:ON 2=sie/PPER:HD)"
        " (NX:OA 3=Kunst/NN:HD)) (NF:- (PX:OA-MOD 4=aus/APPR:- (NX:HD 5=Rom/NE:HD))))"
    )
    assert arcs(tree)["Rom"] == "Kunst OA-MOD"
    nowhere = tree.replace(":OA ", ":OD ")
    assert arcs(nowhere)["Rom"] == "lehrt OA-MOD"
    assert events(converted(nowhere))["dependencies: long-distance dependents with nothing to depend on"] == 1


def test_what_is_named_may_stand_in_another_clause_but_not_below() -> None:
    tree = (
        "(SIMPX (LK:- (VXFIN:HD 0=will/VMFIN:HD)) (MF:- (SIMPX:OS (MF:- (NX:OA 1=Brot/NN:HD))"
        " (VC:- (VXINF:HD 2=zu/PTKZU:- 3=essen/VVINF:HD)))) (NF:- (R-SIMPX:OA-MOD"
        " (C:- (NX:ON 4=das/PRELS:HD)) (MF:- (NX:OA 5=Gift/NN:HD)) (VC:- (VXFIN:HD 6=enthält/VVFIN:HD)))))"
    )
    assert arcs(tree)["enthält"] == "Brot OA-MOD"


@pytest.mark.parametrize(
    ("tree", "expected"),
    [
        # item 1: conjuncts, and a preposition in the place of a conjunction
        (
            "(PX 0=am/APPRART:- (NX:HD (NX:KONJ (ADJX:HD 1=siebten/ADJA:HD)) 2=und/KON:-"
            " (NX:KONJ (ADJX:HD 3=achten/ADJA:HD))))",
            {"am": "siebten -", "siebten": "- root", "und": "achten -", "achten": "- root"},
        ),
        (
            "(SIMPX (VF:- (NX:ON 0=der/ART:- (ADJX:HD (ADJX:KONJ 1=achte/ADJA:HD) 2=bis/APPR:-"
            " (ADJX:KONJ 3=neunte/ADJA:HD)))) (LK:- (VXFIN:HD 4=passt/VVFIN:HD)))",
            {"der": "achte -", "achte": "passt ON", "bis": "neunte -", "neunte": "passt ON",
             "passt": "- root"},
        ),
        # names, numbers said in parts, and complex conjunctions are like conjuncts
        (
            "(SIMPX (VF:- (NX=PER:ON 0=Anna/NE:- 1=Vogel/NE:-)) (LK:- (VXFIN:HD 2=singt/VVFIN:HD)))",
            {"Anna": "singt ON", "Vogel": "singt ON", "singt": "- root"},
        ),
        (
            "(SIMPX (LK:- (VXFIN:HD 0=sind/VAFIN:HD)) (MF:- (NX:PRED 1=neun/CARD:- 2=acht/CARD:-)))",
            {"sind": "- root", "neun": "sind PRED", "acht": "sind PRED"},
        ),
        (
            "(SIMPX (C:- 0=als/KOUS:- 1=ob/KOUS:-) (MF:- (NX:ON 2=es/PPER:HD))"
            " (VC:- (VXFIN:HD 3=regnet/VVFIN:HD)))",
            {"als": "regnet -", "ob": "regnet -", "es": "regnet ON", "regnet": "- root"},
        ),
        # a particle of the field KOORD
        (
            "(SIMPX (KOORD:- 0=und/KON:-) (VF:- (NX:ON 1=er/PPER:HD)) (LK:- (VXFIN:HD 2=kam/VVFIN:HD)))",
            {"und": "kam -", "er": "kam ON", "kam": "- root"},
        ),
    ],
)  # fmt: skip
def test_constructions_without_a_head(tree: str, expected: dict[str, str]) -> None:
    assert arcs(tree) == expected


def test_prepositions_as_heads() -> None:
    as_heads = arcs(FLIGHT, prepositions="preposition")
    assert (as_heads["nach"], as_heads["Frankfurt"]) == ("müssen V-MOD", "nach HD")
