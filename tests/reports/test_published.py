"""Scores of papers beside those of a study."""

from crossbank.reports.results.study_results import CandidateResults, StudyResults, TreebankResults
from crossbank.reports.results.summary import compute_scores
from crossbank.reports.sections.published import PublishedScoresSection
from crossbank.reports.study.model import Published, Settings
from crossbank.treebanks.typed_yaml import object_of
from tests.reports.counted import brackets


def study(*sources: Published) -> StudyResults:
    counts = {"poor": brackets(0.5, 1), "good": brackets(0.9, 2)}
    candidates = [CandidateResults(name, {"brackets": actual}) for name, actual in counts.items()]
    scores = [
        score
        for name, actual in counts.items()
        for score in compute_scores(actual, Settings("hand", samples=100), "bank", name, "brackets")
    ]
    return StudyResults("hand", [TreebankResults("bank", candidates=candidates)], scores, published=sources)


def test_printed_scores_stand_beside_the_candidates() -> None:
    source = object_of(
        Published,
        {
            "source": "A paper, Table 1",
            "differs": "It had words.",
            "scores": [
                {"treebank": "bank", "metric": "brackets", "precision": 81.21, "recall": 81.04},
                {"treebank": "bank", "candidate": "poor", "metric": "brackets", "f1": 62.37},
            ],
        },
    )
    actual = PublishedScoresSection(study(source))
    assert actual is not None
    assert actual.introduction() == ["A paper, Table 1: It had words."]
    rows = [[cell.text for cell in row] for row in actual.tables[0].rows]
    assert [row[:3] + row[4:] for row in rows] == [
        ["bank", "good", "brackets Prec.", "81.21"],
        ["bank", "good", "brackets Rec.", "81.04"],
        ["bank", "poor", "brackets F1", "62.37"],
    ]
    assert all(40 < float(row[3]) < 100 for row in rows)


def test_without_a_source_there_is_no_section() -> None:
    assert not PublishedScoresSection(study()).has_content()
