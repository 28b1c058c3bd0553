"""What all tests share: where the real treebanks lie, when they are there."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.assumptions import TALLY

# In continuous integration the same code gets the same examples and so the same answer; elsewhere every run
# looks at others, and so each run looks at fewer.
settings.register_profile("crossbank", deadline=None, derandomize=True)
settings.register_profile("quick", deadline=None, max_examples=50)
settings.load_profile("crossbank" if "CI" in os.environ else "quick")

ROOT = Path(__file__).resolve().parents[1]
SHARED_DATA = ROOT.parent / "shared" / "data"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real treebanks beside the project; tests that need it are skipped without it."""
    if not SHARED_DATA.is_dir():
        pytest.skip("the real treebanks (../shared/data) are not here")
    return SHARED_DATA


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Iterator[None]:
    """A property test fails where its assumptions drop nearly all examples."""
    TALLY.reached = TALLY.held = 0
    yield
    if problem := TALLY.problem():
        pytest.fail(problem, pytrace=False)
