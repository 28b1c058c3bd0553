"""Summary of disco-dop, with its names, columns and digits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from crossbank.metrics.rivals.discodop.discodop_parameters import Parameters

ALL = " Summary (ALL) ".center(35, "_")
BOTH = " Summary ".center(27, "_") + " <= %d ______ ALL"


@dataclass
class Totals:
    """Sums over sentences.

    sentences, longest, exact         how many, words in the longest, how many have the same brackets
    gold, candidate, matched          brackets
    distinct_..., discontinuous_...   those that differ from all others, those with gaps
    lineages, leaf_ancestor           sentences, and the sum of their scores (nan: one has no word)
    distance, size                    tree distance, and the sizes of both trees (nan as well)
    functions, candidate_functions, matched_functions
                                      function tags of gold and of the candidate, and common ones
    words, tags                       words, and those with the right tag
    """

    sentences: int = 0
    longest: int = 0
    exact: int = 0
    gold: int = 0
    candidate: int = 0
    matched: int = 0
    distinct_gold: int = 0
    distinct_candidate: int = 0
    discontinuous_gold: int = 0
    discontinuous_candidate: int = 0
    lineages: int = 0
    leaf_ancestor: Decimal = Decimal(0)
    distance: Decimal = Decimal(0)
    size: Decimal = Decimal(0)
    functions: int = 0
    candidate_functions: int = 0
    matched_functions: int = 0
    words: int = 0
    tags: int = 0


Score = Callable[[Totals], Decimal]


def summary(total: Totals, short: Totals, parameters: Parameters) -> str:
    """Lines that disco-dop prints last; a second column where sentences exceed the cut-off length."""
    one = total.longest <= parameters.cutoff_len
    has_gaps = total.discontinuous_gold or total.discontinuous_candidate
    lines = [ALL if one else BOTH % parameters.cutoff_len]

    def count(name: str, number: Callable[[Totals], int]) -> None:
        columns = (total,) if one else (short, total)
        lines.append(f"{name + ':':<27}" + "     ".join(f"{number(column):6d}" for column in columns))

    def score(name: str, of: Score) -> None:
        columns = (total,) if one else (short, total)
        lines.append(f"{name:<27}" + "     ".join(per_cent(of, column) for column in columns))

    count("number of sentences", lambda t: t.sentences)
    count("longest sentence", lambda t: t.longest)
    if one and has_gaps:
        lines.append(f"gold brackets (disc.):     {total.distinct_gold:6d} ({total.discontinuous_gold})")
        lines.append(
            f"cand. brackets (disc.):    {total.distinct_candidate:6d} ({total.discontinuous_candidate})"
        )
    else:
        count("gold brackets", lambda t: t.distinct_gold)
        count("cand. brackets", lambda t: t.distinct_candidate)
    if not one and has_gaps:
        count("disc. gold brackets", lambda t: t.discontinuous_gold)
        count("disc. cand. brackets", lambda t: t.discontinuous_candidate)
    score("labeled recall:", lambda t: proportion(t.matched, t.gold))
    score("labeled precision:", lambda t: proportion(t.matched, t.candidate))
    score("labeled f-measure:", lambda t: f_measure(t.matched, t.gold, t.candidate))
    score("exact match:", lambda t: Decimal(t.exact) / t.sentences)
    if parameters.la:
        score("leaf-ancestor:", lambda t: t.leaf_ancestor / t.lineages if t.lineages else Decimal("nan"))
    if parameters.ted:
        score("tree-dist (Dice micro avg)", lambda t: 1 - t.distance / t.size)
    if total.candidate_functions:
        score("function tags:", lambda t: f_measure(t.matched_functions, t.functions, t.candidate_functions))
    score("pos accuracy:", lambda t: Decimal(t.tags) / t.words)
    return "\n".join(lines) + "\n"


def proportion(part: int, whole: int) -> Decimal:
    """A proportion; not a number where the whole is 0."""
    return Decimal(part) / whole if whole else Decimal("nan")


def f_measure(matched: int, gold: int, candidate: int) -> Decimal:
    """Harmonic mean of precision and recall; not a number where one of them is 0 or not a number."""
    precision, recall = proportion(matched, candidate), proportion(matched, gold)
    if precision == 0 or recall == 0:
        return Decimal("nan")
    half = Decimal("0.5")
    return 1 / (half / precision + half / recall)


def per_cent(score: Score, total: Totals) -> str:
    """A score in six columns; a division by zero is named as disco-dop names it."""
    return in_columns(lambda: score(total))


def in_columns(*scores: Callable[[], Decimal]) -> str:
    """Scores in six columns each; a division by zero is named as disco-dop names it."""
    columns = []
    for score in scores:
        try:
            columns.append("%6.2f" % (100 * score()))
        except (ZeroDivisionError, InvalidOperation):
            columns.append(" 0DIV!")
    return "  ".join(columns)
