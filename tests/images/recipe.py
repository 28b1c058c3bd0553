"""Image of workflow/envs/Dockerfile, built for real, and a study that runs in it: `make test-image`.

The recipe starts from an image of a registry. Where none can be reached, Debian 12 takes its place, whose
Python is 3.11 too.
"""

import filecmp
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BASE = "docker.io/library/python:3.11-slim"
STUDY = "config/tiger_vs_tuba.yaml"
LIKE_THE_BASE = """\
ln -s /usr/bin/python3 "$1/usr/local/bin/python"
rm -f "$1"/usr/lib/python3*/EXTERNALLY-MANAGED
"""
"""In the image of the registry ``python`` is a command, and pip may install beside it."""


class Builder:
    """Buildah with a store of its own, without user namespaces and without an engine."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        store = ["--storage-driver", "vfs", "--root", str(folder / "store"), "--runroot", str(folder / "run")]
        self.buildah = ["buildah", *store]

    def __call__(self, *arguments: str) -> str:
        """Return what a command of buildah prints. Fails the test where the command fails."""
        done = self._run(*arguments)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def base(self) -> None:
        """Have the image from which the recipe starts."""
        if self._run("pull", BASE).returncode == 0:
            return
        system = self.folder / "debian"
        packages = "--include=python3,python3-pip,ca-certificates"
        for command in (
            ["debootstrap", "--variant=minbase", packages, "bookworm", str(system)],
            ["sh", "-ec", LIKE_THE_BASE, "sh", str(system)],
        ):
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        container = self("from", "scratch").strip()
        self("add", container, str(system))
        self("commit", "--rm", container, BASE)
        shutil.rmtree(system)

    def _run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*self.buildah, *arguments], cwd=ROOT, capture_output=True, text=True, check=False
        )


def as_pip_is_set_here() -> list[str]:
    """Return the options with which pip in the image finds its packages where this machine's pip does."""
    listed = [sys.executable, "-m", "pip", "config", "list"]
    environment, volumes = set(), set()
    for line in subprocess.run(listed, capture_output=True, text=True, check=True).stdout.splitlines():
        name, _, quoted = line.partition("=")
        (value,) = shlex.split(quoted)
        variable = name.rpartition(".")[2].replace("-", "_").upper()
        environment.add(f"PIP_{variable}={value}")
        paths = (Path(word.removeprefix("file://")) for word in value.split())
        actual = (path for path in paths if path.is_absolute() and path.exists())
        volumes |= {path.parent if path.name == "simple" else path for path in actual}
    mounted = [f"--volume={path}:{path}:ro" for path in sorted(volumes)]
    return [*mounted, *(f"--env={setting}" for setting in sorted(environment))]


@pytest.fixture(scope="module")
def builder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Builder]:
    folder = tmp_path_factory.mktemp("images")
    yield Builder(folder)
    shutil.rmtree(folder, ignore_errors=True)


@pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="the recipe wants a wheel for Python 3.11")
def test_the_image_is_built_and_scores_as_this_machine_does(builder: Builder, tmp_path: Path) -> None:
    builder.base()
    recipe = ["--file", "workflow/envs/Dockerfile", "--tag", "crossbank", "."]
    printed = builder("build", "--isolation", "chroot", "--pull-never", *as_pip_is_set_here(), *recipe)
    assert "compiled loops" in printed, "crossbank doctor has the last word in the build"
    here, there = tmp_path / "here", tmp_path / "there"
    for folder in (here, there):
        for name in ("examples", "config"):
            shutil.copytree(ROOT / name, folder / name)
    container = builder("from", "--pull-never", "localhost/crossbank").strip()
    mount_options = ["--isolation", "chroot", "--volume", f"{there}:/data", "--workingdir", "/data"]
    builder("run", *mount_options, container, "--", "crossbank", "study", STUDY)
    command = [sys.executable, "-m", "crossbank", "study", STUDY]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    subprocess.run(command, cwd=here, env=environment, check=True, capture_output=True)
    results = Path("results/tiger_vs_tuba")
    for name in ("summary.csv", "problems.csv"):
        assert filecmp.cmp(here / results / name, there / results / name, shallow=False), name
