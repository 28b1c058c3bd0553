"""Analyses of scores: error types, conventions, the reliability of conversions."""
