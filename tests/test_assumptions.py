"""A property test that drops nearly all of its examples fails."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.assumptions import FEW, Tally

pytest_plugins = ["pytester"]

VACUOUS = """
from hypothesis import HealthCheck, given, settings, strategies as st
from tests.assumptions import assume

@settings(suppress_health_check=list(HealthCheck), database=None, max_examples=50, derandomize=True)
@given(st.integers(0, 10**6))
def test_little_is_left(number):
    assume(number % {modulus} == 0)
"""


@pytest.mark.parametrize(("modulus", "outcome"), [(1, {"passed": 1}), (40, {"failed": 1})])
def test_few_examples_left_fail_the_test(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, modulus: int, outcome: dict[str, int]
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[1]))
    conftest = Path(__file__).with_name("conftest.py").read_text(encoding="utf-8")
    pytester.makeconftest(conftest)
    pytester.makepyfile(VACUOUS.format(modulus=modulus))
    actual = pytester.runpytest_subprocess("-p", "no:cacheprovider")
    actual.assert_outcomes(**outcome)
    if "failed" in outcome:
        actual.stdout.fnmatch_lines(["*the assumptions hold in * of * examples, expected at least 10%*"])


@pytest.mark.parametrize(
    ("reached", "held", "complains"), [(0, 0, False), (FEW - 1, 0, False), (100, 10, False), (100, 9, True)]
)
def test_the_bound(reached: int, held: int, complains: bool) -> None:
    assert bool(Tally(reached, held).problem()) == complains


def test_no_test_assumes_without_counting() -> None:
    uncounted = re.compile(r"^from hypothesis import .*\bassume\b|\bhypothesis\.assume\(", re.MULTILINE)
    folder = Path(__file__).parent
    actual = {
        str(path.relative_to(folder))
        for path in folder.rglob("*.py")
        if uncounted.search(path.read_text(encoding="utf-8"))
    }
    assert actual == {"assumptions.py"}
