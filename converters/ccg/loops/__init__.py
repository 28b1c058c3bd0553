"""The compiled loops of the conversions of CCG derivations."""
