"""Mode ``evalb_spmrl``: the report of the SPMRL shared tasks' scorer, with EVALB's parameter files.

Seddah, Djamé, et al. (2013): Overview of the SPMRL 2013 Shared Task. SPMRL; the program is EVALB with the
changes of Petrov and McDonald (2012) for SANCL. The numbers are that program's, errors included:

- words are never deleted, so that punctuation is part of every span;
- labels and tags end before ``-``, ``=`` and ``#``, and so do the labels in DELETE_LABEL: ``-NONE-`` is the
  empty label there, and ``-LRB-`` and ``-RRB-`` are one tag;
- a sentence whose lengths differ is counted as valid, without brackets and as a complete match, before its
  error is found; gold of one word is then compared nevertheless, and counted twice;
- ``count_unparsed`` (``-X``) adds gold's brackets of unparsed sentences, and one more for each DELETE_LABEL
  that a bracket is not;
- the compact view (``-L``) prints recall as precision and precision as recall.

Not taken over: limits, dumps (``DEBUG``), a file ``status`` in the working directory, and the rest of a line
on stderr where it has two words in a bracket. The repair of quotation marks looks at DELETE_LABEL as written.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_type_hints

import numpy as np

from crossbank.compat.evalb.evalb_report import EvalbTotals, summary
from crossbank.compat.evalb.evalb_run import EvalbRun, PrintedRows
from crossbank.compat.evalb.evalb_scoring import Dialect, LineCounts, ScoredChunk
from crossbank.compat.evalb.loops.line_scoring import (
    ERROR,
    LENGTHS_DIFFER,
    NO_WORDS,
    SHORT_COMPARED,
    SHORT_WORD_DIFFERS,
    SKIP,
    WORD_DIFFERS,
)
from crossbank.compat.evalb.parameters import OPTIONS, EvalbParameters, load_parameters
from crossbank.metrics.modes.modes_by_name import Mode
from crossbank.metrics.modes.protocol import Answer, Call
from crossbank.metrics.pairing.pair import Status
from crossbank.plugins.packages import PlugIn
from crossbank.treebanks.errors import OptionError
from crossbank.treebanks.registry import option_value

PLUG_IN = PlugIn(title="reports of EVALB_SPMRL")

MODE = Mode(
    position=20, program="EVALB_SPMRL of 2013", format="bracket", measures="crossbank.compat.evalb:MEASURES"
)

SPMRL = Dialect(label_ends="-=#", deletes_words=False, cuts_tags=True, goes_on=True)

UNPARSED = 3
"""The status of a sentence without a parse whose brackets are counted."""

COMPACT = (
    "F1: %s %%\tPrec: %6.2f %%\tRec: %6.2f %%\tPOS: %6.2f %%\tEX: %6.2f %%\t"
    "Unparsed: %6d\tSent: %6d\tfile: %s\n"
)


@dataclass(frozen=True)
class Switches:
    """The program's switches.

    count_unparsed  ``-X``: gold's brackets of sentences without a parse lower recall
    compact         ``-L`` (``all``) or ``-l`` (``short``, up to the cut-off length): one line as summary
    first           ``-K``: how many sentences are evaluated, from the first; 0: all
    filenames       ``-V``: both files are named above the summary
    """

    count_unparsed: bool = False
    compact: Literal["no", "all", "short"] = "no"
    first: int = 0
    filenames: bool = False


def evaluate(call: Call) -> Answer:
    """Score two files under a parameter file, or under the program's own defaults.

    The options are those of ``Switches``, ``max_error`` and ``cutoff_len``. Raises CrossbankError if a
    file cannot be read, the parameters are wrong or an option is unknown.
    """
    options, kinds = call.options, get_type_hints(Switches)
    for name in options:
        if name not in (*kinds, *OPTIONS):
            raise OptionError("option of evalb_spmrl", name, (*kinds, *OPTIONS))
    switches = Switches(
        **{name: option_value(name, options[name], kinds[name]) for name in options if name in kinds}
    )
    if switches.first < 0:
        raise OptionError("option first", switches.first, "a number of sentences")
    parameters = load_parameters(
        call.parameters, {name: options[name] for name in options if name in OPTIONS}
    )
    program = EvalbSpmrl(call, parameters, switches)
    return EvalbRun(call, parameters, program).answer(
        f"cutoff {parameters.cutoff_len}\n" if "cutoff_len" in options else ""
    )


class EvalbSpmrl:
    """EVALB_SPMRL with its switches."""

    name, dialect = "evalb_spmrl", SPMRL

    def __init__(self, call: Call, parameters: EvalbParameters, switches: Switches) -> None:
        self._call, self._parameters, self._switches = call, parameters, switches
        self.first = switches.first or None

    def printed(self, chunk: ScoredChunk) -> PrintedRows:
        """Return the rows that are printed and counted.

        Where lengths differ a row of zeros comes first, as valid as reading the sentence left it; a second
        one follows where gold has one word or none.
        """
        rows, count = chunk.rows, len(chunk.rows.status)
        read = np.where(chunk.flawed_gold | chunk.flawed_candidate, ERROR, 0).astype(np.int32)
        wrong = np.isin(rows.outcome, (WORD_DIFFERS, SHORT_WORD_DIFFERS))
        status = np.where(wrong, ERROR, read)
        has_no_words = rows.outcome == NO_WORDS
        columns = rows._asdict()
        status[has_no_words] = UNPARSED if self._switches.count_unparsed else SKIP
        if self._switches.count_unparsed:
            columns["gold"] = np.where(has_no_words, chunk.unparsed, rows.gold)
            columns["words"] = np.where(has_no_words, rows.gold_words, rows.words)
        columns["status"] = status
        short = np.isin(rows.outcome, (SHORT_COMPARED, SHORT_WORD_DIFFERS))
        repeated = np.repeat(np.arange(count), 1 + short)
        printed = {name: column[repeated] for name, column in columns.items()}
        is_first = np.append(repeated[1:] == repeated[:-1], False) if count else np.zeros(0, np.bool_)
        for name in ("matched", "gold", "candidate", "crossing", "words", "tags"):
            printed[name][is_first] = 0
        printed["status"][is_first] = read[repeated][is_first]
        names = {ERROR: Status.WORDS_DIFFER, SKIP: Status.NO_PARSE}
        kinds = np.array([names.get(code, Status.SCORED) for code in printed["status"].tolist()], np.int8)
        number = (chunk.first + repeated + 1).astype(np.int32)
        return PrintedRows(LineCounts(**printed), number, printed["gold"], kinds)

    def printed_before(self, chunk: ScoredChunk, line: int, message: str) -> int:
        """Return the number of rows about a line that are printed before the program gives up at it."""
        row = line - 1 - chunk.first
        if row >= len(chunk.rows.status):
            return 0
        outcome = chunk.rows.outcome[row]
        is_second = message.startswith("Words unmatch") and outcome == SHORT_WORD_DIFFERS
        return int(is_second or (message.startswith("Length unmatch") and outcome == LENGTHS_DIFFER))

    def summary(self, total: EvalbTotals, short: EvalbTotals) -> str:
        """Return the end of the report; in one line precision and recall are exchanged."""
        if self._switches.compact == "no":
            files = f": {self._call.gold}\tvs\t{self._call.candidate}" if self._switches.filenames else ""
            return summary(total, short, self._parameters, f"=== Summary{files} ===")
        chosen = short if self._switches.compact == "short" else total
        recall, precision, f_measure, tagging = chosen.scores()
        complete = 100 * chosen.complete / chosen.valid if chosen.valid else 0.0
        return COMPACT % (
            f_measure, recall, precision, tagging, complete,
            chosen.skipped + chosen.errors, chosen.sentences, self._call.candidate,
        )  # fmt: skip

    def choices(self) -> Sequence[tuple[str, str]]:
        """Return the switches on which scores depend, not those of the look of the report."""
        return (
            ("count_unparsed", "yes" if self._switches.count_unparsed else "no"),
            ("first", str(self._switches.first or "all")),
        )
