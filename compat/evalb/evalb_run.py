"""Run of EVALB, or of a program of its family, over two files: chunk by chunk, with what it prints of each.

Memory does not depend on the size of the files, unless counts of each sentence are kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from crossbank.compat.evalb.evalb_report import HEAD, NO_SENTENCES, EvalbTotals, sentence_lines, totals
from crossbank.compat.evalb.evalb_scoring import Dialect, LineCounts, ScoredChunk, scored_chunks
from crossbank.compat.evalb.lines import LineFile
from crossbank.compat.evalb.parameters import EvalbParameters
from crossbank.metrics.counting.counts import Counts, Measure, Signature, share
from crossbank.metrics.modes.protocol import Answer, Call, Output
from crossbank.metrics.pairing.pair import Status
from crossbank.metrics.parseval import Parseval
from crossbank.treebanks.arrays import Int32Array
from crossbank.treebanks.quantities import quantity
from crossbank.treebanks.ranges import side_by_side

MEASURES = (
    *Parseval.measures,
    Measure("tagging", share("tags", "words"), "words with the right tag / words"),
)


class PrintedRows(NamedTuple):
    """Rows that are printed and counted.

    number  the line of the files that each is about
    gold    the brackets of gold, whether or not the sentences were compared
    status  what each row is for counts
    """

    rows: LineCounts
    number: Int32Array
    gold: Int32Array
    status: NDArray[np.int8]

    def first(self, count: int) -> PrintedRows:
        """Return the first rows."""
        rows = LineCounts(*(column[:count] for column in self.rows))
        return PrintedRows(rows, self.number[:count], self.gold[:count], self.status[:count])


class EvalbProgram(Protocol):
    """Program of EVALB's family."""

    @property
    def name(self) -> str:
        """Name of its mode."""

    @property
    def dialect(self) -> Dialect:
        """Treatment of labels, tags and short sentences."""

    @property
    def first(self) -> int | None:
        """Number of sentences that are evaluated; None for all."""

    def printed(self, chunk: ScoredChunk) -> PrintedRows:
        """Return what is printed of a chunk."""

    def printed_before(self, chunk: ScoredChunk, line: int, message: str) -> int:
        """Return the number of rows about a line that are printed before the program gives up at it."""

    def summary(self, total: EvalbTotals, short: EvalbTotals) -> str:
        """Return the end of the report; ``short`` are the sums over sentences up to the cut-off length."""

    def choices(self) -> Sequence[tuple[str, str]]:
        """Return the switches on which scores depend, for the signature."""


class EvalbRun:
    """Run of a program over two files."""

    def __init__(self, call: Call, parameters: EvalbParameters, program: EvalbProgram) -> None:
        self._call, self._parameters, self._program = call, parameters, program
        files = zip((call.gold, call.candidate), call.formats(), strict=True)
        gold, candidate = side_by_side([partial(LineFile, *file, call.encoding) for file in files])
        self._gold, self._candidate = gold, candidate
        self._printed: list[PrintedRows] = []
        self._ended_at: int | None = None

    def answer(self, complaints: str = "", notes: str = "") -> Answer:
        """Return the answer; ``complaints`` come before those about sentences, ``notes`` after ours."""
        outputs = self._outputs(complaints)
        notes = "".join(self._joined_lines()) + notes
        return Answer(list(outputs) if self._call.by_sentence else outputs, self._counts, notes)

    def _outputs(self, complaints: str) -> Iterator[Output]:
        yield Output(lambda: HEAD, complaints)
        most, cutoff = self._parameters.max_error, self._parameters.cutoff_len
        errors, total, short = 0, NO_SENTENCES, NO_SENTENCES
        gold, candidate = (file.sentences(self._program.first) for file in (self._gold, self._candidate))
        for chunk in scored_chunks(gold, candidate, self._parameters, self._program.dialect):
            printed, listed = self._program.printed(chunk), list(chunk.errors)
            # The program gives up at error number most + 2.
            last = len(listed) if most is None else max(most + 1 - errors, 0)
            if last < len(listed):
                line, message = listed[last]
                self._ended_at, listed = line, listed[: last + 1]
                before = int(np.searchsorted(printed.number, line))
                printed = printed.first(before + self._program.printed_before(chunk, line, message))
            errors += len(listed)
            if self._call.by_sentence:
                self._printed.append(printed)
            complaints = "".join(f"{line} : {message}\n" for line, message in listed)
            report = partial(sentence_lines, printed.rows, printed.number)
            yield Output(report, complaints, int(self._ended_at is not None))
            if self._ended_at is not None:
                return
            total += totals(printed.rows)
            short += totals(printed.rows, printed.rows.length <= cutoff)
        yield Output(lambda: self._program.summary(total, short))

    def _joined_lines(self) -> Iterator[str]:
        """Yield a note for each file whose trees go over several lines."""
        for path, file in ((self._call.gold, self._gold), (self._call.candidate, self._candidate)):
            if file.joined:
                joined = f"{quantity(file.joined, 'line')} joined to those before"
                yield f"{path}: trees go over several lines, {joined}; EVALB takes each line for a sentence\n"

    def _counts(self) -> Counts:
        """Return the rows of the report as counts; 0 if a row is not scored."""
        choices = list(self._program.choices())
        if self._ended_at is not None:
            choices.append(("ended_at_line", str(self._ended_at)))
        signature = Signature(self._program.name, "1.0", (("parameters", self._parameters.source), *choices))
        printed_rows = self._printed
        rows = LineCounts(*map(np.concatenate, zip(*(printed.rows for printed in printed_rows), strict=True)))
        number = np.concatenate([printed.number for printed in printed_rows])
        gold = np.concatenate([printed.gold for printed in printed_rows])
        status = np.concatenate([printed.status for printed in printed_rows])
        scored = status == Status.SCORED
        same = (rows.matched == rows.gold) & (rows.matched == rows.candidate)
        columns = {
            "gold": gold,
            "candidate": rows.candidate * scored,
            "matched": rows.matched * scored,
            "crossing": rows.crossing * scored,
            "exact": same & scored,
            "no_crossing": (rows.crossing == 0) & scored,
            "two_or_less_crossing": (rows.crossing <= 2) & scored,
            "words": rows.words * scored,
            "tags": rows.tags * scored,
        }
        floats = {name: column.astype(np.float64) for name, column in columns.items()}
        return Counts(signature, MEASURES, tuple(map(str, number.tolist())), status, floats, policy="skip")
