"""Hot spots: what regularly scores low under leaf-ancestor, by kind, with counts and example sentences."""

from __future__ import annotations

from pathlib import Path

import pytest

from crossbank.metrics.leaf_ancestor import LeafAncestor
from crossbank.metrics.pairing.pair import pair
from crossbank.reports.results.study_results import CandidateResults, StudyResults, TreebankResults
from crossbank.reports.sections.hot_spots import HotSpot, build_hot_spot_tables, find_hot_spots
from crossbank.treebanks.formats import bracket
from tests.metrics.trees import labelled

RIGHT = "[S [NP the/D dog/N ] [VP saw/V [NP a/D cat/N ] [PP in/P town/N ] ] ]"
WRONG = "[S [NP the/D dog/N ] [VP saw/V [NP a/D cat/N [PP in/P town/N ] ] ] ]"
FINE = "[S [NP the/D dog/N ] [VP barked/V [PP of/P joy/N ] ] ]"


@pytest.fixture
def results() -> StudyResults:
    gold = labelled(*[RIGHT] * 3, *[FINE] * 4, FINE)
    candidate = labelled(*[WRONG] * 3, *[FINE] * 4, "")
    counts = LeafAncestor().counts(pair(gold, candidate))
    parsed = CandidateResults("parser", {"leaf_ancestor": counts})
    return StudyResults("toy", [TreebankResults("trees", candidates=[parsed])])


def hot_spots_by_name(study: StudyResults, kind: str, min_occurrences: int = 3) -> dict[str, HotSpot]:
    ((_, _, _, counts),) = study.counted()
    return {spot.name: spot for spot in find_hot_spots(counts, kind, min_occurrences=min_occurrences)}


def test_constructions_that_lose_most_come_first(results: StudyResults) -> None:
    spots = hot_spots_by_name(results, "construction")
    assert next(iter(spots)) == "PP in"
    assert "PP of" not in spots
    assert "NP a" in spots
    spot = spots["PP in"]
    assert (spot.words, spot.examples) == (6, ("1", "2", "3"))
    assert spot.mean < 1


def test_sentences_without_a_parse_say_nothing(results: StudyResults) -> None:
    assert "joy" not in hot_spots_by_name(results, "form")
    assert hot_spots_by_name(results, "pos")["P"].words == 7


def test_rare_things_are_no_hot_spots(results: StudyResults) -> None:
    assert "in" in hot_spots_by_name(results, "form", min_occurrences=3)
    assert "in" not in hot_spots_by_name(results, "form", min_occurrences=4)


def test_the_loss_of_all_words_of_a_kind_adds_up_to_nothing(results: StudyResults) -> None:
    ((_, _, _, counts),) = results.counted()
    every = counts.breakdowns["label"]()
    assert every.columns["words"].sum() == counts.columns["words"].sum()


def test_the_table(results: StudyResults) -> None:
    (table,) = build_hot_spot_tables(results)
    rows = [[cell.text for cell in row] for row in table.rows]
    assert next(row[:3] for row in rows if row[1] == "PP") == ["label", "PP", "14"]
    assert all(len(row) == len(table.columns) for row in rows)


def test_hot_spots_of_a_real_parser(shared_data: Path) -> None:
    folder = shared_data / "farpahc" / "parsers" / "e1"
    gold = bracket.load(folder / "corpus" / "far_split0testing.psd")
    parsed = bracket.load(folder / "output" / "far_split0machineparsed.psd")
    counts = LeafAncestor().counts(pair(gold, parsed))
    for kind in ("form", "pos", "label", "construction"):
        spots = find_hot_spots(counts, kind)
        assert spots
        assert all(spot.words >= 5 and spot.mean < counts.value("word_mean") for spot in spots)
