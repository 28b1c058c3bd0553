"""Summary of disco-dop, with its names, columns and digits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal, InvalidOperation
from functools import partial
from typing import Any

from crossbank.metrics.rivals.discodop.discodop_parameters import Parameters

ALL = " Summary (ALL) ".center(35, "_")
BOTH = " Summary ".center(27, "_") + " <= %d ______ ALL"


Totals = Mapping[str, Any]
"""Sums over sentences of the columns that ``discodop.compared`` gives, by name.

sentences, longest, exact         how many, words in the longest, how many have the same brackets
gold, candidate, matched          brackets
distinct_..., discontinuous_...   those that differ from all others, those with gaps
lineages, leaf_ancestor           sentences, and the sum of their scores (nan: one has no word)
distance, size                    tree distance, and the sizes of both trees (nan as well)
functions, candidate_functions, matched_functions
                                  function tags of gold and of the candidate, and common ones
words, tags                       words, and those with the right tag

All are whole numbers but ``leaf_ancestor``, ``distance`` and ``size``, which are decimals.
"""


def summary(total: Totals, short: Totals, parameters: Parameters) -> str:
    """Lines that disco-dop prints last; a second column where sentences exceed the cut-off length."""
    one = total["longest"] <= parameters.cutoff_len
    has_gaps = total["discontinuous_gold"] or total["discontinuous_candidate"]
    columns = (total,) if one else (short, total)
    lines = [ALL if one else BOTH % parameters.cutoff_len]

    def count(name: str, key: str) -> None:
        lines.append(f"{name + ':':<27}" + "     ".join(f"{column[key]:6d}" for column in columns))

    def score(name: str, of: Callable[..., Decimal], *keys: str) -> None:
        cells = (in_columns(partial(of, *(column[key] for key in keys))) for column in columns)
        lines.append(f"{name:<27}" + "     ".join(cells))

    count("number of sentences", "sentences")
    count("longest sentence", "longest")
    for side, key in (("gold", "gold"), ("cand.", "candidate")):
        if one and has_gaps:
            gaps = f"{total[f'distinct_{key}']:6d} ({total[f'discontinuous_{key}']})"
            lines.append(f"{f'{side} brackets (disc.):':<27}{gaps}")
        else:
            count(f"{side} brackets", f"distinct_{key}")
    if not one and has_gaps:
        count("disc. gold brackets", "discontinuous_gold")
        count("disc. cand. brackets", "discontinuous_candidate")
    score("labeled recall:", proportion, "matched", "gold")
    score("labeled precision:", proportion, "matched", "candidate")
    score("labeled f-measure:", f_measure, "matched", "gold", "candidate")
    score("exact match:", divided, "exact", "sentences")
    if parameters.la:
        score("leaf-ancestor:", proportion, "leaf_ancestor", "lineages")
    if parameters.ted:
        score("tree-dist (Dice micro avg)", lambda distance, size: 1 - distance / size, "distance", "size")
    if total["candidate_functions"]:
        score("function tags:", f_measure, "matched_functions", "functions", "candidate_functions")
    score("pos accuracy:", divided, "tags", "words")
    return "\n".join(lines) + "\n"


def divided(part: int | Decimal, whole: int) -> Decimal:
    """A proportion; an error where the whole is 0."""
    return Decimal(part) / whole


def proportion(part: int | Decimal, whole: int) -> Decimal:
    """A proportion; not a number where the whole is 0."""
    return divided(part, whole) if whole else Decimal("nan")


def f_measure(matched: int, gold: int, candidate: int) -> Decimal:
    """Harmonic mean of precision and recall; not a number where one of them is 0 or not a number."""
    precision, recall = proportion(matched, candidate), proportion(matched, gold)
    if precision == 0 or recall == 0:
        return Decimal("nan")
    half = Decimal("0.5")
    return 1 / (half / precision + half / recall)


def in_columns(*scores: Callable[[], Decimal]) -> str:
    """Scores in six columns each; a division by zero is named as disco-dop names it."""
    columns = []
    for score in scores:
        try:
            columns.append("%6.2f" % (100 * score()))
        except (ZeroDivisionError, InvalidOperation):
            columns.append(" 0DIV!")
    return "  ".join(columns)
