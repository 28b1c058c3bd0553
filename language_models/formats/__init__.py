"""Formats of what language models write."""
