# Trees as other compiled modules see them: forest.py says what they are.

from crossbank.treebanks.arrays cimport Int32Array, Int32Output, Int64Array

cdef class Forest:
    cdef Int64Array token_offsets
    cdef Int32Array token_parent
    cdef Int64Array node_offsets
    cdef Int32Array node_parent
    cdef Py_ssize_t tokens(self, Py_ssize_t sentence) noexcept nogil
    cdef Py_ssize_t nodes(self, Py_ssize_t sentence) noexcept nogil
    cdef int parent(self, Py_ssize_t sentence, Py_ssize_t item) noexcept nogil

cdef class Children:
    cdef Int32Output first
    cdef Int32Output next
    cdef void link(self, Forest forest, Py_ssize_t sentence) noexcept nogil
