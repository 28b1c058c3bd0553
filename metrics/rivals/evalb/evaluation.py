"""EVALB's answer to two files: its report, its complaints, and the line at which it gives up."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import repeat

import numpy as np
from numpy.typing import NDArray

from crossbank.metrics.counting.counts import Counts, Measure, Signature, share
from crossbank.metrics.pairing.pair import Status
from crossbank.metrics.parseval import Parseval
from crossbank.metrics.rivals.evalb.lines import Lines, flawed, load_lines
from crossbank.metrics.rivals.evalb.loops.reading import SECOND_WORD, TEXT_OUTSIDE, UNBALANCED
from crossbank.metrics.rivals.evalb.loops.scoring import (
    COMPARED,
    LENGTHS_DIFFER,
    SHORT_WORD_DIFFERS,
    WORD_DIFFERS,
)
from crossbank.metrics.rivals.evalb.parameters import Parameters, load_parameters
from crossbank.metrics.rivals.evalb.report import HEAD, sentence_lines, summary
from crossbank.metrics.rivals.evalb.scoring import Rows, score
from crossbank.metrics.rivals.protocol import Answer, Call
from crossbank.treebanks.arrays import Int32Array
from crossbank.treebanks.vocabulary import Vocabulary

VERSION = "1.0"

MEASURES = (
    *Parseval.measures,
    Measure("tagging", share("tags", "words"), "words with the right tag / words"),
)


@dataclass(frozen=True, eq=False)
class Evaluation(Answer):
    """EVALB's findings in two files, up to the place where it gave up.

    rows        one row for each pair of lines that it came to
    status      the same in our terms, shape ``(rows,)``
    said        its output on stderr
    ended_at    the line, from 1, at which it gave up because there were too many errors, or None
    remarks     the repairs, and what EVALB would print besides
    """

    parameters: Parameters
    rows: Rows
    status: NDArray[np.int8]
    said: str
    ended_at: int | None
    remarks: str = ""

    def report(self) -> str:
        """Return the report that EVALB prints; it has no summary where EVALB gave up."""
        sentences = "".join(sentence_lines(self.rows))
        return HEAD + sentences + ("" if self.ended_at else summary(self.rows, self.parameters))

    def complaints(self) -> str:
        """EVALB's messages on stderr: one line for each error."""
        return self.said

    def exit_code(self) -> int:
        """1 where EVALB gave up."""
        return int(self.ended_at is not None)

    def notes(self) -> str:
        """Trees over several lines, and the dumps that are left out."""
        return self.remarks

    def counts(self) -> Counts:
        """The same as counts per sentence; as in EVALB, sentences that cannot be scored are left out."""
        lines = tuple(str(line) for line in range(1, len(self.status) + 1))
        return counts_of(self.rows, self.rows.gold_brackets, self.status, lines, self.signature)

    @property
    def signature(self) -> Signature:
        """Parameter file by name and content, and where EVALB gave up."""
        choices = [("parameters", self.parameters.source)]
        if self.ended_at:
            choices.append(("ended_at_line", str(self.ended_at)))
        return Signature("evalb", VERSION, tuple(choices))


def counts_of(
    rows: Rows, gold: Int32Array, status: NDArray[np.int8], sentences: tuple[str, ...], signature: Signature
) -> Counts:
    """Return the rows of a report as counts per sentence; sentences that are not scored are left out."""
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
    return Counts(
        signature,
        MEASURES,
        sentences,
        status,
        {name: column.astype(np.float64) for name, column in columns.items()},
        policy="skip",
    )


def evaluate(call: Call) -> Evaluation:
    """Score two files under a parameter file, or under EVALB's own defaults.

    The options are ``max_error`` and ``cutoff_len``, as in ``Parameters.with_options``. Raises
    CrossbankError where a file cannot be read or the parameters are wrong.
    """
    chosen = Parameters() if call.parameters is None else load_parameters(call.parameters)
    chosen = chosen.with_options(call.options)
    (gold_strings, gold_lines), (strings, lines) = call.read_both(load_lines)
    vocabulary, rows = score((gold_strings, gold_lines), (strings, lines), chosen)
    said = []
    ended_at = None
    errors = complaints(gold_lines, lines, rows, vocabulary, endless=chosen.max_error is not None)
    for number, (line, message) in enumerate(errors):
        said.append(f"{line} : {message}\n")
        if chosen.max_error is not None and number > chosen.max_error:
            ended_at = line
            break
    reached = len(rows.status) if ended_at is None else min(ended_at - 1, len(rows.status))
    remarks = joined_lines(call, gold_lines, lines)
    if chosen.debug:
        remarks += f"{call.parameters}: DEBUG {chosen.debug}: the dump of each sentence is left out\n"
    return Evaluation(
        chosen,
        Rows(*(column[:reached] for column in rows)),
        _status(gold_lines, lines, rows)[:reached],
        "".join(said),
        ended_at,
        remarks,
    )


def joined_lines(call: Call, gold: Lines, candidate: Lines) -> str:
    """A note for each side whose trees go over several lines, of which EVALB takes each for a sentence."""
    return "".join(
        f"{path}: trees go over several lines, {lines.joined} lines are joined to those before; "
        "EVALB takes each line for a sentence\n"
        for path, lines in ((call.gold, gold), (call.candidate, candidate))
        if lines.joined
    )


def _status(gold: Lines, candidate: Lines, rows: Rows) -> NDArray[np.int8]:
    """Status of each line: a malformed line of the candidate is no parse, one of gold is no gold."""
    status = np.where(rows.outcome == COMPARED, Status.SCORED, Status.WORDS_DIFFER).astype(np.int8)
    status[rows.candidate_words == 0] = Status.NO_PARSE
    status[flawed(candidate)[: len(status)]] = Status.NO_PARSE
    status[rows.gold_words == 0] = Status.NO_GOLD
    status[flawed(gold)[: len(status)]] = Status.NO_GOLD
    return status


def complaints(
    gold: Lines, candidate: Lines, rows: Rows, vocabulary: Vocabulary, *, endless: bool
) -> Iterator[tuple[int, str]]:
    """All errors in their order: the line, from 1, and the message.

    ``endless``: at text outside brackets EVALB repeats its message for ever, until there are too many errors.
    Otherwise such a line is one error.
    """
    both = len(rows.status)
    wrong = flawed(gold)[:both] | flawed(candidate)[:both]
    wrong |= np.isin(rows.outcome, (LENGTHS_DIFFER, WORD_DIFFERS, SHORT_WORD_DIFFERS))
    for row in np.flatnonzero(wrong).tolist():
        for lines in (gold, candidate):
            for message in _about_reading(lines, row, endless):
                yield row + 1, message
        if rows.outcome[row] == LENGTHS_DIFFER:
            yield row + 1, f"Length unmatch ({rows.gold_words[row]}|{rows.candidate_words[row]})"
        elif rows.outcome[row] in (WORD_DIFFERS, SHORT_WORD_DIFFERS):
            words = vocabulary[int(rows.gold_word[row])], vocabulary[int(rows.candidate_word[row])]
            yield row + 1, "Words unmatch ({}|{})".format(*words)
    if len(gold.flaw) > both:
        for message in _about_reading(gold, both, endless):
            yield both + 1, message
        yield both + 1, "Number of lines unmatch (too many lines in gold file)"
    elif len(candidate.flaw) > both:
        yield both + 1, "Number of lines unmatch (too many lines in test file)"


def _about_reading(lines: Lines, row: int, endless: bool) -> Iterator[str]:
    yield from repeat("Bracketing unbalance (too many close bracket)", int(lines.overclosed[row]))
    flaw = int(lines.flaw[row])
    if flaw == SECOND_WORD:
        yield "More than two elements in a bracket"
    if flaw in (SECOND_WORD, TEXT_OUTSIDE):
        yield from repeat("Reading sentence") if endless else repeat("Reading sentence", 1)
    if flaw == UNBALANCED:
        yield "Bracketing is unbalanced (too many open bracket)"
