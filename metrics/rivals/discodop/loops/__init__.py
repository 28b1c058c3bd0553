"""Compiled loops of the mode ``discodop``."""
