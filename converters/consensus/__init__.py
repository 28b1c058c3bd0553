"""Majority parse of several candidates."""
