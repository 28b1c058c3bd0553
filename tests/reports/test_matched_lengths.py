"""Sentences of the same lengths, and the coverage of parsers beside their scores."""

from dataclasses import replace

import numpy as np

from crossbank.metrics.pairing.pair import Status
from crossbank.reports.results.matched_lengths import match_lengths, restrict_counts
from crossbank.reports.sections.scores import (
    build_all_scores_table,
    build_comparison_table,
    build_headlines_table,
)
from tests.reports.counted import brackets, study_of


def test_as_many_sentences_of_every_length() -> None:
    lengths = {"one": np.array([3, 3, 3, 5, 7, 7], np.int32), "other": np.array([7, 3, 5, 5, 3, 4], np.int32)}
    chosen = match_lengths(lengths, seed=1)
    assert {name: sorted(lengths[name][mask].tolist()) for name, mask in chosen.items()} == {
        "one": [3, 3, 5, 7],
        "other": [3, 3, 5, 7],
    }
    turned = match_lengths(dict(reversed(lengths.items())), seed=1)
    assert all((turned[name] == chosen[name]).all() for name in chosen)
    assert match_lengths({}, seed=1) == {}


def test_scores_are_those_of_the_chosen_sentences() -> None:
    counts = brackets(0.8)
    chosen = np.arange(len(counts)) < 50
    actual = restrict_counts(counts, chosen)
    assert actual.value("f1") == counts.value("f1", chosen)
    assert actual.status_counts() == {"total": 120, "scored": 50, "skipped by rule": 70}


def test_coverage_stands_beside_the_scores_of_a_parser() -> None:
    counts = brackets(0.8)
    status = counts.status.copy()
    status[:12] = Status.NO_PARSE
    counted = {"read": counts, "parsed": counts, "partly": replace(counts, status=status)}
    study = study_of({"bank": {name: {"brackets": actual} for name, actual in counted.items()}})
    (treebank,) = study.treebanks
    messages = zip(treebank.candidates, (None, 7, 0), strict=True)
    candidates = [replace(candidate, fragments=fragments) for candidate, fragments in messages]
    study = replace(study, treebanks=[replace(treebank, candidates=candidates)])
    for table in (build_comparison_table(study), build_headlines_table(study), build_all_scores_table(study)):
        index = [column.heading for column in table.columns].index("Coverage")
        actual = {row[1].text: (row[index].text, row[index].below) for row in table.rows}
        assert actual == {"read": ("–", ""), "parsed": ("100.0", "7 in fragments"), "partly": ("90.0", "")}
    alone = replace(study, treebanks=[replace(treebank, candidates=candidates[:1])])
    assert "Coverage" not in [column.heading for column in build_comparison_table(alone).columns]
