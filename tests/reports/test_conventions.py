"""Differences between schemes under every convention of dependencies, by an example computed by hand.

*Max sieht Bilder von Hunden und Katzen*: the candidate for TIGER hangs the prepositional phrase on the verb,
the one for TüBa-D/Z makes no error. If prepositions are heads, *von* alone has another governor. If nouns
are, *Hunden* has, and *Katzen* as well where each conjunct depends on what governs the coordination.
"""

from pathlib import Path

import pytest

from crossbank.converters.dependencies.shared_conventions import convention_name, conventions
from crossbank.reports.estimates.questions import CONVENTIONS
from crossbank.reports.estimates.table import estimates_of, row_as_values
from crossbank.reports.results.study_results import StudyResults
from crossbank.reports.sections.conventions import ConventionsSection, group_families
from crossbank.reports.study.reading import study_of
from crossbank.workflow.plan import Plan
from crossbank.workflow.steps.here import run_here
from crossbank.workflow.verification.recomputed_estimates import (
    RecomputedSettings,
    StudyCounts,
    recompute_family,
)

SENTENCES = 8

PP = "(APPR-AC von) (CNP-NK (NN-CJ Hunden) (KON-CD und) (NN-CJ Katzen))"
TIGER = f"(S (NE-SB Max) (VVFIN-HD sieht) (NP-OA (NN-NK Bilder) (PP-MNR {PP})))"
ON_THE_VERB = f"(S (NE-SB Max) (VVFIN-HD sieht) (NN-OA Bilder) (PP-MO {PP}))"
TUEBADZ = (
    "(SIMPX (VF (NX:ON (NE:HD Max))) (LK (VXFIN:HD (VVFIN:HD sieht))) (MF (NX:OA (NX:HD (NN:HD Bilder)) (PX "
    "(APPR von) (NX:HD (NX:KONJ (NN:HD Hunden)) (KON und) (NX:KONJ (NN:HD Katzen)))))))"
)


def content(folder: Path, scheme: str = "tuebadz") -> dict[str, object]:
    """Return a study of two treebanks, and write its files."""
    trees = {"tiger": (TIGER, ON_THE_VERB), "tuebadz": (TUEBADZ, TUEBADZ)}
    for name, both in trees.items():
        for source, tree in zip(("gold", "parsed"), both, strict=True):
            (folder / f"{name}.{source}.mrg").write_text(f"{tree}\n" * SENTENCES, encoding="utf-8")
    return {
        "study": "conventions",
        "treebanks": [
            {
                "name": name,
                "scheme": scheme if name == "tuebadz" else name,
                "gold": {"path": str(folder / f"{name}.gold.mrg")},
                "candidates": [{"name": "parsed", "path": str(folder / f"{name}.parsed.mrg")}],
            }
            for name in trees
        ],
        "metrics": [{"metric": "dependencies", "options": {"labels": False}}],
        "tests": {"trials": 999},
    }


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("conventions") / "results"


@pytest.fixture(scope="module")
def study(results: Path) -> StudyResults:
    return run_here(content(results.parent), results)


def test_an_error_costs_as_many_arcs_as_the_convention_says(study: StudyResults) -> None:
    differences = {row.key: row for row in estimates_of(study).of(CONVENTIONS)}
    assert list(differences) == list(map(convention_name, conventions()))
    for one in conventions():
        wrong = 2 if (one["prepositions"], one["coordination"]) == ("noun", "all") else 1
        row = differences[convention_name(one)]
        assert row.value == pytest.approx(-wrong / 7), one
        assert row.n == SENTENCES
        assert (row.treebank, row.candidate, row.other_treebank) == ("tiger", "parsed", "tuebadz")
        assert row.floor == pytest.approx(0), one


def test_differences_are_recomputed_from_files(results: Path, study: StudyResults) -> None:
    (family,) = group_families(study)
    settings = RecomputedSettings(study.trials, study.seed, study.alpha)
    recomputed = recompute_family(StudyCounts(results, settings), list(map(row_as_values, family)))
    for row, own in zip(family, recomputed, strict=True):
        for name in ("value", "n", "low", "high", "p_corrected"):
            assert own[name] == pytest.approx(getattr(row, name)), (row.key, name)


def test_a_sentence_has_the_range_and_how_many_conventions_agree(study: StudyResults) -> None:
    section = ConventionsSection(study)
    (sentence,) = section.introduction()
    (family,) = group_families(study)
    assert all(row.significant for row in family)
    assert "−28.57 to −14.29, significantly below 0 in 12 of 12" in sentence
    ranges, each = section.tables
    assert [cell.value for cell in ranges.rows[0] if cell][-3:] == [0, 12, 12]
    assert len(each.rows) == len(conventions())


def test_all_conventions_are_different_and_none_leaves_an_option_open() -> None:
    names = list(map(convention_name, conventions()))
    assert len(set(names)) == len(names) == 12
    assert {tuple(one) for one in conventions()} == {("coordination", "prepositions", "functions")}


def test_a_study_without_two_schemes_or_dependencies_has_none(tmp_path: Path) -> None:
    same = study_of(content(tmp_path, "tiger"), "", here=True)
    assert Plan(same, tmp_path).conventions() == []
    brackets = study_of({**content(tmp_path), "metrics": ["parseval"]}, "", here=True)
    assert Plan(brackets, tmp_path).conventions() == []
    both = Plan(study_of(content(tmp_path), "", here=True), tmp_path)
    assert len(both.conventions()) == 1
    assert len(both.convention_sources()) == 4
