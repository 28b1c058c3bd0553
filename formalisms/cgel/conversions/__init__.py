"""Conversions of the Cambridge Grammar of the English Language."""
