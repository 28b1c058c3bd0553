"""Parsers: grammars and dependency models read off treebanks, and parsing with them."""
