"""Treebanks and candidates by patterns: what is found, and what is missing."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from crossbank.reports.pages.page import list_warnings
from crossbank.reports.results.summary import Failure
from crossbank.reports.study import patterns
from crossbank.reports.study.model import Study
from crossbank.reports.study.reading import study_of
from crossbank.treebanks.yaml_nodes import YamlError
from crossbank.workflow.steps.here import run_here
from crossbank.workflow.study_check import check_study
from tests.errors import raises

TREE = "(S (NP (NN a)) (VP (VB b)))\n"
FILES = ("gold/de.mrg", "gold/en.mrg", "out/x/de.1.mrg", "out/x/de.2.mrg", "out/x/en.1.mrg", "out/y/de.1.mrg")


@pytest.fixture
def content(tmp_path: Path) -> dict[str, Any]:
    for name in FILES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(TREE, encoding="utf-8")
    return {
        "study": "patterns",
        "data": str(tmp_path),
        "treebanks": {"path": "{data}/gold/{treebank}.mrg", "delete": "none"},
        "candidates": {"path": "{data}/out/{system}/{treebank}.{run}.mrg"},
        "metrics": ["parseval"],
        "bootstrap": {"samples": 0},
    }


def names(study: Study) -> dict[str, list[str]]:
    return {treebank.name: [actual.name for actual in treebank.candidates] for treebank in study.treebanks}


def test_every_combination_that_has_a_file_is_found(content: dict[str, Any]) -> None:
    study = study_of(content, "study.yaml")
    assert names(study) == {"de": ["x-1", "x-2", "y-1"], "en": ["x-1"]}
    assert study.treebank("de").source("x-2").attributes == {"system": "x", "run": 2}
    assert [treebank.delete for treebank in study.treebanks] == ["none", "none"]


def test_only_and_except(content: dict[str, Any]) -> None:
    content["treebanks"]["only"] = ["de"]
    content["candidates"]["except"] = ["x-2"]
    assert names(study_of(content, "study.yaml")) == {"de": ["x-1", "y-1"]}


def test_a_pattern_for_one_treebank_of_a_list(content: dict[str, Any]) -> None:
    pattern = content.pop("candidates")
    content["treebanks"] = [
        {"name": "en", "gold": {"path": "{data}/gold/en.mrg"}, "candidates": pattern},
        {"name": "none", "gold": {"path": "{data}/gold/de.mrg"}},
    ]
    assert names(study_of(content, "study.yaml")) == {"en": ["x-1"], "none": []}


def test_what_is_missing_is_named_in_the_report(content: dict[str, Any], tmp_path: Path) -> None:
    completed = run_here(content, tmp_path / "results", reported=False)
    assert [(t.name, [f.candidate for f in t.failures]) for t in completed.treebanks] == [
        ("de", []),
        ("en", ["x-2", "y-1"]),
    ]
    assert "en, x-2 and y-1: not scored. The pattern finds no file." in list_warnings(completed)
    broken = [replace(t, failures=[*t.failures, Failure("z", "It is broken.")]) for t in completed.treebanks]
    assert list_warnings(replace(completed, treebanks=broken))[:2] == [
        "de and en, z: not scored. It is broken.",
        "en, x-2 and y-1: not scored. The pattern finds no file.",
    ]


@pytest.mark.parametrize(
    ("key", "path", "fields"),
    [
        ("treebanks", "{data}/{treebank}.xml", {"key": "treebanks.path", "names": ("xml",)}),
        (
            "treebanks",
            "{data}/gold/de.mrg",
            {"key": "treebanks.path", "names": (", expected a name in braces", "a name in braces")},
        ),
        (
            "candidates",
            "{data}/{treebank}.mrg",
            {"key": "candidates.path", "names": (", expected a name in braces", "a name in braces")},
        ),
    ],
)
def test_patterns_that_name_nothing(
    content: dict[str, Any], key: str, path: str, fields: dict[str, object]
) -> None:
    content[key] = {"path": path}
    with raises(YamlError, **fields):
        study_of(content, "study.yaml")


def test_files_of_one_name_are_refused(content: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "gold/de_gsd.mrg").write_text(TREE, encoding="utf-8")
    study_of(content, "study.yaml")
    (tmp_path / "gold/de.gsd.mrg").write_text(TREE, encoding="utf-8")
    with raises(YamlError, "de_gsd", key="treebanks"):
        study_of(content, "study.yaml")


def test_candidates_are_found_by_what_the_name_of_a_treebank_is_made_of(
    content: dict[str, Any], tmp_path: Path
) -> None:
    for name in ("gold/fr münchen.mrg", "out/x/fr münchen.1.mrg"):
        (tmp_path / name).write_text(TREE, encoding="utf-8")
    assert names(study_of(content, "study.yaml"))["fr_m_nchen"] == ["x-1"]


def test_a_treebank_may_have_several_names(content: dict[str, Any], tmp_path: Path) -> None:
    for name in ("gold2/de-gsd.mrg", "gold2/de-hdt.mrg", "out2/x/de/gsd.mrg", "out2/y/de/hdt.mrg"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(TREE, encoding="utf-8")
    content["treebanks"]["path"] = "{data}/gold2/{language}-{Corpus2}.mrg"
    content["candidates"] = {"path": "{data}/out2/{system}/{language}/{Corpus2}.mrg"}
    assert names(study_of(content, "study.yaml")) == {"de-gsd": ["x"], "de-hdt": ["y"]}


def test_brackets_may_stand_in_names_of_folders(content: dict[str, Any], tmp_path: Path) -> None:
    for name in FILES:
        index = tmp_path / "runs [1]?" / name
        index.parent.mkdir(parents=True, exist_ok=True)
        index.write_text(TREE, encoding="utf-8")
    content["data"] = str(tmp_path / "runs [1]?")
    assert names(study_of(content, "study.yaml")) == {"de": ["x-1", "x-2", "y-1"], "en": ["x-1"]}


@pytest.mark.parametrize(
    ("key", "values", "fields"),
    [
        (
            "treebanks",
            {"only": ["de", "typo"]},
            {"key": "treebanks.only[1]", "names": ("typo", "de")},
        ),
        ("candidates", {"except": ["x"]}, {"key": "candidates.except[0]", "names": ("x", "x-1")}),
        (
            "candidates",
            {"path": "{data}/oot/{system}/{treebank}.mrg"},
            {"key": "candidates.path", "names": ("oot",)},
        ),
        ("candidates", {"path": "{data}/{system}/{treebank}.mrg"}, {"key": "candidates", "names": ("gold",)}),
    ],
)
def test_what_is_named_must_be_there(
    content: dict[str, Any], key: str, values: dict[str, Any], fields: dict[str, object]
) -> None:
    content[key].update(values)
    with raises(YamlError, **fields):
        study_of(content, "study.yaml")


def test_data_must_be_given_where_it_is_named(content: dict[str, Any]) -> None:
    del content["data"]
    with raises(YamlError, ", expected the key data", "the key data", key="treebanks.path"):
        study_of(content, "study.yaml")


def test_candidates_of_treebanks_without_gold_are_named(content: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "out/x/it.1.mrg").write_text(TREE, encoding="utf-8")
    completed = run_here(content, tmp_path / "results", reported=False)
    assert "it, x-1: not scored. There is no gold." in list_warnings(completed)
    lines = "\n".join(line for line, _ in check_study(study_of(content, "study.yaml")))
    assert "\n  y-1: The pattern finds no file." in lines
    assert "\nit\n  x-1: There is no gold." in lines
    content["treebanks"]["only"] = ["de"]
    completed = run_here(content, tmp_path / "results", reported=False)
    assert not any("no gold" in remark for remark in list_warnings(completed))


def test_unknown_keys_of_a_pattern_are_named(content: dict[str, Any]) -> None:
    content["treebanks"]["exept"] = ["de"]
    with raises(YamlError, "exept", key="treebanks"):
        study_of(content, "study.yaml")


def test_numbers_of_systems_are_names() -> None:
    files = [{"system": f"sys{number:02}", "seed": f"{number}"} for number in range(3)]
    actual = [patterns._Numbers(files).of(values) for values in files]
    assert actual == [{"system": f"sys{number:02}", "seed": number} for number in range(3)]


def test_numbers_in_names_of_files_are_numbers() -> None:
    files = [
        {"system": "lstm", "size": "500", "steps": "n20", "beam": "20k", "mixed": "v1"},
        {"system": "gru2", "size": "1000", "steps": "n5", "beam": "1.5M", "mixed": "w2"},
    ]
    assert [patterns._Numbers(files).of(values) for values in files] == [
        {"system": "lstm", "size": 500, "steps": 20, "beam": 20_000, "mixed": "v1"},
        {"system": "gru2", "size": 1000, "steps": 5, "beam": 1_500_000, "mixed": "w2"},
    ]
