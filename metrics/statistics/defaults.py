"""Defaults: the number of resamples and of swaps, and the level at which candidates are called different."""

SAMPLES = 1000
"""The number of resamples for an interval: see Efron and Tibshirani (1993), section 13.3."""

SEED = 1
"""The seed of the random numbers: the same seed draws the same sentences."""

LEVEL = 0.95
"""The level of an interval."""

TRIALS = 10_000
"""The number of random swaps for a test of a difference."""

ALPHA = 0.05
"""Candidates are called different where the corrected probability is no larger."""


def interval_name(level: float = LEVEL) -> str:
    """Return the name of an interval in tables and sentences: ``95 % interval``."""
    return f"{100 * level:g} % interval"
