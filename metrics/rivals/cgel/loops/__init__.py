"""The compiled loops of the mode cgel."""
