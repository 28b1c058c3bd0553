"""Metrics of Combinatory Categorial Grammar."""
