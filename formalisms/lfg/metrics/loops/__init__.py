"""Compiled loops of the metrics of f-structures."""
