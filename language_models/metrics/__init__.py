"""Metrics of what language models write."""
