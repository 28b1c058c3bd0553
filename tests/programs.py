"""Programs that some tests need and a machine may not have, such as a browser."""

from __future__ import annotations

import os
import shutil
from typing import NoReturn

import pytest

BROWSERS = ("chromium", "google-chrome")
BROWSER = next(filter(None, map(shutil.which, BROWSERS)), "")
NEEDS_BROWSER = pytest.mark.needs_program(*BROWSERS)


def require_program(*names: str) -> str:
    """Return the path of the first of some programs that is installed."""
    path = next(filter(None, map(shutil.which, names)), None)
    return path or skip_without(" or ".join(names))


def skip_without(program: str) -> NoReturn:
    """Skip a test for lack of a program; fail if CROSSBANK_REQUIRE_PROGRAMS is set, as ``.ci/run`` does."""
    if os.environ.get("CROSSBANK_REQUIRE_PROGRAMS"):
        pytest.fail(f"{program} is not installed", pytrace=False)
    pytest.skip(f"{program} is not installed")
