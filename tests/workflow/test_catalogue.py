"""Workflow as a catalogue of workflows expects it, in a clone as it stands."""

import csv
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from jsonschema import Draft202012Validator

from crossbank.reports.study.reading import study_schema
from tests.workflow.test_study_run import ROOT, snakemake


@pytest.mark.slow
def test_the_small_study_runs_without_an_option(tmp_path: Path) -> None:
    shutil.copytree(ROOT / ".test", tmp_path / "study")
    done = snakemake(tmp_path, "--directory", "study")
    assert done.returncode == 0, done.stdout + done.stderr
    with (tmp_path / "study/results/small/summary.csv").open(encoding="utf-8", newline="") as stream:
        scores = {row["measure"]: float(row["value"]) for row in csv.DictReader(stream)}
    # Of twelve brackets two are missing: VP in the first sentence, PP in the third.
    assert (scores["precision"], scores["recall"]) == (1, pytest.approx(10 / 12))


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return what a clone has; no results of others are in it."""
    folder = tmp_path_factory.mktemp("clone")
    for name in ("workflow", "config", "examples"):
        (folder / name).symlink_to(ROOT / name)
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("option", ["--lint", "--dry-run", "--rulegraph"])
def test_bare_snakemake_succeeds_in_a_clone(clone: Path, option: str) -> None:
    command = [sys.executable, "-m", "snakemake", option]
    done = subprocess.run(command, cwd=clone, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    if option == "--rulegraph":
        assert done.stdout.startswith("digraph")


@pytest.mark.slow
def test_a_study_of_ones_own_takes_nothing_from_the_embedded_one(clone: Path, tmp_path: Path) -> None:
    shutil.copytree(ROOT / ".test", tmp_path, dirs_exist_ok=True)
    shutil.copytree(ROOT / "config", tmp_path / "config", dirs_exist_ok=True)
    done = snakemake(tmp_path, "--configfile", str(ROOT / ".test/config/config.yaml"), "--until", "study")
    assert done.returncode == 0, done.stdout + done.stderr
    own = yaml.safe_load((ROOT / ".test/config/config.yaml").read_text("utf-8"))
    assert yaml.safe_load((tmp_path / "results/small/study.yaml").read_text("utf-8")) == own


def test_the_catalogue_finds_its_files() -> None:
    described = yaml.safe_load((ROOT / ".snakemake-workflow-catalog.yml").read_text("utf-8"))
    assert set(described["usage"]) >= {"mandatory-flags", "software-stack-deployment", "report"}
    assert (ROOT / "config/README.md").is_file()
    schema = yaml.safe_load((ROOT / "workflow/schemas/config.schema.yaml").read_text("utf-8"))
    assert schema == study_schema(), "written anew by python docs/hooks/facts.py"
    for config in ("config/config.yaml", ".test/config/config.yaml"):
        content = yaml.safe_load((ROOT / config).read_text("utf-8"))
        Draft202012Validator(study_schema()).validate(content)
