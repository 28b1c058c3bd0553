# Trees in pre-order as other compiled modules see them: preorder.py says what they are.

from crossbank.treebanks.arrays cimport Int32Array, Int64Array, BoolArray

cdef class PreOrder:
    cdef Int32Array label
    cdef Int32Array function
    cdef Int32Array parent
    cdef Int32Array last
    cdef Int32Array previous
    cdef Int32Array last_child
    cdef Int32Array begin
    cdef Int32Array end
    cdef Int32Array head
    cdef Int32Array word
    cdef Int64Array offsets
    cdef Int64Array token_offsets
    cdef BoolArray crossing
    cdef Int64Array edge_offsets
    cdef Int32Array edge_label
    cdef Int32Array edge_child
    cdef Int32Array edge_parent
    cdef int head_child(self, int place) noexcept nogil
