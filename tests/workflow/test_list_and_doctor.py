"""What can be named, what the installation has, and the versions that scores depend on."""

import json
import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest

from crossbank.converters.scheme_files import scheme_names
from crossbank.converters.transformations import TRANSFORMATIONS
from crossbank.metrics.counting.metric import METRICS, metric_class
from crossbank.metrics.counting.scoring import SHARED, Scoring, score
from crossbank.metrics.modes.modes_by_name import MODES
from crossbank.metrics.relations import Relations
from crossbank.treebanks.formats import FORMATS
from crossbank.workflow import versions
from crossbank.workflow.commands import doctor
from crossbank.workflow.commands.cli import main
from crossbank.workflow.commands.list import first_sentence
from crossbank.workflow.example import example

NAMES = {
    "metrics": METRICS,
    "schemes": scheme_names(),
    "formats": FORMATS,
    "transformations": TRANSFORMATIONS,
    "modes": MODES,
}


def printed(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    assert main(words) == code
    return capsys.readouterr().out


@pytest.mark.parametrize("kind", NAMES)
def test_list_has_a_plain_line_for_each_name(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(capsys, "list", kind).splitlines()
    assert set(NAMES[kind]) <= {line.split()[0] for line in lines}
    assert all(re.fullmatch(r"\S+ {2,}\S.*", line) and "``" not in line for line in lines)
    meanings = json.loads(printed(capsys, "list", kind, "--json"))
    assert [line.split(maxsplit=1)[1] for line in lines] == list(meanings.values())


@pytest.mark.parametrize("metric", METRICS)
def test_list_describes_every_option_of_every_metric(metric: str, capsys: pytest.CaptureFixture[str]) -> None:
    entries = json.loads(printed(capsys, "list", "options", metric, "--json"))
    own = [field.name for field in fields(metric_class(metric))]
    assert list(entries) == list(
        dict.fromkeys([*own, *(f.name for f in fields(Scoring) if f.name in SHARED)])
    )
    undescribed = [
        name for name, messages in entries.items() if messages.startswith(f"{name.replace('_', ' ')} (")
    ]
    assert not undescribed


def test_an_option_has_its_values_and_its_default(capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(capsys, "list", "options", "parseval").splitlines()
    assert lines[0].split(maxsplit=1) == [
        "labels",
        "whether a bracket's label must match too (yes, no; default yes)",
    ]


def test_breakdowns_name_the_metrics_that_have_them(capsys: pytest.CaptureFixture[str]) -> None:
    document = json.loads(printed(capsys, "list", "breakdowns", "--json"))
    metrics_of = {part: messages.removeprefix("of ").split(", ") for part, messages in document.items()}
    assert set(metrics_of["pos"]) == {"leaf_ancestor", "dependency_lineages", "dependencies"}
    assert {"parseval", "selected"} <= set(metrics_of["label"])
    assert metrics_of["feature"] == ["conll18"]
    assert metrics_of["frame"] == ["frames", "generalised_frames"]
    without = set(METRICS) - {metric for metrics in metrics_of.values() for metric in metrics}
    assert without == {"tree_distance", "selection"}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["options"], "name a metric (crossbank list metrics)"),
        (["options", "parsevall"], "metric: found 'parsevall'"),
        (["modes", "evalb"], "list modes: found 'evalb', expected nothing after modes"),
    ],
)
def test_a_wrong_list_is_answered_in_one_line(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["list", *words]) == 2
    report = capsys.readouterr().err
    assert message in report
    assert report.count("\n") == 1


def test_the_first_sentence_of_a_docstring_is_one_line() -> None:
    assert first_sentence("Brackets: ``(NP\n    Anna)``. Another.\n\n    More.") == "Brackets: (NP Anna)"
    assert first_sentence(None) == ""


def test_treebanks_without_relations_are_scored() -> None:
    """`list breakdowns` counts no sentences at all, which stopped this metric with a traceback."""
    nothing = example()[0].select([])
    (counts,) = score(nothing, nothing, Scoring((Relations(),), delete="none"))
    assert list(counts.breakdowns) == ["relation", "confusion"]


def test_doctor_lists_versions_loops_formats_and_a_score(capsys: pytest.CaptureFixture[str]) -> None:
    missing = any(check.state == "missing" for check in doctor.run_checks())
    actual = {
        entry["name"]: entry for entry in json.loads(printed(capsys, "doctor", "--json", code=int(missing)))
    }
    assert {"python", "crossbank", "numpy", "snakemake", "pyarrow", "compiled loops", "slurm"} <= set(actual)
    assert actual["formats"]["detail"] == ", ".join(FORMATS)
    assert actual["example"]["detail"].startswith("Parseval's F1 is 0.7500: parseval|labels:yes|")
    assert all(entry["hint"] for entry in actual.values() if entry["state"] != "ok")
    assert len(printed(capsys, "doctor", code=int(missing)).splitlines()) == len(actual)


def test_doctor_names_a_loop_that_is_not_compiled(tmp_path: Path) -> None:
    loops = tmp_path / "metrics" / "loops"
    loops.mkdir(parents=True)
    (loops / "brackets.py").write_text("import cython\n")
    (loops / "plain.py").write_text("import numpy\n")
    finding = doctor.compiled_loops(tmp_path)
    assert (finding.state, finding.hint) == ("missing", "make env")
    assert finding.detail == "1 of 1 are not compiled: crossbank.metrics.loops.brackets"
    (loops / "brackets.abi3.so").touch()
    assert doctor.compiled_loops(tmp_path).state == "ok"


def test_doctor_says_what_to_do_about_a_package(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    packages = [versions.Package("numpy", ">=2.2", "1.26.4"), versions.Package("scipy", ">=1.15", "")]
    monkeypatch.setattr(versions, "required_packages", lambda: packages)
    lines = printed(capsys, "doctor", code=1).splitlines()
    assert any(
        "found 1.26.4, expected >=2.2; make env, or pip install 'numpy>=2.2'" in line for line in lines
    )
    assert any("found none, expected >=1.15; make env" in line for line in lines)


@pytest.mark.parametrize("words", [["doctor"], ["--version"]])
def test_without_numpy_there_is_no_traceback(words: list[str]) -> None:
    called = f"from crossbank.workflow.commands.cli import main; main({words})"
    code = f"import sys; sys.modules['numpy'] = None; {called}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stderr == ""
    assert "numpy" in done.stdout


@pytest.mark.parametrize(
    ("expected", "actual", "fits"),
    [
        (">=9.20,<10", "9.27.1", True),
        (">=9.20,<10", "9.3", False),
        ("<10,>=9.20", "10.0.1", False),
        (">=1.7", "1.9.0.post1", True),
        ("", "3", True),
        ("", "", False),
    ],
)
def test_versions_are_compared_by_number(expected: str, actual: str, fits: bool) -> None:
    assert versions.Package("package", expected, actual).fits is fits


def test_version_begins_with_our_own_and_has_those_of_signatures(capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(capsys, "--version").splitlines()
    assert re.fullmatch(r"crossbank \d\S*", lines[0])
    assert f"metric parseval {metric_class('parseval').version}" in lines
    assert any(line.startswith("numpy ") for line in lines)
