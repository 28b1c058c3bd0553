# The look of long loops at signals, as the compiler knows it: see interrupts.py.

cdef int look(long long steps) except -1 nogil
