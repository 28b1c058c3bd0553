"""Planted errors: what each changes, that none repairs another, and what measures make of them."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossbank.metrics.analyses.planted_errors import TYPES, draw_errors, plant
from crossbank.treebanks import ConversionError, Treebank
from crossbank.treebanks.formats import bracket, discbracket
from crossbank.workflow.commands.cli import main
from tests.validity import validate

TREES = """\
(S (NP (DT the) (JJ old) (NN ox)) (VP (VBZ sees) (NP (NP (DT a) (NN cat)) (PP (IN in) (NP (NN rain))))) (. .))
(S (NP (NNP Ann)) (VP (VBZ sleeps)))
()
(FRAG (INTJ (UH yes)))
"""


def brackets(bank: Treebank, sentence: int) -> Counter[tuple[int, int, str]]:
    rows = bank.nodes.rows(sentence)
    spans = bank.spans.start[rows].tolist(), bank.spans.end[rows].tolist()
    return Counter(zip(*spans, bank.labels(sentence), strict=True))


def differences(gold: Treebank, candidate: Treebank, sentence: int) -> tuple[int, int]:
    """Return the brackets that only gold has, and those that only the candidate has."""
    left, right = brackets(gold, sentence), brackets(candidate, sentence)
    return (left - right).total(), (right - left).total()


@pytest.mark.parametrize(
    ("type", "expected"),
    [
        ("label", (1, 1)),
        ("missing node", (1, 0)),
        ("additional node", (0, 1)),
        ("too high", (1, 1)),
        ("too low", (1, 1)),
    ],
)
@pytest.mark.parametrize("seed", range(8))
def test_an_error_changes_one_constituent(type: str, expected: tuple[int, int], seed: int) -> None:
    gold = bracket.loads(TREES)
    errors = draw_errors(gold, [type], 1, seed)
    candidate = plant(gold, errors)
    validate(candidate)
    for sentence, of_sentence in enumerate(errors):
        assert candidate.words(sentence) == gold.words(sentence)
        assert differences(gold, candidate, sentence) == (expected if of_sentence else (0, 0))


@given(seed=st.integers(0, 1000), number=st.integers(1, 6))
def test_further_errors_leave_the_earlier_ones(seed: int, number: int) -> None:
    gold = bracket.loads(TREES)
    (errors, *others) = draw_errors(gold, TYPES, number, seed)
    touched = [node for error in errors for node in error.nodes]
    assert len(touched) == len(set(touched))
    sizes = []
    for count in range(len(errors) + 1):
        candidate = plant(gold, [errors[:count], *([] for _ in others)])
        validate(candidate)
        sizes.append(sum(differences(gold, candidate, 0)))
    assert sizes[0] == 0
    assert all(np.diff(sizes) > 0)


def test_labels_are_others_of_the_treebank() -> None:
    gold = bracket.loads(TREES)
    present = {label for sentence in range(len(gold)) for label in gold.labels(sentence)}
    for seed in range(20):
        candidate = plant(gold, draw_errors(gold, ["label"], 1, seed))
        assert set(candidate.labels(0)) <= present


def test_crossing_branches_are_refused() -> None:
    bank = discbracket.loads("(S (VP (PP 0=Daran) (V 2=denken)) (V 1=will))\n")
    with pytest.raises(ConversionError):
        draw_errors(bank, TYPES, 1, 1)


def test_the_command_prints_prices_of_every_type_and_depth(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "gold.mrg").write_text(TREES * 10)
    command = ["probe", str(tmp_path / "gold.mrg"), "--metric", "parseval,leaf_ancestor", "--json"]
    assert main(command) == 0
    results = json.loads(capsys.readouterr().out)
    assert results["sentences"] == 40
    of_types = [price for price in results["prices"] if price["depth"] == "all"]
    assert {price["type"] for price in of_types} == set(TYPES)
    assert {price["metric"] for price in of_types} == {"parseval", "leaf_ancestor"}
    assert all(price["low"] <= price["mean"] <= price["high"] for price in results["prices"])
    # The same errors are grouped by type and by depth.
    by_depth = sum(price["n"] for price in results["prices"] if price["depth"] != "all")
    assert by_depth == sum(price["n"] for price in of_types)
    assert all(row["n"] == row["fell"] + row["unchanged"] + row["rose"] for row in results["further"])
    assert main(command) == 0
    assert json.loads(capsys.readouterr().out) == results
    assert main(command[:-1]) == 0
    assert "missing node" in capsys.readouterr().out


def test_what_cannot_be_probed_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "words.conllu").write_text("1\ta\ta\tX\tX\t_\t0\troot\t_\t_\n\n")
    assert main(["probe", str(tmp_path / "words.conllu")]) == 2
    assert "words.conllu" in capsys.readouterr().err
