"""Compiled loops of the mode ``jp_evalb``."""
