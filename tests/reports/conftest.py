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
    for found in (Brackets, Lineages, Heads):
        setattr(module, found.__name__, found)
        monkeypatch.setitem(METRICS, found.name, f"toy_metrics:{found.__name__}")
    monkeypatch.setitem(sys.modules, "toy_metrics", module)


@pytest.fixture
def study() -> StudyResults:
    return results()
