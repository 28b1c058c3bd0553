"""Two plug-ins that make candidates of one study."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.imports import ROOT
from tests.parsers.test_training_study import content

CODE = '''"""Copies of gold."""
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from crossbank.reports.study.making import Making
from crossbank.reports.study.model import Candidate
from crossbank.treebanks.typed_yaml import adds_keys, key
from crossbank.workflow.settings import ReadSettings


@adds_keys(Candidate)
@dataclass(frozen=True)
class CopiedCandidate:
    """A copy.

    copied  how often
    """

    copied: int | None = key(None, minimum=1, otherwise="0")


@dataclass(frozen=True)
class Copying(Making):
    """Copies of gold."""

    name: ClassVar[str] = "copied"
    makes: ClassVar[str] = "a copy"

    @classmethod
    def of(cls, candidate: Mapping[str, Any]) -> Making:
        return cls()

    def settings(self, scheme, transformations, reading, held_out):
        return reading

    def describe(self, parts):
        return "copied"
'''

RULE = """
rule copy_gold:
    input:
        lambda wildcards: STUDY.treebank(wildcards.treebank).gold.paths,
    output:
        f"{PLAN.results}/parsed/{{treebank}}/{{candidate}}.parquet",
    wildcard_constraints:
        candidate=PLAN.made_by("copied"),
    shell:
        "python -m crossbank convert {input:q} {output:q}"
"""


def install(folder: Path, name: str) -> None:
    """Write a package with an entry point, as pip leaves it."""
    package, metadata = folder / "site" / name, folder / "site" / f"{name}-1.dist-info"
    (package / "study_rules").mkdir(parents=True)
    metadata.mkdir()
    (package / "schemes").mkdir()
    (package / "schemes" / "mine.yaml").write_text(
        "extends: ptb\nname: mine\ntitle: Mine\nsources: [a page]\n", encoding="utf-8"
    )
    (package / "__init__.py").touch()
    (package / "copying.py").write_text(CODE, encoding="utf-8")
    (package / "study_rules" / f"{name}.smk").write_text(RULE, encoding="utf-8")
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n", encoding="utf-8")
    (metadata / "entry_points.txt").write_text(f"[crossbank.plugins]\n{name} = {name}\n", encoding="utf-8")


def run(folder: Path, *words: str) -> tuple[int, str]:
    """Return the exit code and the output of a command, where the packages are installed."""
    done = subprocess.run(
        [sys.executable, "-m", "crossbank", *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join((str(folder / "site"), str(ROOT)))},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def study(folder: Path, *candidates: dict[str, object]) -> None:
    described = content(folder)
    described["treebanks"][0]["candidates"] += candidates
    (folder / "study.yaml").write_text(yaml.safe_dump(described), encoding="utf-8")


def test_each_makes_its_own_candidates(tmp_path: Path) -> None:
    pytest.importorskip("snakemake", reason="studies need the extra study")
    install(tmp_path, "copies")
    study(tmp_path, {"name": "copy", "copied": 1})
    code, output = run(tmp_path, "study", "study.yaml", "--dry-run")
    assert code == 0, output
    jobs = dict(re.findall(r"^(\w+) +(\d+)$", output, re.MULTILINE))
    assert jobs["copy_gold"] == jobs["train_and_parse"] == "1"


def test_a_study_without_the_candidates_of_a_package_does_not_load_its_code(tmp_path: Path) -> None:
    install(tmp_path, "copies")
    study(tmp_path)
    code, output = run(tmp_path, "check", "study.yaml")
    assert code == 0, output


def test_an_installed_maker_is_checked_without_trust(tmp_path: Path) -> None:
    install(tmp_path, "copies")
    study(tmp_path, {"name": "copy", "copied": 1})
    code, output = run(tmp_path, "check", "study.yaml")
    assert (code, "  copy: copied\n" in output) == (0, True), output


def test_a_candidate_that_two_would_make_is_refused(tmp_path: Path) -> None:
    install(tmp_path, "copies")
    study(tmp_path, {"name": "copy", "copied": 1, "parser": {"pcfg": {"input": "tags"}}})
    code, output = run(tmp_path, "check", "study.yaml")
    assert code == 2
    assert "found a parser and a copied, expected one of them" in output
    assert "Traceback" not in output


def test_one_name_for_candidates_of_two_makers_is_refused(tmp_path: Path) -> None:
    install(tmp_path, "copies")
    study(tmp_path)
    described = yaml.safe_load((tmp_path / "study.yaml").read_text("utf-8"))
    (treebank,) = described["treebanks"]
    described["treebanks"].append(
        {**treebank, "name": "u", "candidates": [{"name": treebank["candidates"][0]["name"], "copied": 1}]}
    )
    (tmp_path / "study.yaml").write_text(yaml.safe_dump(described), encoding="utf-8")
    code, output = run(tmp_path, "check", "study.yaml")
    assert code == 2
    assert "'own', which copied makes here and parser for another treebank" in output


def test_two_packages_with_one_name_are_refused_by_one_message(tmp_path: Path) -> None:
    for name in ("copies", "further"):
        install(tmp_path, name)
    study(tmp_path, {"name": "copy", "copied": 1})
    code, output = run(tmp_path, "check", "study.yaml")
    assert code == 2
    assert "copied" in output
    assert "copies.copying:Copying and further.copying:Copying" in output
    assert "Traceback" not in output
    assert output.count("\n") == 1
    code, output = run(tmp_path, "score", "gold.mrg", "gold.mrg", "--scheme", "mine")
    assert code == 2
    assert re.search(r"scheme mine: added by .*copies.* and .*further.*: uninstall", output)
