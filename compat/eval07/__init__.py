"""Modes ``eval07`` and ``conllx``: the scorers of the CoNLL shared tasks of 2007 and 2006.

Buchholz and Marsi (2006): CoNLL-X Shared Task on Multilingual Dependency Parsing, section 5; the report
is that of ``eval07.pl`` 1.4 (Krymolowski, Buchholz, Prokopidis, Yuret), byte for byte, and so is what it
says of files that are not parallel, and its exit status.

Three things differ. The scorer prints items with equal counts in an order that changes from run to run; here
they are in the order of their bytes, as if the scorer sorted its keys. That order also decides which local
contexts are too general to be listed. Perl's own messages are replaced: comments and missing columns are
named in one line of ours, and files in which no token counts are an error.

Which local contexts are listed depends on all tokens, so both files are read whole: 50,000 sentences, 1.06
million tokens in files of 59 MB, take 280 MB.
"""

from __future__ import annotations

from os import fspath
from typing import Any, Literal, NamedTuple

import numpy as np

from crossbank.compat.eval07.eval07_report import by_sentence, details, summary
from crossbank.compat.eval07.parallel_lines import read_both
from crossbank.metrics.counting.counts import Column, Counts, Signature
from crossbank.metrics.dependencies import Dependencies
from crossbank.metrics.modes.modes_by_name import Mode
from crossbank.metrics.modes.protocol import Answer, Call, Output
from crossbank.metrics.pairing.pair import Status
from crossbank.plugins.packages import PlugIn
from crossbank.treebanks.errors import CrossbankError

PLUG_IN = PlugIn(title="reports of eval07.pl")

MODE = Mode(position=60, program="eval07.pl 1.4", format="conllx")

MEASURES = tuple(m for m in Dependencies.measures if m.name in ("uas", "las", "label_accuracy"))


class ScorerVersion(NamedTuple):
    """Differences between the scorers of the two years.

    has_deriv    whether it has the option ``deriv``
    punctuation  whether it scores punctuation by default
    fatal        its word before what ends it
    forgiving    whether it warns of another word or tag, and of blank lines that are missing at the end
    """

    name: str
    has_deriv: bool
    punctuation: Literal["include", "exclude"]
    fatal: str
    forgiving: bool


EVAL07 = ScorerVersion("eval07", True, "include", "Fatal: ", True)


def evaluate(call: Call) -> Answer:
    """Score two files as ``eval07.pl`` does.

    ``punctuation=exclude`` is ``-p``, ``deriv=exclude`` ``-d``, ``quiet=yes`` ``-q`` and ``per_sentence=yes``
    ``-b``. Raises OptionError for other options and for a parameter file; CrossbankError if a file
    cannot be read.
    """
    return evaluate_as(EVAL07, call)


def evaluate_as(program: ScorerVersion, call: Call) -> Answer:
    """``evaluate`` for one of the two programs. Making a report without a token that counts is an error."""
    scored_or_not = Literal["include", "exclude"]
    kinds: dict[str, tuple[Any, object]] = {"punctuation": (scored_or_not, program.punctuation)}
    if program.has_deriv:
        kinds["deriv"] = (scored_or_not, "include")
    kinds |= {"per_sentence": (bool, "no"), "quiet": (bool, "no")}
    settings = dict(zip(kinds, call.settings(program.name, kinds), strict=True))
    punctuation, deriv = (settings.get(name, "include") == "include" for name in ("punctuation", "deriv"))
    quiet = settings["quiet"]
    reading = read_both(call, fatal=program.fatal, forgiving=program.forgiving)
    tokens = reading.tokens
    scored = tokens.scored(punctuation=punctuation, deriv=deriv)
    # The details read the files again, so their end is warned of twice.
    twice = reading.at_end * (1 if quiet or reading.unequal else 2)

    def report() -> str:
        sentences = by_sentence(tokens, scored) if settings["per_sentence"] else ""
        if reading.unequal:
            return as_text(sentences)
        if not len(scored):
            raise CrossbankError(f"{fspath(call.gold)}: every token is excluded, so there is no score")
        made = (f"{sentences}\n\n" if sentences else "") + summary(tokens, scored)
        if not quiet:
            files = (fspath(file) for file in (call.gold, call.candidate))
            names = (name.encode("utf-8", "surrogateescape").decode("latin-1") for name in files)
            made += details(tokens, scored, *names)
        return as_text(made)

    def counts() -> Counts:
        if reading.unequal:
            raise reading.unequal
        having = np.flatnonzero(tokens.lengths)
        right = {
            "gold": np.ones(len(tokens.word), np.bool_),
            "heads": ~tokens.wrong_head,
            "relations": ~tokens.wrong_relation,
            "labelled": ~tokens.wrong,
        }
        sentence, count = tokens.sentence[scored], len(tokens.lengths)
        columns: dict[str, Column] = {
            name: np.bincount(sentence[column[scored]], minlength=count)[having].astype(np.float64)
            for name, column in right.items()
        }
        choices = (("punctuation", "yes" if punctuation else "no"), ("deriv", "yes" if deriv else "no"))
        sentences = tuple(str(number) for number in range(1, len(having) + 1))
        status = np.full(len(having), Status.SCORED, np.int8)
        columns["candidate"] = columns["gold"]
        return Counts(Signature(program.name, "1.1", choices), MEASURES, sentences, status, columns)

    complaints = as_text(reading.short + reading.warning + twice + reading.messages)
    return Answer([Output(report, complaints, int(reading.unequal is not None))], counts)


def as_text(report: str) -> str:
    """Decode a report whose characters are bytes as UTF-8; leave others as they are."""
    return report.encode("latin-1").decode("utf-8", "surrogateescape")
