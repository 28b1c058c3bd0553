# White space as the compiler knows it, put into each loop that asks: see white_space.py.

cdef inline bint is_space(unsigned char byte) noexcept nogil:
    return byte == 32 or 9 <= byte <= 13
