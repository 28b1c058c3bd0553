"""Compiled loops of the mode cgel."""
