"""Compiled loops of the parsers: see docs/compiled_loops.md."""
