"""What all tests share: where the real treebanks lie, when they are there."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

# The first example of a test may have to wait for a loop to be compiled. In continuous integration the
# same code gets the same examples and so the same answer; elsewhere every run looks at others.
settings.register_profile("crossbank", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("crossbank")

ROOT = Path(__file__).resolve().parents[1]
SHARED_DATA = ROOT.parent / "shared" / "data"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real treebanks beside the project; tests that need it are skipped without it."""
    if not SHARED_DATA.is_dir():
        pytest.skip("the real treebanks (../shared/data) are not here")
    return SHARED_DATA
