"""Constructions that are found by heads: clauses with their frames, noun chunks, coordinations."""
