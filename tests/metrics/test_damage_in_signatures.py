"""Signatures name damage where there is some, and are the same as ever where there is none."""

from __future__ import annotations

from pathlib import Path

import pytest

import crossbank

TREES = [f"(S (NP (NNP w{i})) (VP (VBD left) (PRT (RP off))))" for i in range(6)]


def write(path: Path, trees: list[str]) -> str:
    path.write_text("".join(f"{tree}\n" for tree in trees))
    return str(path)


@pytest.mark.parametrize("policy", [None, "stop", "skip", "repair"])
def test_without_damage_a_signature_does_not_depend_on_the_policy(policy: str | None, tmp_path: Path) -> None:
    gold = write(tmp_path / "g.mrg", TREES)
    candidate = write(tmp_path / "c.mrg", [TREES[0].replace("PRT", "ADVP"), *TREES[1:]])
    signature = crossbank.score(gold, candidate, damaged=policy).signature
    assert str(signature) == str(crossbank.score(gold, candidate).signature)
    assert "damaged" not in str(signature)


def test_damage_is_in_the_signature(tmp_path: Path) -> None:
    gold = write(tmp_path / "g.mrg", TREES)
    candidate = write(tmp_path / "c.mrg", [TREES[0][:-1], TREES[1][:-2], *TREES[2:]])
    with pytest.warns(crossbank.CrossbankWarning):
        skipped = crossbank.score(gold, candidate)
    assert "|damaged:skipped:2|" in str(skipped.signature)
    with pytest.warns(crossbank.CrossbankWarning):
        repaired = crossbank.score(gold, candidate, damaged="repair")
    assert "|damaged:repaired:2|" in str(repaired.signature)
    assert repaired["f1"] > skipped["f1"]
