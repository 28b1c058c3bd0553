"""Kübler and Telljohann (2002), section 5: brackets and dependencies of partial parses, recall and precision.

The figures are not in the text; the dependencies are those that sections 4 and 5 describe: the finite verb
governs the clause, nouns their prepositions, each conjunct depends on what governs the coordination, a
conjunction on the conjunct to its right. A part that the parser does not attach is a root of its own.

The trees are rebuilt from the sentences, the annotation scheme of section 3 and what section 5 says of the
errors. Every node is a bracket, the root too (note 2); parts that are not attached are roots of their own.
"""

from __future__ import annotations

import pytest

from crossbank.metrics.dependencies import Dependencies
from crossbank.metrics.pairing.pair import pair
from crossbank.metrics.parseval import Parseval
from crossbank.treebanks import ROOT, Treebank
from crossbank.treebanks.builder import TreebankBuilder
from tests.metrics.trees import labelled


def bank(words: str, heads: dict[str, str]) -> Treebank:
    """A sentence of words that occur once (``und.2`` is the second ``und``); one without a head is a root."""
    forms = words.split()
    builder = TreebankBuilder("figure")
    builder.sentence()
    for form in forms:
        head = forms.index(heads[form]) if form in heads else ROOT
        builder.token(form=form.partition(".")[0], head=head, relation="-")
    return builder.build()


FRANKFURT = (
    "ich nehme den Zug nach Frankfurt an der Oder",
    {
        "ich": "nehme", "den": "Zug", "Zug": "nehme", "nach": "Frankfurt", "Frankfurt": "Zug",
        "an": "Oder", "der": "Oder", "Oder": "Frankfurt",
    },
)  # fmt: skip

SEVENTH = "am siebten und achten", {"am": "siebten", "und": "achten", "achten": "siebten"}

AUGUST = (
    "das wäre Mittwoch der dritte und Donnerstag der.2 vierte August",
    {
        "das": "wäre", "Mittwoch": "wäre", "der": "dritte", "dritte": "Mittwoch", "und": "Donnerstag",
        "Donnerstag": "wäre", "der.2": "August", "vierte": "August", "August": "Donnerstag",
    },
)  # fmt: skip

HOTEL = (
    "das Hotel hat sogar ein Schwimmbad und ein.2 Solarium dabei und.2 einen Fitnessraum",
    {
        "das": "Hotel", "Hotel": "hat", "sogar": "hat", "ein": "Schwimmbad", "Schwimmbad": "hat",
        "und": "Solarium", "ein.2": "Solarium", "Solarium": "hat", "dabei": "hat", "und.2": "Fitnessraum",
        "einen": "Fitnessraum", "Fitnessraum": "hat",
    },
)  # fmt: skip

HANNOVER = (
    "wir müssen ja noch einen Bericht abfassen über diese Reise nach Hannover",
    {
        "wir": "müssen", "ja": "müssen", "noch": "müssen", "einen": "Bericht", "Bericht": "müssen",
        "abfassen": "müssen", "über": "Reise", "diese": "Reise", "Reise": "Bericht", "nach": "Hannover",
        "Hannover": "Reise",
    },
)  # fmt: skip


@pytest.mark.parametrize(
    ("figure", "changed", "recall", "precision"),
    [
        (FRANKFURT, {"Oder": "nehme"}, (7, 8), (7, 8)),
        (SEVENTH, {"und": None, "achten": None}, (1, 3), (1, 1)),
        (AUGUST, {"und": None, "Donnerstag": None}, (7, 9), (7, 7)),
        (HOTEL, {"Fitnessraum": None}, (11, 12), (11, 11)),
        (HANNOVER, {"Hannover": None}, (10, 11), (10, 10)),
    ],
    ids=["10", "11a", "12", "6", "4"],
)
def test_dependencies_of_partial_parses(
    figure: tuple[str, dict[str, str]],
    changed: dict[str, str | None],
    recall: tuple[int, int],
    precision: tuple[int, int],
) -> None:
    words, heads = figure
    found = {word: head for word, head in {**heads, **changed}.items() if head is not None}
    counts = Dependencies(roots=False).counts(pair(bank(words, heads), bank(words, found)))
    sums = {name: int(value) for name, value in counts.sums().items()}
    assert (sums["matched"], sums["gold"]) == recall
    assert (sums["matched"], sums["candidate"]) == precision
    assert counts.value("recall") == recall[0] / recall[1]


@pytest.mark.parametrize(
    ("gold", "parsed", "recall", "precision"),
    [
        (  # Figures 2 and 1: the last phrase modifies the verb in place of "Frankfurt".
            "[SIMPX [VF [NX ich ] ] [LK [VXFIN nehme ] ] [MF [NX [NX den Zug ]"
            " [PX nach [NX [NX Frankfurt ] [PX an [NX der Oder ] ] ] ] ] ] ]",
            "[SIMPX [VF [NX ich ] ] [LK [VXFIN nehme ] ] [MF [NX [NX den Zug ] [PX nach [NX Frankfurt ] ] ]"
            " [PX an [NX der Oder ] ] ] ]",
            (10, 13),
            (10, 12),
        ),
        (  # Figure 11: conjunction and second conjunct are not attached, here and in the next.
            "[PX am [NX [NX siebten ] und [NX achten ] ] ]",
            "[PX am [NX siebten ] ] und [NX achten ]",
            (2, 4),
            (2, 3),
        ),
        (  # An ordinal is the head of its phrase in "der dritte" and a phrase of its own before a noun.
            "[SIMPX [VF [NX das ] ] [LK [VXFIN wäre ] ] [MF [NX [NX Mittwoch [NX der dritte ] ] und"
            " [NX Donnerstag [NX der [ADJX vierte ] August ] ] ] ] ]",
            "[SIMPX [VF [NX das ] ] [LK [VXFIN wäre ] ] [MF [NX Mittwoch [NX der dritte ] ] ] ] und"
            " [NX Donnerstag [NX der [ADJX vierte ] August ] ]",
            (9, 12),
            (9, 11),
        ),
        (  # Figure 5: the conjunct behind the verb complex is not attached, so there is no final field.
            "[SIMPX [VF [NX das Hotel ] ] [LK [VXFIN hat ] ] [MF [ADVX sogar ] [NX [NX ein Schwimmbad ] und"
            " [NX ein Solarium ] ] ] [VC dabei ] [NF [NX und [NX einen Fitnessraum ] ] ] ]",
            "[SIMPX [VF [NX das Hotel ] ] [LK [VXFIN hat ] ] [MF [ADVX sogar ] [NX [NX ein Schwimmbad ] und"
            " [NX ein Solarium ] ] ] [VC dabei ] ] [NX und [NX einen Fitnessraum ] ]",
            (12, 14),
            (12, 13),
        ),
        (  # Figure 3: "nach Hannover" is not attached, and the phrase that would hold it is missing.
            "[SIMPX [VF [NX wir ] ] [LK [VXFIN müssen ] ] [MF [ADVX ja ] [ADVX noch ] [NX einen Bericht ] ]"
            " [VC [VXINF abfassen ] ] [NF [PX über [NX [NX diese Reise ] [PX nach [NX Hannover ] ] ] ] ] ]",
            "[SIMPX [VF [NX wir ] ] [LK [VXFIN müssen ] ] [MF [ADVX ja ] [ADVX noch ] [NX einen Bericht ] ]"
            " [VC [VXINF abfassen ] ] [NF [PX über [NX diese Reise ] ] ] ] [PX nach [NX Hannover ] ]",
            (13, 17),
            (13, 16),
        ),
    ],
    ids=["1 and 2", "11a", "11b", "5", "3"],
)
def test_brackets_of_partial_parses(
    gold: str, parsed: str, recall: tuple[int, int], precision: tuple[int, int]
) -> None:
    sums = Parseval().counts(pair(labelled(gold), labelled(parsed))).sums()
    assert (sums["matched"], sums["gold"]) == recall
    assert (sums["matched"], sums["candidate"]) == precision
