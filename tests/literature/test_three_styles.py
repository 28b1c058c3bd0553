"""SUSANNE-, Penn- and CCG-style trees of one text, with the same three errors: categories beside brackets.

Clark and Hockenmaier (2002), section 5.1: Parseval scores of CCG and of Penn trees cannot be compared,
since derivations have more brackets, and other ones; lexical categories encode attachment, which word tags
do not.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from crossbank.converters.scheme_files import load_scheme
from crossbank.metrics.counting.scoring import score, scoring_of
from crossbank.treebanks.formats import read

FOLDER = Path(__file__).parents[2] / "examples" / "three_styles"

STYLES = {
    # scheme: gold, candidate, words with the right category, brackets matched, of the candidate, of gold
    "susanne": ("susanne.mrg", "susanne.parsed.mrg", 42, (38, 41, 41)),
    "ptb": ("penn.mrg", "penn.parsed.mrg", 42, (42, 44, 44)),
    "ccg": ("ccg.auto", "ccg.parsed.auto", 39, (40, 45, 44)),
}
"""Two prepositional phrases are attached elsewhere and an adverb is taken for a noun."""

WORDS = 43


@pytest.mark.parametrize("scheme", STYLES)
def test_the_same_errors_cost_more_categories_where_these_say_more(scheme: str) -> None:
    gold, candidate, right, brackets = STYLES[scheme]
    names = ["categories", "parseval"]
    sides = (read(FOLDER / name) for name in (gold, candidate))
    categories, parseval = score(*sides, scoring_of(names, {}), load_scheme(scheme))
    assert (categories.sums()["matched"], categories.sums()["gold"]) == (right, WORDS)
    sums = parseval.sums()
    assert (sums["matched"], sums["candidate"], sums["gold"]) == brackets


def test_all_styles_have_the_same_words() -> None:
    words = [
        [
            [word for word in bank.words(sentence) if word not in (".", "*T*-1")]
            for sentence in range(len(bank))
        ]
        for gold, candidate, *_ in STYLES.values()
        for bank in (read(FOLDER / gold), read(FOLDER / candidate))
    ]
    assert all(actual == words[0] for actual in words)
