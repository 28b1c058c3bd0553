"""The mode ``evalb``: EVALB's report, byte for byte, with EVALB's parameter files.

Sekine, Satoshi and Michael John Collins (1997): EVALB, the scorer of Collins (1997); its version of 2006
and later, with the F-measure. The numbers are EVALB's, and so is what it does on the way: which
sentences are errors, what it says of them, and that it ends without a summary at the twelfth error (at
number ``MAX_ERROR + 2``). Not taken over: its limits on words, brackets and bytes, its dumps of single
sentences (``DEBUG``), and that it goes on with a wrong parameter file.

>>> report, complaints, code = run("gold.mrg", "parsed.mrg", "COLLINS.prm")  # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from os import PathLike

import numpy as np
from numpy.typing import NDArray

from metrics.counts import Counts, Measure, Status, precision_recall_f1, ratio
from metrics.evalb.complaints import complaints
from metrics.evalb.lines import Lines, flawed, load_lines
from metrics.evalb.parameters import Parameters, load_parameters
from metrics.evalb.report import HEAD, sentence_lines, summary
from metrics.evalb.scoring import COMPARED, Rows, score
from metrics.signature import Signature

VERSION = "1.0"

MEASURES = (
    *precision_recall_f1("gold", "candidate", "matched", "brackets"),
    Measure(
        "exact",
        lambda sums: ratio(sums["exact"], sums["rows"]),
        "sentences with the same brackets / sentences",
    ),
    Measure(
        "no_crossing",
        lambda sums: ratio(sums["no_crossing"], sums["rows"]),
        "sentences without a crossing bracket / sentences",
    ),
    Measure(
        "two_or_less_crossing",
        lambda sums: ratio(sums["two_or_less_crossing"], sums["rows"]),
        "sentences with two crossing brackets or less / sentences",
    ),
    Measure(
        "crossing_per_sentence",
        lambda sums: ratio(sums["crossing"], sums["rows"]),
        "brackets of the candidate that cross one of gold / sentences",
        share=False,
        better="less",
    ),
    Measure("tagging", lambda sums: ratio(sums["tags"], sums["words"]), "words with the right tag / words"),
)


@dataclass(frozen=True, eq=False)
class Evaluation:
    """What EVALB finds in two files.

    rows        one row for each pair of lines that it came to
    status      the same in our terms, shape ``(rows,)``
    complaints  what it says on stderr
    ended_at    the line, from 1, at which there were too many errors, or None
    """

    parameters: Parameters
    rows: Rows
    status: NDArray[np.int8]
    complaints: str
    ended_at: int | None

    def report(self) -> str:
        """What EVALB prints; without a summary where it ended before the files did."""
        sentences = "".join(sentence_lines(self.rows))
        return HEAD + sentences + ("" if self.ended_at else summary(self.rows, self.parameters))

    def counts(self) -> Counts:
        """The same as counts per sentence, under EVALB's rule: what cannot be scored is left out."""
        rows, scored = self.rows, self.status == Status.SCORED
        same = (rows.matched == rows.gold) & (rows.matched == rows.candidate)
        columns = {
            "gold": rows.gold_brackets,
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
            self.signature,
            MEASURES,
            tuple(str(line) for line in range(1, len(self.status) + 1)),
            self.status,
            {name: column.astype(np.float64) for name, column in columns.items()},
            policy="skip",
        )

    @property
    def signature(self) -> Signature:
        """The parameter file by name and content, and where EVALB ended."""
        choices = [("parameters", self.parameters.source)]
        if self.ended_at:
            choices.append(("ended_at_line", str(self.ended_at)))
        return Signature("evalb", VERSION, tuple(choices))


def run(
    gold: str | PathLike[str],
    candidate: str | PathLike[str],
    parameters: str | PathLike[str] | None = None,
    *,
    options: Mapping[str, object] | None = None,
    encoding: str | None = None,
) -> tuple[str, str, int]:
    """What EVALB prints on stdout and on stderr, and its exit status: 1 where it ended early.

    ``options`` are ``max_error`` and ``cutoff_len``, as in ``Parameters.with_options``. Raises
    CrossbankError where a file cannot be read or the parameters are wrong.
    """
    evaluation = evaluate(gold, candidate, parameters, options=options, encoding=encoding)
    return evaluation.report(), evaluation.complaints, 1 if evaluation.ended_at else 0


def evaluate(
    gold: str | PathLike[str],
    candidate: str | PathLike[str],
    parameters: str | PathLike[str] | None = None,
    *,
    options: Mapping[str, object] | None = None,
    encoding: str | None = None,
) -> Evaluation:
    """Score two files; arguments and errors as for ``run``."""
    chosen = Parameters() if parameters is None else load_parameters(parameters)
    chosen = chosen.with_options(options or {})
    with ThreadPoolExecutor(2) as threads:
        reading = [threads.submit(load_lines, path, encoding) for path in (gold, candidate)]
        (gold_vocabulary, gold_lines), (candidate_vocabulary, candidate_lines) = [r.result() for r in reading]
    vocabulary, rows = score((gold_vocabulary, gold_lines), (candidate_vocabulary, candidate_lines), chosen)
    said = []
    if chosen.debug:
        said.append(f"{parameters}: DEBUG {chosen.debug}: the dump of each sentence is left out\n")
    ended_at = None
    endless = chosen.max_error is not None
    for number, (line, message) in enumerate(
        complaints(gold_lines, candidate_lines, rows, vocabulary, endless=endless)
    ):
        said.append(f"{line} : {message}\n")
        if chosen.max_error is not None and number > chosen.max_error:
            ended_at = line
            break
    reached = len(rows.status) if ended_at is None else min(ended_at - 1, len(rows.status))
    return Evaluation(
        chosen,
        Rows(*(column[:reached] for column in rows)),
        _status(gold_lines, candidate_lines, rows)[:reached],
        "".join(said),
        ended_at,
    )


def _status(gold: Lines, candidate: Lines, rows: Rows) -> NDArray[np.int8]:
    status = np.where(rows.outcome == COMPARED, Status.SCORED, Status.WORDS_DIFFER).astype(np.int8)
    status[rows.candidate_words == 0] = Status.NO_PARSE
    status[flawed(candidate)[: len(status)]] = Status.NO_PARSE
    status[rows.gold_words == 0] = Status.NO_GOLD
    status[flawed(gold)[: len(status)]] = Status.NO_GOLD
    return status
