"""Kübler and Telljohann (2002), section 5: brackets and dependencies of partial parses, recall and precision.

Trees and graphs are figures there; the trees are rebuilt from the sentences, the annotation scheme of
section 3 and what section 5 says of the errors. Every node is a bracket, the root too (note 2). A part that
the parser does not attach is a root of its own. Dependencies are read off the trees by section 4: the finite
verb governs the clause, nouns their prepositions, each conjunct depends on what governs the coordination, a
conjunction on the conjunct to its right. Since the paper rejects the Single Head Assumption, what a
coordination governs depends on each conjunct: only so has "am siebten und achten" the three dependencies of
its score.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest

from crossbank.converters.scheme_files import load_scheme
from crossbank.converters.transformations import transform
from crossbank.metrics.counting.scoring import score, scoring_of
from crossbank.metrics.dependency_graphs import DependencyGraphs
from crossbank.metrics.pairing.pair import pair
from crossbank.metrics.parseval import Parseval
from crossbank.treebanks import Treebank
from tests.converters.banks import bank_of
from tests.literature.printed import replicates

TUEBADZ = load_scheme("tuebadz")
SEVERAL_HEADS = ["split_functions", "dependencies:coordination=all,heads=several"]
Ratio = tuple[int, int]


class Figure(NamedTuple):
    """Gold, the partial parse, and the printed recall and precision of brackets and of dependencies."""

    gold: str
    parsed: str
    brackets: tuple[Ratio, Ratio]
    dependencies: tuple[Ratio, Ratio]


TRAIN = (
    "(SIMPX (VF:- (NX:ON 0=ich/PPER:HD)) (LK:- (VXFIN:HD 1=nehme/VVFIN:HD)) (MF:- (NX:OA (NX:HD 2=den/ART:-"
    " 3=Zug/NN:HD) (PX:- 4=nach/APPR:- {})){}))"
)
AN_DER_ODER = "(PX:{} 6=an/APPR:- (NX:HD 7=der/ART:- 8=Oder/NE:HD))"
FRANKFURT = f"(NX:HD (NX:HD 5=Frankfurt/NE:HD) {AN_DER_ODER.format('-')})"

AUGUST = "(NX{} {}=Donnerstag/NN:HD (NX:- {}=der/ART:- (ADJX:- {}=vierte/ADJA:HD) {}=August/NN:HD))"
WEDNESDAY = "(SIMPX (VF:- (NX:ON 0=das/PDS:HD)) (LK:- (VXFIN:HD 1=wäre/VAFIN:HD)) (MF:- {}))"
THIRD = "2=Mittwoch/NN:HD (NX:- 3=der/ART:- 4=dritte/NN:HD)"

HOTEL = (
    "(SIMPX (VF:- (NX:ON 0=das/ART:- 1=Hotel/NN:HD)) (LK:- (VXFIN:HD 2=hat/VAFIN:HD)) (MF:-"
    " (ADVX:MOD 3=sogar/ADV:HD) (NX:OA (NX:KONJ 4=ein/ART:- 5=Schwimmbad/NN:HD) 6=und/KON:-"
    " (NX:KONJ 7=ein/ART:- 8=Solarium/NN:HD))) (VC:- 9=dabei/PTKVZ:VPT){})"
)
# In TüBa-D/Z a conjunct that stands apart is a NX:KONJ beside its conjunction, too.
FITNESS = "(NX{} 10=und/KON:- (NX:KONJ 11=einen/ART:- 12=Fitnessraum/NN:HD))"

REPORT = (
    "(SIMPX (VF:- (NX:ON 0=wir/PPER:HD)) (LK:- (VXFIN:HD 1=müssen/VMFIN:HD)) (MF:- (ADVX:MOD 2=ja/ADV:HD)"
    " (ADVX:MOD 3=noch/ADV:HD) (NX:OA 4=einen/ART:- 5=Bericht/NN:HD)) (VC:- (VXINF:OV 6=abfassen/VVINF:HD))"
    " (NF:- (PX:OA-MOD 7=über/APPR:- {})))"
)
JOURNEY, HANNOVER = "(NX:HD 8=diese/PDAT:- 9=Reise/NN:HD)", "(PX{} 10=nach/APPR:- (NX:HD 11=Hannover/NE:HD))"

FIGURES = {
    # Figures 2 and 1: the last phrase modifies the verb in place of "Frankfurt".
    "1 and 2": Figure(
        TRAIN.format(FRANKFURT, ""),
        TRAIN.format("(NX:HD 5=Frankfurt/NE:HD)", " " + AN_DER_ODER.format("V-MOD")),
        ((10, 13), (10, 12)),
        ((7, 8), (7, 8)),
    ),
    # Figure 11: conjunction and second conjunct are not attached, here and in the next.
    "11a": Figure(
        "(PX 0=am/APPRART:- (NX:HD (NX:KONJ 1=siebten/NN:HD) 2=und/KON:- (NX:KONJ 3=achten/NN:HD)))",
        "(PX 0=am/APPRART:- (NX:HD 1=siebten/NN:HD)) 2=und/KON (NX 3=achten/NN:HD)",
        ((2, 4), (2, 3)),
        ((1, 3), (1, 1)),
    ),
    # An ordinal is the head of its phrase in "der dritte" and a phrase of its own before a noun.
    "11b": Figure(
        WEDNESDAY.format(f"(NX:PRED (NX:KONJ {THIRD}) 5=und/KON:- {AUGUST.format(':KONJ', 6, 7, 8, 9)})"),
        WEDNESDAY.format(f"(NX:PRED {THIRD})") + " 5=und/KON " + AUGUST.format("", 6, 7, 8, 9),
        ((9, 12), (9, 11)),
        ((7, 9), (7, 7)),
    ),
    # Figures 5 and 6: the conjunct after the verb complex is not attached, so there is no final field.
    "5": Figure(
        HOTEL.format(f" (NF:- {FITNESS.format(':OAK')})"),
        HOTEL.format("") + " " + FITNESS.format(""),
        ((12, 14), (12, 13)),
        ((11, 12), (11, 11)),
    ),
    # Figures 3 and 4: "nach Hannover" is not attached, and the phrase that would hold it is missing.
    "3": Figure(
        REPORT.format(f"(NX:HD {JOURNEY} {HANNOVER.format(':-')})"),
        REPORT.format(JOURNEY) + " " + HANNOVER.format(""),
        ((13, 17), (13, 16)),
        ((10, 11), (10, 10)),
    ),
}


def graph(tree: str) -> Treebank:
    return transform(bank_of(tree), SEVERAL_HEADS, TUEBADZ)


@pytest.mark.parametrize("labels", [True, False])
@pytest.mark.parametrize("figure", FIGURES.values(), ids=FIGURES)
def test_dependencies_of_partial_parses(figure: Figure, labels: bool) -> None:
    """A word without a governor has no dependency: the parts of a partial parse are several roots."""
    both = pair(graph(figure.gold), graph(figure.parsed))
    counts = DependencyGraphs(roots=False, labels=labels).counts(both)
    sums = {name: int(value) for name, value in counts.sums().items()}
    assert (sums["matched"], sums["gold"]) == figure.dependencies[0]
    assert (sums["matched"], sums["candidate"]) == figure.dependencies[1]
    assert counts.value("recall") == figure.dependencies[0][0] / figure.dependencies[0][1]


def replicated(figure: str, kind: str, sums: Mapping[str, Any], printed: tuple[Ratio, Ratio]) -> None:
    sides = (("recall", "gold"), ("precision", "candidate"))
    for (measure, side), (matched, of) in zip(sides, printed, strict=True):
        actual = f"{int(sums['matched'])}/{int(sums[side])}"
        item = f"{kind}, {measure}"
        replicates("Kübler and Telljohann (2002)", f"Figure {figure}", item, f"{matched}/{of}", actual)


@pytest.mark.parametrize("name", FIGURES)
def test_brackets_of_partial_parses_as_printed(name: str) -> None:
    figure = FIGURES[name]
    sums = Parseval().counts(pair(bank_of(figure.gold), bank_of(figure.parsed))).sums()
    replicated(name, "brackets", sums, figure.brackets)


@pytest.mark.parametrize("name", FIGURES)
def test_the_printed_scores_under_the_schemes_view(name: str) -> None:
    """The shipped scheme alone: one printed score is 1/3, of "am siebten und achten"."""
    figure = FIGURES[name]
    scoring = scoring_of(["dependency_graphs"], {"roots": "no"})
    (counts,) = score(bank_of(figure.gold), bank_of(figure.parsed), scoring, TUEBADZ)
    recall, precision = figure.dependencies
    assert counts.value("recall") == recall[0] / recall[1]
    assert counts.value("precision") == precision[0] / precision[1]
    replicated(name, "dependencies", counts.sums(), figure.dependencies)


def test_a_preposition_depends_on_each_conjunct() -> None:
    bank = graph(FIGURES["11a"].gold)
    assert bank.vocabulary.decode(bank.tokens.deps) == ["2:-|4:-", "0:root", "4:-", "0:root"]
    assert [f"{f.event}: {f.total}" for f in bank.diagnosis if "several" in f.event] == [
        "words that depend on several conjuncts: 1"
    ]
    one_head = transform(bank_of(FIGURES["11a"].gold), ["dependencies:coordination=all"], TUEBADZ)
    assert one_head.tokens.head.tolist() == bank.tokens.head.tolist()
    assert not one_head.tokens.deps.any()
