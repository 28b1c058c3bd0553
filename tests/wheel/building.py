"""Wheel of the project as it stands, and commands that are run without a trace of the checkout."""

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def run(folder: Path, *command: str | Path, allowed: tuple[int, ...] = (0,)) -> str:
    """Return what a command prints in a folder, without a trace of the checkout in its environment.

    allowed  the exit codes that are no failure; with several, what it prints on stderr is added
    """
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    done = subprocess.run(
        [str(word) for word in command],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in allowed, done.stdout + done.stderr
    return done.stdout + (done.stderr if len(allowed) > 1 else "")


def copy_of_the_sources(target: Path) -> None:
    """Copy the files that belong to the project, with what is compiled of them already."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    for name in filter(None, listed.split("\0")):
        path = target / name
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, path, follow_symlinks=False)
    for built in (ROOT / "build").glob("cython-*"):
        shutil.copytree(built, target / "build" / built.name)
    tag = f"lib.{sysconfig.get_platform()}-{sys.implementation.cache_tag}"
    for module in [*ROOT.glob("[a-z]*/**/*.so"), *ROOT.glob("crossbank/*.so")]:
        index = module.relative_to(ROOT)
        if index.parts[0] not in ("build", "dist"):
            inside = index if index.parts[0] == "crossbank" else Path("crossbank") / index
            (target / "build" / tag / inside).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(module, target / "build" / tag / inside)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the wheel of the project as it stands."""
    pytest.importorskip("Cython", reason="the wheel is built where Cython is installed")
    source = tmp_path_factory.mktemp("source")
    try:
        copy_of_the_sources(source)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("the project is not in a git repository")
    build = "from setuptools.build_meta import build_wheel; build_wheel('dist')"
    run(source, sys.executable, "-c", build)
    (built,) = (source / "dist").glob("*.whl")
    return built
