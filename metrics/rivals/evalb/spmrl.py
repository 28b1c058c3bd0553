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

from dataclasses import dataclass
from typing import Literal, get_type_hints

import numpy as np

from crossbank.metrics.counting.counts import Signature
from crossbank.metrics.counting.items import by_sentence
from crossbank.metrics.pairing.pair import Status
from crossbank.metrics.rivals.evalb import counts_of, errors_until, joined_lines
from crossbank.metrics.rivals.evalb.evalb_report import HEAD, sentence_lines, summary, totals
from crossbank.metrics.rivals.evalb.evalb_scoring import Dialect, Rows, score
from crossbank.metrics.rivals.evalb.lines import Lines, flawed, load_lines
from crossbank.metrics.rivals.evalb.loops.line_scoring import (
    ERROR,
    LENGTHS_DIFFER,
    NO_WORDS,
    SHORT_COMPARED,
    SHORT_WORD_DIFFERS,
    SKIP,
    WORD_DIFFERS,
)
from crossbank.metrics.rivals.evalb.parameters import OPTIONS, Parameters, load_parameters
from crossbank.metrics.rivals.protocol import Answer, Call, Path
from crossbank.treebanks.arrays import Int32Array
from crossbank.treebanks.errors import OptionError
from crossbank.treebanks.registry import option_value
from crossbank.treebanks.vocabulary import Vocabulary

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

    The options are those of ``Switches``, ``max_error`` and ``cutoff_len``. Raises CrossbankError where a
    file cannot be read, the parameters are wrong or an option is unknown.
    """
    given, kinds = call.options, get_type_hints(Switches)
    for name in given:
        if name not in (*kinds, *OPTIONS):
            raise OptionError("option of evalb_spmrl", name, (*kinds, *OPTIONS))
    switches = Switches(
        **{name: option_value(name, given[name], kinds[name]) for name in given if name in kinds}
    )
    if switches.first < 0:
        raise OptionError("option first", switches.first, "a number of sentences")
    chosen = load_parameters(call.parameters, {name: given[name] for name in given if name in OPTIONS})
    (gold_strings, gold_lines), (strings, lines) = call.read_both(load_lines)
    notes = joined_lines(call, gold_lines, lines)
    if switches.first:
        gold_lines, lines = _first(gold_lines, switches.first), _first(lines, switches.first)
    vocabulary, rows = score((gold_strings, gold_lines), (strings, lines), chosen, SPMRL)
    unparsed = _unparsed_brackets(gold_lines, gold_strings, chosen) if switches.count_unparsed else None
    printed, number = _printed(gold_lines, lines, rows, unparsed)
    complaints, last = errors_until(gold_lines, lines, rows, vocabulary, chosen.max_error)
    if "cutoff_len" in given:
        complaints = f"cutoff {chosen.cutoff_len}\n{complaints}"
    title = f"=== Summary: {call.gold}\tvs\t{call.candidate} ===" if switches.filenames else "=== Summary ==="
    if last is not None:
        reached = np.searchsorted(number, last[0]) + _printed_before(last, rows)
        printed, number, end = Rows(*(column[:reached] for column in printed)), number[:reached], ""
    elif switches.compact == "no":
        end = summary(printed, chosen, title)
    else:
        end = _compact(printed, chosen, switches, call.candidate)
    # What only changes the look of the report is no choice that a score depends on.
    choices = (
        ("parameters", chosen.source),
        ("count_unparsed", "yes" if switches.count_unparsed else "no"),
        ("first", str(switches.first or "all")),
    )
    names = {ERROR: Status.WORDS_DIFFER, SKIP: Status.NO_PARSE}
    status = np.array([names.get(code, Status.SCORED) for code in printed.status.tolist()], np.int8)
    signature = Signature("evalb_spmrl", "1.0", choices)
    return Answer(
        lambda: HEAD + "".join(sentence_lines(printed, number)) + end,
        lambda: counts_of(printed, printed.gold, status, number, signature),
        complaints,
        notes,
        int(last is not None),
    )


def _first(lines: Lines, count: int) -> Lines:
    """Return the first sentences of a file; words and brackets of later ones stay in the arrays, unused."""
    return lines._replace(
        word_offsets=lines.word_offsets[: count + 1],
        bracket_offsets=lines.bracket_offsets[: count + 1],
        flaw=lines.flaw[:count],
        overclosed=lines.overclosed[:count],
        place=lines.place[:count],
    )


def _unparsed_brackets(gold: Lines, strings: Vocabulary, parameters: Parameters) -> Int32Array:
    """Return the counts of ``-X`` for each sentence of gold, shape ``(lines,)``.

    One for a bracket over words, and one for each DELETE_LABEL, listed twice or not, that it is not.
    """
    deleted = [SPMRL.cut(label) for label in parameters.delete_label]
    equal = {pair for one, other in parameters.eq_label for pair in ((one, other), (other, one))}
    weight = np.ones(len(strings), np.int32)
    for code in np.unique(gold.label).tolist():
        label = SPMRL.cut(strings[code])
        weight[code] += sum(label != other and (label, other) not in equal for other in deleted)
    amount = np.where(gold.start != gold.end, weight[gold.label], 0)
    counted: Int32Array = by_sentence(gold.bracket_offsets, amount).astype(np.int32)
    return counted


def _printed(
    gold: Lines, candidate: Lines, rows: Rows, unparsed: Int32Array | None
) -> tuple[Rows, Int32Array]:
    """Return the rows that are printed and counted, and the line that each is about.

    Where lengths differ a row of zeros comes first, as valid as reading the sentence left it; a second
    one follows where gold has one word or none.
    """
    count = len(rows.status)
    read = np.where(flawed(gold)[:count] | flawed(candidate)[:count], ERROR, 0).astype(np.int32)
    wrong = np.isin(rows.outcome, (WORD_DIFFERS, SHORT_WORD_DIFFERS))
    status = np.where(wrong, ERROR, read)
    nothing = rows.outcome == NO_WORDS
    columns = rows._asdict()
    status[nothing] = SKIP if unparsed is None else UNPARSED
    if unparsed is not None:
        columns["gold"] = np.where(nothing, unparsed[:count], rows.gold)
        columns["words"] = np.where(nothing, rows.gold_words, rows.words)
    columns["status"] = status
    short = np.isin(rows.outcome, (SHORT_COMPARED, SHORT_WORD_DIFFERS))
    repeated = np.repeat(np.arange(count), 1 + short)
    printed = {name: column[repeated] for name, column in columns.items()}
    is_first = np.append(repeated[1:] == repeated[:-1], False) if count else np.zeros(0, np.bool_)
    for name in ("matched", "gold", "candidate", "crossing", "words", "tags"):
        printed[name][is_first] = 0
    printed["status"][is_first] = read[repeated][is_first]
    return Rows(**printed), (repeated + 1).astype(np.int32)


def _printed_before(last: tuple[int, str], rows: Rows) -> int:
    """Return the number of rows about a line that are printed before the program gives up at it."""
    line, message = last
    if line > len(rows.status):
        return 0
    outcome = rows.outcome[line - 1]
    found_in_words = message.startswith("Words unmatch") and outcome == SHORT_WORD_DIFFERS
    return int(found_in_words or (message.startswith("Length unmatch") and outcome == LENGTHS_DIFFER))


def _compact(rows: Rows, parameters: Parameters, switches: Switches, candidate: Path) -> str:
    """Return the summary in one line, in which precision and recall are exchanged."""
    chosen = rows.length <= parameters.cutoff_len if switches.compact == "short" else None
    total = totals(rows, chosen)
    recall, precision, f_measure, tagging = total.scores()
    complete = 100 * total.complete / total.valid if total.valid else 0.0
    unparsed = total.skipped + total.errors
    return COMPACT % (
        f_measure, recall, precision, tagging, complete, unparsed, total.sentences, candidate
    )  # fmt: skip
