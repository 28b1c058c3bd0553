"""Parses that are in memory, in the types of other libraries or in Python's own, as treebanks and back.

No other library is imported to recognise its types: the name of a type and of its module tell them.
"""
