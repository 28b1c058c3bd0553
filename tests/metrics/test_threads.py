"""All metrics give the same counts on any number of cores, bit for bit."""

from __future__ import annotations

import pytest

from crossbank.metrics import tree_distance
from crossbank.metrics.statistics import bootstrap, estimates
from crossbank.treebanks.ranges import THREADS, in_ranges
from tests.every_loop import differing, results


@pytest.mark.slow
def test_the_number_of_threads_makes_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    # Ranges of a few sentences, so that the examples make many.
    monkeypatch.setattr(in_ranges, "__defaults__", (7,))
    monkeypatch.setattr(tree_distance, "SENTENCES_PER_RANGE", 7)
    for module in (estimates, bootstrap):
        monkeypatch.setattr(module, "WORTH_A_THREAD", 1000)
    actual = {}
    for threads in ("1", "5"):
        monkeypatch.setenv(THREADS, threads)
        actual[threads] = results(40)
    assert differing(actual["1"], actual["5"]) == []
