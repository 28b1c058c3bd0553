"""Kübler and Telljohann (2002), section 4: the dependencies of TüBa trees.

Trees and graphs are figures there; the trees here are rebuilt from the sentences, the annotation scheme
and the numbers of brackets and dependencies that the text gives, the graphs from the text.
"""

import pytest

from crossbank.converters.scheme_files import load_scheme
from crossbank.converters.transformations import transform
from crossbank.treebanks import Treebank
from tests.converters.banks import bank_of, events

TUEBADZ = load_scheme("tuebadz")

REPORT = (  # Figures 3 and 4
    "(SIMPX (VF:- (NX:ON 0=wir/PPER:HD)) (LK:- (VXFIN:HD 1=müssen/VMFIN:HD)) (MF:- (ADVX:MOD 2=ja/ADV:HD)"
    " (ADVX:MOD 3=noch/ADV:HD) (NX:OA 4=einen/ART:- 5=Bericht/NN:HD)) (VC:- (VXINF:OV 6=abfassen/VVINF:HD))"
    " (NF:- (PX:OA-MOD 7=über/APPR:- (NX:HD (NX:HD 8=diese/PDAT:- 9=Reise/NN:HD)"
    " (PX:- 10=nach/APPR:- (NX:HD 11=Hannover/NE:HD))))))"
)
HOTEL = (  # Figures 5 and 6; the conjunct that stands apart as in TüBa-D/Z
    "(SIMPX (VF:- (NX:ON 0=das/ART:- 1=Hotel/NN:HD)) (LK:- (VXFIN:HD 2=hat/VAFIN:HD)) (MF:-"
    " (ADVX:MOD 3=sogar/ADV:HD) (NX:OA (NX:KONJ 4=ein/ART:- 5=Schwimmbad/NN:HD) 6=und/KON:-"
    " (NX:KONJ 7=ein/ART:- 8=Solarium/NN:HD))) (VC:- 9=dabei/PTKVZ:VPT)"
    " (NF:- (NX:OAK 10=und/KON:- (NX:KONJ 11=einen/ART:- 12=Fitnessraum/NN:HD))))"
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
    """Return each word with its governor and relation: ``{"einen": "Bericht -"}``."""
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
    assert TUEBADZ.views["dependencies"] == (
        "split_functions",
        "dependencies:coordination=all",
        "single_root",
    )


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


RESUMPTIVE = (
    "(SIMPX (LV:- (SIMPX:MOD-MOD (C:- 0=wenn/KOUS:-) (MF:- (NX:ON 1=es/PPER:HD))"
    " (VC:- (VXFIN:HD 2=regnet/VVFIN:HD)))) (VF:- (ADVX:MOD 3=dann/ADV:HD))"
    " (LK:- (VXFIN:HD 4=bleiben/VVFIN:HD)) (MF:- (NX:ON 5=wir/PPER:HD) (ADVX:V-MOD 6=hier/ADV:HD)))"
)


def test_in_a_resumptive_construction_it_is_the_modifier_in_the_initial_field() -> None:
    assert arcs(RESUMPTIVE)["regnet"] == "dann MOD-MOD"
    assert arcs(RESUMPTIVE.replace("(LV:-", "(KOORD:-"))["regnet"] == "hier MOD-MOD"
    without = RESUMPTIVE.replace("ADVX:MOD 3", "ADVX:PRED 3")
    assert arcs(without)["regnet"] == "hier MOD-MOD"


@pytest.mark.parametrize(("function", "named"), TUEBADZ.long_distance.closest.items())
def test_each_long_distance_modifier(function: str, named: tuple[str]) -> None:
    tree = REPORT.replace("OA-MOD", function).replace("NX:ON", "NX:OG").replace("NX:OA 4", f"NX:{named[0]} 4")
    assert arcs(tree)["Reise"] == f"Bericht {function}"


@pytest.mark.parametrize(("function", "named"), TUEBADZ.long_distance.conjuncts.items())
def test_each_conjunct_that_stands_apart(function: str, named: tuple[str]) -> None:
    tree = HOTEL.replace("NX:OA ", f"NX:{named[0]} ").replace("OAK", function).replace("NX:ON 0", "NX:ES 0")
    tree = tree.replace("ADVX:MOD 3", "ADVX:ES 3")
    governor = arcs(tree)["Schwimmbad"].split()[0]
    assert arcs(tree)["Fitnessraum"] == f"{governor} {function}"
    assert arcs(tree, coordination="first")["Fitnessraum"] == f"Schwimmbad {function}"


def test_a_conjunct_that_stands_outside_the_clause_of_its_coordination() -> None:
    """It depends on the head that governs the coordination, as all conjuncts do."""
    tree = (
        "(SIMPX (VF:- (NX:ON 0=er/PPER:HD)) (LK:- (VXFIN:HD 1=begann/VVFIN:HD)) (MF:- (SIMPX:OS"
        " (MF:- (NX:OA 2=Brot/NN:HD)) (VC:- (VXINF:HD 3=zu/PTKZU:HD 4=backen/VVINF:-))))"
        " (NF:- (NX:OAK 5=und/KON:- (NX:HD 6=Kuchen/NN:HD))))"
    )
    assert arcs(tree)["Brot"] == "zu OA"
    assert (arcs(tree)["Kuchen"], arcs(tree)["und"]) == ("zu OAK", "Kuchen -")


def test_complements_of_coordinated_fields_depend_on_the_finite_verb() -> None:
    """The object depends on the modal verb, "although it constitutes an argument of the main verb"."""
    fields = (
        "(FKOORD:- (FKONJ:KONJ (MF:- (NX:OA 2=Brot/NN:HD)) (VC:- (VXINF:OV 3=kaufen/VVINF:HD))) 4=und/KON:-"
        " (FKONJ:KONJ (MF:- (NX:OA 5=Wein/NN:HD)) (VC:- (VXINF:OV 6=trinken/VVINF:HD))))"
    )
    tree = f"(SIMPX (VF:- (NX:ON 0=wir/PPER:HD)) (LK:- (VXFIN:HD 1=wollen/VMFIN:HD)) {fields})"
    assert arcs(tree) == {
        "wir": "wollen ON",
        "wollen": "- root",
        "Brot": "wollen OA",
        "kaufen": "wollen OV",
        "und": "trinken -",
        "Wein": "wollen OA",
        "trinken": "wollen OV",
    }
    single = arcs(tree, coordination="first")
    assert (single["trinken"], single["Wein"]) == ("kaufen KONJ", "wollen OA")
    finite = fields.replace("VXINF:OV", "VXFIN:HD").replace("VVINF", "VVFIN")
    own = arcs(f"(SIMPX (C:- 0=wo/PWAV:-) (MF:- (NX:ON 1=wir/PPER:HD)) {finite})")
    assert (own["Brot"], own["Wein"], own["wir"]) == ("kaufen OA", "trinken OA", "kaufen ON")


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
        # item 1: conjuncts, here with one head for the preposition (test_kuebler_telljohann_2002 has both),
        # and a preposition in the place of a conjunction
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
            "(SIMPX (VF:- (NX=PER:ON 0=Anna/NE:- (PX:- 1=von/APPR:- (NX:HD 2=Thal/NE:HD))))"
            " (LK:- (VXFIN:HD 3=singt/VVFIN:HD)))",
            {"Anna": "singt ON", "von": "Thal -", "Thal": "singt ON", "singt": "- root"},
        ),
        (
            "(SIMPX (LK:- (VXFIN:HD 0=hieß/VVFIN:HD)) (MF:- (NX:PRED 1=N/BS:- 2=O/BS:- 3=T/BS:-)))",
            {"hieß": "- root", "N": "hieß PRED", "O": "hieß PRED", "T": "hieß PRED"},
        ),
        (
            "(SIMPX (C:- 0=so/ADV:- 1=dass/KOUS:-) (MF:- (NX:ON 2=es/PPER:HD))"
            " (VC:- (VXINF:OV 3=regnen/VVINF:HD) (VXFIN:HD 4=kann/VMFIN:HD)))",
            {"so": "kann -", "dass": "kann -", "es": "kann ON", "regnen": "kann OV", "kann": "- root"},
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
        # item 3: circumpositions and postpositions
        (
            "(SIMPX (LK:- (VXFIN:HD 0=geh/VVIMP:HD)) (MF:- (PX:V-MOD 1=um/APPR:-"
            " (NX:HD 2=Teiche/NN:HD) 3=herum/APZR:-)))",
            {"geh": "- root", "um": "Teiche -", "Teiche": "geh V-MOD", "herum": "Teiche -"},
        ),
        (
            "(SIMPX (LK:- (VXFIN:HD 0=geh/VVIMP:HD)) (MF:- (PX:V-MOD (NX:HD 1=ihm/PPER:HD) 2=nach/APPO:-)))",
            {"geh": "- root", "ihm": "geh V-MOD", "nach": "ihm -"},
        ),
        # item 1: two conjunctions, each on the conjunct to its right
        (
            "(SIMPX (VF:- (NX:ON 0=das/PDS:HD)) (LK:- (VXFIN:HD 1=wäre/VAFIN:HD)) (MF:- (NX:PRED"
            " 2=entweder/KON:- (NX:KONJ 3=Mittwoch/NN:HD) 4=oder/KON:- (NX:KONJ 5=Donnerstag/NN:HD))))",
            {"das": "wäre ON", "wäre": "- root", "entweder": "Mittwoch -", "Mittwoch": "wäre PRED",
             "oder": "Donnerstag -", "Donnerstag": "wäre PRED"},
        ),
        # not in the paper, whose treebank marks a head in them: the first part of an apposition
        (
            "(SIMPX (LK:- (VXFIN:HD 0=sing/VVIMP:HD)) (MF:- (NX:ON (NX:APP 1=Nachbarin/NN:HD)"
            " (NX=PER:APP 2=Anna/NE:- 3=Vogel/NE:-))))",
            {"sing": "- root", "Nachbarin": "sing ON", "Anna": "Nachbarin APP", "Vogel": "Nachbarin APP"},
        ),
    ],
)  # fmt: skip
def test_constructions_without_a_head(tree: str, expected: dict[str, str]) -> None:
    assert arcs(tree) == expected


def test_prepositions_as_heads() -> None:
    as_heads = arcs(FLIGHT, prepositions="preposition")
    assert (as_heads["nach"], as_heads["Frankfurt"]) == ("müssen V-MOD", "nach HD")
