"""Conversion between treebanks and parses in memory, in types of Python or of other libraries.

Types of other libraries are recognised by their names and modules, without importing the library.
"""
