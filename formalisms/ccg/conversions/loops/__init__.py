"""Compiled loops of the conversions of CCG derivations."""
