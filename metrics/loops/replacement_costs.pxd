# What the loops over strings of events and over trees share, as the compiler knows it: see replacement_costs.py.

from crossbank.treebanks.arrays cimport Float64Matrix, Float64Output, Int32Array, Int64Array, UInt64Array
from crossbank.treebanks.forest cimport Forest

cdef class Prices:
    cdef Int32Array category
    cdef Int32Array function
    cdef Int32Array group
    cdef Float64Matrix replace
    cdef double function_cost
    cdef int first_tag
    cdef double tag_cost

cdef class Events:
    cdef UInt64Array frame
    cdef Int64Array first
    cdef Int32Array symbols

cdef class SymbolTrees:
    cdef Forest forest
    cdef Int32Array start
    cdef Int32Array label
    cdef Int32Array leaf

cdef double price(Prices prices, int a, int b) noexcept nogil

cdef int price_symbols(
    Int32Array a, Py_ssize_t rows, Int32Array b, Py_ssize_t columns, Prices prices, Float64Output replaced
) except -1 nogil
