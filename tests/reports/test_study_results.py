"""A study's results are put together from its files as the rules leave them."""

from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from crossbank.reports.estimates.table import estimates_of
from crossbank.reports.pages.page import render_page
from crossbank.reports.results.counts_in_files import CandidateCounts, write_counts
from crossbank.reports.results.study_files import StudyFiles
from crossbank.reports.results.study_results import StudyResults, list_conversions, load_results
from crossbank.reports.sections.cite import describe_method
from crossbank.reports.study.model import GOLD, Source, StudiedMetric, StudiedTreebank, Study
from crossbank.treebanks.diagnosis import Finding
from crossbank.treebanks.formats.parquet import dump_sources
from crossbank.workflow.steps.report import pair_of
from tests.reports.counted import both, study_of
from tests.reports.toy import Brackets, candidate_bank, gold_bank

GOLD_TREES = Source(GOLD, ("gold.export",), "export")
STUDY = Study(
    "toy_study",
    "toy.yaml",
    {},
    (
        StudiedTreebank(
            "klein",
            scheme="tiger",
            gold=GOLD_TREES,
            candidates=(Source("raw", ("raw.mrg",), "bracket", attributes={"training_size": 100}),),
        ),
        StudiedTreebank("leer", gold=GOLD_TREES),
    ),
    (StudiedMetric("brackets", "brackets"), StudiedMetric("again", "brackets", {"delete": "none"})),
    title="A small study",
    samples=50,
    seed=3,
    worst=1,
)


def written(folder: Path) -> None:
    """The files of the study: the first treebank with one candidate, the second without any."""
    from crossbank.metrics.pairing.pair import pair

    moved = Finding("raise", "children raised", np.array([0, 3, 0, 0], np.int32))
    gold = gold_bank().diagnosed((moved,))
    for name in ("klein", "leer"):
        dump_sources([("gold", [gold_bank()])], folder / f"treebanks/{name}/gold.parquet")
        dump_sources([("gold", [gold])], folder / f"converted/{name}/gold.constituents.parquet")
    dump_sources([("raw", [candidate_bank()])], folder / "converted/klein/candidates.constituents.parquet")
    both = pair(gold_bank(), candidate_bank())
    for name in ("brackets", "again"):
        scored = CandidateCounts.whole(Brackets().counts(both), [*both.problems()])
        write_counts({"raw": scored}, folder / f"scores/klein/candidates.{name}.parquet")


def test_results_come_from_the_files_of_a_study(tmp_path: Path) -> None:
    written(tmp_path)
    study = load_results(tmp_path, STUDY, partial(pair_of, STUDY, StudyFiles(tmp_path)))
    klein, leer = study.treebanks
    assert list(klein.ratios) == ["as read", "constituents"]
    assert (klein.scheme, leer.scheme, leer.candidates) == ("tiger", "", ())
    (candidate,) = klein.candidates
    assert list(candidate.counts) == ["brackets", "again"]
    assert candidate.attributes == {"training_size": 100}
    assert [problem.sentence for problem in candidate.problems] == ["s3", "s4"]
    assert [(c.name, c.view, c.count, c.sentences, c.examples) for c in klein.conversions] == [
        ("gold", "constituents", 3, 1, ("s2",))
    ]
    assert (study.samples, study.seed, study.worst) == (50, 3, 1)
    assert [(s.metric, s.measure) for s in study.scores[2:4]] == [("brackets", "f1"), ("again", "precision")]
    text = render_page(study)
    assert text.count('<svg class="tree"') == 2
    assert text == render_page(load_results(tmp_path, STUDY, study.pair_of))


def test_one_key_is_the_level_of_all_intervals(tmp_path: Path) -> None:
    written(tmp_path)
    usual, narrow = load_results(tmp_path, STUDY), load_results(tmp_path, replace(STUDY, level=0.5))
    widths = [
        [float(s.high or 0) - float(s.low or 0) for s in one.scores if None not in (s.low, s.high)]
        for one in (usual, narrow)
    ]
    assert sum(widths[1]) < sum(widths[0])
    many = study_of({"klein": {name: both(0.9 - index / 9, index) for index, name in enumerate("abc")}})
    for study in (usual, many):
        for text in (of(replace(study, level=0.5, alpha=0.5)) for of in (render_page, describe_method)):
            assert "50 % " in text
            assert "95 % " not in text
    first, as_usual = (estimates_of(replace(many, alpha=alpha))[0] for alpha in (0.5, 0.05))
    assert as_usual.low < first.low < first.high < as_usual.high
    assert (first.level, as_usual.level) == (0.5, 0.95)


def test_examples_of_a_conversion_are_few(study: StudyResults) -> None:
    actual = Finding("strip", "functions stripped", np.array([1, 1, 2, 1], np.int32))
    (conversion,) = list_conversions(gold_bank().diagnosed((actual,)), "klein", "gold", "constituents")
    assert (conversion.count, conversion.sentences, conversion.examples) == (5, 4, ("s1", "s2", "s3"))
