"""A study with many candidates has several of a treebank in one job; it makes the same files."""

import argparse
import json
from itertools import chain
from pathlib import Path

import pytest

from crossbank.reports.study.reading import study_of
from crossbank.treebanks.formats import read
from crossbank.workflow import plan as plan_module
from crossbank.workflow.plan import Plan
from crossbank.workflow.settings import ConvertSettings, ReadSettings
from crossbank.workflow.steps import convert

TREE = "(S (NP (PRP She)) (VP (VBD slept)) (. .))\n"


def plan(folder: Path, numbers: dict[str, int]) -> Plan:
    """The plan of a study with so many candidates for each treebank."""
    treebanks = []
    for treebank, number in numbers.items():
        paths = {name: str(folder / f"{treebank}.{name}.mrg") for name in ["gold", *map(str, range(number))]}
        for path in paths.values():
            Path(path).write_text(TREE, encoding="utf-8")
        treebanks.append(
            {
                "name": treebank,
                "gold": {"path": paths.pop("gold")},
                "candidates": [{"name": name, "path": path} for name, path in paths.items()],
            }
        )
    content = {"study": "many", "treebanks": treebanks, "metrics": ["parseval", "leaf_ancestor"]}
    return Plan(study_of(content, "many.yaml"), folder / "results")


def test_few_candidates_have_a_job_each(tmp_path: Path) -> None:
    few = plan(tmp_path, {"one": 3, "two": 2})
    assert few.batches == []
    assert next(kind.rule for kind in few.kinds()) == "convert_candidates"
    assert len(few.scorings()) == 1


def test_batches_hold_every_candidate_once_and_are_of_one_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plan_module, "JOBS", 4)
    many = plan(tmp_path, {"one": 7, "two": 2, "three": 0})
    assert [(batch.treebank, len(batch.candidates)) for batch in many.batches] == [
        ("one", 2), ("one", 2), ("one", 3), ("two", 2)
    ]  # fmt: skip
    named = [(batch.treebank, name) for batch in many.batches for name in batch.candidates]
    assert named == [(t.name, c.name) for t in many.study.treebanks for c in t.candidates]
    assert "convert_candidates" not in [kind.rule for kind in many.kinds()]
    assert many.scorings() == []


def test_the_jobs_of_batches_make_the_files_of_the_study(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plan_module, "JOBS", 2)
    many = plan(tmp_path, {"one": 3, "two": 2})
    converted = list(chain.from_iterable(map(many.converted_batch, many.batches)))
    of_gold = {many.source(t.name, "gold") for t in many.study.treebanks}
    of_gold |= {many.converted(t.name, "gold", "constituents") for t in many.study.treebanks}
    assert {*converted, *of_gold} == {*many.as_read(), *many.views()}
    assert len(converted) == len(set(converted))
    assert [counts for batch in many.batches for _, _, counts in many.paired_batch(batch)] == many.scores()
    for batch in many.batches:
        assert len(many.converting_batch(batch).outputs) == len(many.converted_batch(batch))
        assert len(many.scoring_batch(batch).outputs) == len(many.paired_batch(batch))


def test_one_job_converts_several_candidates_and_names_the_one_that_it_cannot_read(tmp_path: Path) -> None:
    files = {"a": TREE, "b": "(S (NP", "c": TREE * 2}
    for name, text in files.items():
        (tmp_path / f"{name}.mrg").write_text(text, encoding="utf-8")
    reading, converting = ReadSettings("bracket"), ConvertSettings(None, (), "constituents", {})
    convert.job(
        argparse.Namespace(
            inputs=[str(tmp_path / f"{name}.mrg") for name in files],
            each=["1", "1", "1"],
            outputs=[
                str(tmp_path / f"{name}{end}.parquet") for name in files for end in ("", ".constituents")
            ],
            settings=[reading.argument, converting.argument] * 3,
            digests=["r", "c"] * 3,
            on_error=["report"],
            shard_sentences=["2"],
        )
    )
    assert [len(read(tmp_path / f"{name}.constituents.parquet")) for name in ("a", "c")] == [1, 2]
    for name in ("b", "b.constituents"):
        assert b"b.mrg:1: " in (tmp_path / f"{name}.parquet").read_bytes()
    record = json.loads((tmp_path / ".made" / "c.parquet.json").read_text(encoding="utf-8"))
    assert record["of"]["digest"] == "r"
