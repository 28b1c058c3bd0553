"""Conversions between dependency schemes by rules that are data."""
