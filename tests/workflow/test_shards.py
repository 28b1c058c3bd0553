"""Results do not depend on how many shards a treebank has: the whole study is in ``test_flagship.py``."""

import shutil
from functools import cache
from pathlib import Path

import pytest

from crossbank.converters.scheme_files import load_scheme
from crossbank.metrics.counting.metric import METRICS, metric_class
from crossbank.metrics.counting.scoring import in_view
from crossbank.reports.pages import explorer, page
from crossbank.reports.results import study_results
from crossbank.reports.results.counts_in_files import read_counts, read_scored
from crossbank.reports.study.model import Study
from crossbank.reports.study.reading import study_of, write_resolved
from crossbank.treebanks import CrossbankError, Treebank, formats
from crossbank.treebanks.formats import read
from crossbank.treebanks.formats.parquet import dump_sources, load, shard_sizes
from crossbank.treebanks.shards import cut
from crossbank.workflow.plan import Plan
from crossbank.workflow.settings import ConvertSettings, ReadSettings, ScoreSettings
from crossbank.workflow.steps import report
from crossbank.workflow.steps.read import read as read_sources
from crossbank.workflow.steps.score import score
from crossbank.workflow.steps.view import convert
from tests.workflow.test_study_run import ROOT

EXAMPLES = ROOT / "examples"


def side(folder: Path, name: str, bank: Treebank, shard_sentences: int) -> Path:
    """Return a treebank in a file of shards."""
    path = folder / f"{name}.{shard_sentences}.parquet"
    dump_sources([(name, cut([bank], shard_sentences))], path)
    return path


OPTIONS = {"selected": {"labels": ["NX"]}}

WORD_BY_WORD = sorted(name for name in METRICS if metric_class(name).word_by_word)


@cache
def seen(file: str, view: str) -> Treebank:
    """Return an example in a view, which several metrics share."""
    return in_view(read(EXAMPLES / file), view, load_scheme("tuebadz"))


@pytest.mark.parametrize("name", WORD_BY_WORD)
def test_every_metric_counts_the_same_in_shards(name: str, tmp_path: Path) -> None:
    view = metric_class(name).view
    # The candidates have no functions, which frames are made of.
    candidate = "tuebadz.export" if name == "frames" else "tuebadz.alpha.mrg"
    try:
        gold, parsed = (seen(file, view) for file in ("tuebadz.export", candidate))
    except CrossbankError as error:
        pytest.skip(f"the example has no such view: {error}")
    counted = {}
    for size in (1000, 40, 18):
        paths = (side(tmp_path, "gold", gold, size), side(tmp_path, "parsed", parsed, size))
        output = tmp_path / f"counts.{size}.parquet"
        settings = ScoreSettings(name, OPTIONS.get(name, {}), "tuebadz", "empty")
        score(*paths, output, {"parsed": settings}, size)
        counted[size] = output
        assert output.read_bytes() == counted[1000].read_bytes()
    whole = read_counts(counted[1000])
    for size in (40, 18):
        counts = read_counts(counted[size])
        assert counts.signature == whole.signature
        assert counts.notes == whole.notes
        assert list(counts.sentences) == list(whole.sentences)
        assert counts.status.tolist() == whole.status.tolist()
        assert {n: c.tolist() for n, c in counts.columns.items()} == {
            n: c.tolist() for n, c in whole.columns.items()
        }
        for kind, made_parts in whole.breakdowns.items():
            one, other = made_parts(), counts.breakdowns[kind]()
            assert (one.keys, one.ordered) == (other.keys, other.ordered)
            assert one.sentence.tolist() == other.sentence.tolist()
            assert one.key.tolist() == other.key.tolist()
            assert {n: c.tolist() for n, c in one.columns.items()} == {
                n: c.tolist() for n, c in other.columns.items()
            }
        assert read_scored(counted[size])[1:] == read_scored(counted[1000])[1:]


def test_a_sentence_of_a_later_shard_is_named_by_its_number_in_the_file(tmp_path: Path) -> None:
    lines = [f"(S (NP (N w{index})) (VP (V sleeps)))" for index in range(6)]
    for name, text in (("gold", lines), ("parsed", [*lines[:4], "(S (N other) (V sleeps))", lines[5]])):
        (tmp_path / f"{name}.mrg").write_text("\n".join(text) + "\n", encoding="utf-8")
    paths = [side(tmp_path, name, read(tmp_path / f"{name}.mrg"), 2) for name in ("gold", "parsed")]
    settings = {"parsed": ScoreSettings("parseval", {}, None, "empty")}
    score(*paths, tmp_path / "counts.parquet", settings, 2)
    (problem,) = read_scored(tmp_path / "counts.parquet")[1]
    assert (problem.sentence, problem.detail) == ("5", "word 1: found 'other', expected 'w4'")
    assert problem.where.endswith("parsed.mrg:5")


def test_a_shard_without_a_parse_is_converted_with_the_others(tmp_path: Path) -> None:
    trees = "(S (NP (N a)) (V b))\n" * 2 + "(())\n" * 2
    (tmp_path / "parsed.mrg").write_text(trees, encoding="utf-8")
    sources = {"parsed": ([tmp_path / "parsed.mrg"], ReadSettings("bracket"))}
    read_sources(sources, tmp_path / "read.parquet", 2)
    assert shard_sizes(tmp_path / "read.parquet") == [4]
    settings = {"parsed": ConvertSettings("ptb", (), "constituents", {})}
    convert([tmp_path / "read.parquet"], tmp_path / "seen.parquet", settings, 2)
    assert len(load(tmp_path / "seen.parquet")) == 4


def results_of(folder: Path, trees: dict[str, list[str]], shard_sentences: int) -> tuple[Study, Path]:
    """Return a study of one treebank that is converted and scored, without Snakemake."""
    for name, lines in trees.items():
        (folder / f"{name}.mrg").write_text("\n".join(lines) + "\n", encoding="utf-8")
    content = {
        "study": "long",
        "shard_sentences": shard_sentences,
        "treebanks": [
            {
                "name": "t",
                "scheme": "ptb",
                "gold": {"path": str(folder / "gold.mrg")},
                "candidates": [{"name": "parsed", "path": str(folder / "parsed.mrg")}],
            }
        ],
        "metrics": ["parseval"],
        "bootstrap": {"samples": 10},
        "tests": {"trials": 10},
    }
    plan = Plan(study_of(content, "long.yaml"), folder / f"results.{shard_sentences}" / "long")
    write_resolved(content, plan.results / "study.yaml")
    for name, batch in (("gold", "gold"), ("parsed", "candidates-1-of-1")):
        path = plan.source("t", batch)
        read_sources({name: ([folder / f"{name}.mrg"], plan.reading("t", name))}, path, shard_sentences)
        for view in plan.views_of("t", batch):
            converting = {name: plan.converting("t", name, view)}
            convert([path], plan.converted("t", batch, view), converting, shard_sentences)
    gold, parsed, counts = (
        plan.view("t", "gold", "parseval"),
        plan.view("t", "candidates-1-of-1", "parseval"),
        plan.score("t", "candidates-1-of-1", "parseval"),
    )
    score(gold, parsed, counts, {"parsed": plan.scoring("t", "parsed", "parseval")}, shard_sentences)
    return plan.study, plan.results


@pytest.mark.parametrize("size", [40, 250])
def test_files_that_are_read_in_chunks_give_the_same_results(
    size: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    gold = [f"(S (NP (NN w{index})) (VP (VBD slept) (NP (DT a) (NN day))) (. .))" for index in range(9)]
    trees = {"gold": gold, "parsed": [*gold[:7], "(())", gold[8].replace("VP", "NP")]}
    made, messages = [], []
    for chunk in (formats.LARGE_CHUNK, size):
        monkeypatch.setattr(formats, "LARGE_CHUNK", chunk)
        shutil.rmtree(tmp_path / "results.4", ignore_errors=True)
        study, results = results_of(tmp_path, trees, 4)
        messages.append(capsys.readouterr().err)
        report.report(report.summarise(study, results), results / "report")
        actual = [*results.glob("*.csv"), *(path for path in results.glob("report/**/*") if path.is_file())]
        made.append({str(path.relative_to(results)): path.read_bytes() for path in actual})
    assert made[0].keys() == made[1].keys()
    assert [name for name, content in made[0].items() if made[1][name] != content] == []
    assert messages[0] == messages[1]


def test_a_report_on_a_large_treebank_looks_at_the_trees_of_its_first_sentences(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (report, study_results, page, explorer):
        monkeypatch.setattr(module, "MAX_EXAMINED_SENTENCES", 4)
    gold = [f"(S (NP (NN w{index})) (VP (VBD slept) (NP (DT a) (NN day))) (. .))" for index in range(9)]
    parsed = list(gold)
    parsed[7] = gold[7].replace("(VP (VBD slept) (NP (DT a) (NN day)))", "(VBD slept) (DT a) (NN day)")
    parsed[1] = gold[1].replace("(NP (DT a) (NN day))", "(PP (DT a) (NN day))")
    made = {}
    for shard_sentences in (100, 2):
        study, results = results_of(tmp_path, {"gold": gold, "parsed": parsed}, shard_sentences)
        report.report(report.summarise(study, results), results / "report")
        made[shard_sentences] = {
            str(path.relative_to(results)): path.read_text(encoding="utf-8")
            for pattern in ("*.csv", "report/**/*.html", "report/**/*.csv")
            for path in results.glob(pattern)
        }
        data = "".join(path.read_text(encoding="utf-8") for path in results.glob("report/data/*.js"))
        assert "w3" in data
        assert "w4" not in data
    text = made[2]["report/index.html"]
    assert "are of the first 4 of 9 sentences, scores, intervals and tests of all." in text
    # The worst sentence comes after those, and has its trees nevertheless.
    assert 'id="t-parsed-8"' in text
    assert made[2].keys() == made[100].keys()
    # These have the checksum of the study, which here names the size of its shards.
    other = {"report/index.html", "report/tables/study.csv"}
    assert [name for name in made[2].keys() - other if made[2][name] != made[100][name]] == []


def test_a_view_in_which_nothing_changes_takes_no_place(tmp_path: Path) -> None:
    trees, as_read = tmp_path / "trees.mrg", tmp_path / "t.parquet"
    trees.write_text("(S (NP (D the) (N cat)) (V sleeps))\n", encoding="utf-8")
    read_sources({"gold": ([trees], ReadSettings("bracket"))}, as_read)
    for name, steps in (("same", []), ("other", ["delete_roots"])):
        convert([as_read], tmp_path / name, {"gold": ConvertSettings(None, steps, "constituents", {})})
    assert (tmp_path / "same").samefile(as_read)
    assert not (tmp_path / "other").samefile(as_read)
