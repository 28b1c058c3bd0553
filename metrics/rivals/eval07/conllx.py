"""Mode ``conllx``: ``eval.pl`` 1.9 of 2006, which scores no punctuation unless told to.

Like the copies that come with parsers, it says nothing of another word or tag; the first release stopped
there. Blank lines at the end of one file alone end it.
"""

from __future__ import annotations

from crossbank.metrics.rivals.eval07 import Program, evaluate_as
from crossbank.metrics.rivals.protocol import Answer, Call

CONLLX = Program("conllx", False, "exclude", "", False)


def evaluate(call: Call) -> Answer:
    """Score two files as ``eval.pl`` does.

    ``punctuation=include`` is ``-p``. Other options and errors as in ``eval07``, without ``deriv``.
    """
    return evaluate_as(CONLLX, call)
