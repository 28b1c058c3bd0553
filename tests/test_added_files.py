"""A metric, a format, a transformation, a section and a scheme are one file each in the repository.

The files that the documentation shows are put into a copy of the repository. Lint, the documentation and the
tests of registries, metrics, formats and pages pass there, without any other change.
"""

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.blocks import ROOT, all_blocks
from tests.programs import skip_without

FILES = {
    "your_own_metric": {
        "mymetric.py": "metrics/tag_accuracy.py",
        "mytools.py": "converters/upper_labels.py",
        "mysection.py": "reports/sections/sizes.py",
    },
    "add_a_format": {"indented.py": "treebanks/formats/indented.py"},
    "add_a_scheme": {"own.yaml": "converters/schemes/own.yaml"},
}
"""For each page, where the files that it shows go."""

MODULES = [path for files in FILES.values() for path in files.values() if path.endswith(".py")]

TESTS = (
    "tests/test_architecture.py",
    "tests/docs/test_reference.py",
    "tests/docs/test_commands_in_text.py",
    "tests/docs/test_pages.py::test_the_page_is_right[metrics/tag_accuracy.py]",
    "tests/metrics/test_every_metric.py",
    "tests/metrics/test_item_metrics.py",
    "tests/metrics/test_signatures.py",
    "tests/treebanks/test_losses.py",
    "tests/treebanks/test_round_trip.py",
    "tests/treebanks/test_written_strings.py",
    "tests/treebanks/test_streaming.py",
    "tests/converters/test_scheme.py",
    "tests/converters/test_transformations.py",
    "tests/reports/test_citation.py",
    "tests/reports/test_contents.py",
    "tests/workflow/test_completion.py",
    "tests/workflow/test_help.py",
    "tests/workflow/test_list_and_doctor.py",
    "tests/workflow/test_written_and_read.py",
)


GENERATED = ("build", "dist", "logs", "results", "site")
"""The folders that commands write into a checkout."""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the repository, as it is built, with the files of the documentation."""
    copy = tmp_path_factory.mktemp("with added files") / "crossbank"
    shutil.copytree(ROOT, copy, symlinks=True, ignore=_generated)
    if (ROOT.parent / "shared").is_dir():
        (copy.parent / "shared").symlink_to(ROOT.parent / "shared")
    for page, files in FILES.items():
        displayed = {
            block.notes.get("file"): block.text for block in all_blocks(ROOT / "docs" / f"{page}.md")
        }
        for name, path in files.items():
            (copy / path).write_text(displayed[name], encoding="utf-8")
    return copy


def _generated(folder: str, names: list[str]) -> list[str]:
    """Return the names that a copy of a folder leaves out: environments, caches and results."""
    if Path(folder) != ROOT:
        return ["__pycache__"]
    return [*GENERATED, *(name for name in names if name.startswith(".") and name != ".test")]


def run(copy: Path, *words: str) -> None:
    """Run a module of Python in the copy. Raises AssertionError if it fails."""
    environment = {**os.environ, "PYTHONPATH": str(copy), "NO_MKDOCS_2_WARNING": "true", "CI": "true"}
    done = subprocess.run(
        [sys.executable, "-m", *words], cwd=copy, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-8000:]


@pytest.mark.slow
def test_lint_passes(copy: Path) -> None:
    run(copy, "ruff", "check", ".")
    run(copy, "ruff", "format", "--check", *MODULES)
    run(copy, "mypy", *(f"crossbank/{path}" for path in MODULES))


@pytest.mark.slow
def test_the_documentation_has_their_pages(copy: Path) -> None:
    if importlib.util.find_spec("mkdocs") is None:
        skip_without("MkDocs (make docs)")
    run(copy, "mkdocs", "build", "--strict", "--site-dir", "site")
    for page in ("metrics/tag_accuracy", "formats/indented", "schemes/own"):
        assert (copy / "site" / f"{page}.html").is_file()
    assert "upper_labels" in (copy / "site" / "transformations.html").read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_tests_pass(copy: Path) -> None:
    run(
        copy,
        "pytest",
        "-q",
        "-x",
        "-p",
        "no:cacheprovider",
        "-m",
        "not slow",
        "--hypothesis-profile",
        "few",
        *TESTS,
    )
