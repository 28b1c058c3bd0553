"""The views that a study makes: those of its metrics alone; of flat keys those of gold alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from crossbank.reports.results.study_results import StudyResults
from crossbank.treebanks.formats.bracket import dumps
from crossbank.treebanks.formats.parquet import load
from crossbank.workflow.steps.here import run_here

GOLD = "(S (NP (DT The) (NN dog)) (VP (MD may) (VP (VB sleep) (PP (IN in) (NP (DT the) (NN house))))))\n"
FLATTER = "(S (NP (DT The) (NN dog)) (VP (MD may) (VB sleep) (PP (IN in) (NP (DT the) (NN house)))))\n"
"""Gold without the inner verb phrase, about which grammars disagree."""


def studied(folder: Path, *metrics: str, **treebank: Any) -> StudyResults:
    for name, text in {"gold": GOLD, "right": GOLD, "flatter": FLATTER}.items():
        (folder / f"{name}.mrg").write_text(text, encoding="utf-8")
    candidates = [{"name": name, "path": str(folder / f"{name}.mrg")} for name in ("right", "flatter")]
    gold = {"path": str(folder / "gold.mrg")}
    content = {
        "study": "views",
        "treebanks": [{"name": "t", "scheme": "ptb", "gold": gold, "candidates": candidates, **treebank}],
        "metrics": list(metrics),
        "bootstrap": {"samples": 0},
        "tests": {"trials": 10},
    }
    return run_here(content, folder / "results", reported=False)


def views(folder: Path) -> set[tuple[str, str]]:
    names = (path.name.split(".") for path in folder.glob("results/converted/t/*.parquet"))
    return {("gold" if batch == "gold" else "candidates", view) for batch, view, _ in names}


@pytest.mark.parametrize(
    ("metrics", "expected"),
    [
        (["parseval"], {("gold", "constituents"), ("candidates", "constituents")}),
        (["dependencies"], {("gold", "dependencies"), ("candidates", "dependencies")}),
        (["conformance"], {("gold", "flat_keys"), ("candidates", "constituents")}),
        (
            ["conformance", "parseval"],
            {("gold", "flat_keys"), ("gold", "constituents"), ("candidates", "constituents")},
        ),
    ],
)
def test_only_the_views_of_the_metrics_are_made(
    metrics: list[str], expected: set[tuple[str, str]], tmp_path: Path
) -> None:
    studied(tmp_path, *metrics)
    assert views(tmp_path) == expected


def test_gold_is_flattened_and_candidates_are_not(tmp_path: Path) -> None:
    """A response with more structure than the key conforms; Parseval compares it with gold as it was."""
    results = studied(tmp_path, "conformance", "parseval", views={"flat_keys": ["flatten"]})
    key = load(tmp_path / "results/converted/t/gold.flat_keys.parquet", source="gold")
    assert dumps(key).strip() == FLATTER.strip()
    counts = {one.name: one.counts for one in results.treebanks[0].candidates}
    for name in counts:
        assert counts[name]["conformance"].value("recall") == 1, name
        assert counts[name]["conformance"].value("conformance") == 1, name
    assert counts["right"]["conformance"].value("precision") == pytest.approx(5 / 6)
    assert counts["right"]["parseval"].value("f1") == 1
    assert counts["flatter"]["parseval"].value("recall") < 1


def test_without_a_list_gold_is_the_key_as_it_is(tmp_path: Path) -> None:
    results = studied(tmp_path, "conformance", "parseval")
    for candidate in results.treebanks[0].candidates:
        recall = candidate.counts["parseval"].value("recall")
        assert candidate.counts["conformance"].value("recall") == pytest.approx(recall)
