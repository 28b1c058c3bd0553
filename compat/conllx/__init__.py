"""Mode ``conllx``: ``eval.pl`` 1.9 of 2006, which scores no punctuation by default.

Like the copies that come with parsers, it says nothing of another word or tag; the first release stopped
there. Blank lines at the end of one file alone end it.
"""

from __future__ import annotations

from crossbank.compat.eval07 import ScorerVersion, evaluate_as
from crossbank.metrics.modes.modes_by_name import Mode
from crossbank.metrics.modes.protocol import Answer, Call
from crossbank.plugins.packages import PlugIn

PLUG_IN = PlugIn(title="reports of eval.pl of CoNLL-X")

MODE = Mode(
    position=70,
    program="eval.pl 1.9",
    format="conllx",
    measures="crossbank.compat.eval07:MEASURES",
    others="the first release stops at another word or tag",
)

CONLLX = ScorerVersion("conllx", False, "exclude", "", False)


def evaluate(call: Call) -> Answer:
    """Score two files as ``eval.pl`` does.

    ``punctuation=include`` is ``-p``. Other options and errors as in ``eval07``, without ``deriv``.
    """
    return evaluate_as(CONLLX, call)
