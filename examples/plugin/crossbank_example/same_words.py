"""Mode ``same_words``: a program that prints how many lines of two files are the same."""

import numpy as np

from crossbank.metrics.counting.counts import Counts, Measure, Signature, share
from crossbank.metrics.modes.modes_by_name import Mode
from crossbank.metrics.modes.protocol import Answer, Output
from crossbank.metrics.pairing.pair import Status
from crossbank.treebanks.files import lines

MODE = Mode(program="same_words 1.0", format="bracket")

MEASURES = (Measure("same", share("same", "gold"), "lines that are the same / lines"),)


def evaluate(call):
    """Compare two files line by line."""
    call.settings("same_words", {})
    gold, candidate = (
        [text for _, text in lines(path, call.encoding)] for path in (call.gold, call.candidate)
    )
    same = np.array([left == right for left, right in zip(gold, candidate, strict=True)], float)
    names = tuple(str(number) for number in range(1, len(gold) + 1))
    status = np.full(len(gold), Status.SCORED, np.int8)
    columns = {"gold": np.ones(len(gold)), "same": same}
    return Answer(
        [Output(lambda: f"{int(same.sum())} of {len(gold)} lines are the same\n")],
        lambda: Counts(Signature("same_words", "1.0"), MEASURES, names, status, columns),
    )
