"""Crossbank converts treebanks between annotation schemes and compares parsers across them."""
