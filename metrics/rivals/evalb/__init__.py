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

from collections.abc import Iterator
from itertools import repeat

import numpy as np
from numpy.typing import NDArray

from crossbank.metrics.counting.counts import Counts, Measure, Signature, share
from crossbank.metrics.pairing.pair import Status
from crossbank.metrics.parseval import Parseval
from crossbank.metrics.rivals.evalb.evalb_report import HEAD, sentence_lines, summary
from crossbank.metrics.rivals.evalb.evalb_scoring import Rows, score
from crossbank.metrics.rivals.evalb.lines import Lines, flawed, load_lines
from crossbank.metrics.rivals.evalb.loops.line_reading import SECOND_WORD, TEXT_OUTSIDE, UNBALANCED
from crossbank.metrics.rivals.evalb.loops.line_scoring import (
    COMPARED,
    LENGTHS_DIFFER,
    SHORT_WORD_DIFFERS,
    WORD_DIFFERS,
)
from crossbank.metrics.rivals.evalb.parameters import load_parameters
from crossbank.metrics.rivals.protocol import Answer, Call
from crossbank.treebanks.arrays import Int32Array
from crossbank.treebanks.quantities import quantity
from crossbank.treebanks.vocabulary import Vocabulary

MEASURES = (
    *Parseval.measures,
    Measure("tagging", share("tags", "words"), "words with the right tag / words"),
)


def evaluate(call: Call) -> Answer:
    """Score two files under a parameter file, or under EVALB's own defaults.

    The options are ``max_error`` and ``cutoff_len``, as in ``load_parameters``. The report has no summary
    where EVALB gave up. Raises CrossbankError where a file cannot be read or the parameters are wrong.
    """
    chosen = load_parameters(call.parameters, call.options)
    (gold_strings, gold_lines), (strings, lines) = call.read_both(load_lines)
    vocabulary, rows = score((gold_strings, gold_lines), (strings, lines), chosen)
    complaints, last = errors_until(gold_lines, lines, rows, vocabulary, chosen.max_error)
    status, choices, end = _status(gold_lines, lines, rows), [("parameters", chosen.source)], ""
    if last is None:
        end = summary(rows, chosen)
    else:
        status = status[: last[0] - 1]
        rows = Rows(*(column[: last[0] - 1] for column in rows))
        choices.append(("ended_at_line", str(last[0])))
    notes = joined_lines(call, gold_lines, lines)
    if chosen.debug:
        notes += f"{call.parameters}: DEBUG {chosen.debug}: the dump of each sentence is left out\n"
    signature = Signature("evalb", "1.0", tuple(choices))
    number = np.arange(1, len(status) + 1, dtype=np.int32)
    return Answer(
        lambda: HEAD + "".join(sentence_lines(rows, number)) + end,
        lambda: counts_of(rows, rows.gold_brackets, status, number, signature),
        complaints,
        notes,
        int(last is not None),
    )


def counts_of(
    rows: Rows, gold: Int32Array, status: NDArray[np.int8], number: Int32Array, signature: Signature
) -> Counts:
    """Return the rows of a report, which are about numbered lines, as counts; 0 if a row is not scored."""
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
    found = {name: column.astype(np.float64) for name, column in columns.items()}
    return Counts(signature, MEASURES, tuple(map(str, number.tolist())), status, found, policy="skip")


def joined_lines(call: Call, gold: Lines, candidate: Lines) -> str:
    """A note for each side whose trees go over several lines, of which EVALB takes each for a sentence."""
    return "".join(
        f"{path}: trees go over several lines, {quantity(lines.joined, 'line')} joined to those before; "
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


def errors_until(
    gold: Lines, candidate: Lines, rows: Rows, vocabulary: Vocabulary, most: int | None
) -> tuple[str, tuple[int, str] | None]:
    """EVALB's messages, one a line, and the error at which it gives up, ``most + 2``: its line and message.

    At text outside brackets EVALB repeats its message for ever, until there are too many errors. Where there
    never are (None), such a line is one error.
    """
    said = []
    for number, error in enumerate(_errors(gold, candidate, rows, vocabulary, endless=most is not None)):
        said.append("{} : {}\n".format(*error))
        if most is not None and number > most:
            return "".join(said), error
    return "".join(said), None


def _errors(
    gold: Lines, candidate: Lines, rows: Rows, vocabulary: Vocabulary, *, endless: bool
) -> Iterator[tuple[int, str]]:
    """All errors in their order: the line, from 1, and the message."""
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
