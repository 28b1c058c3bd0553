# The table of strings as other compiled modules see it: interning.py says what it is.

from crossbank.treebanks.arrays cimport ByteArray, ByteOutput, Int64Output, UInt64Output

cdef unsigned long long BITS

cdef class StringTable:
    cdef readonly Py_ssize_t size
    cdef ByteArray text
    cdef UInt64Output slots
    cdef int shift
    cdef ByteOutput gathered
    cdef Int64Output ends
    cpdef int code(self, Py_ssize_t begin, Py_ssize_t end) except -1 nogil
    cdef int enter(self, Py_ssize_t begin, Py_ssize_t end, unsigned long long key, Py_ssize_t slot) except -1 nogil
    cdef unsigned long long key(self, Py_ssize_t begin, Py_ssize_t end) noexcept nogil
    cdef bint is_gathered(self, Py_ssize_t begin, Py_ssize_t end, Py_ssize_t there) noexcept nogil
    cdef int gather(self, Py_ssize_t length) except -1
    cdef int grow(self) except -1
