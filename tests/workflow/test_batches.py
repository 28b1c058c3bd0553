"""A study with many candidates has several of a treebank in one job; it makes the same files."""

import argparse
import json
from itertools import chain
from pathlib import Path

import pytest

from crossbank.reports.study.reading import study_of
from crossbank.treebanks import CrossbankError
from crossbank.treebanks.formats import read
from crossbank.treebanks.formats.parquet import load, load_sentences, load_shards, shard_sizes
from crossbank.workflow import plan as plan_module
from crossbank.workflow.plan import Plan
from crossbank.workflow.settings import ConvertSettings, ReadSettings, ScoreSettings
from crossbank.workflow.steps import convert
from crossbank.workflow.steps.score import score

TREE = "(S (NP (PRP She)) (VP (VBD slept)) (. .))\n"


def plan(folder: Path, numbers: dict[str, int]) -> Plan:
    """Return the plan of a study with so many candidates for each treebank."""
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
    assert next(rule.name for rule in few.conversions()) == "convert_candidates"
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
    assert "convert_candidates" not in [rule.name for rule in many.conversions()]
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
    assert [counts for batch in many.batches for *_, counts in many.paired_batch(batch)] == many.scores()
    for batch in many.batches:
        of, names = batch.treebank, batch.candidates
        converting, scoring = many.converting_all(of, *names), many.scoring_all(of, *names)
        assert len(converting.outputs) * len(names) == len(many.converted_batch(batch))
        assert len(scoring.outputs) * len(names) == len(many.paired_batch(batch))


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


def test_of_very_many_candidates_none_is_written_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plan_module, "VERY_LARGE", 4)
    many = plan(tmp_path, {"one": 3, "two": 2})
    assert many.reading("one", "2").in_place
    assert not many.reading("one", "gold").in_place
    monkeypatch.setattr(plan_module, "VERY_LARGE", 5)
    assert not plan(tmp_path, {"one": 3, "two": 2}).reading("one", "2").in_place


def test_a_candidate_that_is_read_in_place_is_as_one_that_was_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("gold.mrg").write_text(TREE * 40, encoding="utf-8")
    Path("one.mrg").write_text(TREE * 39 + "(S (NP (PRP She)) (VBD slept) (. .))\n", encoding="utf-8")
    convert.read([Path("gold.mrg")], Path("results/gold.parquet"), ReadSettings("bracket"))
    counts = {}
    for in_place in (True, False):
        as_read, view = (Path(f"results/{in_place}{end}.parquet") for end in ("", ".view"))
        convert.read([Path("one.mrg")], as_read, ReadSettings("bracket", in_place=in_place))
        convert.convert(as_read, view, ConvertSettings(None, (), "constituents", {}))
        assert (as_read.stat().st_size < 400) == in_place
        assert view.samefile(as_read)
        assert len(load(view)) == sum(shard_sizes(view)) == 40
        assert sum(map(len, load_shards(view, 7))) == 40
        assert [bank.words(0) for bank in (load_sentences(view, [39, 3]),)] == [["She", "slept", "."]]
        counts[in_place] = Path(f"results/{in_place}.counts")
        score(
            Path("results/gold.parquet"), view, counts[in_place], ScoreSettings("parseval", {}, None, "empty")
        )
    assert counts[True].read_bytes() == counts[False].read_bytes()
    Path("one.mrg").write_text(TREE, encoding="utf-8")
    with pytest.raises(CrossbankError, match=r"one.mrg: found other content than when results/True.*written"):
        load("results/True.parquet")
    Path("one.mrg").unlink()
    with pytest.raises(CrossbankError, match=r"one.mrg: no such file, which results/True"):
        load("results/True.parquet")


def test_a_file_in_which_something_was_found_is_written(tmp_path: Path) -> None:
    path = tmp_path / "marked.mrg"
    path.write_bytes(b"\xef\xbb\xbf" + TREE.encode())
    convert.read([path], tmp_path / "out.parquet", ReadSettings("bracket", in_place=True))
    assert (tmp_path / "out.parquet").read_bytes().startswith(b"PAR1")
    assert load(tmp_path / "out.parquet").diagnosis
