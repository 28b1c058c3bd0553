"""The section of models' bits: perplexities and entropies along an axis."""

from dataclasses import replace

import numpy as np

from crossbank.parsers.bits.information import InformationSection
from crossbank.parsers.cross_entropy import ENTROPY, SentenceBits
from crossbank.reports.results.study_results import StudyResults
from crossbank.reports.sections.learning_curves import LearningCurvesSection
from tests.reports.test_learning_curves import both, five_sizes, study_of


def with_bits(study: StudyResults, bits: SentenceBits, *treebanks: str) -> StudyResults:
    """Return a study in which the bits of all candidates of some treebanks were measured."""
    measured = {ENTROPY: bits.content()}
    changed = [
        replace(one, candidates=[replace(of, measured=measured) for of in one.candidates])
        if one.name in treebanks
        else one
        for one in study.treebanks
    ]
    return replace(study, treebanks=changed)


def test_perplexities_along_an_axis() -> None:
    study = five_sizes()
    assert InformationSection(study).tables == []
    words = np.tile(np.array([2, 4, 3], np.int32), 40)
    bits = SentenceBits(np.tile([8.0, 16.0, np.inf], 40), words, words)
    section = InformationSection(with_bits(study, bits, study.treebanks[0].name))
    table = next(table for table in section.tables if table.key == "perplexity-over-training_size")
    assert [row[-1].text for row in table.rows] == 5 * ["16.00"]
    assert [figure.key for figure in section.figures] == ["over-training_size-entropy"]


def test_many_curves_of_bits_are_a_mean_for_each_system() -> None:
    runs = [(system, size, seed) for system in "xyz" for size in (500, 1000) for seed in (7, 8)]
    attributes = {f"{s}-{n}-{r}": {"system": s, "training_size": n, "seed": r} for s, n, r in runs}
    words = np.tile(np.array([2, 4], np.int32), 60)
    bits = SentenceBits(np.tile([8.0, 16.0], 60), words, words)
    scored = {
        f"t{number}": {name: both(0.5 + index / 40, number + index) for index, name in enumerate(attributes)}
        for number in range(5)
    }
    study = with_bits(study_of(scored, attributes), bits, *scored)
    entropy = next(
        one for one in InformationSection(study).figures if one.key == "over-training_size-entropy"
    )
    assert len(LearningCurvesSection(study).figures) == 2
    assert {row["series"] for row in entropy.chart.rows} == {"x", "y", "z"}
    assert {row["y"] for row in entropy.chart.rows} == {4.0}
    assert "over 5 treebanks, each counting the same, and of several seeds their mean" in entropy.caption
