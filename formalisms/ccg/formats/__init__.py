"""Formats of Combinatory Categorial Grammar."""
