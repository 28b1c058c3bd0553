"""What all tests share: where the real treebanks lie, when they are there."""

import os
import re
from collections.abc import Callable, Iterator
from functools import wraps
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from crossbank.converters import transformations
from crossbank.treebanks import Treebank
from tests.assumptions import TALLY
from tests.programs import require_libraries, require_program
from tests.validity import validate

# In continuous integration the same code gets the same examples and so the same answer; elsewhere every run
# looks at others, and so each run looks at fewer.
settings.register_profile("crossbank", deadline=None, derandomize=True, max_examples=50)
settings.register_profile("quick", deadline=None, max_examples=25)
# Tests that run other tests again choose it: --hypothesis-profile few.
settings.register_profile("few", deadline=None, derandomize=True, max_examples=5)
settings.load_profile("crossbank" if "CI" in os.environ else "quick")

ROOT = Path(__file__).resolve().parents[1]
SHARED_DATA = ROOT.parent / "shared" / "data"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Return the folder of real treebanks beside the project; tests that need it are skipped without it."""
    if not SHARED_DATA.is_dir():
        pytest.skip("the real treebanks (../shared/data) are not here")
    return SHARED_DATA


def needs_other_results(path: Path, folder: Path = ROOT) -> None:
    """Skip what reads the parses of another study that has not been run in a folder."""
    for parses in re.findall(r"results/\S+\.parquet", path.read_text(encoding="utf-8")):
        if not (folder / parses).exists():
            pytest.skip(f"{path.name} reads {parses}, which another study makes")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """A test that needs a program or library is skipped, or fails, before its fixtures are made."""
    for mark in item.iter_markers("needs_program"):
        require_program(*mark.args)
    for mark in item.iter_markers("needs_libraries"):
        require_libraries(*mark.args)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Iterator[None]:
    """Fail a property test where its assumptions drop nearly all examples."""
    TALLY.reached = TALLY.held = 0
    yield
    if problem := TALLY.problem():
        pytest.fail(problem, pytrace=False)


SEVERAL_ROOTS = "roots of its dependencies, not one"
"""What ``validate`` says of graphs that are no trees: ``single_root`` joins them, others need not."""


def unsound(bank: Treebank) -> set[str]:
    """Return what is wrong with a treebank's tables, without sentences."""
    actual = {problem.what for problem in validate(bank)}
    return {what for what in actual if not what.endswith(SEVERAL_ROOTS)}


@pytest.fixture(scope="session", autouse=True)
def every_transformation_is_validated() -> Iterator[None]:
    """Check in every test that transformations of a sound treebank are sound."""
    actual = transformations._function

    def validated(function: Callable[..., Treebank]) -> Callable[..., Treebank]:
        @wraps(function)
        def checked(bank: Treebank, *scheme: Any, **options: Any) -> Treebank:
            result = function(bank, *scheme, **options)
            if problems := unsound(result):
                # A cycle of heads that was there stays one where tokens in front of it are deleted.
                known = {re.sub(r"\d+", "", problem) for problem in unsound(bank)}
                problems = {problem for problem in problems if re.sub(r"\d+", "", problem) not in known}
            assert not problems, f"{function.__name__}: {sorted(problems)[:3]}"
            return result

        return checked

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(transformations, "_function", lambda name: validated(actual(name)))
        yield
