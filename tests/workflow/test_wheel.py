"""Wheel, installed in an environment of its own and used in a folder without the checkout."""

import os
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

from tests.wheel.building import run, wheel

__all__ = ["wheel"]

pytestmark = pytest.mark.slow

STUDY = """\
study: small
treebanks:
  - name: t
    scheme: ptb
    gold: {path: gold.mrg}
    candidates: [{name: parsed, path: parsed.mrg}]
metrics: [parseval]
bootstrap: {samples: 10}
"""
GOLD = "(S (NP (DT The) (NN cat)) (VP (VBD saw) (NP (DT a) (NN bird))) (. .))\n"
PARSED = "(S (NP (DT The) (NN cat)) (VBD saw) (NP (DT a) (NN bird)) (. .))\n"


@pytest.fixture(scope="module")
def scripts(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the commands of an environment with the wheel, which borrows its dependencies."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False)
    scripts = folder / ("Scripts" if os.name == "nt" else "bin")
    variables = {"base": str(folder), "platbase": str(folder)}
    packages = Path(sysconfig.get_path("purelib", vars=variables))
    (packages / "borrowed.pth").write_text(f"{sysconfig.get_path('purelib')}\n", encoding="utf-8")
    install = ["pip", "--quiet", "--python", scripts / "python", "install", "--no-deps", "--no-index", wheel]
    run(folder, sys.executable, "-m", *install)
    return scripts


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with two treebanks and a study."""
    for name, content in {"gold.mrg": GOLD, "parsed.mrg": PARSED, "study.yaml": STUDY}.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    return tmp_path


def test_the_wheel_holds_one_package(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.split("/")[0] for name in names}
    (about,) = tops - {"crossbank"}
    assert about.endswith(".dist-info")
    for name in ("Snakefile", "rules/score.smk", "schemas/config.schema.yaml"):
        assert f"crossbank/workflow/{name}" in names
    assert "crossbank/workflow/profiles/default/config.yaml" in names
    assert "crossbank/converters/schemes/tiger.yaml" in names
    assert "crossbank/py.typed" in names


def test_crossbank_is_imported_from_the_wheel(scripts: Path, folder: Path) -> None:
    code = "import crossbank, sys; print(crossbank.__file__, 'numba' in sys.modules)"
    where, numba = run(folder, scripts / "python", "-c", code).split()
    assert Path(where).is_relative_to(scripts.parent)
    assert numba == "False"


def test_a_candidate_is_scored(scripts: Path, folder: Path) -> None:
    printed = run(folder, scripts / "crossbank", "score", "gold.mrg", "parsed.mrg", "--scheme", "ptb")
    assert "parseval" in printed


def test_the_manual_and_profiles_are_in_the_wheel(scripts: Path, folder: Path) -> None:
    assert "bootstrap:" in run(folder, scripts / "crossbank", "help", "study")
    assert "slurm" in run(folder, scripts / "crossbank", "list", "profiles")
    dry = [scripts / "crossbank", "study", "study.yaml", "--profile", "default", "--dry-run"]
    run(folder, *dry)


def test_a_study_is_run_in_any_folder(scripts: Path, folder: Path) -> None:
    run(folder, scripts / "crossbank", "study", "study.yaml")
    assert (folder / "results/small/report/index.html").is_file()


def test_the_snakefile_is_told(scripts: Path, folder: Path) -> None:
    snakefile = Path(run(folder, scripts / "crossbank", "workflow").strip())
    assert snakefile.is_relative_to(scripts.parent)
    command = ["-m", "snakemake", "--snakefile", snakefile, "--configfile", "study.yaml"]
    run(folder, scripts / "python", *command)
    assert (folder / "results/small/summary.csv").is_file()
