# Eight bytes of a text at once, as the compiler knows them: see byte_words.py. These are functions of C itself, since
# setup.py lets no function of Cython's be inline. A macro takes the memory and the length out of a view.

from crossbank.treebanks.arrays cimport ByteArray, UInt64Output

cdef extern from *:
    """
    #include <string.h>

    #define CROSSBANK_ALL(byte) (0x0101010101010101ULL * (byte))

    static inline unsigned long long crossbank_word(const char *text, Py_ssize_t size, Py_ssize_t begin) {
        unsigned long long word = 0;
        if (size - begin >= 8) {
            memcpy(&word, text + begin, 8);
    #if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
            word = __builtin_bswap64(word);
    #endif
            return word;
        }
        for (Py_ssize_t place = size - 1; place >= begin; place--)
            word = word << 8 | (unsigned char)text[place];
        return word;
    }

    /* Sums of seven bits and a constant up to 128 do not carry: their highest bit tells whether the byte is at least
       as great as a threshold. Bytes that have it themselves (UTF-8) are none of these characters. */
    static inline unsigned long long crossbank_ends(unsigned long long word) {
        unsigned long long bits = word & CROSSBANK_ALL(127);
        unsigned long long white = (bits + CROSSBANK_ALL(128 - 9)) & ~(bits + CROSSBANK_ALL(128 - 14));
        unsigned long long blank = (bits + CROSSBANK_ALL(128 - 32)) & ~(bits + CROSSBANK_ALL(128 - 33));
        unsigned long long bracket = (bits + CROSSBANK_ALL(128 - 40)) & ~(bits + CROSSBANK_ALL(128 - 42));
        return (white | blank | bracket) & ~word & CROSSBANK_ALL(128);
    }

    /* The bytes below the lowest bit, counted by a sum of ones. */
    static inline Py_ssize_t crossbank_before(unsigned long long ends) {
        return (((((ends & (0 - ends)) >> 7) - 1) & CROSSBANK_ALL(1)) * CROSSBANK_ALL(1)) >> 56;
    }

    #define CROSSBANK_PRIME 0x9E3779B97F4A7C15ULL

    static inline int crossbank_known(
        const unsigned long long *slots, Py_ssize_t size, int shift, unsigned long long word, unsigned long long ends
    ) {
        unsigned long long length = crossbank_before(ends);
        unsigned long long key = word & (((ends & (0 - ends)) >> 7) - 1);
        Py_ssize_t slot = 2 * (Py_ssize_t)((key * CROSSBANK_PRIME) >> shift);
        if (length == 0) return 0;
        for (; slots[slot + 1]; slot = (slot + 2) & (size - 1))
            if (slots[slot] == key && slots[slot + 1] >> 32 == length) return (int)slots[slot + 1];
        return -1;
    }

    static inline Py_ssize_t crossbank_end(const char *text, Py_ssize_t size, Py_ssize_t place, Py_ssize_t limit) {
        for (; place < limit; place += 8) {
            unsigned long long ends = crossbank_ends(crossbank_word(text, size, place));
            if (ends) {
                place += crossbank_before(ends);
                return place < limit ? place : limit;
            }
        }
        return limit;
    }

    static inline Py_ssize_t crossbank_line(const char *text, Py_ssize_t size, Py_ssize_t place) {
        const char *end = place < size ? (const char *)memchr(text + place, 10, size - place) : NULL;
        return end ? end - text : size;
    }

    #define crossbank_end_of_line(view, place) crossbank_line((view).data, (view).shape[0], place)
    #define crossbank_word_at(view, begin) crossbank_word((view).data, (view).shape[0], begin)
    #define crossbank_known_code(view, shift, word, ends) \\
        crossbank_known((const unsigned long long *)(view).data, (view).shape[0], shift, word, ends)
    #define crossbank_end_of_string(view, place, limit) crossbank_end((view).data, (view).shape[0], place, limit)
    """
    unsigned long long word_at "crossbank_word_at"(ByteArray text, Py_ssize_t begin) noexcept nogil
    unsigned long long PRIME "CROSSBANK_PRIME"
    int known_code "crossbank_known_code"(
        UInt64Output slots, int shift, unsigned long long word, unsigned long long ends
    ) noexcept nogil
    unsigned long long ends_in "crossbank_ends"(unsigned long long word) noexcept nogil
    Py_ssize_t bytes_before "crossbank_before"(unsigned long long ends) noexcept nogil
    Py_ssize_t end_of_string "crossbank_end_of_string"(ByteArray text, Py_ssize_t place, Py_ssize_t limit) noexcept nogil
    Py_ssize_t end_of_line "crossbank_end_of_line"(ByteArray text, Py_ssize_t place) noexcept nogil
