"""Annotation schemes."""
