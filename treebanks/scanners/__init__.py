"""The compiled loops that read files: from UTF-8 bytes to columns of codes."""

# What other compiled modules take from `cython.cimports` is there when they run uncompiled, too.
from crossbank.treebanks.scanners import interning as interning
