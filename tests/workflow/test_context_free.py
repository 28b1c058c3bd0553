"""Gold is intact unless a study makes it context-free, and then the report says what that changes."""

from pathlib import Path
from typing import Any

from crossbank.reports.pages.page import list_warnings
from crossbank.reports.results.study_results import StudyResults
from crossbank.treebanks.yaml_nodes import YamlError
from crossbank.workflow.steps.here import run_here
from tests.errors import raises

EXAMPLES = Path(__file__).parents[2] / "examples"


def study(folder: Path, **treebank: Any) -> StudyResults:
    """Return the embedded TIGER sentences with one candidate, scored by heads."""
    content = {
        "study": "s",
        "treebanks": [
            {
                "name": "tiger",
                "scheme": "tiger",
                "gold": {"path": str(EXAMPLES / "tiger.export")},
                "candidates": [{"name": "alpha", "path": str(EXAMPLES / "tiger.alpha.mrg")}],
                **treebank,
            }
        ],
        "metrics": [{"metric": "dependencies", "options": {"labels": False}}],
        "bootstrap": {"samples": 0},
    }
    return run_here(content, folder, reported=False)


def uas(actual: StudyResults) -> float:
    return actual.treebanks[0].candidates[0].counts["dependencies"].value("uas")


def test_context_free_gold_is_nearer_to_a_parser_and_the_report_says_what_it_lost(tmp_path: Path) -> None:
    intact, resolved = study(tmp_path / "a"), study(tmp_path / "b", context_free=["raise_crossing"])
    assert not any("context-free" in remark for remark in list_warnings(intact))
    (messages,) = (remark for remark in list_warnings(resolved) if "context-free" in remark)
    lost = next(c for c in resolved.treebanks[0].conversions if c.step == "context_free")
    assert messages == (
        f"tiger: gold is made context-free, which changes {lost.count} heads in {lost.sentences} sentences."
    )
    assert 0 < uas(resolved) - uas(intact) < lost.count / 900


def test_an_unknown_transformation_is_named(tmp_path: Path) -> None:
    with raises(YamlError, "raise_crosing", "raise_crossing"):
        study(tmp_path, context_free=["raise_crosing"])
