"""The loop that attaches dependents whose function names a constituent elsewhere in the sentence."""

from __future__ import annotations

import cython
from cython.cimports.crossbank.treebanks.arrays import (
    BoolArray,
    Int32Array,
    Int32Matrix,
    Int32Output,
    Int64Array,
)

CLAUSE, SENTENCE, NOWHERE = 1, 2, 3
"""The place where the constituent that a function names was found: see ``attach_long_distance``."""


@cython.final
@cython.cclass
class LongDistance:
    """Functions that name the constituent that their own depends on, by row of ``wanted``.

    row_of      the row of each code of a function, or -1, shape ``(strings,)``
    wanted      the codes of the functions that it names, in the order in which they are tried; then -1
    first       whether the first one in the sentence counts, else the closest
    beside      whether the dependent gets the governor of the constituent that it names
    further     tokens that are conjuncts behind the first, which no function names
    dislocated, resumed  tokens in fields of resuming and of resumed constituents
    """

    row_of: Int32Array
    wanted: Int32Matrix
    first: BoolArray
    beside: BoolArray
    further: BoolArray
    dislocated: BoolArray
    resumed: BoolArray

    def __init__(
        self,
        row_of: Int32Array,
        wanted: Int32Matrix,
        first: BoolArray,
        beside: BoolArray,
        further: BoolArray,
        dislocated: BoolArray,
        resumed: BoolArray,
    ) -> None:
        self.row_of, self.wanted, self.first, self.beside = row_of, wanted, first, beside
        self.further, self.dislocated, self.resumed = further, dislocated, resumed


def attach_long_distance(
    offsets: Int64Array,
    functions: LongDistance,
    head: Int32Array,
    relation: Int32Array,
    heads: Int32Output,
    where: Int32Output,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
) -> None:
    """Hang dependents over a long distance on the constituent that their function names.

    The constituent has the same governor, so it is searched in the same clause. If the first one counts and
    the dependent is dislocated, constituents that may be resumed are searched before. The whole sentence is
    searched last. Dependents of the dependent itself are passed over. A dependent beside the constituent gets
    its governor, once the constituent has its own. ``where`` gets the place where the constituent was found;
    ``heads`` holds a copy of ``head``.
    """
    sentence: cython.Py_ssize_t
    token: cython.Py_ssize_t
    row: cython.int
    late: cython.int
    with cython.nogil:
        for sentence in range(first, last):
            for late in range(2):
                for token in range(offsets[sentence], offsets[sentence + 1]):
                    row = functions.row_of[relation[token]]
                    if row >= 0 and functions.beside[row] == (late == 1):
                        where[token] = attach(
                            offsets[sentence], offsets[sentence + 1], functions, row, head, relation,
                            token, heads,
                        )  # fmt: skip


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def attach(
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    functions: LongDistance,
    row: cython.int,
    head: Int32Array,
    relation: Int32Array,
    token: cython.Py_ssize_t,
    heads: Int32Output,
) -> cython.int:
    """Attach one token. Returns ``CLAUSE``, ``SENTENCE`` or ``NOWHERE``.

    It searches among resumed constituents (0), then in the clause (1), then in the sentence (2).
    """
    search: cython.int
    place: cython.Py_ssize_t
    other: cython.Py_ssize_t
    best: cython.Py_ssize_t = -1
    for search in range(0 if functions.first[row] and functions.dislocated[token] else 1, 3):
        for place in range(functions.wanted.shape[1]):
            for other in range(begin, end):
                if (
                    relation[other] == functions.wanted[row, place]
                    and not functions.further[other]
                    and other != token
                    and (search > 0 or functions.resumed[other])
                    and (search == 2 or head[other] == head[token])
                    and (best < 0 or (not functions.first[row] and not farther(other, best, token)))
                    and not depends(other - begin, token - begin, begin, heads)
                ):
                    best = other
            if best >= 0:
                heads[token] = heads[best] if functions.beside[row] else cython.cast(cython.int, best - begin)
                return max(search, 1)
    return 3


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def farther(token: cython.Py_ssize_t, other: cython.Py_ssize_t, centre: cython.Py_ssize_t) -> cython.bint:
    """True if a token is farther from the centre than another one."""
    return (token - centre) * (token - centre) > (other - centre) * (other - centre)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def depends(
    token: cython.Py_ssize_t, other: cython.Py_ssize_t, begin: cython.Py_ssize_t, heads: Int32Output
) -> cython.bint:
    """True if a token is another one or depends on it, directly or not."""
    while token >= 0 and token != other:
        token = heads[begin + token]
    return token == other
