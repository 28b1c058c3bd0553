"""Kübler and Telljohann (2002), section 5: recall and precision of dependencies of partial parses.

The figures are not in the text; the dependencies are those that sections 4 and 5 describe: the finite verb
governs the clause, nouns their prepositions, each conjunct depends on what governs the coordination, a
conjunction on the conjunct to its right. A part that the parser does not attach is a root of its own.
"""

from __future__ import annotations

import pytest

from metrics.dependencies import Dependencies
from metrics.pairing import pair
from treebanks import ROOT, Treebank
from treebanks.builder import TreebankBuilder


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
        "ich": "nehme", "den": "Zug", "Zug": "nehme", "nach": "Frankfurt", "Frankfurt": "nehme",
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
