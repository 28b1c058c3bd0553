"""Metrics: gold and candidate to counts per sentence, and counts to scores."""
