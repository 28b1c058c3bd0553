# The table of strings as other compiled modules see it: interning.py says what it is.

from crossbank.treebanks.arrays cimport ByteArray, Int32Output, Int64Output, UInt64Output

cdef class StringTable:
    cdef readonly Py_ssize_t size
    cdef ByteArray text
    cdef Int32Output slots
    cdef UInt64Output keys
    cdef Int64Output begin
    cdef Int64Output end
    cpdef int code(self, Py_ssize_t begin, Py_ssize_t end) except -1 nogil
    cdef int grow(self) except -1
