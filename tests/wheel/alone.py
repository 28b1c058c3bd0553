"""Wheel with nothing but what it declares, in an environment of its own: `make test-wheel`.

pip takes the dependencies that the wheel names, in the versions that requirements.txt pins. What the wheel
needs and does not declare is missing then.
"""

import json
import os
import re
import shutil
import sys
import venv
import zipfile
from pathlib import Path

import pytest

from tests.docs.blocks import ROOT, blocks_of
from tests.formalisms.redwoods.profiles import two_readings
from tests.wheel.building import run, wheel

__all__ = ["wheel"]

README = ROOT / "README.md"
TYPED = re.findall(r"`(crossbank [a-z][^`]*)`", README.read_text(encoding="utf-8"))
"""The commands in the README's table."""

GOLD = "(S (NP (DT The) (NN cat)) (VP (VBD saw) (NP (DT a) (NN bird))) (. .))\n"
POOR = "(S (NP (DT The) (NN cat)) (VBD saw) (NP (DT a) (NN bird)) (. .))\n"
STUDY = """\
study: three
treebanks:
  - {name: a, scheme: ptb, gold: {path: gold.mrg}, candidates: &parsers [
      {name: good, path: good.mrg}, {name: fair, path: fair.mrg}, {name: poor, path: poor.mrg}]}
  - {name: b, scheme: ptb, gold: {path: gold.mrg}, candidates: *parsers}
  - {name: c, scheme: ptb, gold: {path: gold.mrg}, candidates: *parsers}
metrics: [parseval, leaf_ancestor, dependencies]
bootstrap: {samples: 50}
tests: {trials: 100}
"""


@pytest.fixture(scope="module")
def scripts(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of the commands of an environment in which pip has installed the wheel with all extras."""
    return environment(wheel, tmp_path_factory, "all")


def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory, extras: str) -> Path:
    """Return the folder of the commands of an environment with the wheel, and some extras of it."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=True)
    scripts = folder / ("Scripts" if os.name == "nt" else "bin")
    pinned = re.findall(r"^[\w.-]+==[^\\\n]+", (ROOT / "requirements.txt").read_text(), re.MULTILINE)
    (folder / "pinned.txt").write_text("\n".join(pinned), encoding="utf-8")
    pip = [scripts / "python", "-m", "pip", "--quiet", "--disable-pip-version-check"]
    run(folder, *pip, "install", "--constraint", "pinned.txt", f"{wheel}[{extras}]" if extras else wheel)
    run(folder, *pip, "check")
    return scripts


@pytest.fixture(scope="module")
def folder(scripts: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the files that the README's commands name."""
    folder = tmp_path_factory.mktemp("here")
    shutil.copytree(ROOT / "examples", folder / "examples")
    (folder / "parsed").mkdir()
    for source, targets in {
        "three_styles/penn.mrg": ("gold.mrg", "other.mrg", "anna.mrg", "ben.mrg"),
        "three_styles/penn.parsed.mrg": ("parsed.mrg", "one.mrg", "carla.mrg"),
        "tiger.alpha.mrg": ("parsed/alpha.mrg",),
        "tiger.beta.mrg": ("parsed/beta.mrg",),
    }.items():
        text = (ROOT / "examples" / source).read_text(encoding="utf-8")
        for target in targets:
            # Sentence 12, which a command shows, is there in two copies of eight sentences.
            (folder / target).write_text(text if "/" in target else 2 * text, encoding="utf-8")
    for target in ("corpus.export", "gold.export"):
        shutil.copy(ROOT / "examples" / "tiger.export", folder / target)
    (folder / "COLLINS.prm").write_text("DEBUG 0\nMAX_ERROR 10\nLABELED 1\n", encoding="utf-8")
    for target in ("corpus.xml", "trees.xml"):
        run(folder, scripts / "crossbank", "convert", "corpus.export", target)
    run(folder, scripts / "crossbank", "convert", "corpus.xml", "corpus.conllu", "--scheme", "tiger")
    return folder


def test_every_module_can_be_imported(wheel: Path, scripts: Path, tmp_path: Path) -> None:
    names = [
        name.split(".")[0].replace("/", ".").removesuffix(".__init__")
        for name in zipfile.ZipFile(wheel).namelist()
        if name.startswith("crossbank/") and name.endswith((".py", ".so", ".pyd"))
    ]
    assert len(names) > 400
    (tmp_path / "names.txt").write_text("\n".join(names), encoding="utf-8")
    code = "import importlib; [importlib.import_module(name.strip()) for name in open('names.txt')]"
    run(tmp_path, scripts / "python", "-c", code)


def test_the_readme_has_commands() -> None:
    assert {command.split()[1] for command in TYPED} >= {"score", "compare", "convert", "study", "doctor"}


@pytest.mark.parametrize("command", TYPED)
def test_a_command_of_the_readme(scripts: Path, folder: Path, command: str) -> None:
    """It does what it should, or it says no, as a gate does; the commands depend on those before them."""
    target = " --output study.yaml" if command.startswith("crossbank init") else ""
    completed = run(folder, "bash", "-c", f"{scripts}/{command}{target}", allowed=(0, 1))
    assert "Traceback" not in completed


def test_the_python_of_the_readme(scripts: Path, folder: Path) -> None:
    for block in blocks_of(README):
        if block.language == "python":
            run(folder, scripts / "python", "-c", block.text)


def test_a_study_of_three_treebanks_and_three_candidates(scripts: Path, tmp_path: Path) -> None:
    files = {"gold": 4 * GOLD, "good": 3 * GOLD + POOR, "fair": 2 * (GOLD + POOR), "poor": 4 * POOR}
    for name, content in files.items():
        (tmp_path / f"{name}.mrg").write_text(content, encoding="utf-8")
    (tmp_path / "three.yaml").write_text(STUDY, encoding="utf-8")
    run(tmp_path, scripts / "crossbank", "study", "three.yaml")
    page = (tmp_path / "results/three/report/index.html").read_text(encoding="utf-8")
    assert "verage rank" in page


def test_nothing_is_borrowed(scripts: Path, tmp_path: Path) -> None:
    where = run(
        tmp_path,
        scripts / "python",
        "-c",
        "import scipy, crossbank; print(scipy.__file__, crossbank.__file__)",
    )
    assert all(Path(file).is_relative_to(scripts.parent) for file in where.split())
    assert sys.prefix not in run(tmp_path, scripts / "python", "-c", "import sys; print(sys.path)")


DISTRIBUTIONS = """
from importlib.metadata import distributions
for one in distributions():
    if one.name not in ("pip", "setuptools"):
        print(one.name, sum(file.locate().stat().st_size for file in one.files))
"""
"""Each distribution and its bytes, with the bytecode that pip makes of it."""


def test_the_base_scores_and_converts(
    wheel: Path, tmp_path_factory: pytest.TempPathFactory, tmp_path: Path
) -> None:
    scripts = environment(wheel, tmp_path_factory, "")
    lines = run(tmp_path, scripts / "python", "-c", DISTRIBUTIONS).splitlines()
    sizes = {name: int(size) for name, size in map(str.split, lines)}
    assert len(sizes) <= 6
    assert sum(sizes.values()) - sizes["numpy"] <= 22e6
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    gold, alpha = "examples/tiger.export", "examples/tiger.alpha.mrg"
    crossbank = scripts / "crossbank"
    assert "87.27 %" in run(tmp_path, crossbank, "score", gold, alpha, "--scheme", "tiger")
    run(tmp_path, crossbank, "errors", gold, alpha, "--scheme", "tiger")
    for target in ("out.xml", "out.conllu", "out.mrg"):
        run(tmp_path, crossbank, "convert", gold, target, "--scheme", "tiger", "--resolve")
    run(tmp_path, crossbank, "convert", "out.xml", "again.export")
    code = "import crossbank; print(crossbank.score(['(S (A a))'] * 2, ['(S (A a))', None])['f1'])"
    assert float(run(tmp_path, scripts / "python", "-W", "ignore", "-c", code)) > 0
    (tmp_path / "small.yaml").write_text(STUDY, encoding="utf-8")
    assert "no such file: gold.mrg" in run(tmp_path, crossbank, "check", "small.yaml", allowed=(2, 3))
    for words in (
        ["study", "small.yaml"],
        ["compare", gold, alpha, "examples/tiger.beta.mrg", "--scheme", "tiger"],
        ["convert", gold, "out.parquet"],
    ):
        assert "pip install 'crossbank[study]'" in run(tmp_path, crossbank, *words, allowed=(2, 3))
    run(tmp_path, crossbank, "doctor")


def test_the_extra_study_runs_studies(
    wheel: Path, tmp_path_factory: pytest.TempPathFactory, tmp_path: Path
) -> None:
    scripts = environment(wheel, tmp_path_factory, "study")
    for name in ("gold", "good", "fair", "poor"):
        (tmp_path / f"{name}.mrg").write_text(4 * (POOR if name == "poor" else GOLD), encoding="utf-8")
    (tmp_path / "three.yaml").write_text(STUDY, encoding="utf-8")
    run(tmp_path, scripts / "crossbank", "study", "three.yaml")
    assert (tmp_path / "results/three/report/index.html").is_file()


def test_the_extra_parsers_trains_and_parses(
    wheel: Path, tmp_path_factory: pytest.TempPathFactory, tmp_path: Path
) -> None:
    crossbank = environment(wheel, tmp_path_factory, "parsers") / "crossbank"
    (tmp_path / "gold.mrg").write_text(4 * GOLD, encoding="utf-8")
    run(tmp_path, crossbank, "train", "gold.mrg", "model", "--scheme", "ptb", "--option", "smoothing=none")
    run(tmp_path, crossbank, "parse", "model", "gold.mrg", "parsed.mrg")
    assert "100.00 %" in run(tmp_path, crossbank, "score", "gold.mrg", "parsed.mrg", "--scheme", "ptb")
    run(tmp_path, crossbank, "grammar", "model", "grammar.cfg", "--to", "nltk")
    assert "VP ->" in (tmp_path / "grammar.cfg").read_text("utf-8")
    entropy = json.loads(run(tmp_path, crossbank, "entropy", "grammar.cfg", "gold.mrg", "--json"))
    assert (entropy["sentences"], entropy["unparsed"]) == (4, 0)


def test_the_extra_tsdb_reads_profiles(
    wheel: Path, tmp_path_factory: pytest.TempPathFactory, tmp_path: Path
) -> None:
    crossbank = environment(wheel, tmp_path_factory, "tsdb") / "crossbank"
    two_readings(tmp_path / "profile")
    assert json.loads(run(tmp_path, crossbank, "info", "profile", "--json"))["sentences"] > 0
