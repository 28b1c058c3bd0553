"""Intervals, tests and agreement, computed from the counts of sentences."""
