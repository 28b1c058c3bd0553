"""Studies of profiles: a folder is one treebank, and all its files count as what the study is made from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from crossbank.reports.study.reading import load_study, study_of
from crossbank.treebanks.formats import read, read_all, read_each
from crossbank.workflow.steps.here import run_here
from tests.conftest import ROOT
from tests.formalisms.redwoods.profiles import two_readings


def content(gold: Path, candidate: Path) -> dict[str, Any]:
    return {
        "study": "readings",
        "treebanks": [
            {
                "name": "cats",
                "scheme": "redwoods",
                "gold": {"path": str(gold)},
                "candidates": [{"name": "first", "path": str(candidate / "result"), "format": "tsdb"}],
            }
        ],
        "metrics": ["parseval", "edm", {"metric": "selection", "options": {"of": "edm"}}],
        "bootstrap": {"samples": 0},
    }


def test_a_study_of_profiles(tmp_path: Path) -> None:
    """The candidate has gold's readings and no preferences, so its first one is the chosen one."""
    gold, candidate = two_readings(tmp_path / "gold"), two_readings(tmp_path / "candidate")
    (candidate / "preference").write_text("")
    study = study_of(content(gold, candidate), "here")
    named = sorted(path.name for path in gold.iterdir())
    for source in study.treebanks[0].sources:
        assert [Path(path).name for path in source.paths] == named
    (results,) = run_here(content(gold, candidate), tmp_path / "results", reported=False).treebanks
    counts = results.candidates[0].counts
    assert counts["edm"].value("f1") == 2 * 12 / (13 + 14)
    assert counts["selection"].value("upper") == 1
    assert counts["parseval"].value("f1") == 5 / 6
    assert counts["parseval"].status_counts() == {"total": 3, "scored": 2, "no gold": 1}


def test_files_of_one_profile_are_read_once(tmp_path: Path) -> None:
    folder = two_readings(tmp_path / "profile")
    files = [folder / "item", folder / "result", folder]
    (bank,) = read_each(files, "tsdb")
    assert bank.equals(read(folder))
    assert len(read_all([str(folder), str(folder / "item")], "tsdb")) == 2 * len(bank)
    assert len(list(read_each([folder, two_readings(tmp_path / "other")]))) == 2


def test_the_study_of_both_languages(shared_data: Path) -> None:
    study = load_study(ROOT / "config" / "redwoods.yaml")
    assert [treebank.name for treebank in study.treebanks] == [
        "english",
        "japanese",
        "english_graphs",
        "japanese_graphs",
    ]
    assert [source.format for source in study.treebanks[2].sources] == ["tsdb", "tsdb_dmrs"]
