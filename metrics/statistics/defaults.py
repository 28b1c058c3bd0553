"""How often sentences are drawn or swapped where nobody says otherwise, and what counts as different."""

SAMPLES = 1000
"""Resamples behind an interval (Efron and Tibshirani 1993, section 13.3, ask for a thousand)."""

SEED = 1
"""Where the random numbers begin: the same seed draws the same sentences."""

LEVEL = 0.95
"""The level of an interval."""

TRIALS = 10_000
"""Random swaps behind a test of a difference."""

ALPHA = 0.05
"""Candidates are called different where the corrected probability is no larger."""
