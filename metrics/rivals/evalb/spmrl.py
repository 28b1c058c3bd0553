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

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal, get_type_hints

import numpy as np

from crossbank.metrics.counting.counts import Counts, Signature
from crossbank.metrics.counting.tally import by_sentence
from crossbank.metrics.pairing.pair import Status
from crossbank.metrics.rivals.evalb.evaluation import complaints, counts_of, joined_lines
from crossbank.metrics.rivals.evalb.lines import Lines, flawed, load_lines
from crossbank.metrics.rivals.evalb.loops.scoring import (
    ERROR,
    LENGTHS_DIFFER,
    NO_WORDS,
    SHORT_COMPARED,
    SHORT_WORD_DIFFERS,
    SKIP,
    WORD_DIFFERS,
)
from crossbank.metrics.rivals.evalb.parameters import OPTIONS, Parameters, load_parameters
from crossbank.metrics.rivals.evalb.report import HEAD, sentence_lines, summary, totals
from crossbank.metrics.rivals.evalb.scoring import Dialect, Rows, score
from crossbank.metrics.rivals.protocol import Answer, Call, Path
from crossbank.treebanks.arrays import Int32Array
from crossbank.treebanks.errors import OptionError
from crossbank.treebanks.option_values import option_value
from crossbank.treebanks.vocabulary import Vocabulary

VERSION = "1.0"

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

    @classmethod
    def of(cls, options: Mapping[str, object]) -> Switches:
        """Switches as a user writes them. Raises OptionError for a value that is not of its kind."""
        kinds = get_type_hints(cls)
        values: dict[str, Any] = {
            name: option_value(name, value, kinds[name]) for name, value in options.items()
        }
        switches = cls(**values)
        if switches.first < 0:
            raise OptionError("option first", switches.first, "a number of sentences")
        return switches

    def signature(self, parameters: Parameters) -> Signature:
        """Choices that a score depends on, without those that only change the look of the report."""
        choices = {
            "parameters": parameters.source,
            "count_unparsed": "yes" if self.count_unparsed else "no",
            "first": str(self.first or "all"),
        }
        return Signature("evalb_spmrl", VERSION, tuple(choices.items()))


@dataclass(frozen=True, eq=False)
class Evaluation(Answer):
    """The program's findings in two files.

    rows        one row for each line that it prints about a sentence; see ``_printed``
    number      the line of both files that each row is about, from 1
    signature   the parameter file by name and content, and the switches
    printout    its output on stdout
    said        its output on stderr
    gave_up     whether there were too many errors
    remarks     the repairs
    """

    rows: Rows
    number: Int32Array
    signature: Signature
    printout: str
    said: str
    gave_up: bool
    remarks: str = ""

    def report(self) -> str:
        """A line for each sentence, and the summary unless the program gave up."""
        return self.printout

    def complaints(self) -> str:
        """Return the program's messages on stderr: one line for each error."""
        return self.said

    def exit_code(self) -> int:
        """1 where the program gave up."""
        return int(self.gave_up)

    def notes(self) -> str:
        """Trees over several lines."""
        return self.remarks

    def counts(self) -> Counts:
        """Return the same as counts per row; rows that the program does not count as valid are left out."""
        names = {ERROR: Status.WORDS_DIFFER, SKIP: Status.NO_PARSE}
        status = np.array([names.get(code, Status.SCORED) for code in self.rows.status.tolist()], np.int8)
        lines = tuple(map(str, self.number.tolist()))
        return counts_of(self.rows, self.rows.gold, status, lines, self.signature)


def evaluate(call: Call) -> Evaluation:
    """Score two files under a parameter file, or under the program's own defaults.

    The options are those of ``Switches``, ``max_error`` and ``cutoff_len``. Raises CrossbankError where a
    file cannot be read, the parameters are wrong or an option is unknown.
    """
    given, allowed = call.options, [field.name for field in fields(Switches)]
    call.refuse_options("evalb_spmrl", (*allowed, *OPTIONS))
    switches = Switches.of({name: value for name, value in given.items() if name in allowed})
    chosen = Parameters() if call.parameters is None else load_parameters(call.parameters)
    chosen = chosen.with_options({name: value for name, value in given.items() if name in OPTIONS})
    (gold_strings, gold_lines), (strings, lines) = call.read_both(load_lines)
    remarks = joined_lines(call, gold_lines, lines)
    if switches.first:
        gold_lines, lines = _first(gold_lines, switches.first), _first(lines, switches.first)
    vocabulary, rows = score((gold_strings, gold_lines), (strings, lines), chosen, SPMRL)
    unparsed = _unparsed_brackets(gold_lines, gold_strings, chosen) if switches.count_unparsed else None
    printed, number = _printed(gold_lines, lines, rows, unparsed)
    signature = switches.signature(chosen)
    said = [f"cutoff {chosen.cutoff_len}\n"] if "cutoff_len" in given else []
    errors = complaints(gold_lines, lines, rows, vocabulary, endless=chosen.max_error is not None)
    for count, (line, message) in enumerate(errors):
        said.append(f"{line} : {message}\n")
        if chosen.max_error is not None and count > chosen.max_error:
            reached = np.searchsorted(number, line) + _printed_before(message, rows, line)
            printed = Rows(*(column[:reached] for column in printed))
            report = HEAD + "".join(sentence_lines(printed, number[:reached]))
            return Evaluation(printed, number[:reached], signature, report, "".join(said), True, remarks)
    report = HEAD + "".join(sentence_lines(printed, number))
    title = f"=== Summary: {call.gold}\tvs\t{call.candidate} ===" if switches.filenames else "=== Summary ==="
    if switches.compact == "no":
        report += summary(printed, chosen, title)
    else:
        report += _compact(printed, chosen, switches, call.candidate)
    return Evaluation(printed, number, signature, report, "".join(said), False, remarks)


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
    if unparsed is None:
        status[nothing] = SKIP
    else:
        status[nothing] = UNPARSED
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


def _printed_before(message: str, rows: Rows, line: int) -> int:
    """Return the number of rows about a line that are printed before the program gives up at it."""
    if line > len(rows.status):
        return 0
    outcome = rows.outcome[line - 1]
    found_in_words = message.startswith("Words unmatch") and outcome == SHORT_WORD_DIFFERS
    return int(found_in_words or (message.startswith("Length unmatch") and outcome == LENGTHS_DIFFER))


def _compact(rows: Rows, parameters: Parameters, switches: Switches, candidate: Path) -> str:
    """Return the summary in one line, in which precision and recall are exchanged."""
    chosen = rows.length <= parameters.cutoff_len if switches.compact == "short" else None
    total = totals(rows, chosen)
    complete = 100 * total.complete / total.valid if total.valid else 0.0
    return COMPACT % (
        total.f_measure, total.recall, total.precision, total.tagging, complete,
        total.skipped + total.errors, total.sentences, candidate,
    )  # fmt: skip


__all__ = ["Evaluation", "Switches", "evaluate"]
