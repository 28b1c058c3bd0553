"""Formats of lexical-functional grammar."""
