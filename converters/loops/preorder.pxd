# Trees in pre-order as other compiled modules see them: preorder.py says what they are.

from crossbank.treebanks.arrays cimport BoolArray, Int32Array, Int32Output, Int64Array

cdef class PreOrder:
    cdef Int32Output label
    cdef Int32Output function
    cdef Int32Output parent
    cdef Int32Output last
    cdef Int32Output previous
    cdef Int32Output last_child
    cdef Int32Output begin
    cdef Int32Output end
    cdef Int32Output head
    cdef Int32Output item
    cdef Int32Output word
    cdef Int64Array offsets
    cdef Int64Array token_offsets
    cdef BoolArray crossing
    cdef Int64Array edge_offsets
    cdef Int32Array edge_label
    cdef Int32Array edge_child
    cdef Int32Array edge_parent
    cdef int head_child(self, int place) noexcept nogil
