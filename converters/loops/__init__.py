"""The loops of the converters, compiled: docs/compiled_loops.md says how they are written."""

# The loops that run uncompiled find the types of this module only once it is there.
from crossbank.converters.loops import preorder as preorder
