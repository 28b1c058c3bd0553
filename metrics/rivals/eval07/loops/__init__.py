"""The compiled loops of the modes ``eval07`` and ``conllx``."""
