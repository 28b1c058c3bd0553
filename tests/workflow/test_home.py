"""A study, and the check of the installation, where the home folder is missing or read-only."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from crossbank.workflow.snakemake_cache import cache_folder, is_writable

ROOT = Path(__file__).resolve().parents[2]
STUDY = """\
study: small
treebanks:
  - {name: t, scheme: ptb, gold: {path: gold.mrg}, candidates: [{name: same, path: gold.mrg}]}
metrics: [parseval]
bootstrap: {samples: 10}
"""


def run_crossbank(folder: Path, home: str | None, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a command with another home, or without any."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "HOME": home or ""}
    environment.pop("XDG_CACHE_HOME", None)
    if home is None:
        del environment["HOME"]
    command = [sys.executable, "-m", "crossbank", *words]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture
def unwritable(tmp_path: Path) -> str:
    """Return a home that nobody can make, the superuser included: it is below a file."""
    (tmp_path / "file").touch()
    return str(tmp_path / "file" / "home")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a small study."""
    folder = tmp_path / "study"
    folder.mkdir()
    (folder / "gold.mrg").write_text("(S (NP (PRP She)) (VP (VBD slept)) (. .))\n" * 3, encoding="utf-8")
    (folder / "small.yaml").write_text(STUDY, encoding="utf-8")
    return folder


@pytest.mark.parametrize("home", ["unset", "unwritable", "read-only", "new"])
def test_a_study_needs_no_home(home: str, unwritable: str, folder: Path) -> None:
    homes = {"unset": None, "unwritable": unwritable, "read-only": "/proc", "new": str(folder / "new")}
    done = run_crossbank(folder, homes[home], "study", "small.yaml")
    assert done.returncode == 0, done.stderr
    assert (folder / "results/small/summary.csv").is_file()
    assert (folder / ".snakemake/cache").is_dir() == (home in ("unwritable", "read-only"))


def test_doctor_names_a_cache_that_cannot_be_written(unwritable: str, folder: Path) -> None:
    done = run_crossbank(folder, unwritable, "doctor", "--json")
    (check,) = [check for check in json.loads(done.stdout) if check["name"] == "snakemake's cache"]
    assert check["state"] == "optional"
    assert f"{unwritable}/.cache/snakemake" in check["detail"]
    assert "XDG_CACHE_HOME" in check["hint"]


def test_a_user_without_a_home_gets_no_folder_of_the_name_of_a_tilde(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)
    assert not is_writable(cache_folder())
    assert list(tmp_path.iterdir()) == []
