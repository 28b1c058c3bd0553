"""Code of one's own: the documentation's metric, format and scheme in whole studies, and trust."""

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
import yaml

from crossbank.metrics.counting.metric import METRICS
from crossbank.treebanks.own_modules import own_files
from crossbank.workflow.commands.cli import main
from crossbank.workflow.foreign_code import code_of_study
from tests.docs.blocks import ROOT, blocks_of

PAGES = ("your_own_metric", "add_a_format", "add_a_scheme")

LACKING = {"chunks", "frames", "generalised_frames", "ccg_dependencies", "edm", "fstructure", "relations"}
"""The metrics for which trees in the documentation's own scheme lack something."""

OWN = "mymetric:TagAccuracy"

STUDY = {
    "study": "own",
    "treebanks": [
        {
            "name": "groups",
            "scheme": "own.yaml",
            "gold": {"path": "own.mrg"},
            "candidates": [{"name": "parser", "path": "parsed.mrg"}],
        },
        {
            "name": "dogs",
            "gold": {"path": "dogs.ind", "format": "indented:FORMAT"},
            "candidates": [{"name": "parser", "path": "dogs.ind", "format": "indented:FORMAT"}],
            "metrics": ["tag_accuracy", "parseval"],
        },
    ],
    "metrics": [
        {"metric": OWN},
        {"metric": "selected", "options": {"labels": "NG"}},
        {"metric": "conll18", "options": {"delete": "none"}},
        *({"metric": name} for name in METRICS if name not in {*LACKING, "selected", "conll18"}),
    ],
    "bootstrap": {"samples": 0},
    "tests": {"trials": 100},
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the documentation's files, and modules with the names of libraries, not to be taken for them."""
    for page in PAGES:
        for block in blocks_of(ROOT / "docs" / f"{page}.md"):
            if "file" in block.notes:
                (tmp_path / block.notes["file"]).write_text(block.text, encoding="utf-8")
    for library in ("yaml", "numpy", "pandas", "snakemake", "jinja2"):
        (tmp_path / f"{library}.py").write_text(f"raise SystemExit('{library} of the study')\n")
    (tmp_path / "crossbank").mkdir()
    (tmp_path / "crossbank" / "__init__.py").write_text("raise SystemExit('crossbank of the study')\n")
    write(tmp_path / "study.yaml", STUDY)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(path: Path, content: object) -> None:
    path.write_text(yaml.safe_dump(content), encoding="utf-8")


def run(*command: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Return a command as it is typed: Python's own, beside which ours is installed."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | more
    program = str(Path(sys.executable).with_name(command[0]))
    return subprocess.run(
        [program, *command[1:]], capture_output=True, text=True, env=environment, check=False
    )


def jobs(done: subprocess.CompletedProcess[str]) -> list[str]:
    """Return the jobs that ran. Several processes write to one stream, so a line may begin in another's."""
    return sorted(re.findall(r"(report|(?:read|convert|score) \S+): done in ", done.stderr))


@pytest.mark.slow
def test_metric_format_and_scheme_of_ones_own_in_a_whole_study(folder: Path) -> None:
    done = run("crossbank", "study", "study.yaml", "--cores", "2")
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    assert done.stderr.splitlines()[0] == (
        "study.yaml runs code of its own: mymetric:TagAccuracy (mymetric.py), indented:FORMAT (indented.py)"
    )
    summary = (folder / "results" / "own" / "summary.csv").read_text(encoding="utf-8")
    for metric in ("tag_accuracy", *METRICS):
        assert (f",parser,{metric}," in summary) == (metric not in LACKING), metric
    problems = (folder / "results" / "own" / "problems.csv").read_text(encoding="utf-8")
    assert problems.count("\n") == 1
    index = (folder / "results" / "index.html").read_text(encoding="utf-8")
    assert "Tag accuracy accuracy: 100.00" in index

    # A later study knows nothing of the metric, and lists this one all the same.
    other = {**STUDY, "study": "other", "treebanks": STUDY["treebanks"][:1], "metrics": ["parseval"]}  # type: ignore[index]
    write(folder / "other.yaml", other)
    done = run(
        "snakemake", "--snakefile", str(ROOT / "workflow" / "Snakefile"), "--configfile", "other.yaml", "-c1"
    )
    assert done.returncode == 0, done.stderr
    index = (folder / "results" / "index.html").read_text(encoding="utf-8")
    assert "tag accuracy accuracy: 100.00" in index
    assert "other" in index


@pytest.mark.slow
def test_what_depends_on_a_module_that_own_code_imports_runs_again(folder: Path) -> None:
    """The metric imports a module inside a function, which imports one of a package."""
    text = (folder / "mymetric.py").read_text(encoding="utf-8")
    text = text.replace("-> Counts:\n", "-> Counts:\n        import rounding\n")
    (folder / "mymetric.py").write_text(text, encoding="utf-8")
    (folder / "rounding.py").write_text("from parts.deep import DIGITS\n", encoding="utf-8")
    (folder / "parts").mkdir()
    (folder / "parts" / "deep.py").write_text("from . import deeper\nDIGITS = deeper.N\n", encoding="utf-8")
    (folder / "parts" / "deeper.py").write_text("N = 3\n", encoding="utf-8")
    assert {path.name for path in own_files("mymetric").values()} == {
        "mymetric.py", "rounding.py", "deep.py", "deeper.py",
    }  # fmt: skip
    study = {**STUDY, "metrics": [{"metric": OWN}, "parseval"]}
    write(folder / "study.yaml", study)
    assert run("crossbank", "study", "study.yaml", "--cores", "2").returncode == 0
    assert jobs(run("crossbank", "study", "study.yaml", "--cores", "2")) == []
    (folder / "parts" / "deeper.py").write_text("N = 4\n", encoding="utf-8")
    done = run("crossbank", "study", "study.yaml", "--cores", "2")
    assert jobs(done) == [
        "report",
        *(f"score {name}/candidates-1-of-1.tag_accuracy" for name in ("dogs", "groups")),
    ], done.stderr
    indented = (folder / "indented.py").read_text(encoding="utf-8")
    (folder / "indented.py").write_text(indented + "\nFURTHER = 1\n", encoding="utf-8")
    done = run("crossbank", "study", "study.yaml", "--cores", "2")
    assert {"read dogs/gold", "convert dogs/gold"} & set(jobs(done)), done.stderr
    assert not any("groups" in job for job in jobs(done))


def test_check_loads_nothing_that_is_not_trusted(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("mymetric", "indented"):
        file = folder / f"{name}.py"
        file.write_text(f"open('loaded-{name}', 'w')\n" + file.read_text(encoding="utf-8"), encoding="utf-8")
    assert main(["check", "study.yaml"]) == 1
    output = capsys.readouterr().out
    assert "the study would load its own code: mymetric:TagAccuracy (mymetric.py), indented" in output
    assert not list(folder.glob("loaded-*"))
    assert run("crossbank", "check", "study.yaml", "--trust").returncode == 0
    assert len(list(folder.glob("loaded-*"))) == 2


@pytest.mark.parametrize(
    "treebank",
    [
        {"gold": {"path": "own.mrg", "format": "os:system"}},
        {"transformations": ["os:system"]},
        {"transformations": [{"os:system": {"command": "x"}}]},
        {"views": {"constituents": ["os:system:command=x"]}},
        {"scheme": "deep.yaml"},
    ],
)
def test_code_is_found_wherever_a_study_may_name_it(folder: Path, treebank: Mapping[str, object]) -> None:
    scheme = yaml.safe_load((folder / "own.yaml").read_text(encoding="utf-8"))
    write(folder / "deep.yaml", scheme | {"views": {"constituents": ["os:system"]}})
    study = {**STUDY, "metrics": ["parseval"], "treebanks": [{**STUDY["treebanks"][0], **treebank}]}  # type: ignore[index, dict-item]
    write(folder / "study.yaml", study)
    assert code_of_study("study.yaml") == ["os:system"]
    assert main(["check", "study.yaml"]) == 1


def test_plain_loops_are_said_once(folder: Path) -> None:
    """Of a package that is not compiled; the variable says that it is meant."""
    call = (
        "from crossbank.treebanks.compilation import allow_plain_loops\n"
        "allow_plain_loops(); allow_plain_loops()"
    )
    done = run("python", "-P", "-c", call)
    assert done.stderr.count("the loops are not compiled") == 1
    assert run("python", "-P", "-c", call, CROSSBANK_PLAIN_LOOPS="1").stderr == ""


def test_imports_find_no_hook(folder: Path) -> None:
    """Where the loops are compiled, Python looks for modules as it does without this package."""
    modules = "crossbank.workflow.commands.cli, crossbank.treebanks.forest"
    call = f"import sys; before = list(sys.meta_path); import {modules}; print(sys.meta_path == before)"
    assert run("python", "-P", "-c", call).stdout == "True\n"
