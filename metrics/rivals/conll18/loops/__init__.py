"""The compiled loops of the mode ``conll18``."""
