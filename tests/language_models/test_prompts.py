"""Requests for parses: examples, identifiers, the shapes of providers."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

import crossbank
from crossbank.language_models.extraction import extract
from crossbank.workflow.commands.cli import main
from tests.language_models.gold_and_answers import HEADS, ROWS, TREES, write_gold


def write_prompts(folder: Path, *words: str) -> list[dict[str, Any]]:
    target = folder / "prompts.jsonl"
    assert main(["prompts", str(write_gold(folder)), str(target), *words]) == 0
    return [json.loads(line) for line in target.read_text("utf-8").splitlines()]


def write_training(folder: Path) -> Path:
    path = folder / "train.mrg"
    further = [TREES[0].replace("dog", word) for word in ("cat", "bird", "cow", "pig")]
    path.write_text("\n".join([*TREES, *further]), "utf-8")
    return path


@pytest.mark.parametrize("seed", ["1", "2"])
def test_examples_are_other_sentences(tmp_path: Path, seed: str) -> None:
    training = str(write_training(tmp_path))
    requests = write_prompts(tmp_path, "--shots", "4", "--from", training, "--seed", seed)
    assert len(requests) == 3
    for request, tree in zip(requests, TREES, strict=True):
        messages = request["body"]["messages"]
        assert [one["role"] for one in messages] == ["system", *["user", "assistant"] * 4, "user"]
        words = " ".join(re.findall(r" ([^\s()]+)\)", tree))
        assert messages[-1]["content"] == words
        assert words not in {one["content"] for one in messages[:-1]}
        assert all(extract(one["content"]).tree for one in messages if one["role"] == "assistant")
    assert requests == write_prompts(tmp_path, "--shots", "4", "--from", training, "--seed", seed)


def test_another_seed_draws_other_examples(tmp_path: Path) -> None:
    training = str(write_training(tmp_path))
    one, other = (
        write_prompts(tmp_path, "--shots", "3", "--from", training, "--seed", seed) for seed in ("1", "2")
    )
    assert one != other


def test_too_few_other_sentences(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold, target = write_gold(tmp_path), tmp_path / "prompts.jsonl"
    assert main(["prompts", str(gold), str(target), "--from", str(gold), "--shots", "3"]) == 2
    assert "2 other sentences" in capsys.readouterr().err
    assert not target.exists()


def test_shapes_of_providers(tmp_path: Path) -> None:
    options = ("--model", "m", "--samples", "2")
    request = write_prompts(tmp_path, "--provider", "openai", *options)[1]
    assert request["custom_id"] == "1_sample-2"
    assert (request["method"], request["body"]["model"], request["body"]["temperature"]) == ("POST", "m", 1)
    request = write_prompts(tmp_path, "--provider", "anthropic", *options)[0]
    assert request.keys() == {"custom_id", "params"}
    assert request["params"].keys() == {"model", "max_tokens", "system", "messages", "temperature"}
    request = write_prompts(tmp_path, "--provider", "local", *options)[0]
    assert (request["id"], request["stream"]) == ("1_sample-1", False)


@pytest.mark.parametrize("style", ["conllu", "table"])
def test_dependencies(tmp_path: Path, style: str) -> None:
    treebank, target = tmp_path / "train.conllu", tmp_path / "prompts.jsonl"
    treebank.write_text(f"# sent_id = x.1/é\n{ROWS}\n{ROWS.replace('cat', 'dog')}\n", "utf-8")
    words = ["prompts", str(treebank), str(target), "--style", style, "--from", str(treebank), "--shots", "1"]
    assert main(words) == 0
    requests = [json.loads(line) for line in target.read_text("utf-8").splitlines()]
    assert [one["custom_id"] for one in requests] == ["sentence-1", "sentence-2"]
    rows = extract(requests[0]["body"]["messages"][2]["content"]).rows
    assert rows is not None
    assert [row[6] for row in rows] == HEADS
    assert rows[3][1] == "dog"


def test_answers_come_back_with_the_same_identifiers(tmp_path: Path) -> None:
    treebank, answers = tmp_path / "gold.mrg", tmp_path / "answers.jsonl"
    requests = write_prompts(tmp_path, "--samples", "2")
    treebank.write_text(write_gold(tmp_path).read_text("utf-8"), "utf-8")
    records = [
        {"custom_id": one["custom_id"], "answer": TREES[int(one["custom_id"][0]) - 1]} for one in requests
    ]
    answers.write_text("\n".join(map(json.dumps, reversed(records))), "utf-8")
    assert crossbank.score(treebank, answers, best="oracle")["f1"] == 1
    bank = crossbank.Scorer(gold=treebank)
    assert bank.score(answers)["f1"] == 1
