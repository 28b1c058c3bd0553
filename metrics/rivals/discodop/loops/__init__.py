"""The compiled loops of the mode ``discodop``."""
