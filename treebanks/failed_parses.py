"""Lines that parsers print in place of a tree for a sentence that they could not parse.

``null`` is Bikel's and Collins's, ``NIL`` that of parsers in Lisp, ``No parse for: "..."`` that of LKB and
others, ``SENT: fail`` RASP's. Trees without words, as the Berkeley parser's ``(TOP ())``, are recognised by
the scanner itself.
"""

from __future__ import annotations

import re

from crossbank.treebanks.arrays import ByteArray

_LINE = r"(?i:null|nil|none|no parse\b[^\n]*|sent: *fail(ed)?)"

FAILED_PARSE = re.compile(_LINE.encode())
"""The whole line, without white space around it."""

FIRST_FAILED_PARSES = re.compile(rf"(\s*{_LINE}[ \t\r]*\n)*")
"""Such lines at the beginning of a file."""

LONGEST_LINE = 1 << 16
"""The number of bytes of a line up to which it is compared with the pattern."""


def end_of_failed_parse(text: ByteArray, position: int) -> int:
    """Return the end of the line at a position if all of the line says that a parse failed; else 0."""
    begin = max(position - LONGEST_LINE, 0)
    before = bytes(text[begin:position]).rpartition(b"\n")[2]
    line = bytes(text[position : position + LONGEST_LINE]).partition(b"\n")[0]
    if before.strip() or not FAILED_PARSE.fullmatch(line.strip()):
        return 0
    return position + len(line)
