"""Formalisms, a folder each with its formats, conversions, metrics and scheme; the core imports none."""
