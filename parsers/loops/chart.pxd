# A grammar and the chart of a sentence, as the compiler knows them: see chart.py.

from crossbank.treebanks.arrays cimport (
    BoolMatrix, Float64Array, Float64MatrixOutput, Float64Output, Int32Array, Int32Output, Int64Array, Int64Output
)

cdef int LEXICAL
cdef int FULL
cdef double NONE
cdef int NEGLIGIBLE
cdef int CELL

cdef class Rules:
    cdef Int64Array left_offsets
    cdef Int32Array parent
    cdef Int32Array left
    cdef Int32Array right
    cdef Float64Array weight
    cdef Int32Array unary_parent
    cdef Int32Array unary_child
    cdef Float64Array unary_weight
    cdef bint cyclic
    cdef Int64Array tag_offsets
    cdef Int32Array tag
    cdef Float64Array tag_weight
    cdef Int64Array chain_offsets
    cdef Int32Array chain_parent
    cdef Float64Array chain_weight
    cdef Int32Array group
    cdef Float64Array prior
    cdef double beam

cdef class Chart:
    cdef int symbols
    cdef Py_ssize_t count
    cdef Int64Output begin
    cdef Int32Output exponent
    cdef Int32Output symbol
    cdef Float64Output score
    cdef Int32Output rule
    cdef Int32Output split
    cdef Float64Output posterior
    cdef Float64MatrixOutput column
    cdef Int32Output column_rule
    cdef Int32Output column_split
    cdef Float64MatrixOutput column_posterior
    cdef Int32Output touched
    cdef Float64Output above
    cdef Float64Output below

cdef Py_ssize_t cell_of(Py_ssize_t start, Py_ssize_t end) noexcept nogil

cdef Py_ssize_t find(Chart chart, Py_ssize_t start, Py_ssize_t end, int symbol) noexcept nogil

cdef void clear_column(Chart chart, Py_ssize_t end, double value) noexcept nogil

cdef void prune(
    Rules rules, Chart chart, Py_ssize_t start, Py_ssize_t cell, BoolMatrix allowed, double none
) noexcept nogil
