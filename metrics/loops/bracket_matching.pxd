# The brackets of one side as other compiled modules see them: brackets.py says what they are.

from crossbank.treebanks.arrays cimport BoolArray, Int32Array, Int64Array, UInt64Array

cdef class Side:
    cdef Int64Array token_offsets
    cdef Int32Array token_parent
    cdef Int64Array offsets
    cdef Int32Array parent
    cdef Int32Array label
    cdef Int32Array start
    cdef Int32Array end
    cdef Int32Array size
    cdef UInt64Array fingerprint

cdef class Both:
    cdef Side gold
    cdef Side candidate
    cdef BoolArray scored
