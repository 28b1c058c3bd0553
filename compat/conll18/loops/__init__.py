"""Compiled loops of the mode ``conll18``."""
