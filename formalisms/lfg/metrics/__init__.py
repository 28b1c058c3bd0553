"""Metrics of lexical-functional grammar."""
