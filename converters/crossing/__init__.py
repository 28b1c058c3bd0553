"""Crossing branches and loose punctuation: raised, split or attached."""
