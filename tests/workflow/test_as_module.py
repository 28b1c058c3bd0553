"""Workflow as a module of another one, which makes the treebanks that a study names."""

from pathlib import Path

import pytest

from tests.workflow.test_study_run import GOLD, POOR, ROOT, snakemake

STUDY = """\
study: small
treebanks:
  - name: t
    scheme: ptb
    gold: {path: made/gold.mrg}
    candidates: [{name: poor, path: made/poor.mrg}]
metrics: [parseval]
bootstrap: {samples: 10}
"""
SNAKEFILE = """\
import yaml

rule mine:
    input: "PREFIXresults/small/summary.csv"
    output: "mine.txt"
    shell: "head -n 1 {input} > {output}"

rule make:
    input: "{name}.txt"
    output: "PREFIXmade/{name}.mrg"
    shell: "cp {input} {output}"

module crossbank:
    snakefile: "SNAKEFILE"
    config: yaml.safe_load(open("study.yaml"))
    PREFIXING

use rule * from crossbank as crossbank_*
"""


def with_files(folder: Path, prefix: str) -> Path:
    """Write a workflow that has ours as a module, and what it reads."""
    text = SNAKEFILE.replace("PREFIXING", 'prefix: "below"' if prefix else "")
    text = text.replace("PREFIX", prefix).replace("SNAKEFILE", str(ROOT / "workflow" / "Snakefile"))
    files = {"gold.txt": GOLD, "poor.txt": POOR, "study.yaml": STUDY, "Snakefile": text}
    for name, content in files.items():
        (folder / name).write_text(content, encoding="utf-8")
    return folder


@pytest.mark.parametrize("prefix", [pytest.param("", marks=pytest.mark.slow), "below/"])
def test_the_workflow_is_planned_as_a_module(tmp_path: Path, prefix: str) -> None:
    folder = with_files(tmp_path, prefix)
    done = snakemake(folder, "--snakefile", "Snakefile", "--dry-run", "--quiet", "host")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "rule crossbank_report:" in done.stdout + done.stderr
    assert f"output: {prefix}results/small/summary.csv" in done.stdout + done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("prefix", ["", "below/"])
def test_the_workflow_is_a_module(tmp_path: Path, prefix: str) -> None:
    with_files(tmp_path, prefix)
    done = snakemake(tmp_path, "--snakefile", "Snakefile", "--cores", "2")
    assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / "mine.txt").read_text(encoding="utf-8").startswith("study,treebank,candidate,")
    assert (tmp_path / prefix / "results/small/report/index.html").is_file()
    assert [path.name for path in tmp_path.iterdir() if path.name == "results"] == (
        [] if prefix else ["results"]
    )
