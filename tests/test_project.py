"""The project's own papers: pinned requirements, licence, ways to cite, no traces of a machine."""

import re
import subprocess
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).resolve().parents[1]


def requirements() -> str:
    """Return the text of all lock files."""
    return "".join(path.read_text() for path in sorted(ROOT.glob("requirements*.txt")))


def pinned() -> dict[str, list[Version]]:
    """Name and versions of every requirement that is pinned."""
    actual: dict[str, list[Version]] = {}
    for name, version in re.findall(r"^([\w.-]+)==(\S+)", requirements(), re.M):
        actual.setdefault(canonicalize_name(name), []).append(Version(version))
    return actual


def declared() -> list[Requirement]:
    """Return every dependency that pyproject.toml declares, of all extras and groups."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    listed = [*project["project"]["dependencies"]]
    for group in (
        *project["project"]["optional-dependencies"].values(),
        *project["dependency-groups"].values(),
    ):
        listed += group
    # An extra may name other extras of the project itself.
    return [Requirement(line) for line in listed if not line.startswith("crossbank[")]


@pytest.mark.parametrize("requirement", declared(), ids=lambda requirement: requirement.name)
def test_pinned_requirements_agree_with_the_project(requirement: Requirement) -> None:
    versions = pinned().get(canonicalize_name(requirement.name))
    assert versions, f"{requirement.name} is not pinned: run make requirements"
    assert all(version in requirement.specifier for version in versions)


def test_every_requirement_has_a_hash_and_none_an_address() -> None:
    text = requirements()
    assert "://" not in text
    assert "index" not in text
    blocks = re.split(r"\n(?=[\w.-]+==)", text)[1:]
    assert all("--hash=sha256:" in block for block in blocks)
    assert len(blocks) == sum(len(versions) for versions in pinned().values())


def test_version_and_licence_are_told_the_same_everywhere() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert citation["version"] == project["version"]
    assert citation["license"] == project["license"] == "MIT"
    assert "MIT License" in (ROOT / "LICENSE").read_text()
    assert f"## {project['version']}" in (ROOT / "CHANGELOG.md").read_text()


def test_no_file_names_a_place_on_a_machine() -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
    traces = re.compile(r"(?<![\w.])/(?:home|root|Users|work)/\w")
    actual = [
        name
        for name in listed.stdout.splitlines()
        if not (ROOT / name).is_dir()
        and (ROOT / name).suffix not in {".png", ".parquet"}
        and traces.search((ROOT / name).read_text(encoding="utf-8", errors="replace"))
    ]
    assert not actual
