"""The example of a package that adds one of everything, installed as a real one."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.imports import ROOT

GOLD = "(S (NP (DT the) (NN dog)) (VP (VBZ barks)))\n(S (NP (NN rain)))\n"
PARSED = "(S (NP (DT the) (NN dog)) (VP (NNS barks)))\n(S (NP (NN rain)))\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with two treebanks, and the installed package beside them."""
    pytest.importorskip("setuptools", reason="the package is built where setuptools is installed")
    folder = tmp_path_factory.mktemp("plugin")
    source = folder / "source"
    for path in sorted((ROOT / "examples" / "plugin").rglob("*")):
        if path.is_file() and path.suffix in (".py", ".toml", ".yaml"):
            target = source / path.relative_to(ROOT / "examples" / "plugin")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(path.read_bytes())
    pip = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-build-isolation",
        "--no-deps",
        "--no-index",
    ]
    subprocess.run([*pip, "--target", folder / "site", source], check=True, capture_output=True, text=True)
    (folder / "gold.mrg").write_text(GOLD, encoding="utf-8")
    (folder / "parsed.mrg").write_text(PARSED, encoding="utf-8")
    (folder / "news.ind").write_text("S\n  NP\n    NN rain\n", encoding="utf-8")
    return folder


def run(folder: Path, *words: str, **variables: str) -> str:
    """Return what a command prints, where the package is installed."""
    search_path = os.pathsep.join((str(folder / "site"), str(ROOT)))
    environment = {**os.environ, "PYTHONPATH": search_path, **variables}
    done = subprocess.run(
        [sys.executable, "-m", "crossbank", *words],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("metrics", "tag_accuracy"),
        ("formats", "indented"),
        ("transformations", "upper_labels"),
        ("schemes", "flat"),
        ("modes", "same_words"),
    ],
)
def test_lists_have_it(folder: Path, kind: str, name: str) -> None:
    assert name in json.loads(run(folder, "list", kind, "--json"))


def test_a_metric_and_a_scheme(folder: Path) -> None:
    call = ("score", "gold.mrg", "parsed.mrg", "--metric", "tag_accuracy", "--scheme", "flat", "--json")
    (score,) = json.loads(run(folder, *call))["scores"]
    assert (score["metric"], score["value"]) == ("tag_accuracy", 0.75)


def test_a_format_is_known_by_its_suffix(folder: Path) -> None:
    assert json.loads(run(folder, "info", "news.ind", "--json"))["tokens"] == 1


def test_a_transformation(folder: Path) -> None:
    run(folder, "convert", "gold.mrg", "upper.mrg", "--transform", "upper_labels:prefix=X")
    assert (folder / "upper.mrg").read_text("utf-8").startswith("(XS (XNP")


def test_a_mode(folder: Path) -> None:
    assert run(folder, "score", "gold.mrg", "parsed.mrg", "--mode", "same_words") == (
        "1 of 2 lines are the same\n"
    )


def test_an_option_of_score(folder: Path) -> None:
    call = ("score", "gold.mrg", "parsed.mrg", "--metric", "tag_accuracy", "--goal", "80")
    assert run(folder, *call).endswith("\ntag_accuracy accuracy lacks 5.00 points\n")
    assert json.loads(run(folder, *call, "--json"))["lacking"] == {"tag_accuracy accuracy": 5.0}
    assert "--goal POINTS" in run(folder, "score", "--help")
    words = {"COMP_WORDS": "crossbank score --go", "COMP_CWORD": "2", "_CROSSBANK_COMPLETE": "bash_complete"}
    assert "--goal" in run(folder, **words)


def test_a_command(folder: Path) -> None:
    assert run(folder, "words", "gold.mrg") == "4\n"
    assert "count the words of files" in run(folder, "--help")


def test_a_study_reports_the_metric_and_the_section(folder: Path) -> None:
    pytest.importorskip("jinja2", reason="reports need the extra study")
    code = (
        "from pathlib import Path\n"
        "from crossbank.workflow.steps.here import run_here, study_content\n"
        "content = study_content('gold.mrg', ['parsed.mrg'], ['tag_accuracy'], {})\n"
        "content['bootstrap'] = {'samples': 0}\n"
        "content['treebanks'][0]['transformations'] = ['upper_labels:prefix=x']\n"
        "content['treebanks'][0]['licence'] = 'CC BY'\n"
        "run_here(content, Path('results'))\n"
    )
    (folder / "study.py").write_text(code, encoding="utf-8")
    actual = os.pathsep.join((str(folder / "site"), str(ROOT)))
    environment = {**os.environ, "PYTHONPATH": actual}
    done = subprocess.run(
        [sys.executable, "study.py"], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    page = (folder / "results" / "report" / "index.html").read_text(encoding="utf-8")
    assert "Tag accuracy" in page
    assert '<h2 id="sizes">Sizes</h2>' in page
