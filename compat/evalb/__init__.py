"""Mode ``evalb``: EVALB's report, byte for byte, with EVALB's parameter files.

Sekine, Satoshi and Michael John Collins (1997): EVALB, the scorer of Collins (1997); its version of 2006
and later, with the F-measure. The numbers are EVALB's, and so is what it does on the way: which
sentences are errors, what it says of them, and that it gives up without a summary at the twelfth error
(at number ``MAX_ERROR + 2``). Not taken over: its limits on words, brackets and bytes, its dumps of
single sentences (``DEBUG``), and that it goes on with a wrong parameter file.

EVALB ends at a byte order mark; here it is read over, with a note. A tree that goes on over indented lines is
one sentence, with a note; EVALB takes each line for one. An empty line is a sentence without words, as in
EVALB, but a file of such lines alone is refused.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from crossbank.compat.evalb.evalb_report import EvalbTotals, summary
from crossbank.compat.evalb.evalb_run import MEASURES, EvalbRun, PrintedRows
from crossbank.compat.evalb.evalb_scoring import EVALB, ScoredChunk
from crossbank.compat.evalb.loops.line_scoring import COMPARED
from crossbank.compat.evalb.parameters import EvalbParameters, load_parameters
from crossbank.metrics.modes.modes_by_name import Mode
from crossbank.metrics.modes.protocol import Answer, Call
from crossbank.metrics.pairing.pair import Status
from crossbank.plugins.packages import PlugIn

PLUG_IN = PlugIn(title="reports of EVALB")

MODE = Mode(
    position=10,
    program="EVALB of 2006 and later",
    format="bracket",
    others="the summary of 1997 has no F-measure",
)

__all__ = ("MEASURES", "evaluate")


def evaluate(call: Call) -> Answer:
    """Score two files under a parameter file, or under EVALB's own defaults.

    The options are ``max_error`` and ``cutoff_len``, as in ``load_parameters``. The report has no summary
    where EVALB gave up. Raises CrossbankError if a file cannot be read or the parameters are wrong.
    """
    parameters = load_parameters(call.parameters, call.options)
    debug, notes = parameters.debug, ""
    if debug:
        notes = f"{call.parameters}: DEBUG {debug}: the dump of each sentence is left out\n"
    return EvalbRun(call, parameters, Evalb(parameters)).answer(notes=notes)


class Evalb:
    """EVALB: each pair of lines is a row of its report."""

    name, dialect, first = "evalb", EVALB, None

    def __init__(self, parameters: EvalbParameters) -> None:
        self._parameters = parameters

    def printed(self, chunk: ScoredChunk) -> PrintedRows:
        """Return all rows; a malformed line of the candidate is no parse, one of gold is no gold."""
        rows = chunk.rows
        status = np.where(rows.outcome == COMPARED, Status.SCORED, Status.WORDS_DIFFER).astype(np.int8)
        status[rows.candidate_words == 0] = Status.NO_PARSE
        status[chunk.flawed_candidate] = Status.NO_PARSE
        status[rows.gold_words == 0] = Status.NO_GOLD
        status[chunk.flawed_gold] = Status.NO_GOLD
        number = np.arange(chunk.first + 1, chunk.first + 1 + len(status), dtype=np.int32)
        return PrintedRows(rows, number, rows.gold_brackets, status)

    def printed_before(self, chunk: ScoredChunk, line: int, message: str) -> int:
        """Return 0: nothing is printed of the line at which EVALB gives up."""
        return 0

    def summary(self, total: EvalbTotals, short: EvalbTotals) -> str:
        """Return the end of the report."""
        return summary(total, short, self._parameters)

    def choices(self) -> Sequence[tuple[str, str]]:
        """Return nothing: EVALB has parameters alone."""
        return ()
