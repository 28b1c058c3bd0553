"""Assumptions of property tests, counted: a property that is looked at in few of its examples shows nothing.

Hypothesis drops an example whose assumption does not hold, and passes a test as long as it finds some that
are left. ``conftest.py`` fails a test whose assumptions leave fewer than a tenth of the examples.
"""

from __future__ import annotations

from dataclasses import dataclass

import hypothesis

LEAST = 0.1
FEW = 20
"""The number of examples below which nothing is said: a failing example is run again by itself."""


@dataclass
class Tally:
    """Examples of one test that came to an assumption, and those in which it held."""

    reached: int = 0
    held: int = 0

    def problem(self) -> str:
        """Return the complaint about a test that shows little, or the empty string."""
        if self.reached < FEW or self.held >= LEAST * self.reached:
            return ""
        return (
            f"the assumptions hold in {self.held} of {self.reached} examples, expected at least "
            f"{LEAST:.0%}: draw examples that fulfil them"
        )


TALLY = Tally()
"""The count of the test that is running."""


def assume(condition: object) -> None:
    """Drop the example where a condition does not hold, as ``hypothesis.assume`` does, and count it."""
    TALLY.reached += 1
    TALLY.held += bool(condition)
    hypothesis.event(f"assumption {'held' if condition else 'did not hold'}")
    hypothesis.assume(condition)
