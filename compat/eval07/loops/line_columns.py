"""Compiled loop that reads lines of columns; see ``eval07.parallel_lines``."""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.crossbank.treebanks.arrays import ByteArray, Int32MatrixOutput, Int32Output, Int64Output
from cython.cimports.crossbank.treebanks.scanners.interning import StringTable
from cython.cimports.crossbank.treebanks.scanners.white_space import is_space

COLUMNS = 8
"""The number of columns that a line must have."""

READ = 4
"""The number of columns that are read: FORM, CPOSTAG, HEAD and DEPREL."""

column_count = cython.declare(cython.int, COLUMNS)

NEWLINE = cython.declare(cython.uchar, 10)


def read_lines(
    text: ByteArray, table: StringTable, begins: Int64Output, columns: Int32Output, codes: Int32MatrixOutput
) -> None:
    """Fill in where each line begins, how many columns it has, and the columns that are read.

    A line that begins with white space has an empty first column; white space at its end is ignored. A
    blank line has no columns.
    """
    # Row of ``codes`` for each column; -1 for columns that are not read.
    row_of: Int32Output = np.array([-1, 0, -1, 1, -1, -1, 2, 3], np.int32)
    size: cython.Py_ssize_t = text.shape[0]
    offset: cython.Py_ssize_t = 0
    line: cython.Py_ssize_t = 0
    with cython.nogil:
        while offset < size:
            begins[line] = begin = offset
            column = 0
            has_column, has_text = True, False
            while True:
                if offset == size or is_space(text[offset]):
                    if has_column:
                        row = row_of[column] if column < column_count else -1
                        if row >= 0:
                            codes[row, line] = table.code(begin, offset)
                        column += 1
                        has_column = False
                    if offset == size or text[offset] == NEWLINE:
                        break
                else:
                    if not has_column:
                        has_column, begin = True, offset
                    has_text = True
                offset += 1
            columns[line] = column if has_text else 0
            line += 1
            offset += 1
