"""What jobs ask of a cluster."""

from types import SimpleNamespace

from crossbank.workflow.sizes import memory, minutes


def test_large_inputs_and_further_attempts_ask_for_more() -> None:
    small, large = (SimpleNamespace(size_mb=size) for size in (0.1, 500.0))
    for asked in (memory, minutes):
        assert asked(None, small, 1) < asked(None, large, 1) < asked(None, large, 2)
