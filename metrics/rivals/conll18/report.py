"""The official table, as the option ``-v`` prints it, or with counts, as ``-c`` does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from crossbank.metrics.rivals.conll18.scores import TABLE, UNALIGNED

SCORES = "Metric     | Precision |    Recall |  F1 Score | AligndAcc\n"
COUNTS = "Metric     | Correct   |      Gold | Predicted | Aligned\n"
RULE = "-----------+-----------+-----------+-----------+-----------\n"


def table(sums: Mapping[str, int], *, counts: bool, more: Sequence[str] = ()) -> str:
    """The table of all scores and of some ``more``, from the sums of their columns over the file."""
    row = _counts if counts else _scores
    return (COUNTS if counts else SCORES) + RULE + "".join(row(sums, name) for name in (*TABLE, *more))


def _columns(sums: Mapping[str, int], name: str) -> tuple[int, int, int, int | None]:
    """The numbers of correct, gold, system and aligned items of a row."""
    key = name.lower()
    all_aligned = None if key in UNALIGNED else sums[f"{key}_aligned"]
    return sums[f"{key}_correct"], sums[f"{key}_gold"], sums[f"{key}_system"], all_aligned


def _scores(sums: Mapping[str, int], name: str) -> str:
    correct, gold, system, all_aligned = _columns(sums, name)
    # The official program multiplies by 100 last, and the last digit printed depends on it.
    precision, recall = _proportion(correct, system), _proportion(correct, gold)
    f1 = _proportion(2 * correct, system + gold)
    accuracy = "" if all_aligned is None else f"{100 * _proportion(correct, all_aligned):10.2f}"
    return f"{name:11}|{100 * precision:10.2f} |{100 * recall:10.2f} |{100 * f1:10.2f} |{accuracy}\n"


def _counts(sums: Mapping[str, int], name: str) -> str:
    correct, gold, system, all_aligned = _columns(sums, name)
    last: int | str = all_aligned or (correct if name == "Words" else "")
    return f"{name:11}|{correct:10} |{gold:10} |{system:10} |{last:10}\n"


def _proportion(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
