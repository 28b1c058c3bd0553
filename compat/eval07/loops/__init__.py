"""Compiled loops of the modes ``eval07`` and ``conllx``."""
