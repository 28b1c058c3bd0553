"""Two files through the scorer: its switches, its report, and the counts behind it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from os import fspath
from typing import Literal

import numpy as np

from crossbank.metrics.counting.counts import Column, Counts, Signature
from crossbank.metrics.dependencies import Dependencies
from crossbank.metrics.pairing.pair import Status
from crossbank.metrics.rivals.eval07.reading import Reading, read_both
from crossbank.metrics.rivals.eval07.report import details
from crossbank.metrics.rivals.eval07.tables import by_sentence, summary
from crossbank.metrics.rivals.eval07.tokens import Tokens
from crossbank.metrics.rivals.protocol import Answer, Call
from crossbank.treebanks.arrays import Int64Array
from crossbank.treebanks.errors import CrossbankError
from crossbank.treebanks.option_values import option_value

VERSION = "1.1"

MEASURES = tuple(m for m in Dependencies.measures if m.name in ("uas", "las", "label_accuracy"))


@dataclass(frozen=True)
class Program:
    """Differences between the scorers of the two years.

    switches   the options that it has
    defaults   those of them whose default is not ``include`` or ``no``
    fatal      its word before what ends it
    forgiving  whether it warns of another word or tag, and of blank lines that are missing at the end
    """

    name: str
    switches: tuple[str, ...]
    defaults: Mapping[str, str]
    fatal: str
    forgiving: bool


EVAL07 = Program("eval07", ("punctuation", "deriv", "per_sentence", "quiet"), {}, "Fatal: ", forgiving=True)


@dataclass(frozen=True, eq=False)
class Evaluation(Answer):
    """The scorer's findings in two files.

    punctuation, deriv  whether tokens of punctuation, and those whose relation in gold is ``DERIV``, count
    per_sentence        whether a line for each sentence is printed
    quiet               whether the summary is all else that is printed
    """

    name: str
    files: tuple[str, str]
    reading: Reading
    punctuation: bool
    deriv: bool
    per_sentence: bool
    quiet: bool

    @property
    def tokens(self) -> Tokens:
        """All tokens."""
        return self.reading.tokens

    def scored(self) -> Int64Array:
        """Return the tokens that count."""
        return self.tokens.scored(punctuation=self.punctuation, deriv=self.deriv)

    def report(self) -> str:
        """Printed report; where a file cannot be read to its end, only the sentences before that place.

        Raises CrossbankError where no token counts.
        """
        scored = self.scored()
        sentences = by_sentence(self.tokens, scored) if self.per_sentence else ""
        if self.reading.unequal:
            return as_text(sentences)
        if not len(scored):
            raise CrossbankError(f"{self.files[0]}: no token counts")
        report = (f"{sentences}\n\n" if sentences else "") + summary(self.tokens, scored)
        if not self.quiet:
            gold, system = (f.encode("utf-8", "surrogateescape").decode("latin-1") for f in self.files)
            report += details(self.tokens, scored, gold, system)
        return as_text(report)

    def complaints(self) -> str:
        """Messages on stderr. The details read the files again, so their end is warned of twice."""
        reading = self.reading
        twice = reading.at_end * (1 if self.quiet or reading.unequal else 2)
        return as_text(reading.short + reading.warning + twice + reading.said)

    def exit_code(self) -> int:
        """1 where files are not parallel."""
        return int(self.reading.unequal is not None)

    def counts(self) -> Counts:
        """Return the same per sentence with words: attachment scores and label accuracy.

        Raises FormatError where the files cannot be read to the end.
        """
        if self.reading.unequal:
            raise self.reading.unequal
        tokens, scored = self.tokens, self.scored()
        having = np.flatnonzero(tokens.lengths)
        right = {
            "gold": np.ones(len(tokens.word), np.bool_),
            "heads": ~tokens.wrong_head,
            "relations": ~tokens.wrong_relation,
            "labelled": ~tokens.wrong,
        }
        columns: dict[str, Column] = {
            name: np.bincount(tokens.sentence[scored[column[scored]]], minlength=len(tokens.lengths))[
                having
            ].astype(np.float64)
            for name, column in right.items()
        }
        choices = (
            ("punctuation", "yes" if self.punctuation else "no"),
            ("deriv", "yes" if self.deriv else "no"),
        )
        return Counts(
            Signature(self.name, VERSION, choices),
            MEASURES,
            tuple(str(number) for number in range(1, len(having) + 1)),
            np.full(len(having), Status.SCORED, np.int8),
            {**columns, "candidate": columns["gold"]},
        )


def evaluate(call: Call) -> Evaluation:
    """Score two files as ``eval07.pl`` does.

    ``punctuation=exclude`` is ``-p``, ``deriv=exclude`` ``-d``, ``quiet=yes`` ``-q`` and ``per_sentence=yes``
    ``-b``. Raises OptionError for other options and for a parameter file; CrossbankError where a file
    cannot be read.
    """
    return evaluate_as(EVAL07, call)


def evaluate_as(program: Program, call: Call) -> Evaluation:
    """``evaluate`` for one of the two programs."""
    call.refuse_parameters(program.name)
    call.refuse_options(program.name, program.switches)
    given = {**program.defaults, **call.options}
    punctuation, deriv = (
        option_value(option, given.get(option, "include"), Literal["include", "exclude"]) == "include"
        for option in ("punctuation", "deriv")
    )
    per_sentence, quiet = (
        bool(option_value(option, given.get(option, "no"), bool)) for option in ("per_sentence", "quiet")
    )
    reading = read_both(call, fatal=program.fatal, forgiving=program.forgiving)
    files = fspath(call.gold), fspath(call.candidate)
    return Evaluation(program.name, files, reading, punctuation, deriv, per_sentence, quiet)


def as_text(report: str) -> str:
    """Decode a report whose characters are bytes as UTF-8; leave others as they are."""
    return report.encode("latin-1").decode("utf-8", "surrogateescape")
