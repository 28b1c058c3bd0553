"""Two files through the scorer of 2007: its switches, its report, and the counts behind it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike, fspath
from typing import Literal

import numpy as np

from metrics.counts import Counts, Status
from metrics.dependencies import Dependencies
from metrics.eval07.lines import Sentences, Token, as_text, load
from metrics.eval07.tables import details, right_head, right_relation, summary
from metrics.signature import Signature
from treebanks.errors import CrossbankError, OptionError
from treebanks.option_values import option_value

VERSION = "1.0"

OPTIONS = ("punctuation", "deriv", "quiet")


@dataclass(frozen=True, eq=False)
class Evaluation:
    """What the scorer finds in two files.

    punctuation, deriv  whether tokens of punctuation, and those whose relation in gold is ``DERIV``, count
    quiet               whether the summary is all that is printed
    """

    name: str
    files: tuple[str, str]
    read: Sentences
    punctuation: bool
    deriv: bool
    quiet: bool

    def scored(self, tokens: list[Token]) -> list[Token]:
        """The tokens of a sentence that count."""
        return [
            token
            for token in tokens
            if (self.punctuation or not token.is_punctuation)
            and (self.deriv or token.gold_relation != "DERIV")
        ]

    def report(self) -> str:
        """The summary and, unless it is quiet, the tables.

        Raises CrossbankError where no token counts.
        """
        sentences = [self.scored(tokens) for tokens in self.read.tokens]
        tokens = [token for sentence in sentences for token in sentence]
        if not tokens:
            raise CrossbankError(f"{self.files[0]}: found no token that counts, expected at least one")
        if self.quiet:
            return summary(tokens)
        unscored = sum(map(len, self.read.tokens)) - len(tokens)
        gold, system = (file.encode("utf-8", "surrogateescape").decode("latin-1") for file in self.files)
        return as_text(summary(tokens) + details(sentences, tokens, unscored, gold, system))

    def counts(self) -> Counts:
        """The same per sentence: attachment scores and label accuracy."""
        rows = []
        for tokens in map(self.scored, self.read.tokens):
            heads, relations = list(map(right_head, tokens)), list(map(right_relation, tokens))
            labelled = sum(a and b for a, b in zip(heads, relations, strict=True))
            rows.append((len(tokens), sum(heads), sum(relations), labelled))
        table = np.array(rows, np.float64).reshape(-1, 4)
        gold, heads_right, relations_right, both = table.T
        columns = {"gold": gold, "candidate": gold, "heads": heads_right}
        columns |= {"relations": relations_right, "labelled": both}
        choices = (
            ("punctuation", "yes" if self.punctuation else "no"),
            ("deriv", "yes" if self.deriv else "no"),
        )
        return Counts(
            Signature(self.name, VERSION, choices),
            tuple(m for m in Dependencies.measures if m.name in ("uas", "las", "label_accuracy")),
            tuple(str(number) for number in range(1, len(rows) + 1)),
            np.full(len(rows), Status.SCORED, np.int8),
            columns,
        )


def run(
    gold: str | PathLike[str],
    candidate: str | PathLike[str],
    parameters: str | PathLike[str] | None = None,
    *,
    options: Mapping[str, object] | None = None,
    **reading: str | None,
) -> tuple[str, str, int]:
    """What ``eval07.pl`` prints, a warning where a word or tag differs, and the exit status 0.

    Arguments and errors as for ``evaluate``.
    """
    found = evaluate(gold, candidate, parameters, options=options, **reading)
    return found.report(), found.read.warning, 0


def evaluate(
    gold: str | PathLike[str],
    candidate: str | PathLike[str],
    parameters: str | PathLike[str] | None = None,
    *,
    options: Mapping[str, object] | None = None,
    format: str | None = None,
    candidate_format: str | None = None,
    encoding: str | None = None,
) -> Evaluation:
    """Score two files. ``punctuation=exclude`` is ``-p``, ``deriv=exclude`` ``-d``, ``quiet=yes`` ``-q``.

    Raises OptionError for other options and for a parameter file; FormatError, with the line, where the
    files are not parallel or a line has too few columns.
    """
    given = dict(options or {})
    if parameters is not None:
        raise OptionError("--parameters", str(parameters), "none (this program has no parameter file)")
    for option in given:
        if option not in OPTIONS:
            raise OptionError("option", option, OPTIONS)
    punctuation, deriv = (
        option_value(option, given.get(option, "include"), Literal["include", "exclude"]) == "include"
        for option in ("punctuation", "deriv")
    )
    quiet = bool(option_value("quiet", given.get("quiet", "no"), bool))
    read = load(gold, candidate, format, candidate_format or format, encoding)
    return Evaluation("eval07", (fspath(gold), fspath(candidate)), read, punctuation, deriv, quiet)
