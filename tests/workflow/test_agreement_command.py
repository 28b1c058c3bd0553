"""`crossbank agreement`: what it prints for trees and dependencies, and its answers to wrong input."""

import json
from pathlib import Path

import pytest

from crossbank.treebanks.chunks import LengthMismatchError
from crossbank.workflow.commands.cli import main
from tests.errors import raises, run_failing

ANNOTATORS = {
    "anna.mrg": "(S (NP (DT the) (NN dog)) (VP (VBZ barks)))\n(S (NN rain))\n",
    "ben.mrg": "(S (NP (DT the) (NN dog)) (VP (VBZ barks)))\n(S (NN snow))\n",
    "carla.mrg": "(S (NP (DT the)) (VP (NN dog) (NNS barks)))\n(S (NN rain))\n",
}
CONLLU = "1\tI\t_\tPRON\t_\t_\t2\tnsubj\t_\t_\n2\tsee\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n"


@pytest.fixture
def trees(tmp_path: Path) -> list[str]:
    for name, text in ANNOTATORS.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return [str(tmp_path / name) for name in ANNOTATORS]


def test_three_annotators_of_trees(trees: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["agreement", *trees, "--metric", "parseval,leaf_ancestor"]) == 0
    printed = capsys.readouterr().out
    assert "2 sentences: 1 compared, 1 left out" in printed
    assert "word 1: found 'snow', expected 'rain'" in printed
    for heading in (
        "f1 (%)",
        "mean (%)",
        "Cohen's kappa",
        "alpha without",
        "tags: 3 units",
        "brackets: 5 units",
    ):
        assert heading in printed


def test_f1_is_symmetric(trees: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["agreement", *trees, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["sentences"] == {"compared": 1, "left_out": 1}
    value = {(one["gold"], one["candidate"], one["measure"]): one["value"] for one in document["scores"]}
    assert (
        value["anna.mrg", "carla.mrg", "f1"] == value["carla.mrg", "anna.mrg", "f1"] == pytest.approx(1 / 3)
    )
    assert value["anna.mrg", "ben.mrg", "f1"] == 1
    tags = next(one for one in document["agreement"] if one["name"] == "tags")
    assert {tuple(pair["annotators"]): pair["kappa"] for pair in tags["pairs"]}["anna.mrg", "ben.mrg"] == 1
    assert [one["sentence"] for one in document["disagreements"]] == ["1"]


def test_dependencies(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, other = tmp_path / "one.conllu", tmp_path / "other.conllu"
    one.write_text(CONLLU, encoding="utf-8")
    other.write_text(CONLLU.replace("nsubj", "obj"), encoding="utf-8")
    assert main(["agreement", str(one), str(other), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    alpha = {one["name"]: one["alpha"] for one in document["agreement"]}
    assert list(alpha) == ["tags", "relations", "heads", "heads with relations"]
    assert alpha["heads"] == 1
    assert alpha["relations"] == pytest.approx(1 - 1 / 2 * 12 / 10)
    value = {(one["gold"], one["measure"]): one["value"] for one in document["scores"]}
    assert (value["one.conllu", "uas"], value["one.conllu", "las"]) == (1, 0.5)


def test_other_numbers_of_sentences(trees: list[str]) -> None:
    Path(trees[1]).write_text("(S (NN rain))\n", encoding="utf-8")
    with raises(LengthMismatchError, "anna.mrg", "ben.mrg", "2", "1"):
        run_failing(["agreement", *trees])


def test_no_sentence_in_common(trees: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    Path(trees[1]).write_text("(S (NN snow))\n(S (NN snow))\n", encoding="utf-8")
    assert main(["agreement", *trees]) == 2
    assert "no sentence has the same words in all" in capsys.readouterr().err


def test_every_metric_asked_for_is_printed(trees: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Even one that names no measure to compare candidates by."""
    assert main(["agreement", *trees, "--metric", "categories,conformance"]) == 0
    printed = capsys.readouterr().out
    assert "accuracy (%)" in printed
    assert "recall (%)" in printed


def test_heads_of_trees_by_their_scheme(trees: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["agreement", *trees, "--scheme", "ptb", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    (heads,) = (one for one in document["agreement"] if one["name"] == "heads")
    kappa = {tuple(pair["annotators"]): pair["kappa"] for pair in heads["pairs"]}
    assert kappa["anna.mrg", "ben.mrg"] == 1
    assert kappa["anna.mrg", "carla.mrg"] < 1
    (brackets,) = (one for one in document["agreement"] if one["name"] == "brackets")
    # Carla has two brackets that Anna and Ben do not have, and lacks two of theirs.
    assert brackets["confusions"][0]["times"] == 4


def test_annotators_of_the_cambridge_grammar(shared_data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [
        str(shared_data / "cgel" / "iaa" / f"ewt-test_iaa50.{name}.validator.cgel")
        for name in ("nschneid", "brettrey")
    ]
    metrics = "parseval,leaf_ancestor,dependencies,tree_distance,categories"
    assert main(["agreement", *files, "--scheme", "cgel", "--metric", metrics, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["sentences"] == {"compared": 44, "left_out": 6}
    assert {one["metric"] for one in document["scores"]} == set(metrics.split(","))
    assert [one["name"] for one in document["agreement"]] == [
        "tags",
        "functions of words",
        "relations",
        "heads",
        "heads with relations",
        "brackets",
        "labels of shared spans",
        "functions of shared spans",
    ]
    relations = document["agreement"][2]
    assert relations["confusions"][0] == {"labels": ["Comp", "Mod"], "times": 16}


def test_what_one_annotator_does_not_have_is_left_out_and_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    written = str(tmp_path / "bare.mrg")
    options = ["--scheme", "tiger", "--resolve", "--transform", "strip_functions"]
    assert main(["convert", "examples/tiger.export", written, *options]) == 0
    assert main(["convert", "examples/tiger.export", str(tmp_path / "full.mrg"), *options[:3]]) == 0
    capsys.readouterr()
    assert main(["agreement", str(tmp_path / "full.mrg"), written, "--scheme", "tiger", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["not_compared"] == {"functions": ["bare.mrg"]}
    assert {one["name"]: one["alpha"] for one in document["agreement"]} == {
        "tags": 1,
        "heads": 1,
        "brackets": 1,
        "labels of shared spans": 1,
    }


def test_annotators_have_the_names_that_are_given(capsys: pytest.CaptureFixture[str]) -> None:
    call = ["agreement", "examples/tiger.export", "examples/tiger.alpha.mrg", "--scheme", "tiger", "--names"]
    assert main([*call, "Anna,Ben"]) == 0
    assert capsys.readouterr().out.startswith("2 annotators: Anna, Ben\n")
    for names in ("Anna", "Anna,Anna", "a,b,c"):
        assert main([*call, names]) == 2
        assert "expected 2 different names, one for each file" in capsys.readouterr().err
