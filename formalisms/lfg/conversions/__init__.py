"""Lexical-functional grammar: f-structures reduced to predicates, and as grammatical relations."""
