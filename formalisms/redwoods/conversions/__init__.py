"""Analyses of a profile by the decisions of its annotators."""
