"""Loops of the converters, compiled: docs/compiled_loops.md says how they are written."""

# Loops that run uncompiled find the types of the two modules only once these are there: arrays first.
from crossbank.treebanks import arrays as arrays  # isort: skip
from crossbank.converters.loops import preorder as preorder
