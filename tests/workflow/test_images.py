"""Images in which jobs run: a study calls apptainer where it is asked to, and both recipes are one."""

import os
import re
import sys
from pathlib import Path

import pytest

from tests.workflow.test_study_run import GOLD, POOR, ROOT, STUDY, snakemake

APPTAINER = """#!/bin/sh
# In place of apptainer: keeps what it was called with, and runs the command without an image.
[ "$*" = --version ] && { echo "apptainer version 1.3.4"; exit; }
echo "$*" >> calls.txt
for last; do :; done
exec bash -c "$last"
"""


@pytest.mark.slow
def test_jobs_run_in_the_image_that_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {"gold.mrg": GOLD, "good.mrg": GOLD, "poor.mrg": POOR, "s.yaml": STUDY, "my.sif": ""}
    for name, content in files.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    programs = tmp_path / "programs"
    programs.mkdir()
    for name, text in {
        "apptainer": APPTAINER,
        "python": f'#!/bin/sh\nexec "{sys.executable}" "$@"\n',
    }.items():
        (programs / name).write_text(text, encoding="utf-8")
        (programs / name).chmod(0o755)
    monkeypatch.setenv("PATH", os.pathsep.join([str(programs), os.environ["PATH"]]))
    monkeypatch.setenv("CROSSBANK_IMAGE", "my.sif")
    done = snakemake(tmp_path, "--configfile", "s.yaml", "--software-deployment-method", "apptainer")
    assert done.returncode == 0, done.stdout + done.stderr
    calls = [
        line for line in (tmp_path / "calls.txt").read_text("utf-8").splitlines() if " exec " in f" {line}"
    ]
    steps = [re.search(r"python (?:-P )?-m crossbank\.workflow\.steps\.(\w+) ", call) for call in calls]
    assert [step and step[1] for step in steps].count("report") == 1
    assert {step[1] for step in steps if step} == {"read", "view", "score", "report"}
    assert all("my.sif" in call for call in calls)
    assert sys.executable not in (tmp_path / "calls.txt").read_text("utf-8")


def test_both_recipes_put_the_same_into_the_same_image() -> None:
    apptainer, docker = (
        (ROOT / "workflow" / "envs" / name).read_text("utf-8") for name in ("crossbank.def", "Dockerfile")
    )
    (base,) = re.findall(r"^From: (.*)$", apptainer, re.M)
    assert re.findall(r"^FROM (.*)$", docker, re.M) == [base]
    copied = re.findall(r"^    (\S+) /opt/crossbank/$", apptainer, re.M)
    (inputs,) = re.findall(r"^COPY (.*) /opt/crossbank/$", docker, re.M)
    assert inputs.split() == copied
    assert all((ROOT / path).exists() for path in copied if "*" not in path)
    for recipe in (apptainer, docker):
        assert re.search(r"^(RUN | +)/opt/crossbank/install\.sh$", recipe, re.M)
