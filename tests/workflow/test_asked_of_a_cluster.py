"""What Snakemake makes of the rules where jobs go to a cluster: requests, groups, parts of the last rule."""

import re
from pathlib import Path

import pytest

from tests.workflow.test_study_run import GOLD, POOR, STUDY, snakemake

RULES = {"read", "constituents", "score", "report"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, content in {"gold.mrg": GOLD, "good.mrg": GOLD, "poor.mrg": POOR, "s.yaml": STUDY}.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    return tmp_path


def test_every_job_asks_for_memory_and_time_and_a_small_study_is_one_group(folder: Path) -> None:
    done = snakemake(folder, "--configfile", "s.yaml", "--dry-run", "--quiet", "host")
    assert len(re.findall(r"Group job study", done.stdout + done.stderr)) == 1
    jobs = re.findall(r"^ +rule (\w+):\n((?:        .*\n)+)", done.stdout + done.stderr, re.M)
    assert {name for name, _ in jobs} == RULES
    for _, message in jobs:
        requested = dict(re.findall(r"(mem_mb|runtime)=(\d+)", message))
        assert int(requested["mem_mb"]) >= 1000, message
        assert int(requested["runtime"]) >= 5, message


@pytest.mark.slow
def test_the_last_rule_is_made_in_parts(folder: Path) -> None:
    summary = folder / "results/small/summary.csv"
    first = snakemake(folder, "--configfile", "s.yaml", "--batch", "report=1/2")
    assert first.returncode == 0, first.stdout + first.stderr
    made = set(summary.parent.rglob("*.parquet"))
    assert made
    assert not summary.exists()
    second = snakemake(folder, "--configfile", "s.yaml", "--batch", "report=2/2")
    assert second.returncode == 0, second.stdout + second.stderr
    assert made < set(summary.parent.rglob("*.parquet"))
    assert {"good", "poor"} <= set(re.findall(r"^small,t,(\w+),", summary.read_text("utf-8"), re.M))
