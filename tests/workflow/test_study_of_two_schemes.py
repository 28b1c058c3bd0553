"""The study of CoNLL 2018's systems in UD and SUD, with the German treebank and few of its systems."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
import yaml

from crossbank.workflow.commands.cli import main

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_scores_of_systems_in_both_schemes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shared_data: Path
) -> None:
    content = yaml.safe_load((ROOT / "config" / "ud_sud.yaml").read_text("utf-8"))
    content |= {"data": str(shared_data / "conll18"), "bootstrap": {"samples": 0}, "tests": {"trials": 100}}
    content["treebanks"] = [of for of in content["treebanks"] if of["name"].startswith("de_gsd")]
    for treebank in content["treebanks"]:
        treebank["candidates"] = [
            one for one in treebank["candidates"] if one["name"] in ("HIT-SCIR-18", "baseline", "gold_back")
        ]
    content["report"]["pages"] = "none"
    monkeypatch.chdir(tmp_path)
    Path("ud_sud.yaml").write_text(yaml.safe_dump(content), "utf-8")
    assert main(["study", "ud_sud.yaml"]) == 0
    with open("results/ud_sud/summary.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    las = {
        (row["treebank"].removeprefix("de_gsd_"), row["candidate"]): round(100 * float(row["value"]), 2)
        for row in rows
        if row["measure"] == "las"
    }
    # In UD the scores are the official ones.
    assert (las["ud", "HIT-SCIR-18"], las["ud", "baseline"]) == (80.36, 70.85)
    # What the conversion changes is small beside what the scheme does to the baseline.
    for system, difference in (("HIT-SCIR-18", -0.05), ("baseline", 1.26)):
        assert las["sud", system] - las["ud", system] == pytest.approx(difference, abs=0.1)
        assert las["back", system] - las["ud", system] == pytest.approx(0, abs=0.4)
    assert las["ud", "gold_back"] > 99
