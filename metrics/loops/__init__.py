"""Compiled loops of metrics: each module bears the name of the module that calls it."""
