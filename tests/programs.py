"""Programs and libraries that some tests need and a machine may not have, such as a browser."""

from __future__ import annotations

import os
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import NoReturn

import pytest

BROWSERS = ("chromium", "google-chrome")
BROWSER = next(filter(None, map(shutil.which, BROWSERS)), "")
NEEDS_BROWSER = pytest.mark.needs_program(*BROWSERS)

PARSERS = Path(__file__).resolve().parents[1] / ".venv-parsers" / "bin" / "python"
"""Python of the environment that ``make parsers`` makes, which has the libraries of others."""


def require_program(*names: str) -> str:
    """Return the path of the first of some programs that is installed."""
    path = next(filter(None, map(shutil.which, names)), None)
    return path or skip_without(" or ".join(names))


def require_libraries(*names: str) -> None:
    """Skip a test unless the environment of ``make parsers`` has some libraries."""
    if missing := ", ".join(name for name in names if not _has_library(name)):
        skip_without(f"{missing} (make parsers)")


@cache
def _has_library(name: str) -> bool:
    code = f"import importlib.util, sys; sys.exit(importlib.util.find_spec({name!r}) is None)"
    return PARSERS.is_file() and subprocess.run([PARSERS, "-c", code], check=False).returncode == 0


def skip_without(program: str) -> NoReturn:
    """Skip a test for lack of a program; fail if CROSSBANK_REQUIRE_PROGRAMS is set, as ``.ci/run`` does."""
    if os.environ.get("CROSSBANK_REQUIRE_PROGRAMS"):
        pytest.fail(f"{program} is not installed", pytrace=False)
    pytest.skip(f"{program} is not installed")
