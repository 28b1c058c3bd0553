"""The same sources make a wheel of the same bytes."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.blocks import ROOT
from tests.wheel.building import copy_of_the_sources

BUILD = "from setuptools.build_meta import build_wheel; build_wheel('dist')"

# In an ASCII locale Python does not start from an environment in a folder whose name is not ASCII.
ELSEWHERE = {"TZ": "Asia/Kolkata", "PYTHONHASHSEED": "7", "LC_ALL": "C" if str(ROOT).isascii() else "C.UTF-8"}

LOOP = '''\
"""A loop."""

import cython


def total(values: cython.int[:]) -> cython.int:
    """Return the sum."""
    found: cython.int = 0
    place: cython.Py_ssize_t
    for place in range(values.shape[0]):
        found += values[place]
    return found
'''


def wheel_of(source: Path, umask: int, **variables: str) -> bytes:
    """Return the wheel of a folder, built under a umask and with some variables."""
    environment = {name: value for name, value in os.environ.items() if name != "SOURCE_DATE_EPOCH"}
    command = [sys.executable, "-c", BUILD]
    done = subprocess.run(
        command, cwd=source, env=environment | variables, umask=umask, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (built,) = (source / "dist").glob("*.whl")
    return built.read_bytes()


@pytest.mark.skipif(os.name != "posix", reason="umask and time zones are those of POSIX")
def test_the_wheel_is_packed_the_same_anywhere(tmp_path: Path) -> None:
    pytest.importorskip("Cython", reason="the wheel is built where Cython is installed")
    folders = [tmp_path / "one", tmp_path / "a longer name" / "other"]
    try:
        for folder in folders:
            copy_of_the_sources(folder)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("the project is not in a git repository")
    for path in folders[1].rglob("*.py"):
        path.chmod(0o600)
        os.utime(path, (2e9, 2e9))
    one, other = wheel_of(folders[0], 0o022), wheel_of(folders[1], 0o077, **ELSEWHERE)
    assert one == other


@pytest.mark.skipif(os.name != "posix", reason="umask and time zones are those of POSIX")
def test_loops_are_compiled_to_the_same_bytes_anywhere(tmp_path: Path) -> None:
    pytest.importorskip("Cython", reason="loops are compiled where Cython is installed")
    folders = [tmp_path / "one", tmp_path / "a longer name" / "other"]
    for folder in folders:
        (folder / "crossbank").mkdir(parents=True)
        for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE"):
            shutil.copy(ROOT / name, folder / name)
        (folder / "treebanks").mkdir()
        shutil.copy(ROOT / "treebanks/compiled_yaml.py", folder / "treebanks")
        (folder / "plugins").mkdir()
        shutil.copy(ROOT / "plugins/manifest.py", folder / "plugins")
        (folder / "crossbank/__init__.py").touch()
        (folder / "crossbank/loop.py").write_text(LOOP, encoding="utf-8")
    one, other = wheel_of(folders[0], 0o022), wheel_of(folders[1], 0o077, **ELSEWHERE)
    assert one == other
