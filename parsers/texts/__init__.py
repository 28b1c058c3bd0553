"""Grammars as other programs write them."""
