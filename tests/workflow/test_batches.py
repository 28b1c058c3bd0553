"""Candidates are read, converted and scored in batches, one of them or thousands."""

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from crossbank.reports.results.counts_in_files import read_counts
from crossbank.reports.results.study_files import StudyFiles
from crossbank.reports.study.reading import study_of
from crossbank.treebanks import CrossbankError
from crossbank.treebanks.errors import FormatError
from crossbank.treebanks.formats.parquet import load, load_sentences, load_shards, shard_sizes
from crossbank.treebanks.stored_sources import stored_sources
from crossbank.workflow import plan as plan_module
from crossbank.workflow.plan import Plan
from crossbank.workflow.settings import ConvertSettings, ReadSettings, ScoreSettings
from crossbank.workflow.sizes import MEGABYTES, SMALLEST, batches_of, number_of_batches
from crossbank.workflow.steps.read import read
from crossbank.workflow.steps.report import remove_unnamed
from crossbank.workflow.steps.score import score
from crossbank.workflow.steps.view import convert
from tests.errors import raises

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


def batch_of(candidates: dict[str, float]) -> dict[str, str]:
    """Return each candidate's batch."""
    return {name: batch for batch, names in batches_of(candidates).items() for name in names}


def test_every_candidate_is_in_one_batch() -> None:
    candidates = {f"parser_{number}": 8.0 for number in range(100)}
    batches = batches_of(candidates)
    assert sorted(name for names in batches.values() for name in names) == sorted(candidates)
    assert max(len(names) for names in batches.values()) < 25
    assert all(re.fullmatch(r"candidates-[0-9]+-of-16", batch) for batch in batches)


def test_another_candidate_changes_one_batch() -> None:
    few = {f"parser_{number}": 8.0 for number in range(70)}
    before, after = batches_of(few), batches_of({**few, "another": 8.0})
    assert len(before) > 10
    assert sum(before.get(name) != of for name, of in after.items()) == 1


def test_a_batch_is_split_in_two_where_their_number_doubles() -> None:
    names = [f"parser_{number}" for number in range(64)]
    once, twice = (batch_of(dict.fromkeys(names, megabytes)) for megabytes in (8.0, 16.0))
    assert len(set(once.values())) == 8
    assert len({(once[name], twice[name]) for name in names}) == len(set(twice.values())) == 16


@pytest.mark.parametrize(
    ("sizes", "number"),
    [([], 1), ([900.0], 1), ([0.0] * 32, 1), ([48.0, 48.0, 48.0], 4), ([0.0] * 1918, 32), ([100.0] * 5, 8)],
)
def test_the_number_of_batches_is_a_power_of_two(sizes: Sequence[float], number: int) -> None:
    assert number_of_batches(list(sizes)) == number
    assert MEGABYTES / SMALLEST == 64


def test_gold_and_independent_dependencies_are_batches_of_their_own(tmp_path: Path) -> None:
    study = plan(tmp_path, {"one": 3, "two": 0})
    assert dict(study.batches("one")) == {"gold": ("gold",), "candidates-1-of-1": ("0", "1", "2")}
    assert dict(study.batches("two")) == {"gold": ("gold",)}
    assert study.scores() == [
        tmp_path / f"results/scores/one/candidates-1-of-1.{metric}.parquet"
        for metric in ("parseval", "leaf_ancestor")
    ]


def reading(*paths: Path, in_place: bool = False) -> tuple[list[Path], ReadSettings]:
    return list(paths), ReadSettings("bracket", in_place=in_place)


def test_a_candidate_that_cannot_be_read_fails_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {"a": TREE, "b": "(S (NP", "c": TREE * 2}
    for name, text in files.items():
        (tmp_path / f"{name}.mrg").write_text(text, encoding="utf-8")
    sources = {name: reading(tmp_path / f"{name}.mrg") for name in files}
    as_read, view, counts = (tmp_path / f"{name}.parquet" for name in ("read", "view", "counts"))
    read(sources, as_read, 2, forgiven=True)
    view_settings = dict.fromkeys(files, ConvertSettings(None, (), "constituents", {}))
    convert([as_read], view, view_settings, 2, forgiven=True)
    assert [len(load(view, source=name)) for name in ("a", "c")] == [1, 2]
    read({"gold": reading(tmp_path / "a.mrg")}, tmp_path / "gold.parquet")
    of_metric = dict.fromkeys(files, ScoreSettings("parseval", {}, None, "empty"))
    score(tmp_path / "gold.parquet", view, counts, of_metric, forgiven=True)
    for path in (as_read, view, counts):
        assert "b.mrg:1: " in str(stored_sources(path)["b"].failure)
    assert read_counts(counts, "a").values()["f1"] == 1
    # The third candidate has another number of sentences than gold.
    assert "sentences" in str(stored_sources(counts)["c"].failure)
    assert capsys.readouterr().err.count("b.mrg:1: ") == 3
    with raises(FormatError, file="b.mrg", line=1, sentence="1"):
        read(sources, tmp_path / "again.parquet", forgiven=False)


def test_a_source_that_fails_after_its_first_shard_leaves_no_rows(tmp_path: Path) -> None:
    (tmp_path / "good.mrg").write_text(TREE * 5, encoding="utf-8")
    (tmp_path / "bad.mrg").write_text(TREE * 90_000 + "(S (NP", encoding="utf-8")
    sources = {name: reading(tmp_path / f"{name}.mrg") for name in ("bad", "good")}
    read(sources, tmp_path / "out.parquet", 2000, forgiven=True)
    stored = stored_sources(tmp_path / "out.parquet")
    assert (len(stored["bad"].groups), len(stored["good"].groups)) == (1, 1)
    assert stored["bad"].failure is not None
    assert len(load(tmp_path / "out.parquet", source="good")) == 5


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
    read({"gold": reading(Path("gold.mrg"))}, Path("results/gold.parquet"))
    counts = {}
    for in_place in (True, False):
        as_read, view = (Path(f"results/{kind}/{in_place}.parquet") for kind in ("read", "view/t"))
        read({"one": reading(Path("one.mrg"), in_place=in_place)}, as_read)
        convert([as_read], view, {"one": ConvertSettings(None, (), "constituents", {})})
        assert not in_place or as_read.stat().st_size < 20_000
        for path in (as_read, view):
            assert ("in_place" in stored_sources(path)["one"].about) == in_place
        assert len(load(view, source="one")) == sum(shard_sizes(view, source="one")) == 40
        assert sum(map(len, load_shards(view, 7, "one"))) == 40
        assert load_sentences(view, [39, 3], "one").words(0) == ["She", "slept", "."]
        counts[in_place] = Path(f"results/{in_place}.counts.parquet")
        own = {"one": ScoreSettings("parseval", {}, None, "empty")}
        score(Path("results/gold.parquet"), view, counts[in_place], own)
    assert counts[True].read_bytes() == counts[False].read_bytes()
    Path("one.mrg").write_text(TREE, encoding="utf-8")
    with pytest.raises(CrossbankError, match=r"one.mrg: found other content than when results/.*written"):
        load("results/read/True.parquet", source="one")
    Path("one.mrg").unlink()
    with pytest.raises(CrossbankError, match=r"one.mrg: no such file, which results/"):
        load("results/read/True.parquet", source="one")


def test_a_file_in_which_something_was_found_is_written(tmp_path: Path) -> None:
    path = tmp_path / "marked.mrg"
    path.write_bytes(b"\xef\xbb\xbf" + TREE.encode())
    read({"one": reading(path, in_place=True)}, tmp_path / "out.parquet")
    assert "in_place" not in stored_sources(tmp_path / "out.parquet")["one"].about
    assert load(tmp_path / "out.parquet", source="one").diagnosis


CONLLU = "1\tShe\t_\tPRON\t_\t_\t2\tnsubj\t_\t_\n2\tslept\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n"


@pytest.mark.parametrize("in_place", [True, False])
def test_dependencies_are_not_read_again_for_their_view(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, in_place: bool
) -> None:
    as_read, view = (tmp_path / f"results/{name}.parquet" for name in ("read", "view"))
    for name in ("one", "two"):
        (tmp_path / f"{name}.conllu").write_text(CONLLU, encoding="utf-8")
    read_settings = ReadSettings("conllu", in_place=in_place)
    read({name: ([tmp_path / f"{name}.conllu"], read_settings) for name in ("one", "two")}, as_read)
    monkeypatch.setattr("crossbank.workflow.steps.view._view", None)
    convert([as_read], view, dict.fromkeys(("one", "two"), ConvertSettings("ud", (), "dependencies", {})))
    assert load(view, source="two").equals(load(as_read, source="two"))
    assert in_place or view.samefile(as_read)
    trees = dict.fromkeys(("one", "two"), ConvertSettings("ud", (), "constituents", {}))
    with pytest.raises(TypeError):  # they are read, since the view is another
        convert([as_read], view, trees)


def test_files_that_a_study_no_longer_names_are_removed(tmp_path: Path) -> None:
    study = plan(tmp_path, {"one": 2})
    left, named = (tmp_path / "results/treebanks/one" / name for name in ("old.parquet", "gold.parquet"))
    for path in (left, named):
        read({"gold": reading(tmp_path / "one.gold.mrg")}, path)
    assert StudyFiles(tmp_path / "results").as_read("one", "gold") in (left, named)
    remove_unnamed(study)
    assert StudyFiles(tmp_path / "results").as_read("one", "gold") == named
    assert not left.exists()
