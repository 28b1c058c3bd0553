"""Commands on answers whose order says nothing, and on candidates that are cut into other sentences."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from crossbank.workflow.commands.cli import main

TREES = {
    "a": "(S (NP (NNP Ann)) (VP (VBD left)))",
    "b": "(S (NP (NNP Bo)) (VP (VBD sang)))",
    "c": "(S (NP (PRP He)) (VP (VBD ran)))",
}


def answers(path: Path, names: Sequence[str]) -> str:
    lines = [json.dumps({"id": name, "answer": TREES[name]}) + "\n" for name in names]
    path.write_text("".join(lines), "utf-8")
    return str(path)


def test_consensus_matches_answers_by_identifier(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [answers(tmp_path / f"{order}.jsonl", order) for order in ("b", "abc", "cab", "bca")]
    target = tmp_path / "majority.mrg"
    target.write_text("an older file is written anew\n")
    assert not main(["consensus", *files, str(target)])
    assert target.read_text().splitlines() == list(TREES.values())
    assert f"{files[2]}: 3 sentences matched by identifier" in capsys.readouterr().err


def test_agreement_matches_answers_by_identifier(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [answers(tmp_path / f"{order}.jsonl", order) for order in ("abc", "cab")]
    assert not main(["agreement", *files, "--json"])
    scores = json.loads(capsys.readouterr().out)["scores"]
    assert {(score["value"], score["scored"]) for score in scores if score["measure"] == "f1"} == {(1, 3)}


def test_types_of_errors_where_sentences_are_cut_differently(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gold, joined = tmp_path / "gold.mrg", tmp_path / "joined.mrg"
    gold.write_text("\n".join(TREES.values()) + "\n")
    first, second, third = TREES.values()
    arguments = ["errors", str(gold), str(joined), "--scheme", "ptb", "--json"]
    for last, has_errors in ((third, False), (third.replace("(NP", "(PP"), True)):
        joined.write_text(f"(TOP {first} {second})\n{last}\n")
        assert main(arguments)
        capsys.readouterr()
        assert not main([*arguments, "--words", "align"])
        assert bool(json.loads(capsys.readouterr().out)) == has_errors
