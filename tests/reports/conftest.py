"""Toy metrics under their names, and the toy study."""

import sys
from types import ModuleType

import pytest

from crossbank.metrics.counting.metric import METRICS
from crossbank.reports.results.study_results import StudyResults
from tests.reports.toy import Brackets, Heads, Lineages, results


@pytest.fixture(autouse=True)
def toy_metrics(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three metrics under their names, as if they were the project's."""
    module = ModuleType("toy_metrics")
    for actual in (Brackets, Lineages, Heads):
        setattr(module, actual.__name__, actual)
        monkeypatch.setitem(METRICS, actual.name, f"toy_metrics:{actual.__name__}")
    monkeypatch.setitem(sys.modules, "toy_metrics", module)


@pytest.fixture
def study() -> StudyResults:
    return results()
