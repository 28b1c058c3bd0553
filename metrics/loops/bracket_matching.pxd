# The brackets of one side as other compiled modules see them: bracket_matching.py says what they are.

from crossbank.treebanks.arrays cimport BoolArray, Int32Array, UInt64Array
from crossbank.treebanks.forest cimport Forest

cdef class Brackets:
    cdef Forest forest
    cdef Int32Array start
    cdef Int32Array end
    cdef Int32Array size
    cdef Int32Array label
    cdef UInt64Array fingerprint

cdef class Both:
    cdef Brackets gold
    cdef Brackets candidate
    cdef BoolArray scored
