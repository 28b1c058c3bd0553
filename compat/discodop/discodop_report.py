"""Report of disco-dop: breakdowns by rule, label, function and tag, and the summary below them.

Names, columns and digits are its own. Entries of equal frequency are in the order of their first occurrence.
Where disco-dop leaves the order to the hashes of a set (attachments, and labels and functions in statistics)
it changes from run to run there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from functools import partial
from itertools import zip_longest
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossbank.compat.discodop.compared_items import ComparedItems, FunctionTags, common, lacking, surplus
from crossbank.compat.discodop.discodop_parameters import DiscodopParameters
from crossbank.treebanks import Treebank
from crossbank.treebanks.vocabulary import Vocabulary

MOST = 10
"""The most rows that a table has."""


class ReportedTrees:
    """Trees of one side, whose rules are written only when they are requested."""

    def __init__(self, bank: Treebank, items: ComparedItems, vocabulary: Vocabulary) -> None:
        self.bank, self.items, self.vocabulary = bank, items, vocabulary

    def rule(self, node: int) -> str:
        """Rule of a node as disco-dop prints it: the yield function, the label, the children's labels.

        The yield function says for each part of the node, separated by commas, in which order the children
        cover it.
        """
        nodes, tokens = self.bank.nodes, self.bank.tokens
        sentence = int(self.items.sentence[node])
        rows, words = nodes.rows(sentence), tokens.rows(sentence)
        parents, above = nodes.parent[rows].tolist(), tokens.parent[words].tolist()
        index = node - rows.start
        covered: list[tuple[int, int]] = []
        for token, parent in enumerate(above):
            child = -1 - token
            while parent >= 0 and parent != index:
                child, parent = parent, parents[parent]
            if parent == index:
                covered.append((token, child))
        children = list(dict.fromkeys(child for _, child in covered))
        parts: list[list[int]] = []
        before, last = -2, None
        for token, child in covered:
            number = children.index(child)
            if token != before + 1:
                parts.append([number])
            elif number != last:
                parts[-1].append(number)
            before, last = token, number
        labels = [
            self.items.label[rows.start + child if child >= 0 else self.items.nodes + words.start - 1 - child]
            for child in children
        ]
        written = ",".join("".join(map(str, part)) for part in parts)
        names = [self.vocabulary[int(code)] for code in (self.items.label[node], *labels)]
        return f"{written}\t{' '.join(names)}"


def breakdowns(
    gold: ReportedTrees, candidate: ReportedTrees, functions: tuple[FunctionTags, FunctionTags, list[str]]
) -> Iterator[str]:
    """All lines, the empty one at the end too."""
    yield from _rules(gold, candidate)
    yield from _attachments(gold, candidate)
    labelled = [
        NamedItems(
            *(column[np.flatnonzero(items.counts)] for column in (items.bracket, items.span, items.label))
        )
        for items in (gold.items, candidate.items)
    ]
    yield from _statistics(("Category", "categories", "label"), labelled, list(gold.vocabulary))
    if len(functions[1].key):
        tagged = [NamedItems(side.key, side.item, side.tag) for side in functions[:2]]
        yield from _statistics(("Function Tag", "tags", "func."), tagged, functions[2])
    own, candidate_tags = gold.items.tag, candidate.items.tag
    if len(own) and not np.array_equal(own, candidate_tags):
        yield from _tags(own, candidate_tags, gold.vocabulary)
    yield ""


def _rules(gold: ReportedTrees, candidate: ReportedTrees) -> Iterator[str]:
    """Rules over the same tokens that differ, and rules over tokens that the other side has no node for."""
    own, other = gold.items, candidate.items
    rows = [np.flatnonzero(items.size[: items.nodes] > 1) for items in (own, other)]
    keys = _pairs((own.span[rows[0]], other.span[rows[1]]), (own.rule[rows[0]], other.rule[rows[1]]))
    missing, wrong = rows[0][surplus(*keys)], rows[1][surplus(*keys[::-1])]
    # Of several rules over the same tokens the last counts.
    there = dict(zip(own.span[missing].tolist(), missing.tolist(), strict=True))
    yield "\n Rewrite rule mismatches (for given span)"
    yield "   count   cand / gold rules"
    pairs = [
        (row, there[span])
        for row, span in zip(wrong.tolist(), other.span[wrong].tolist(), strict=True)
        if span in there
    ]
    for count, index in _commonest([(int(other.rule[one]), int(own.rule[two])) for one, two in pairs]):
        one, two = pairs[index]
        yield f" {count:7d}  {candidate.rule(one)}"
        yield f" {' ':>7}  {gold.rule(two)}"
    for title, column, side, item_rows, other_items in (
        ("(span not in gold trees)", "rule in candidate parses", candidate, wrong, own),
        ("(span missing from candidate parses)", "rule in gold standard set", gold, missing, other),
    ):
        yield f"\n Rewrite rules {title}"
        yield f"   count   {column}"
        alone = item_rows[~np.isin(side.items.span[item_rows], other_items.span[: other_items.nodes])]
        for count, index in _commonest(side.items.rule[alone].tolist()):
            yield f" {count:7d}  {side.rule(int(alone[index]))}"


def _attachments(gold: ReportedTrees, candidate: ReportedTrees) -> Iterator[str]:
    """Brackets that both sides have under nodes with different labels."""
    own, other, names = gold.items, candidate.items, gold.vocabulary
    rows = np.flatnonzero(own.counts), np.flatnonzero(other.counts)
    keys = _pairs((own.key[rows[0]], other.key[rows[1]]), (own.parent[rows[0]], other.parent[rows[1]]))
    missing, wrong = rows[0][lacking(*keys)], rows[1][lacking(*keys[::-1])]
    there = dict(zip(own.key[missing].tolist(), own.parent[missing].tolist(), strict=True))
    columns = (column[wrong].tolist() for column in (other.label, other.parent, other.key))
    errors = [
        (names[label], names[parent], names[there[key]])
        for label, parent, key in zip(*columns, strict=True)
        if key in there
    ]
    yield "\n Attachment errors (correct labeled bracketing, wrong parent)"
    yield "  label     cand     gold    count"
    yield " " + 33 * "_"
    for count, index in _commonest(errors):
        yield "  ".join(f"{part:>7}" for part in errors[index]) + f"  {count:7d}"


class NamedItems(NamedTuple):
    """Items of one side: the multiset that is compared, the object of a mistake, and the code of the name."""

    key: NDArray[Any]
    about: NDArray[Any]
    code: NDArray[Any]


def _statistics(
    what: tuple[str, str, str], sides: Sequence[NamedItems], names: Sequence[str]
) -> Iterator[str]:
    """Scores by name, the most frequent first, and beside them names that are in place of others.

    what   names of the table, of its rows in the heading, and of the first column
    sides  gold and candidate
    """
    yield f"\n {what[0]} Statistics ({MOST} most frequent {what[1]} / errors)"
    yield f"  {what[2]}  % gold  recall    prec.     F1           cand gold       count"
    yield " " + 38 * "_" + 8 * " " + 24 * "_"
    (keys, about, codes), (found_keys, found_about, found_codes) = sides
    both = common(keys, found_keys)
    code_of = np.zeros(len(both.gold), np.int64)
    code_of[both.of_gold], code_of[both.of_candidate] = codes, found_codes
    sums = [
        np.bincount(code_of, column, len(names)) for column in (both.gold, both.candidate, both.matched())
    ]
    kinds = np.bincount(code_of[both.gold > 0], minlength=len(names))
    used = np.flatnonzero((sums[0] > 0) | (sums[1] > 0)).tolist()
    order = sorted(used, key=lambda code: (-kinds[code], names[code]))[:MOST]
    missing, wrong = surplus(keys, found_keys), surplus(found_keys, keys)
    there = dict(zip(about[missing].tolist(), codes[missing].tolist(), strict=True))
    errors = [
        (names[code], names[there[what]])
        for what, code in zip(found_about[wrong].tolist(), found_codes[wrong].tolist(), strict=True)
        if what in there
    ]
    distinct = int((both.gold > 0).sum())
    for code, error in zip_longest(order, _commonest(errors)):
        line = 39 * " "
        if code is not None:
            own, of_candidate, matched = (int(column[code]) for column in sums)
            part = f"{100 * own / distinct:6.2f}" if distinct else " 0DIV!"
            scores = in_columns(
                partial(proportion, matched, own),
                partial(proportion, matched, of_candidate),
                partial(f_measure, matched, own, of_candidate),
            )
            line = f"{names[code]:>7}  {part}  {scores}"
        if error is not None:
            count, index = error
            line += f"       {errors[index][0]:>8} {errors[index][1]:<8} {count:7d}"
        yield line


def _tags(gold: NDArray[Any], candidate: NDArray[Any], vocabulary: Vocabulary) -> Iterator[str]:
    """Scores by tag, and beside them tags that are in place of others."""
    yield f"\n POS Statistics ({MOST} most frequent tags / errors)"
    yield "    tag  % gold  recall   prec.      F1           cand gold   count"
    yield " " + 38 * "_" + 12 * " " + 20 * "_"
    tags, wrong = gold.tolist(), gold != candidate
    errors = [
        (vocabulary[one], vocabulary[two])
        for one, two in zip(candidate[wrong].tolist(), gold[wrong].tolist(), strict=True)
    ]
    right = np.bincount(gold[~wrong], minlength=len(vocabulary))
    candidate_counts = np.bincount(candidate, minlength=len(vocabulary))
    for tag, error in zip_longest(_commonest(tags), _commonest(errors)):
        line = 40 * " "
        if tag is not None:
            count, code = tag[0], tags[tag[1]]
            same, other = int(right[code]), int(candidate_counts[code])
            scores = proportion(same, count), proportion(same, other), f_measure(same, count, other)
            columns = "  ".join("%6.2f" % (100 * score) for score in scores)
            line = f"{vocabulary[code]:>7}  {100 * count / len(tags):6.2f}  {columns}"
        if error is not None:
            count, index = error
            pair = f"{errors[index][0]:>8} {errors[index][1]:<8}"
            line += f"       {pair:>12} {count:7d}"
        yield line


def _pairs(
    ones: tuple[NDArray[Any], NDArray[Any]], right_columns: tuple[NDArray[Any], NDArray[Any]]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Two columns as one, of gold and of the candidate: a number for each pair of values."""
    numbers = [np.unique(np.concatenate(column), return_inverse=True) for column in (ones, right_columns)]
    both = numbers[0][1].reshape(-1) * len(numbers[1][0]) + numbers[1][1].reshape(-1)
    own, right = np.split(both, [len(ones[0])])
    return own, right


def _commonest(values: Iterable[Any]) -> list[tuple[int, int]]:
    """Return the most frequent of some values: how often each occurs, and where it first does."""
    listed = list(values)
    first: dict[Any, int] = {}
    for index, value in enumerate(listed):
        first.setdefault(value, index)
    return [(count, first[value]) for value, count in Counter(listed).most_common(MOST)]


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


def summary(total: Totals, short: Totals, parameters: DiscodopParameters) -> str:
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
