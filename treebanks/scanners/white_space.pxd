# White space as the compiler knows it, put into each loop that asks: see white_space.py. It is C's own function,
# since setup.py lets no function of Cython's be inline.

cdef extern from *:
    """
    static inline int crossbank_is_space(unsigned char byte) {
        return byte == 32 || (byte >= 9 && byte <= 13);
    }
    """
    bint is_space "crossbank_is_space"(unsigned char byte) noexcept nogil
